/** The keys of a ledger after a rotation: which of them count now, for whoever trusts one of them. Ruling 99. */
import { followed, type KeyedSigner } from '../log/key-table.ts';
import { assertOfLedger } from './answer.ts';
import { isProofOf } from './digest.ts';
import { isObject } from './envelope.ts';
import { LedgerUntrusted } from './errors.ts';

/**
 * The keys by which a ledger answers now, the newest first: from its signer `system` as it was answered, and a key that
 * you trust, be it older or newer. Throws `LedgerUntrusted` where none follows from that key.
 *
 * @example
 * const [newest] = ledgerKeysOf(await (await fetch(`${server}/signers/system`)).json(), pinnedKey);
 */
export function ledgerKeysOf(signer: unknown, trusted: string): readonly [string, ...string[]] {
  const newest = newestKeyOf(signer);
  const { keys, faults } = followed(signer as KeyedSigner, trusted, isProofOf);
  const [fault] = faults;
  if (fault !== undefined) throw new LedgerUntrusted(fault);
  const now = Date.now();
  const others = keys.filter(
    ({ until, compromised }) => until && !compromised && Date.parse(until) >= now,
  );
  return [newest, ...others.map((key) => key.public)];
}

/** The newest key of a ledger, which has signed the record of its signer. Throws `LedgerUntrusted` for another record. */
export function newestKeyOf(signer: unknown): string {
  const data = isObject(signer) && isObject(signer['data']) ? signer['data'] : {};
  const newest = String(data['public']);
  assertOfLedger(signer, newest);
  return newest;
}
