/**
 * The bridge's private key and the ledger's public key, as files. The private key signs reports in the name of the bank.
 * It is not encrypted, so only the owner of the file may read it. A real bank signs with an HSM.
 */
import { sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ProofSigner } from '../../shared/client/client.ts';
import {
  createSeed,
  isBase64Of,
  isValidPublic,
  privateKeyOf,
  publicOf,
} from '../../shared/crypto/key.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { makeWhole, writeWhole } from '../../shared/disk/whole-file.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { isOpenToOthers } from '../runtime/folder.ts';

const seedBytes = 32;

/** Reads the key in a file, and makes one when the file is missing. */
export function keyIn(path: string): SigningKey {
  const text = storedKey(path) ?? made(path, Buffer.from(createSeed()).toString('base64'));
  if (isOpenToOthers(path))
    throw unusable(`Others may read the key in ${path}. Forbid it: chmod 600 ${path}`);
  if (!isBase64Of(text, seedBytes)) throw unusable(`${path} contains no key.`);
  const seed = Buffer.from(text, 'base64');
  return { public: publicOf(seed), privateKey: privateKeyOf(seed) };
}

/** Reads the key in an existing file. A closed ledger would not know a new key. */
function keyOf(path: string): SigningKey {
  if (!existsSync(path)) throw misused(`There is no file ${path}; \`countersign key\` makes one.`);
  return keyIn(path);
}

/** As `keyOf`, for the client of a ledger. */
export function signerIn(path: string): ProofSigner {
  return signerOf(keyOf(path));
}

/** Signs for the client of a ledger with this key. */
export function signerOf({ public: publicKey, privateKey }: SigningKey): ProofSigner {
  return { public: publicKey, sign: (bytes) => sign(null, bytes, privateKey) };
}

/** The pinned public key of the ledger; undefined before the first start. */
export function pinnedIn(path: string): string | undefined {
  const text = storedKey(path);
  if (text !== undefined && !isValidPublic(text)) throw unusable(`${path} contains no public key.`);
  return text;
}

/** Pins the key that followed the pinned one. */
export function pinNext(path: string, ledgerKey: string): void {
  writing(path, () => writeWhole(path, `${ledgerKey}\n`));
}

/** Pins the public key of the ledger. */
export function pin(path: string, ledgerKey: string): void {
  made(path, ledgerKey);
}

function storedKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw unusable(`${path} contains no key: it is a folder.`);
    throw unusable(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function made(path: string, text: string): string {
  writing(path, () => {
    if (!makeWhole(path, `${text}\n`)) throw new Error('it is there already');
  });
  return text;
}

function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw unusable(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function unusable(message: string): ExitError {
  return new ExitError(exitCodes.unusable, message);
}
