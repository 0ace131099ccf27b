/** Key files of users. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { keyIn } from '../bank/key.ts';
import { configFolder } from '../command/config-folder.ts';
import { misused } from '../runtime/failing.ts';
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
export function runKey(path?: string): void {
  if (path === '') throw misused('The name of the key file is empty.');
  print(path === undefined ? ownKey().public : keyMadeIn(path).public);
}

/** The user's own key, which is made if it is missing. */
export function ownKey(): SigningKey {
  makeFolder(configFolder(), 'The folder of your own key');
  return keyMadeIn(defaultKeyPath());
}

/** The key in a file; a new one is announced. */
function keyMadeIn(path: string): SigningKey {
  const isNew = !existsSync(path);
  const key = keyIn(path);
  const line = `Made ${path}. It holds your private key: back it up, and show it to nobody.\n`;
  if (isNew) process.stderr.write(line);
  return key;
}
