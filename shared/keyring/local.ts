/** The keyring of the offline runtime: a master key in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Keyring } from '../port/ports.ts';
import { aesKeyring } from './aes.ts';

const keyBytes = 32;

/** Makes the master key file; false when there is one, which stays as it is. */
export function makeMasterKey(path: string): boolean {
  try {
    writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Reads the master key of a file; throws when it has another length than 32 bytes. */
export function masterKeyring(path: string): Keyring {
  const master = readFileSync(path);
  if (master.length !== keyBytes)
    throw new Error(
      `The master key file ${path} holds ${master.length} bytes instead of ${keyBytes}.`,
    );
  return aesKeyring(master);
}
