/** `countersign`, from the words of the shell. */
import '../runtime/parent.ts';
import { endCode, guardStreams } from '../runtime/streams.ts';
import { run } from './program.ts';
import '../runtime/quiet.ts';

guardStreams();
const code = await run(process.argv.slice(2));
// Output to a pipe is on its way, and sockets of the AWS client stay open.
process.stdout.write('', () => {
  const end = endCode(code);
  process.stderr.write('', () => process.exit(end));
});
