/**
 * Builds the package into `dist/`, before `npm pack`: the compiled modules of the command and of the exports, the types of
 * the exports, and the bundles that `countersign/cdk` deploys, so that who deploys them needs no compiler.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFunction, functionNames, root, writeConsole, writeDocs } from '../bundling.ts';

const dist = join(root, 'dist');
/** Files that are read as they are. */
const copied = ['shared/client/api.d.ts', 'localstack/docker-compose.yml'];

rmSync(dist, { recursive: true, force: true });
for (const config of ['tsconfig.json', 'tsconfig.types.json']) compile(config);
for (const path of copied) copyFileSync(join(root, path), join(dist, path));
writeConsole(join(dist, 'functions', 'console'));
writeDocs(join(dist, 'functions', 'docs'));
for (const name of functionNames)
  bundleFunction(name, join(dist, 'bundles', name), join(root, 'cdk.out', 'bundles'));
writeManifest();

/** Runs the compiler; its errors end the build. */
function compile(config: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [compiler, '--project', join(root, 'infra', 'package', config)];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The compiler ended with ${status}.`);
}

/** Name, version and description of the command, beside the compiled modules as beside their sources. */
function writeManifest(): void {
  const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  const { name, version, description, type } = whole as Readonly<Record<string, string>>;
  const text = JSON.stringify({ name, version, description, type, private: true });
  writeFileSync(join(dist, 'package.json'), `${text}\n`);
}
