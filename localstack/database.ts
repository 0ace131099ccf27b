/**
 * The embedded database: one native binary that speaks DynamoDB and keeps a SQLite file. It runs as a
 * child and ends with its parent, however the parent ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

/** How long the database may take to answer first, in milliseconds. */
const startMsMax = 10_000;
/** How much of what the database says on standard error is kept for an error, in characters. */
const complaintLengthMax = 2_000;

/** A database that is there for this process: its address, and how to end it. */
export interface Database {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/** Uses the database of `DYNAMODB_ENDPOINT`, or starts the embedded one over a file or in memory. */
export async function openDatabase(path: string | undefined): Promise<Database> {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  if (endpoint) return { endpoint, stop: async () => {} };
  return startEmbedded(binaryPath(), path);
}

function binaryPath(): string {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    throw new Error(
      `The embedded database has no binary for ${process.platform}-${process.arch}. ` +
        'Set DYNAMODB_ENDPOINT to a DynamoDB endpoint (DynamoDB Local, LocalStack or AWS) and start again.',
    );
  }
}

async function startEmbedded(binary: string, path: string | undefined): Promise<Database> {
  const port = await freePort();
  const options = ['serve', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawnTied(binary, path === undefined ? options : [...options, '--db-path', path]);
  const endpoint = `http://127.0.0.1:${port}`;
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-complaintLengthMax);
  });
  await answered(endpoint, child, () => complaints);
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  };
  return { endpoint, stop };
}

/**
 * The shell holds the child on a pipe from this process. When this process ends, even by `kill -9`,
 * the pipe closes, `cat` ends, and the shell ends the database.
 */
function spawnTied(binary: string, options: readonly string[]): ChildProcess {
  const script =
    '"$0" "$@" & database=$!; cat >/dev/null; kill "$database"; wait "$database"; exit 0';
  return spawn('/bin/sh', ['-c', script, binary, ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

async function answered(
  endpoint: string,
  child: ChildProcess,
  complaints: () => string,
): Promise<void> {
  const giveUp = Date.now() + startMsMax;
  while (Date.now() < giveUp && child.exitCode === null) {
    try {
      await fetch(endpoint);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new Error(
    `The embedded database did not start (exit code ${child.exitCode}). ${complaints()}`.trim(),
  );
}
