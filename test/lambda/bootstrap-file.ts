/** Compiles the runtime client, for a Node that runs no TypeScript and has nothing else at hand. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Writes the runtime client into a folder; answers its path. */
export function bootstrapIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'bootstrap.mjs');
  buildSync({
    entryPoints: [fileURLToPath(new URL('bootstrap.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  return outfile;
}
