/** The witness as a command, which runs until it is asked to stop. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { cosignatureType, type NoteKey, vkeyOf } from '../../shared/log/note.ts';
import { keyIn } from '../bank/key.ts';
import { print } from '../cli/output.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';
import { makeFolder } from '../runtime/folder.ts';
import { lock } from '../runtime/lock.ts';
import { stopSignal } from '../runtime/stop-signal.ts';
import { logOutput } from '../runtime/streams.ts';
import { memoryIn } from './memory.ts';
import { witnessServer } from './server.ts';

export interface WitnessOptions {
  /** The name under which it cosigns. */
  readonly name: string;
  readonly port: number;
  readonly host: string;
  /** The folder of what it has cosigned. */
  readonly data: string;
  /** The file of its key, which is made if it is missing. */
  readonly keyFile: string;
  /** The keys of the logs that it knows, by origin. */
  readonly logs: ReadonlyMap<string, readonly NoteKey[]>;
  readonly say: (line: string) => void;
  readonly clock?: () => number;
}

export interface RunningWitness {
  readonly url: string;
  /** The key by which its cosignatures are verified. */
  readonly vkey: string;
  readonly stop: () => Promise<void>;
}

/** `countersign witness`: cosigns checkpoints of the logs that it knows, and prints a line for each. */
export async function runWitness(options: Omit<WitnessOptions, 'say'>): Promise<void> {
  logOutput();
  const witness = await startWitness({ ...options, say: (line) => print(`witness: ${line}`) });
  const stopped = stopSignal();
  // Written last: its reader may send a signal to stop at once.
  print(
    `witness: ready at ${witness.url} with the key ${witness.vkey}; what it has cosigned is in ${options.data}`,
  );
  await stopped;
  await witness.stop();
}

/** Starts a witness, alone in its folder. Throws an `ExitError` for a folder, key or port that cannot be used. */
export async function startWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { name, port, host, data, keyFile, logs, say, clock = Date.now } = options;
  makeFolder(data, '--data');
  const isTaken = `Another witness uses the folder ${data}.`;
  const unlock = lock(join(data, 'lock'), isTaken);
  try {
    const signing: SigningKey = keyIn(keyFile);
    const key: NoteKey = {
      ...{ name, type: cosignatureType },
      public: Buffer.from(signing.public, 'base64'),
    };
    const server = witnessServer({ key, signing, logs, memory: memoryIn(data), clock, say });
    server.listen(port, host);
    await once(server, 'listening').catch((error: Error) => {
      throw new ExitError(
        exitCodes.misconfigured,
        `The witness cannot listen: ${error.message}. Choose another --port or --host.`,
      );
    });
    const at = server.address() as AddressInfo;
    const url = `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
    const stop = async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
      unlock();
    };
    return { url, vkey: vkeyOf(key), stop };
  } catch (error) {
    unlock();
    throw error;
  }
}
