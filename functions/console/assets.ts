/** The files of the console: ready-made beside this module in the package and on Lambda, and built at the first request in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { type ConsoleFiles, readyMadeName } from './files.ts';

const readyMade = new URL(`./${readyMadeName}`, import.meta.url);
let known: Promise<ConsoleFiles> | undefined;

/** The files of the console; they are read or built once. */
export function assets(): Promise<ConsoleFiles> {
  known ??= found();
  return known;
}

async function found(): Promise<ConsoleFiles> {
  if (existsSync(readyMade)) return JSON.parse(readFileSync(readyMade, 'utf8')) as ConsoleFiles;
  const { buildConsole } = await import('./build.ts');
  return buildConsole();
}
