/** The command `countersign` as a process of its own. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The arguments with which Node runs `countersign` again: from its sources by tsx, or compiled. */
export function ownCommand(...words: readonly string[]): string[] {
  const extension = extname(import.meta.url);
  const main = fileURLToPath(new URL(`../command/main${extension}`, import.meta.url));
  if (extension !== '.ts') return [...process.execArgv, main, ...words];
  // By its path, so that it is found from any folder.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--import', tsx, main, ...words];
}
