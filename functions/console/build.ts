/** Builds the console out of `page/` by esbuild: for the package, for Lambda, and in a clone at the first request. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import type { ConsoleFiles } from './files.ts';

const options = {
  absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** The files of the console. Throws where it does not compile, and where esbuild is not installed. */
export function buildConsole(): ConsoleFiles {
  const folder = join('functions', 'console', 'page');
  return {
    page: readFileSync(join(options.absWorkingDir, folder, 'index.html'), 'utf8'),
    script: built(join(folder, 'main.tsx')),
    style: built(join(folder, 'style.css')),
  };
}

function built(entry: string): string {
  // Required here: the package brings its console ready-made, and no compiler.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({ ...options, entryPoints: [entry] });
  return outputFiles[0]?.text ?? '';
}
