/**
 * The items of the table that exist because a record exists: this file alone says which. A commit writes the difference
 * between two projections (`plan.ts`), the audit compares a table with a projection, an import writes one, and
 * reindexing mends index entries by it. A projection is pure: it reads nothing.
 *
 * | item                   | exists while, or since                                                               |
 * |------------------------|--------------------------------------------------------------------------------------|
 * | head                   | while the record lives                                                               |
 * | list entry             | while the record lives; that of an intent is its pointer too                         |
 * | pointer                | since the record was made; at its end it gets the number of the last change          |
 * | index entry            | while the current version has the indexed member                                     |
 * | holder of a key        | while the current version shows the key, unless another record has it                |
 * | key that handed over   | since the version that replaced it                                                   |
 * | secrets, client        | while the current version names them                                                 |
 * | state of a monitor     | while the effect lives, since it was first looked at                                 |
 * | expiry marker          | while the intent is undecided                                                        |
 * | count of references    | while the current version names a record whose name can end                          |
 * | count in a rulebook    | while the current version lays down a rule; and since governing began, or ended      |
 * | key of a ledger        | while the ledger lives                                                               |
 * | change                 | since the version was superseded, or ended the record                                |
 * | replay guard           | since the proof made or ended the record                                             |
 * | outbox entry           | since the version was stored, until its signals are on the bus                       |
 * | index entry of a term  | while a version with the term is current, since its signals are on the bus           |
 */
import { freesHandles, keepsPlace } from '../ledger/kind.ts';
import { secretNamesIn } from '../ledger/placeholder.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { countedRelationsOf, type Relation } from '../ledger/relation.ts';
import { type GuardedProof, guardedAdditions, guardedProofs } from '../ledger/replay-guard.ts';
import { countersOf, governed, isGoverning } from '../ledger/rulebook.ts';
import { logSigner } from '../log/checkpoint.ts';
import { keysOf } from '../log/key-table.ts';
import type { Scope } from '../port/ports.ts';
import { holderOf, retiredIn } from './holders.ts';
import {
  changeKeyOf,
  clientKeyOf,
  expiryKeyOf,
  headKeyOf,
  type ItemName,
  indexKeyOf,
  indexKeysOf,
  type Key,
  lastingIndexKeysOf,
  listKeyOf,
  monitorKeyOf,
  oldReplayGuardKeyOf,
  outboxKeyOf,
  passingIndexKeysOf,
  pointerKeyOf,
  refersKeyOf,
  replayGuardKeyOf,
  rulebookKeyOf,
  secretKeyOf,
  secretsKeyOf,
  textOf,
} from './keys.ts';
import { pack } from './pack.ts';
import type { Item } from './request.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** An item that exists because of a record, or the share of a record in the counts of an item. */
export interface Projected {
  readonly item: ItemName['item'];
  readonly key: Key;
  /** The content: a version, or attributes. Neither when only the writer knows it, as with secrets. */
  readonly version?: Version;
  readonly attributes?: Attributes;
  /** The counts to add, of an item that several records share. */
  readonly adds?: Readonly<Record<string, number>>;
  /** The record whose references the item counts. */
  readonly names?: Relation;
  /** The key under which an earlier release wrote the item. */
  readonly oldKey?: Key;
  /** The finding of the audit when the item is missing. */
  readonly missing?: string;
  readonly mayBeMissing?: boolean;
  /** The finding when the item has other attributes; `missing` unless said. */
  readonly differs?: string;
  /** True when further attributes are a finding of the audit, too. */
  readonly isExact?: true;
}

