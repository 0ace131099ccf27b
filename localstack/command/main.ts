/** `countersign`, from the words of the shell. */
import { run } from './program.ts';
import '../runtime/quiet.ts';

// A reader that has seen enough closes the pipe, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const code = await run(process.argv.slice(2));
// Output to a pipe is on its way, and sockets of the AWS client stay open.
process.stdout.write('', () => process.exit(code));
