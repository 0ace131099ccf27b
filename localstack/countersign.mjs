#!/usr/bin/env node
// The command `countersign`: compiled in the package, from its sources in a clone.
import { existsSync } from 'node:fs';

const source = new URL('./command/main.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import(new URL('../dist/localstack/command/main.js', import.meta.url).href);
}
