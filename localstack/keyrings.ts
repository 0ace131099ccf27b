/** The keyrings that commands wrap and unwrap with: that of the server whose table it is, and one under a passphrase. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keyring } from '../shared/action/ports.ts';
import { kmsKeyring } from '../shared/keyring/kms.ts';
import { localKeyring } from '../shared/keyring/local.ts';

const passphraseLengthMin = 12;

/** Where the master key of a data folder is, or that of `MASTER_KEY_FILE`. */
function masterKeyOf(folder: string): string {
  return process.env['MASTER_KEY_FILE'] || join(folder, 'master.key');
}

/** Whether there is a keyring for the tables of a folder. */
export function hasKeyring(folder: string): boolean {
  return Boolean(process.env['KMS_KEY_ID']) || existsSync(masterKeyOf(folder));
}

/** The keyring of a server: that of `KMS_KEY_ID`, or the master key in a file. */
export function keyringOf(folder: string): Keyring {
  const keyId = process.env['KMS_KEY_ID'];
  if (keyId) return kmsKeyring(keyId);
  const path = masterKeyOf(folder);
  if (!existsSync(path))
    throw new Error(`There is no master key at ${path}. Set MASTER_KEY_FILE or KMS_KEY_ID.`);
  return localKeyring(path);
}

/** The passphrase that a file holds, or standard input for `-`; a line's end at its end is none of it. */
export function passphraseIn(path: string): string {
  const text = readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
  if (text.length < passphraseLengthMin)
    throw new Error(`A passphrase has at least ${passphraseLengthMin} characters.`);
  return text;
}