/** The items of a current version; of the last version of a dropped record, its pointer and that version. */
export function itemsOfCurrent(scope: Scope, version: Version): Projected[] {
  const { kind, record, change } = version;
  const handle = nameOfVersion(version);
  const pointer = {
    item: 'pointer',
    key: pointerKeyOf(scope, kind, record.luid, version.spread),
  } as const;
  if (isDropped(version))
    return [
      { ...pointer, attributes: { kind, handle, dropped: change } },
      changeOf(scope, version),
    ];
  return [
    { item: 'head', key: headKeyOf(scope, kind, handle), version },
    ...shownAt(scope, version),
    ...(keepsPlace(kind) ? [] : [{ ...pointer, attributes: { kind, handle } }]),
    ...publicsOf(version).map((publicKey) => holderOf(scope, version, publicKey)),
    ...keptBeside(scope, version),
    ...countedAt(scope, version),
    ...countersOf(kind, record).map((rule) => addedToRulebook(scope, version, rule)),
  ];
}

/**
 * The items that a version adds to those of the version before it, and that later versions leave alone. The writer of a
 * version hands in the proofs to remember; without them they are taken from the two versions.
 */
export function itemsOfStep(
  scope: Scope,
  next: Version,
  previous: Version | undefined,
  remembered?: readonly GuardedProof[],
): Projected[] {
  const guarded = remembered?.map((proof) => ({ proof })) ?? guardedBetween(next, previous);
  return [
    ...(previous ? [changeOf(scope, previous)] : []),
    // Each time that a record begins to govern its ledger, or ceases to, is counted. Decision 47.
    ...(isGoverning(next) === isGoverning(previous)
      ? []
      : [addedToRulebook(scope, next, governed)]),
    ...guarded.map((one) => guardOf(scope, next, one)),
    ...[retiredIn(scope, next, previous) ?? []].flat(),
    outboxEntryOf(scope, next),
  ];
}

/** The index entries of a current version, one for each term; none after a drop. Ruling 23, Decision 31. */
export function indexEntriesOf(scope: Scope, version: Version): Projected[] {
  if (isDropped(version)) return [];
  const attributes = { handle: nameOfVersion(version) };
  return indexKeysOf(scope, version).map((key) => ({
    item: 'mention',
    key,
    attributes,
    missing: `The index entry is missing at '${textOf(key)}'; "countersign reindex" mends it.`,
  }));
}

/** The items that store the index entries of a version, each by itself. */
export function indexItemsOf(scope: Scope, version: Version): Item[] {
  return [...lastingIndexItemsOf(scope, version), ...passingIndexItemsOf(scope, version)];
}

/** Those that all versions of the record share. */
export function lastingIndexItemsOf(scope: Scope, version: Version): Item[] {
  return itemsAtKeys(version, lastingIndexKeysOf(scope, version));
}

/** Those of this version alone. */
export function passingIndexItemsOf(scope: Scope, version: Version): Item[] {
  return itemsAtKeys(version, passingIndexKeysOf(scope, version));
}

function itemsAtKeys(version: Version, keys: readonly Key[]): Item[] {
  const handle = nameOfVersion(version);
  return isDropped(version) ? [] : keys.map((key) => ({ ...key, handle }));
}

/** The outbox entry of a version. */
export function outboxEntryOf(scope: Scope, version: Version): Projected {
  const key = outboxKeyOf(scope, version);
  return { item: 'outbox', key, missing: `The outbox entry is missing at '${textOf(key)}'.` };
}

/** The attributes of an item; undefined when only its writer knows them, and for counts. */
export function contentOf({ version, attributes }: Projected, isDense = false): object | undefined {
  return version ? pack(version, isDense) : attributes;
}

function changeOf(scope: Scope, version: Version): Projected {
  const key = changeKeyOf(scope, version.record.luid, version.change);
  return { item: 'change', key, version };
}

function shownAt(scope: Scope, version: Version): Projected[] {
  const attributes = { handle: nameOfVersion(version) };
  const shown = (item: 'list' | 'index', key: Key): Projected => {
    const missing = `The ${item} entry of the record is missing at '${textOf(key)}'.`;
    const differs = `The ${item} entry of the record names another handle.`;
    return { item, key, attributes, missing, differs };
  };
  const index = indexKeyOf(scope, version);
  return [shown('list', listKeyOf(scope, version)), ...(index ? [shown('index', index)] : [])];
}

