/**
 * The history of a record: all of its versions, and the items that must be in the table because of them. Histories are
 * read in batches, and checked without reading.
 */

import { type BookEntry, bookEntriesOf } from '../ledger/book.ts';
import type { Kind } from '../ledger/kind.ts';
import { firstChangeOf, nameOfVersion, type Version } from '../ledger/record.ts';
import { type Relation, relationsOf } from '../ledger/relation.ts';
import { sharesIn } from '../ledger/reversal.ts';
import { messageOf } from '../ledger/thrown.ts';
import { type KeyEntry, keyFor, keysOf as signerKeysOf } from '../log/key-table.ts';
import { logOf } from '../log/leaf.ts';
import type { BookName } from '../port/books.ts';
import type { Pointer, Scope } from '../port/ports.ts';
import type { Proof } from '../shape/proof.ts';
import {
  bookPartitionOf,
  bookPlaceOf,
  changeRangeOf,
  formerIndexKeysOf,
  headKeyOf,
  type Key,
  keyOfItem,
  layoutKeysOf,
  loggedKeyOf,
  nameOfItem,
  pointerKeysOf,
  publishedKeyOf,
  secretKeyOf,
  shardOf,
  spreadCounts,
  textOf,
  wholeBooksKeyOf,
} from '../store/keys.ts';
import { unpack } from '../store/pack.ts';
import { bookOf } from '../store/pack-book.ts';
import { packedAmong } from '../store/packed-index.ts';
import {
  indexEntriesOf,
  itemsOfCurrent,
  itemsOfStep,
  type Projected,
} from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import { packedPlaces } from './packed-places.ts';
import { isSameProof } from './proof.ts';
import type { AuditSource } from './source.ts';
import { besides } from './word.ts';

/** The start of reading a history: its pointer, as far as it is known. */
export interface HistoryCursor {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly luid: string;
  readonly pointer?: Pointer;
  /** The handle of its head, when there is no pointer. */
  readonly handle?: string;
  /** False when it is known that no version was superseded. */
  readonly hasPast: boolean;
}

/** A stored version, with the change that its key names; or why it cannot be read. */
export type StoredVersion =
  | { readonly change?: number; readonly version: Version }
  | { readonly change?: number; readonly unreadable: string };

/** An entry of a book, and its key. */
interface BookedItem {
  readonly key: Key;
  readonly name: BookName;
  readonly entry: BookEntry;
}

export interface ItemHistory {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly luid: string;
  readonly pointer: Pointer | undefined;
  /** Superseded versions, by their keys, and the last one of a record that ended. */
  readonly pasts: readonly StoredVersion[];
  readonly head: StoredVersion | undefined;
  /** The record that is at the pointer's handle. */
  readonly occupant: string | undefined;
  /** The items that must be there because of its versions. */
  readonly projected: readonly Projected[];
  /** The entries of books that must be there because of an intent. */
  readonly booked: readonly BookedItem[];
  /** The items that were read because of its versions, by the text of their key. */
  readonly items: ReadonlyMap<string, Item>;
  /** The keys of its ledger, oldest first; of a ledger's record, its own. Undefined for a ledger without a key. */
  readonly systemKeys: readonly KeyEntry[] | undefined;
}

/** The handle of the signer that a ledger signs as. Ruling 24. */
export const systemSigner = 'system';

/** The keys of ledgers, by handle, read when they are asked for first. */
export type SystemKeys = (
  ledgers: readonly string[],
) => Promise<ReadonlyMap<string, readonly KeyEntry[]>>;

/** Remembers the keys of ledgers. They change by rotation, so what looks wrong is judged by those of then. */
export function systemKeysIn(source: AuditSource): SystemKeys {
  const known = new Map<string, readonly KeyEntry[]>();
  return async (ledgers) => {
    const missing = [...new Set(ledgers)].filter((ledger) => !known.has(ledger));
    const wanted = missing.flatMap((ledger) => Object.values(identityKeysOf(ledger)));
    const items = wanted.length > 0 ? await source.at(wanted) : new Map<string, Item>();
    for (const ledger of missing) {
      const { secret, signer } = identityKeysOf(ledger);
      const publicKey = items.get(textOf(secret))?.['public'];
      if (typeof publicKey !== 'string') continue;
      known.set(ledger, keysBehind(publicKey, items.get(textOf(signer))));
    }
    return known;
  };
}

