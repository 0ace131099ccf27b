/** The keyrings that commands wrap and unwrap with: that of the server whose table it is, and one under a passphrase. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kmsKeyring } from '../../shared/keyring/kms.ts';
import { localKeyring } from '../../shared/keyring/local.ts';
import type { Keyring } from '../../shared/port/ports.ts';
import { regionAt } from '../../shared/store/client.ts';

const passphraseLengthMin = 12;

/**
 * The keyring of the server whose table it is, that of the folder or that at `DYNAMODB_ENDPOINT`: whatever it does not
 * wrap, that server cannot unwrap.
 */
export function keyringOf(folder: string): Keyring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  if (!endpoint) return keyringIn(join(folder, 'master.key'));
  const [path, keyId] = [process.env['MASTER_KEY_FILE'], process.env['KMS_KEY_ID']];
  if (regionAt(endpoint) !== undefined) {
    if (keyId) return kmsKeyring(keyId);
    throw new Error(
      `KMS keeps the private keys of a server on AWS: set KMS_KEY_ID to the key of the one at ${endpoint}.`,
    );
  }
  if (path) return keyringIn(path);
  if (keyId) return kmsKeyring(keyId);
  throw new Error(
    `Set MASTER_KEY_FILE or KMS_KEY_ID to the keyring of the server whose table is at ${endpoint}.`,
  );
}

/** Whether a folder is still to get its master key. */
export function isWithoutKey(folder: string): boolean {
  return !process.env['DYNAMODB_ENDPOINT'] && !existsSync(join(folder, 'master.key'));
}

function keyringIn(path: string): Keyring {
  if (!existsSync(path)) throw new Error(`There is no master key at ${path}.`);
  return localKeyring(path);
}

/** The passphrase that a file holds, or standard input for `-`; a line's end at its end is none of it. */
export function passphraseIn(path: string): string {
  if (path !== '-' && !existsSync(path)) throw new Error(`There is no file ${path}.`);
  const text = readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
  if (text.length < passphraseLengthMin)
    throw new Error(`A passphrase has at least ${passphraseLengthMin} characters.`);
  return text;
}