/** The keys by which the signer of a version proves. The key of a provider signs tokens and proves nothing. */
function publicsOf({ kind, record }: Version): string[] {
  const { format, public: publicKey } = record.data;
  if (kind === 'signer') return keysOf(record).map((key) => key.public);
  const isProof = kind === 'signer-factor' && format === 'ed25519-raw';
  return isProof && typeof publicKey === 'string' ? [publicKey] : [];
}

/** The attachments of a current version: key, secrets, client and expiry marker. Decisions 22, 23 and 39. */
function keptBeside(scope: Scope, version: Version): Projected[] {
  const { kind, record } = version;
  const { luid, data, meta } = record;
  const keeper = keeperOf(version);
  const expiry = expiryKeyOf(scope, version);
  const kept: (Projected | false)[] = [
    kind === 'ledger' && {
      item: 'secret',
      key: secretKeyOf(data.handle),
      missing: 'The ledger has no key.',
    },
    expiry !== undefined && {
      item: 'expiry',
      key: expiry,
      attributes: { handle: nameOfVersion(version) },
      missing: 'Nothing marks that the intent has yet to end.',
      differs: 'The marker of the intent names another handle.',
    },
    keeper !== undefined && {
      item: 'secrets',
      key: secretsKeyOf(scope, luid),
      missing: `The secrets of the ${keeper} are missing.`,
    },
    // The relay writes it, and only the end of the effect removes it.
    kind === 'effect' && { item: 'monitor', key: monitorKeyOf(scope, luid), mayBeMissing: true },
    meta.clientId !== undefined && {
      item: 'client',
      key: clientKeyOf(scope, meta.clientId),
      missing: 'The client of the factor is missing.',
    },
  ];
  return kept.flatMap((one) => one || []);
}

/** The role in which a record keeps secrets; undefined for one that has none. */
function keeperOf({ kind, record: { data, meta } }: Version): string | undefined {
  if (kind === 'bridge') {
    const names = secretNamesIn(JSON.stringify(data['secure'] ?? []));
    return names.length > 0 ? 'bridge' : undefined;
  }
  if (meta.owners.length > 0) return undefined;
  if (kind === 'signer' && data.handle === logSigner) return 'log';
  return kind === 'signer-factor' && data['format'] === 'rsa-2048' ? 'provider' : undefined;
}

/** The counts of references at the records that a version names. Rulings 12 and 44. */
function countedAt(scope: Scope, { kind, record }: Version): Projected[] {
  return countedRelationsOf(kind, record.data).map((names) => {
    const key = refersKeyOf(scope, names, record.luid);
    const missing = `Nothing counts at '${textOf(key)}' that other records refer to this one.`;
    return { item: 'refers', key, adds: { refers: 1 }, names, missing };
  });
}

/** A count in a rulebook. The record of a ledger lies with the server and lays down rules for its own ledger. */
function addedToRulebook(scope: Scope, { kind, record }: Version, name: string): Projected {
  const ruled = kind === 'ledger' ? record.data.handle : scope;
  return { item: 'rulebook', key: rulebookKeyOf(ruled), adds: { [name]: 1 } };
}

/** The replay guard of a proof: it makes or ends a record once. Ruling 16, Decision 7. */
function guardOf(
  scope: Scope,
  { kind, record }: Version,
  {
    proof,
    mayBeMissing = false,
  }: { readonly proof: GuardedProof; readonly mayBeMissing?: boolean },
): Projected {
  const { luid, hash } = record;
  return {
    item: 'seal',
    key: replayGuardKeyOf(scope, kind, proof),
    oldKey: oldReplayGuardKeyOf(scope, kind, proof),
    attributes: { luid, hash },
    missing: 'A proof that made or ended the record is not remembered.',
    mayBeMissing,
  };
}

