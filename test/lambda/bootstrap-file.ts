/** Compiles the runtime client to one file, for a Node without TypeScript and packages. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Writes the runtime client into a folder; returns its path. */
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
