/** A step among others that are done in one transaction. Decision 143. */
import type { ItemAction } from './request.ts';

export interface Step {
  readonly actions: readonly ItemAction[];
  /** Does what is left to do once they are stored, and may be left out by a crash. */
  readonly rest?: () => Promise<unknown>;
}
