/** Key files of users. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keyIn } from '../bank/key.ts';
import { configFolder } from '../command/config-folder.ts';
import { makeFolder } from '../runtime/folder.ts';
import { print } from './output.ts';

/** The user's own key, with which commands sign where no other is named. */
export function defaultKeyPath(): string {
  return join(configFolder(), 'default.key');
}

/**
 * `countersign key`: prints the public key of a file, which is made if it is missing, with access for its owner only.
 * Without a file, it is the user's own key. The private key is never printed.
 */
export function runKey(path: string = defaultKeyPath()): void {
  if (path === defaultKeyPath()) makeFolder(configFolder(), 'The folder of your own key');
  const isNew = !existsSync(path);
  const key = keyIn(path);
  if (isNew)
    process.stderr.write(
      `Made ${path}. It holds your private key: back it up, and show it to nobody.\n`,
    );
  print(key.public);
}
