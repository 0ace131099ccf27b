/**
 * The bridge's own key and the ledger's, as files. Whoever has the first one can report in the name of the
 * bank: it lies here unencrypted, so the file is its owner's alone. A real bank signs with an HSM.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import {
  createSeed,
  isBase64Of,
  isValidPublic,
  publicOf,
  secretKeyOf,
} from '../../shared/crypto/key.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';

const seedBytes = 32;
const othersMay = 0o077;

/** The key in a file; it is made when there is none. */
export function keyIn(path: string): SigningKey {
  const text = kept(path) ?? written(path, Buffer.from(createSeed()).toString('base64'));
  if (process.platform !== 'win32' && (statSync(path).mode & othersMay) !== 0)
    throw new Error(`Others may read the key in ${path}. Forbid it: chmod 600 ${path}`);
  if (!isBase64Of(text, seedBytes)) throw new Error(`There is no key in ${path}.`);
  const seed = Buffer.from(text, 'base64');
  return { public: publicOf(seed), privateKey: secretKeyOf(seed) };
}

/** The key in a file that is there; a new one would be nobody's in a closed ledger. */
export function keyOf(path: string): SigningKey {
  if (!existsSync(path)) throw new Error(`There is no file ${path}; \`npm run key\` makes one.`);
  return keyIn(path);
}

/** The ledger's public key, as it was when it was first asked for; another one is not believed later. */
export function pinnedIn(path: string): string | undefined {
  const text = kept(path);
  if (text !== undefined && !isValidPublic(text))
    throw new Error(`There is no public key in ${path}.`);
  return text;
}

/** Keeps the ledger's public key from now on. */
export function pin(path: string, ledgerKey: string): void {
  written(path, ledgerKey);
}

function kept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code === 'EISDIR' ? new Error(`There is no key in ${path}: it is a folder.`) : error;
  }
}

function written(path: string, text: string): string {
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
  return text;
}
