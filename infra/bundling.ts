/**
 * Bundles a function as the one file that Lambda runs. The stack, the Lambda emulator of the tests and the benches all
 * use it, so that what is tested and measured is what is deployed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { buildConsole } from '../functions/console/build.ts';
import { readyMadeName } from '../functions/console/files.ts';
import { docsAssetsName } from '../functions/docs/assets.ts';
import { type FunctionGroup, groups, type Worker, workers } from './topology.ts';

/** The folder of the repository; the input paths of bundles are relative to it. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** All functions, by folder in `functions/`. */
export const functionNames = [...Object.keys(groups), ...Object.keys(workers)] as (
  | FunctionGroup
  | Worker
)[];

/** The replacements of packages in bundles, by the file in `infra/slim-client`. */
const slim = (file: string): string => join(root, 'infra', 'slim-client', file);
const alias = {
  '@aws-sdk/client-dynamodb': slim('dynamodb.ts'),
  '@aws-sdk/client-eventbridge': slim('eventbridge.ts'),
  '@aws-sdk/client-kms': slim('kms.ts'),
  '@aws-sdk/core/client': slim('nothing.ts'),
  '@smithy/core/endpoints': slim('endpoints.ts'),
  // Loaded for operations that stream events; none of ours does.
  '@smithy/core/event-streams': slim('nothing.ts'),
  // Ajv loads it beside the resolver that it is given.
  'fast-uri': slim('nothing.ts'),
} as const;

export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  minify: true,
  // The licences of the packages lie beside the bundle.
  legalComments: 'external',
  // `module` names the ES modules of a package, which esbuild can tree-shake.
  mainFields: ['module', 'main'],
  sourcemap: 'external',
  metafile: true,
  write: false,
  alias,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Bundles a function as `index.mjs` in a folder. The folder `aside` gets two files that are not deployed: the source
 * map, and `<name>.meta.json`, the inputs of the bundle for esbuild's analyzer.
 */
export function bundleFunction(name: FunctionGroup | Worker, folder: string, aside: string): void {
  // Required here: the package brings its bundles, and no compiler.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles, metafile } = buildSync({
    ...bundleOptions,
    entryPoints: [join('functions', name, 'handler.ts')],
    outfile: resolve(folder, 'index.mjs'),
  });
  for (const path of [folder, aside]) mkdirSync(path, { recursive: true });
  for (const { path, contents } of outputFiles) {
    writeFileSync(path.endsWith('.map') ? join(aside, `${name}.mjs.map`) : path, contents);
  }
  writeFileSync(join(aside, `${name}.meta.json`), JSON.stringify(metafile));
  if (name === 'console') writeConsole(folder);
  if (name === 'docs') writeDocs(folder);
}

/** Writes the files of the console where its handler finds them ready-made. */
export function writeConsole(folder: string): void {
  writeFileSync(join(folder, readyMadeName), JSON.stringify(buildConsole()));
}

/**
 * Writes the pages of the reference where their handler finds them ready-made. They are made by a process of their own:
 * the package has neither their sources nor their tools.
 */
export function writeDocs(folder: string): void {
  const words = ['--import', 'tsx', join(root, 'functions', 'docs', 'write.ts')];
  const { status } = spawnSync(process.execPath, [...words, resolve(folder, docsAssetsName)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`The reference was not made: ${status}.`);
}

/** Bundles functions without a stack: each as `<folder>/<name>/index.mjs`, the rest in `<folder>/bundles`. */
export function bundleFunctions(folder: string, names = functionNames): void {
  for (const name of names) bundleFunction(name, join(folder, name), join(folder, 'bundles'));
}
