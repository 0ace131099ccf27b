/** Commands whose exit code 1 is an answer, such as a violation, so that no error may end with it. */
import { messageOf } from '../../shared/ledger/thrown.ts';
import { codeOf, exitCodes, misused } from '../runtime/failing.ts';

/** Sets the exit code that is returned; an error without a code of its own gets that of a command that is misused. */
export async function answering(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (codeOf(error) !== exitCodes.failed) throw error;
    throw misused(messageOf(error), { cause: error });
  }
}
