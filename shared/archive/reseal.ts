/**
 * Rewrapping private keys and secrets from one keyring to another. In an archive they are always encrypted, by the
 * keyring of its server or under a passphrase. Decision 73.
 */

import { contextOfSecret } from '../crypto/secret.ts';
import type { Keyring } from '../port/ports.ts';
import type { ArchiveLine, OtherLine } from './form.ts';

/** The line with keys and secrets wrapped by the second keyring in place of the first. */
export async function resealed(
  ledger: string,
  line: ArchiveLine,
  from: Keyring,
  to: Keyring,
): Promise<ArchiveLine> {
  const rewrap = async (text: unknown, context: string): Promise<string> => {
    const secret = await from.unwrap(Buffer.from(String(text), 'base64'), context);
    return Buffer.from(await to.wrap(secret, context)).toString('base64');
  };
  return rewrapped(ledger, line, rewrap);
}

/** Throws when a keyring cannot unwrap the keys and secrets of a line. */
export async function assertOpens(
  ledger: string,
  line: ArchiveLine,
  keyring: Keyring,
): Promise<void> {
  await rewrapped(ledger, line, async (text, context) => {
    await keyring.unwrap(Buffer.from(String(text), 'base64'), context);
    return '';
  });
}

type Rewrap = (text: unknown, context: string) => Promise<string>;

async function rewrapped(ledger: string, line: ArchiveLine, rewrap: Rewrap): Promise<ArchiveLine> {
  const other = line as OtherLine;
  if (other.what === 'key') return rewrappedKey(ledger, other, rewrap);
  if (other.what !== 'secrets') return line;
  const { luid, secrets } = other as OtherLine & { luid: string; secrets: object };
  const all: [string, string][] = [];
  for (const [name, text] of Object.entries(secrets))
    all.push([name, await rewrap(text, contextOfSecret(ledger, luid, name))]);
  return { ...other, secrets: Object.fromEntries(all) };
}

/** The key of a ledger and, during a rotation, the one before. */
async function rewrappedKey(ledger: string, line: OtherLine, rewrap: Rewrap): Promise<OtherLine> {
  const { wrapped, formerWrapped } = line;
  const own = { ...line, wrapped: await rewrap(wrapped, ledger) };
  return formerWrapped === undefined
    ? own
    : { ...own, formerWrapped: await rewrap(formerWrapped, ledger) };
}