/** All keys of a ledger, if its signer shows this one as the newest; else this one alone. */
function keysBehind(newest: string, signer: Item | undefined): readonly KeyEntry[] {
  const stored = signer && storedOf(signer);
  const keys = stored && 'version' in stored ? signerKeysOf(stored.version.record) : [];
  return keys.at(-1)?.public === newest ? keys : [{ public: newest, from: '' }];
}

/** The key of no item. */
const noKey: Key = { pk: '', sk: '' };

/** Reads histories: heads and superseded versions first, then the items that must be there because of them. */
export async function readHistories(
  source: AuditSource,
  systemKeys: SystemKeys,
  cursors: readonly HistoryCursor[],
): Promise<ItemHistory[]> {
  const headKeys = cursors.map(headKeyOfCursor);
  const [heads, keys] = await Promise.all([
    source.at(headKeys.flatMap((key) => key ?? [])),
    systemKeys(cursors.map((cursor) => ledgerOf(cursor) ?? '')),
  ]);
  const headAt = (index: number): Item | undefined => heads.get(textOf(headKeys[index] ?? noKey));
  const pasts = await Promise.all(
    cursors.map((cursor, index) => readPasts(source, cursor, headAt(index))),
  );
  const beginnings = cursors.map((cursor, index): ItemHistory => {
    const item = headAt(index);
    const occupant = item?.['luid'] as string | undefined;
    const own = item && occupant === cursor.luid ? storedOf(item) : undefined;
    const stored = { pasts: pasts[index] ?? [], head: own };
    return {
      ...stored,
      scope: cursor.scope,
      kind: cursor.kind,
      luid: cursor.luid,
      pointer: cursor.pointer,
      projected: projectedOf(cursor.scope, stored),
      occupant,
      booked: [],
      items: new Map(),
      systemKeys: keys.get(ledgerOf(cursor) ?? ''),
    };
  });
  const items = await source.at(beginnings.flatMap(keysOf));
  const histories = beginnings.map((history) => ({ ...history, items }));
  // Entries are written before an outbox entry is removed, so they are read after it.
  const booked = histories.map(bookedBy);
  const entries = await source.at(booked.flat().map(({ key }) => key));
  const former = await source.at(histories.flatMap(formerKeysOf));
  // Index entries may lie in one item with others.
  const missing = histories.flatMap(missingOf).filter(({ item }) => item === 'mention');
  const shared = await packedAmong(source.pages, missing);
  const places = await packedPlaces(source, histories.flatMap(placesMissingOf));
  const all = new Map([...items, ...entries, ...former, ...shared, ...places]);
  return histories.map((history, index) => ({
    ...history,
    booked: booked[index] ?? [],
    items: all,
  }));
}

/** The entries of books that follow from an intent; none when it cannot be read as one. */
function bookedBy(history: ItemHistory): BookedItem[] {
  const current = history.kind === 'intent' ? currentOf(history) : undefined;
  if (!current) return [];
  try {
    return bookEntriesOf(current.record).map((entry) => {
      const name = bookOf(history.scope, entry);
      return { key: { pk: bookPartitionOf(name), sk: bookPlaceOf(entry) }, name, entry };
    });
  } catch {
    return [];
  }
}

/** The traces as they are now: pointers move while a ledger is running. */
export async function retraced(
  source: AuditSource,
  cursors: readonly HistoryCursor[],
): Promise<HistoryCursor[]> {
  const items = await source.at(cursors.flatMap(keysOfPointer));
  return cursors.map(({ pointer: _pointer, ...cursor }) => {
    const keys = keysOfPointer(cursor);
    const item = keys.map((key) => items.get(textOf(key))).find((one) => one !== undefined);
    const pointer = item && pointerOf(cursor, item);
    return { ...cursor, hasPast: true, ...(pointer && { pointer }) };
  });
}

