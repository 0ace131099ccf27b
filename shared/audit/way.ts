/**
 * The ways to a current version, through lists, an index and its key, and from it to the records that it
 * names: what must be there because it is.
 */

import { withinOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import { isCounted, type Relation, relationsOf } from '../ledger/relation.ts';
import type { Scope } from '../port/ports.ts';
import {
  headKeyOf,
  holderKeyOf,
  indexKeyOf,
  type Key,
  listKeyOf,
  refersKeyOf,
} from '../store/keys.ts';
import { keptOf } from './kept.ts';

const ed25519 = 'ed25519-raw';

/** A record that a version names: where it is, and where it is counted that it is named, if it is. */
interface Tie {
  readonly named: Relation;
  readonly head: Key;
  readonly count?: Key;
}

/** Everything that must be there because of a current version; nothing after the end. */
export function waysOf(scope: Scope, version: Version | undefined): Key[] {
  if (!version) return [];
  const ties = tiesOf(scope, version).flatMap(({ head, count }) => [head, count ?? []].flat());
  const hold = holdOf(scope, version);
  return [
    listKeyOf(scope, version),
    ...[indexKeyOf(scope, version) ?? []].flat(),
    ...(hold ? [hold.key] : []),
    ...keptOf(scope, version).map(({ key }) => key),
    ...ties,
  ];
}

/** The records that a version names. */
export function tiesOf(scope: Scope, { kind, record }: Version): Tie[] {
  return relationsOf(kind, record.data).map((named) => ({
    named,
    head: headKeyOf(scope, named.kind, named.handle),
    ...(isCounted(named.kind) && { count: refersKeyOf(scope, named, record.luid) }),
  }));
}

/** Where the holder of a version's key is, and whom it names; undefined when nothing proves by the key. */
export function holdOf(
  scope: Scope,
  { kind, record }: Version,
): { readonly key: Key; readonly signer: string } | undefined {
  const { data } = record;
  const publicKey = data['public'];
  // A factor may also have a key that only signs tokens. Ruling 63.
  const isKept = kind === 'signer' || (kind === 'signer-factor' && data['format'] === ed25519);
  if (!isKept || typeof publicKey !== 'string') return undefined;
  const signer = withinOf(kind, data) ?? data.handle;
  return { key: holderKeyOf(scope, publicKey), signer };
}
