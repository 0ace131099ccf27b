/** The example bridge as a command, which runs until it is asked to stop. */
import { print } from '../cli/output.ts';
import { stopSignal } from '../runtime/stop-signal.ts';
import { logOutput } from '../runtime/streams.ts';
import { type BridgeOptions, startBridge } from './bridge.ts';

/**
 * `countersign bridge`: an example of a bank's bridge. It has accounts of its own, holds and moves money when the ledger
 * asks for it, and prints a line for each step.
 */
export async function runBridge(options: Omit<BridgeOptions, 'say'>): Promise<void> {
  logOutput();
  const { name, server, data } = options;
  const say = (line: string) => print(`${name}: ${line}`);
  const bridge = await startBridge({ ...options, say }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const text = `The port is in use; choose another --port. ${error.message}`;
    throw new Error(text, { cause: error });
  });
  const stopped = stopSignal();
  // Written last: its reader may send a signal to stop at once.
  say(`ready at ${bridge.url} for the ledger at ${server}; data in ${data}`);
  await stopped;
  await bridge.stop();
}
