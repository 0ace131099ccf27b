/** A folder is one process's alone. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Takes a folder, or says that another process has it. The lock is a socket in the abstract namespace,
 * which the kernel takes back from a process that is killed; elsewhere than on Linux there is none, nor
 * an embedded database.
 */
export async function lock(folder: string, isTaken: string): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex');
  const server = createServer().listen(`\0countersign-${name}`);
  try {
    await once(server, 'listening');
  } catch {
    throw new Error(isTaken);
  }
  server.unref();
  return () => server.close();
}
