/**
 * Ownership of records and of the ledger by the callers. A key by itself costs no read: its holder was read with it.
 * Only where that grants nothing are the holders of the owners' keys read, those of all rows of a list at once.
 * Ruling 13, Decision 157.
 */
import { type KeyHolder, ownsBySigner, ownsItself } from '../ledger/ownership.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { oncePerCall, rowsAhead } from '../record/once-per-call.ts';
import { type Reader, readerFor } from '../record/reader.ts';

/** The key of a caller, its holder, and the luid of the signer that holds it. */
export interface CallerKey {
  readonly public?: string | undefined;
  readonly holder?: KeyHolder | undefined;
  readonly luid?: string | undefined;
}

/** True when the key owns what these owners have made. */
export type OwnershipTest = (key: CallerKey, owners: readonly string[]) => boolean;

const noRows: readonly Version[] = [];

/** True for a key that is among the owners, and was not taken away from its signer. */
export const isOwnerItself: OwnershipTest = ({ public: key = '', holder }, owners) =>
  owners.includes(key) && ownsItself(holder);

/** The test with the holders of the owners' keys: a signer owns what any of its keys has made. */
export function ownershipWith(holders: ReadonlyMap<string, KeyHolder>): OwnershipTest {
  return (key, owners) => {
    const handle = key.holder?.signer;
    if (isOwnerItself(key, owners)) return true;
    const { luid } = key;
    return (
      handle !== undefined &&
      owners.some((owner) => ownsBySigner({ handle, luid }, holders.get(owner)))
    );
  };
}

/** The test that counts the signers of the callers; undefined where none of them owns more of these by that. */
export async function ownershipBySigners(
  call: Call,
  keys: readonly CallerKey[],
  owned: readonly (readonly string[])[],
): Promise<OwnershipTest | undefined> {
  const mayOwn = (owners: readonly string[]) =>
    keys.some((key) => key.holder?.signer !== undefined && !isOwnerItself(key, owners));
  const open = owned.filter(mayOwn).flat();
  if (open.length === 0) return undefined;
  const isOwner = ownershipWith(await holdersOf(call, open));
  const isMore = (owners: readonly string[]) =>
    keys.some((key) => isOwner(key, owners) && !isOwnerItself(key, owners));
  return owned.some(isMore) ? isOwner : undefined;
}

/**
 * Reads the holders of owners, each once for a request, with those of the rows that may be judged next. A list pays for
 * its rows by their length, which owners are a part of.
 */
function holdersOf(call: Call, owners: readonly string[]): ReturnType<Reader['holders']> {
  const known = oncePerCall(call, 'owners', () => ({ reader: readerFor(call), rows: noRows }));
  const rows = rowsAhead(call);
  const ahead = rows === known.rows ? [] : rows.flatMap(({ record }) => record.meta.owners);
  known.rows = rows;
  return known.reader.holders([...new Set([...owners, ...ahead])]);
}
