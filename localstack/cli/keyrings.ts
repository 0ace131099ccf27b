/** The keyrings of commands: that of the server whose table it is, and one under a passphrase. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kmsKeyring } from '../../shared/keyring/kms.ts';
import { masterKeyring } from '../../shared/keyring/local.ts';
import type { Keyring } from '../../shared/port/ports.ts';
import { regionAt } from '../../shared/store/client.ts';
import { misused } from '../runtime/failing.ts';

const passphraseLengthMin = 12;

/**
 * The keyring of the server whose table it is: that of the folder, or of the server at `DYNAMODB_ENDPOINT`. That server
 * can unwrap only what this keyring wraps.
 */
export function keyringOf(folder: string): Keyring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  if (!endpoint) return keyringIn(join(folder, 'master.key'));
  const [path, keyId] = [process.env['MASTER_KEY_FILE'], process.env['KMS_KEY_ID']];
  if (regionAt(endpoint) !== undefined) {
    if (keyId) return kmsKeyring(keyId);
    throw misused(`Set KMS_KEY_ID to the KMS key of the server whose table is at ${endpoint}.`);
  }
  if (path) return keyringIn(path);
  if (keyId) return kmsKeyring(keyId);
  throw misused(
    `Set MASTER_KEY_FILE or KMS_KEY_ID to the keyring of the server whose table is at ${endpoint}.`,
  );
}

/** True for a folder without a master key. */
export function isWithoutKey(folder: string): boolean {
  return !process.env['DYNAMODB_ENDPOINT'] && !existsSync(join(folder, 'master.key'));
}

function keyringIn(path: string): Keyring {
  if (!existsSync(path)) throw misused(`There is no master key at ${path}.`);
  return masterKeyring(path);
}

/** The passphrase in a file, or on standard input for `-`, without the end of its line. */
export function passphraseIn(path: string): string {
  if (path !== '-' && !existsSync(path)) throw misused(`There is no file ${path}.`);
  const text = readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
  if (text.length < passphraseLengthMin)
    throw misused(`A passphrase has at least ${passphraseLengthMin} characters.`);
  return text;
}
