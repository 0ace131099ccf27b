/** The writes that follow published versions, where they can be one transaction. Decision 143. */
import type { EntryVersion } from './catalog.ts';
import type { CheckpointOf } from './logs.ts';

export interface Following {
  /**
   * Writes index entries, books and leaves of published versions, with a checkpoint, and removes their outbox entries, all
   * at once. False, and the entries are still there, where more is to be done, or it is too much: then it takes step by
   * step.
   */
  writeAtOnce(
    versions: readonly EntryVersion[],
    how: { readonly nowMs: number; readonly checkpointOf: CheckpointOf },
  ): Promise<boolean>;
}