/** The pointer in an item. */
export function pointerOf(
  { kind, luid }: Pick<HistoryCursor, 'kind' | 'luid'>,
  item: Item,
): Pointer {
  const { handle, dropped } = item;
  const named = (item['kind'] ?? kind) as Kind;
  const pointer = { kind: named, luid, handle: String(handle) };
  return dropped === undefined ? pointer : { ...pointer, dropped: Number(dropped) };
}

/** The versions that can be read, oldest first. */
export function versionsOf({ pasts, head }: Pick<ItemHistory, 'pasts' | 'head'>): Version[] {
  const all = head ? [...pasts, head] : pasts;
  return all.flatMap((stored) => ('version' in stored ? [stored.version] : []));
}

/** The current version, when it is there and can be read. */
export function currentOf({ head }: Pick<ItemHistory, 'head'>): Version | undefined {
  return head && 'version' in head ? head.version : undefined;
}

/** The name of the record: its current or last handle, with that of the record to which it belongs. */
export function handleOfHistory(
  history: Pick<ItemHistory, 'pointer' | 'pasts' | 'head'>,
): string | undefined {
  const last = versionsOf(history).at(-1);
  return history.pointer?.handle ?? (last && nameOfVersion(last));
}

/** The ledger that countersigns: that of the scope, and for the record of a ledger itself. */
export function ledgerOf({ scope, kind, pointer, handle }: HistoryCursor): string | undefined {
  return kind === 'ledger' ? (pointer?.handle ?? handle) : scope;
}

/** The keys of the items with the key of a ledger and with the signer that shows it. */
export function identityKeysOf(ledger: string): { readonly secret: Key; readonly signer: Key } {
  return { secret: secretKeyOf(ledger), signer: headKeyOf(ledger, 'signer', systemSigner) };
}

/** The projection of these versions; without a current version, only the items that each step left. */
function projectedOf(scope: Scope, stored: Pick<ItemHistory, 'pasts' | 'head'>): Projected[] {
  const versions = versionsOf(stored);
  const current = currentOf(stored);
  return [
    ...versions.flatMap((version, index) => itemsOfStep(scope, version, versions[index - 1])),
    ...(current ? [...itemsOfCurrent(scope, current), ...indexEntriesOf(scope, current)] : []),
  ];
}

/** The records that the current version names, and their keys. */
export function namedBy(history: ItemHistory): (Relation & { readonly head: Key })[] {
  const current = currentOf(history);
  const named = current ? relationsOf(current.kind, current.record.data) : [];
  return named.map((one) => ({ ...one, head: headKeyOf(history.scope, one.kind, one.handle) }));
}

/** The keys of the other intents of its thread, and of those that reverse it. */
function intentKeysOf(history: ItemHistory): Key[] {
  const current = history.kind === 'intent' ? currentOf(history) : undefined;
  if (!current) return [];
  const handles = [...besides(current), ...sharesIn(current.record).map(({ by }) => by)];
  return handles.map((handle) => headKeyOf(history.scope, 'intent', handle));
}

function keysOf(history: ItemHistory): Key[] {
  const identity = history.kind === 'ledger' ? handleOfHistory(history) : undefined;
  return [
    history.projected.filter(isBeside).flatMap(({ key, oldKey = key }) => [key, oldKey]),
    namedBy(history).map(({ head }) => head),
    intentKeysOf(history),
    publishedKeyOfHistory(history),
    layoutKeysOf(history.scope, currentOf(history)),
    wholeBooksKeyOf(history.scope),
    versionsOf(history).map((version) => placeKeyOf(history, version)),
    identity === undefined ? [] : Object.values(identityKeysOf(identity)),
  ].flat();
}

/** The key of the last place in the shard of a record that is on the bus. */
export function publishedKeyOfHistory(history: ItemHistory): Key {
  return publishedKeyOf(history.scope, shardOf(history.luid, versionsOf(history).at(-1)?.spread));
}

/** The keys of an index entry as the release before wrote it. */
export function formerKeysAt(history: ItemHistory, { item, key }: Projected): Key[] {
  if (item !== 'mention') return [];
  const changes = versionsOf(history).map(({ change }) => change);
  return formerIndexKeysOf(key, changes);
}

