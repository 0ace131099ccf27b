/** Where a command keeps what it needs meanwhile: private records among it, so that none of it may stay. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ends with 128 and the signal's number, as shells have it. */
const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Makes a folder that is gone when this process ends, also when it is asked to end by a signal. */
export function newWorkFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  for (const [signal, code] of Object.entries(codes))
    process.once(signal, () => process.exit(code));
  return path;
}