/** The authors' proofs in a version that get a replay guard. */
function guardedBetween({ kind, record, drop, steps }: Version, previous: Version | undefined) {
  const { hash, data, meta } = record;
  const authored = (first: number, end?: number) =>
    meta.proofs.slice(first, end).filter(({ origin }) => origin !== undefined);
  const made = previous ? 0 : (steps[0]?.proofs ?? 0);
  const known = previous?.record.meta.proofs.length ?? made;
  const added = previous && previous.record.hash !== hash ? [] : authored(known);
  const all = [
    ...guardedProofs(kind, authored(0, made)),
    ...guardedProofs(kind, drop?.meta.proofs ?? []),
  ];
  return [
    // Early releases guarded neither kinds that keep their handles nor proofs that were added.
    ...all.map((proof) => ({ proof, mayBeMissing: !freesHandles(kind) })),
    ...guardedAdditions(kind, data, added).map((proof) => ({ proof, mayBeMissing: true })),
  ];
}

/** The finding of an item for which no record accounts, and the invariant that it breaks. */
export const surplus: Readonly<Partial<Record<ItemName['item'], readonly [3 | 4 | 5, string]>>> = {
  head: [3, 'A record has no luid of its kind'],
  change: [3, 'A version is of no record'],
  list: [3, 'A list entry shows no record, or shows it in the wrong place'],
  index: [3, 'An index entry shows no record, or shows it in the wrong place'],
  holder: [3, 'A key is held by a signer that does not have it'],
  seal: [3, 'A remembered proof made or ended no record'],
  secret: [3, 'A key is of no ledger'],
  secrets: [3, 'Secrets are kept of no bridge, no provider and no log'],
  client: [3, 'A client is of no factor'],
  expiry: [5, 'An intent is marked that has ended'],
  outbox: [4, 'An outbox entry tells of a change that does not exist'],
  entry: [3, 'An entry of a book is of no intent'],
  monitor: [3, 'The state of a monitor is of no effect'],
};

/** The changes that turn one projection into another. */
export interface Difference {
  /** New and changed items, and all whose content only the writer knows. */
  readonly puts: readonly Projected[];
  readonly removes: readonly Projected[];
  /** The counts to add, one entry for each item. */
  readonly counts: readonly Projected[];
}

/** The changes that turn `before` into `after`. */
export function differenceOf(
  before: readonly Projected[],
  after: readonly Projected[],
): Difference {
  const old = new Map(before.map((one) => [textOf(one.key), one]));
  const kept = new Set(after.map(({ key }) => textOf(key)));
  return {
    puts: after.filter((one) => !one.adds && !isSame(one, old.get(textOf(one.key)))),
    removes: before.filter((one) => !one.adds && !kept.has(textOf(one.key))),
    counts: countsBetween(before, after),
  };
}

function isSame(one: Projected, other: Projected | undefined): boolean {
  if (one.version) return one.version === other?.version;
  const { attributes } = one;
  if (!attributes) return false;
  return Object.keys(attributes).every((name) => attributes[name] === other?.attributes?.[name]);
}

function countsBetween(before: readonly Projected[], after: readonly Projected[]): Projected[] {
  const sums = new Map<string, Projected>();
  const add = (one: Projected, times: 1 | -1) => {
    const text = textOf(one.key);
    const adds = { ...sums.get(text)?.adds };
    for (const [name, count] of Object.entries(one.adds ?? {}))
      adds[name] = (adds[name] ?? 0) + times * count;
    sums.set(text, { ...one, adds });
  };
  for (const one of before) if (one.adds) add(one, -1);
  for (const one of after) if (one.adds) add(one, 1);
  return [...sums.values()].flatMap((one) => {
    const adds = Object.entries(one.adds ?? {}).filter(([, count]) => count !== 0);
    return adds.length > 0 ? [{ ...one, adds: Object.fromEntries(adds) }] : [];
  });
}
