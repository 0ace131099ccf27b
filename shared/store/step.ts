/** A step among others that are done in one transaction. Decision 143. */
import type { ItemAction } from './request.ts';
import type { Writes } from './write-all.ts';

export interface FollowStep {
  /** Writes without condition and order, which may as well come before the transaction. */
  readonly writes?: Writes;
  readonly actions?: readonly ItemAction[];
  /** Does what is left once all is stored, and may be left out by a crash. */
  readonly rest?: () => Promise<unknown>;
}
