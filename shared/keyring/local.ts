/** The keyring of the offline runtime: a master key in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeWhole } from '../disk/whole-file.ts';
import type { Keyring } from '../port/ports.ts';
import { aesKeyring } from './aes.ts';

const keyBytes = 32;

/** The error of a secret that was not encrypted with the master key of a file. */
class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}

/** Makes the master key file, which is on the disk then; false when there is one, which stays as it is. */
export function makeMasterKey(path: string): boolean {
  return makeWhole(path, randomBytes(keyBytes));
}

/**
 * Reads the master key of a file; throws when it has another length than 32 bytes. What it unwraps rejects with a
 * `WrongMasterKey` when it was wrapped by another key, or is damaged.
 */
export function masterKeyring(path: string): Keyring {
  const master = readFileSync(path);
  if (master.length !== keyBytes)
    throw new Error(
      `The master key file ${path} holds ${master.length} bytes instead of ${keyBytes}.`,
    );
  const { wrap, unwrap } = aesKeyring(master);
  return {
    wrap,
    unwrap: (wrapped, context) =>
      unwrap(wrapped, context).catch((error: unknown) => {
        const text = `${path} is not the master key with which the keys of this database were encrypted. Restore the one that was backed up with it.`;
        throw new WrongMasterKey(text, { cause: error });
      }),
  };
}
