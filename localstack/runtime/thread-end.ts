/** The end of a thread of the offline runtime. It never ends while it writes: LMDB would wait for it. Decision 149. */
import { parentPort } from 'node:worker_threads';
import { stackOf } from '../../shared/ledger/thrown.ts';
import { closeFiles } from '../engine/file-table.ts';

/** Told by a thread that ends because of an error that nobody has caught. */
export interface FailedThread {
  /** The stack. */
  readonly failed: string;
}

/** Ends this thread once its writes under way have ended. */
export async function endThread(code = 0): Promise<never> {
  await closeFiles();
  process.exit(code);
}

/** Has an error that nobody catches told to the parent, and end this thread. */
export function reportFailure(): void {
  process.once('uncaughtException', (error: unknown) => {
    const failed = stackOf(error);
    parentPort?.postMessage({ failed } satisfies FailedThread);
    // Further ones come of the first.
    process.on('uncaughtException', () => {});
    void endThread(1);
  });
}
