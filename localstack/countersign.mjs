#!/usr/bin/env node
// The command `countersign`: compiled in the package, and compiled at its first run in a clone.
import { existsSync } from 'node:fs';

/** The command that deploys the sources of a clone by the tools of the stack, which compile them themselves. */
const ofSources = 'localstack';
const source = new URL('./command/main.ts', import.meta.url);

async function commandOfClone() {
  const { compiledCommand } = await import('./compiled.mjs');
  const compiled = process.argv[2] === ofSources ? undefined : await compiledCommand();
  if (compiled) return compiled;
  const { register } = await import('tsx/esm/api');
  register();
  return source;
}

const ofPackage = new URL('../dist/localstack/command/main.js', import.meta.url);
const { href } = existsSync(source) ? await commandOfClone() : ofPackage;
await import(href);