/** Those of the index entries that are missing. */
function formerKeysOf(history: ItemHistory): Key[] {
  return missingOf(history).flatMap((one) => formerKeysAt(history, one));
}

function missingOf(history: ItemHistory): Projected[] {
  return history.projected.filter(({ key }) => !history.items.has(textOf(key)));
}

function placesMissingOf(history: ItemHistory) {
  const { scope, luid, items } = history;
  return versionsOf(history)
    .map((version) => ({ log: logOf(scope, version), luid, key: placeKeyOf(history, version) }))
    .filter(({ key }) => !items.has(textOf(key)));
}

/** The key of the place of a version in the log of its ledger. */
export function placeKeyOf({ scope }: Pick<ItemHistory, 'scope'>, version: Version): Key {
  const { luid } = version.record;
  return loggedKeyOf(logOf(scope, version), luid, firstChangeOf(version));
}

/** True for a proof by a key that the ledger had when it made the proof. Ruling 99. */
export function isByLedger(history: ItemHistory, proof: Proof): boolean {
  const { systemKeys = [], items } = history;
  if (keyFor(systemKeys, proof)) return true;
  // By a clock that was wrong: the log has the order. A proof stays in the versions that follow its own.
  const first = versionsOf(history).find(({ record }) =>
    record.meta.proofs.some((one) => isSameProof(one, proof)),
  );
  const index = first && items.get(textOf(placeKeyOf(history, first)))?.['index'];
  return index !== undefined && keyFor(systemKeys, proof, Number(index)) !== undefined;
}

/** A history is read from its pointer, head and changes; a rulebook is read once for all records. */
const readFirst: ReadonlySet<Projected['item']> = new Set([
  'head',
  'change',
  'pointer',
  'rulebook',
]);

/** True for an item that is read after the versions of its record. */
export function isBeside({ item }: Projected): boolean {
  return !readFirst.has(item);
}

function headKeyOfCursor({ scope, kind, pointer, handle }: HistoryCursor): Key | undefined {
  const place = pointer?.handle ?? handle;
  return place === undefined ? undefined : headKeyOf(scope, kind, place);
}

/** The keys at which a pointer may be: an audit believes no layout. */
function keysOfPointer({ scope, kind, luid }: HistoryCursor): Key[] {
  return pointerKeysOf(scope, kind, luid, Math.max(...spreadCounts));
}

async function readPasts(
  source: AuditSource,
  { scope, luid, hasPast }: HistoryCursor,
  head: Item | undefined,
): Promise<StoredVersion[]> {
  const stored = head && storedOf(head);
  const isFirst = stored && 'version' in stored && firstChangeOf(stored.version) === 1;
  if (!hasPast && isFirst) return [];
  const pasts: StoredVersion[] = [];
  for await (const items of source.pages(changeRangeOf(scope, luid, 0))) {
    pasts.push(...items.map(storedOf));
  }
  return pasts;
}

/** The version of an item, or why it cannot be read. */
export function storedOf(item: Item): StoredVersion {
  const name = nameOfItem(item);
  const change = name?.item === 'change' ? { change: name.change } : {};
  try {
    const version = unpack(item);
    assertMoments(version);
    // Throws when keys cannot be formed from the data.
    projectedOf('', { pasts: [], head: { version } });
    return { ...change, version };
  } catch (error) {
    const { pk, sk } = keyOfItem(item);
    const why = messageOf(error);
    return { ...change, unreadable: `The item '${textOf({ pk, sk })}' cannot be read: ${why}` };
  }
}

/** Throws for a version with other texts in place of moments: keys contain them. */
function assertMoments({ record, steps }: Version): void {
  const moments = [record.meta.moment, ...steps.map(({ moment }) => moment)];
  const odd = moments.find((moment) => !isMoment(moment));
  if (odd !== undefined) throw new Error(`'${odd}' is no moment.`);
}

function isMoment(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && ms >= 0 && new Date(ms).toISOString() === text;
}
