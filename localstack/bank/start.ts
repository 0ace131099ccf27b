/**
 * `npm run bridge -- <name> …`: an example of a bank's bridge. It has accounts of its own, holds and moves money when
 * the ledger asks for it, and prints a line for each step.
 */
import { startBridge } from './bridge.ts';
import { optionsOf, usage } from './options.ts';

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2), process.env);
  const { name, server, data } = options;
  const say = (line: string) => console.log(`${name}: ${line}`);
  const bridge = await startBridge({ ...options, say });
  say(`ready at ${bridge.url} for the ledger at ${server}; data in ${data}`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void bridge.stop().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  const isTaken = code === 'EADDRINUSE';
  const text = isTaken ? `The port is in use; choose another --port. ${message}` : message;
  console.error(code.startsWith('ERR_PARSE_ARGS') ? `${message}\n${usage}` : text);
  process.exit(1);
});
