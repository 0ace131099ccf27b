/**
 * The keys of all items in the one table; no other file forms a key. A partition begins with the ledger (empty for the
 * server), so that no item of one ledger is reached through another. Ruling 25. `#` separates the parts: no handle,
 * luid, digest or public key may contain it. `<handle>` is the name of a record among all of its kind: `nameOf`.
 *
 * | item                      | pk                                  | sk                         |
 * |---------------------------|-------------------------------------|----------------------------|
 * | head: the current version | `<scope>#<kind>#<handle>`           | `#`                        |
 * | usage of a head           | `<scope>#<kind>#<handle>`           | `usage`                    |
 * | references to a head      | `<scope>#<kind>#<handle>`           | `refers#<shard>`           |
 * | balance                   | `<scope>#wallet#<handle>`           | `balance#<symbol>`         |
 * | shard of a balance        | `<scope>#shard#<number>#<handle>#<symbol>#` | `#`                |
 * | gate of a busy record     | `<scope>#gate#<number>#<kind>#<handle>#` | `#`                   |
 * | pointer                   | `<scope>#luid#<luid>`               | `#`                        |
 * | superseded version        | `<scope>#luid#<luid>`               | `change#<number>`          |
 * | list entry                | `<scope>#list#<kind>[#<within>]`    | `<time><luid>`             |
 * | list entry of a spread intent | `<scope>#~<spread>#list#intent` | `<time><luid>`             |
 * | the same of a record in a busy list | `<scope>#~<part>#list#<kind>` | `<time><luid>`         |
 * | several of either         | the same                            | `<newest time><luid>#~<hash>` |
 * | counts of a list          | `<scope>#spans#<kind>[#<within>]`   | `<time>`                   |
 * | index entry               | `<scope>#index#<kind>#<member>#<value>` | `<luid>`               |
 * | index entry of a term     | `<scope>#term#<kind>#<within>#<field>#<value>` | `<time><luid>#<number or 0>` |
 * | several of them           | `<scope>#term#<kind>#<within>#<field>#<value>` | `<newest time><luid>#~<hash>` |
 * | one of a spread intent that ends | `<scope>#~<spread>#term#intent##<field>#<value>` | `<time><luid>#<number>` |
 * | one of a record in a busy list | `<scope>#~<part>#term#<kind>##<field>#<value>` | `<time><luid>#<number>` |
 * | replay guard of a proof   | `<scope>#seal#[<kind>]#<digest>#<public>` | `#`                  |
 * | holder of a key           | `<scope>#public#<public>`           | `#`                        |
 * | secret of a ledger        | `<scope>#secret`                    | `#`                        |
 * | secrets of a bridge       | `<scope>#secrets#<luid>`            | `#`                        |
 * | client that asks for tokens | `<scope>#client#<clientId>`       | `#`                        |
 * | token that was used       | `<scope>#jti#<name>`                | `#`                        |
 * | attempts to get a token   | `<scope>#attempts#<who>`            | `<time>`                   |
 * | rulebook of a ledger      | `<scope>#rulebook`                  | `#`                        |
 * | outbox entry              | `<scope>#outbox#<shard>`            | `<time><luid>#<number>`    |
 * | outbox entry of a spread intent | `<scope>#~<spread>#outbox#0`  | `<time><luid>#<number>`    |
 * | several of either         | the same                            | `<oldest time>#~<count>-<hash>` |
 * | last place published      | `<scope>#told`                      | `<shard>`                  |
 * | the same of spread intents | `<scope>#~<spread>#told`           | `0`                        |
 * | entry that was set aside  | `<scope>#aside`                     | `<time><luid>#<number>`    |
 * | delivery                  | `<scope>#delivery#<subject luid>`   | `<luid>`                   |
 * | delivery about a spread intent | `<scope>#~<spread>#delivery#<subject luid>` | `<luid>`       |
 * | content of deliveries     | `<scope>#event#<event handle>`      | `<name>`                   |
 * | the same, in old releases | `<scope>#event#<delivery luid>`     | `#`                        |
 * | marker of a due delivery  | `#due#<shard>`                      | `<time>#<scope>#<subject>#<luid>` |
 * | marker of a waiting intent | `#expiry#<shard>`                  | `<time>#<scope>#<luid>`    |
 * | mark that there are further shards of these | `#expiry#0`        | `#`                        |
 * | part of a report's asset  | `<scope>#asset#<report luid>`       | `<asset>#<number>`         |
 * | import that has not ended | `<scope>#import`                    | `#`                        |
 * | last audit of a ledger    | `<scope>#audit`                     | `#`                        |
 * | marker of work on a report | `#work`                            | `<time>#<scope>#<luid>`    |
 * | state of a book           | `<scope>#book#[<wallet>]#<symbol>#` | `#`                        |
 * | entry of a book           | `<scope>#book#[<wallet>]#<symbol>#` | `<time><luid>#<number>`    |
 * | several of them           | `<scope>#book#[<wallet>]#<symbol>#` | `<end of their time>\|#~<hash>` |
 * | running totals of a book  | `<scope>#book#[<wallet>]#<symbol>#` | `<time><luid>#<number>~`   |
 * | book in the list of a symbol | `<scope>#books#<symbol>`         | `<wallet>`, or `#`         |
 * | the same in a spread ledger | `<scope>#~<spread>#books#<symbol>` | `<wallet>`                 |
 * | mark that books are whole | `<scope>#books`                     | `#`                        |
 * | state of a monitor        | `<scope>#book-monitor#<effect luid>` | `#`                       |
 * | head of a log             | `<scope>#log`                       | `#`                        |
 * | checkpoint of a log       | `<scope>#log`                       | `checkpoint`               |
 * | answers of its witnesses  | `<scope>#log`                       | `cosigned`                 |
 * | leaves of a log           | `<scope>#log#0#<tile>`              | `<index>`                  |
 * | root of a full tile       | `<scope>#log#<level>#<tile>`        | `<index>`                  |
 * | full tile of a log        | `<scope>#log#<level>#<tile>`        | `#`                        |
 * | place of changes in a log | `<scope>#logged#<luid>`             | `<change>`                 |
 * | several of them           | `<scope>#logged#~<time>`            | `<hash>`                   |
 */
import { createHash } from 'node:crypto';
import { decodeTime, encodeTime, luidTextLength, shareOf, spanMs } from '../crypto/luid.ts';
import type { BookEntry } from '../ledger/book.ts';
import { statusSince, waitsLong, watchedFrom } from '../ledger/intent.ts';
import { indexedValueOf, type Kind, keepsPlace, kinds, lineOf, withinOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Relation } from '../ledger/relation.ts';
import { type GuardedProof, guardKindOf } from '../ledger/replay-guard.ts';
import {
  hasLastingTermsOnly,
  isPassingTerm,
  lastingTermsOf,
  type Term,
  termOfWord,
  termsOf,
} from '../ledger/term.ts';
import { tileWidth } from '../log/tile.ts';
import type { BookName } from '../port/books.ts';
import type { Listing } from '../port/catalog.ts';
import type { DeliveryName } from '../port/deliveries.ts';
import type { Scope, Want } from '../port/ports.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A range of one partition, both ends included. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** A list by its name; the kind may be a pattern. */
type ListName = Omit<Listing, 'kind'> & { readonly kind: string };

/** The partitions of the outbox of a ledger that is not spread: a single one would limit its writes. */
export const outboxShardCount = 4;

/** The numbers of partitions over which a ledger may spread its intents, from a quiet one on. Decision 124. */
export const spreadCounts = [1, 4, 16, 64] as const;

/** True for a number of partitions over which lists spread. */
export function isSpreadCount(count: number): boolean {
  return spreadCounts.some((one) => one === count);
}

/** The attribute of a rulebook with the time from which its ledger is dense. Decision 141. */
export const denseAttribute = 'dense';

/** The attributes of a rulebook with the layout of a list: of intents, with all that goes with them, or of another kind. */
export function layoutAttributesOf(kind: Kind): {
  readonly count: string;
  readonly before: string;
  readonly since: string;
} {
  const suffix = keepsPlace(kind) ? '' : `#${kind}`;
  return {
    count: `spread${suffix}`,
    before: `spreadBefore${suffix}`,
    since: `spreadSince${suffix}`,
  };
}

/** The kind of a list whose layout has its count in this attribute; undefined for other attributes, and for that of intents. */
export function kindOfLayoutAttribute(name: string): Kind | undefined {
  const kind = name.startsWith('spread#') ? name.slice('spread#'.length) : '';
  return isKind(kind) ? kind : undefined;
}

/** True for an attribute of a rulebook that belongs to the layout of its ledger, and is no count. */
export function isLayoutAttribute(name: string): boolean {
  return name === denseAttribute || layoutForm.test(name);
}

const layoutForm = /^spread(Before|Since)?(#|$)/;

/** The attributes of a head that are its gates, and of no version. Decision 134. */
export const gateAttributes = ['gates', 'closing'] as const;

/** The items that count the references to one record: a single one would limit their writes. */
export const refersShardCount = 4;
/** The shard that counts the wallets for which a wallet pays: unlike anchors, they keep it from ending. Decision 51. */
const drawingShard = refersShardCount;

/** The partitions of the markers of due deliveries, those of all ledgers together. */
export const dueShardCount = 8;

/** The partitions of the markers of undecided intents, those of all ledgers together. */
export const expiryShardCount = 8;

/** The same with those that only busy ledgers use. Decision 135. */
export const expiryShardCountMax = 64;

/** The attribute of the mark that there are such ones: how many partitions there are in all. */
export const expiryMarkAttribute = 'shards';

const onlySk = '#';
const usageSk = 'usage';
const refersPrefix = 'refers#';
const changePrefix = 'change#';
const balancePrefix = 'balance#';
// `$` follows `#`, so this ends a range of keys that begin with the prefix.
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}$`;

const changeLength = 10;
/** Stands in place of the number of an item that holds several index entries. */
const packedSign = '~';
/** Follows the time in the key of several outbox entries; it sorts before all luids. */
const blockMark = `#${packedSign}`;
/** Follows the time in the key of several entries of a book; it sorts after all luids and before the end of that time. */
const bookBlockSign = '|';
/** The milliseconds from the first to the last of the outbox entries in one item. */
export const outboxBlockMs = 60_000;
const bookNumberLength = 4;
/** Follows the place of the last entry that running totals include, so that they come right behind it. */
const totalEnd = '~';
const timeLength = 8;
/** The digits of the highest safe integer. */
const indexLength = 16;
const checkpointSk = 'checkpoint';
const cosignedSk = 'cosigned';
const luidLength = '$wlt.'.length + luidTextLength;
// Printable ASCII, but for `#` and the sign of a hash.
const plainPart = /^[!"$-}]{1,200}$/;
/** The numbers of the shards of a balance, of which there are never a hundred. */
const balanceShardForm = /^[1-9]\d?$/;
/** The numbers of gates. */
const gateForm = /^(0|[1-9]\d{0,2})$/;
const workPartition = '#work';
/** The index value of intents that may wait for long. Decision 100. */
const longWait = 'long';
const luidTimeStart = '$wlt.'.length;
/** The last shard of an outbox that is not spread; those of spread intents follow it. */
const lastShard = outboxShardCount - 1;
/** Begins the part of a partition that has the number of spread intents. */
const spreadMark = '~';
const timeMsMax = 2 ** 48 - 1;

// Limits of DynamoDB. A caller can ask for a longer name, but no record can have it.
const pkBytesMax = 2048;
const skBytesMax = 1024;

const numberOf = (change: number): string => String(change).padStart(changeLength, '0');
const timeOf = (moment: string): string => encodeTime(Date.parse(moment));

export function headKeyOf(scope: Scope, kind: Kind, handle: string): Key {
  return { pk: `${scope}#${kind}#${handle}`, sk: onlySk };
}

/** The item that counts the balances of a wallet, or marks a symbol as used. */
export function usageKeyOf(scope: Scope, kind: Kind, handle: string): Key {
  return { pk: headKeyOf(scope, kind, handle).pk, sk: usageSk };
}

/** The item that counts the reference of this luid to a record: always the same one for the same luid. */
export function refersKeyOf(scope: Scope, { kind, handle }: Relation, luid: string): Key {
  const isDrawing = kind === 'wallet' && luid.startsWith(`$${kinds.wallet.prefix}.`);
  const shard = isDrawing ? drawingShard : shareOf(luid, refersShardCount);
  return refersKeyAt(scope, { kind, handle }, shard);
}

/** All items that count the references to a record. */
export function refersKeysOf(scope: Scope, named: Relation): Key[] {
  const shards = Array.from({ length: refersShardCount }, (_, shard) => shard);
  return [
    ...shards.map((shard) => refersKeyAt(scope, named, shard)),
    ...drawingKeysOf(scope, named),
  ];
}

/** The item that counts the wallets for which a wallet pays; none for other kinds. */
export function drawingKeysOf(scope: Scope, named: Relation): Key[] {
  return named.kind === 'wallet' ? [refersKeyAt(scope, named, drawingShard)] : [];
}

function refersKeyAt(scope: Scope, { kind, handle }: Relation, shard: number): Key {
  return { pk: headKeyOf(scope, kind, handle).pk, sk: `${refersPrefix}${shard}` };
}

/** The item that counts the records that lay down rules in a ledger. */
export function rulebookKeyOf(scope: Scope): Key {
  return { pk: `${scope}#rulebook`, sk: onlySk };
}

export function balanceKeyOf(scope: Scope, wallet: string, symbol: string): Key {
  return { pk: headKeyOf(scope, 'wallet', wallet).pk, sk: `${balancePrefix}${symbol}` };
}

/** A shard of a balance: shard 0 is the balance itself, each other one lies in a partition of its own. Decision 125. */
export function shardKeyOf(scope: Scope, wallet: string, symbol: string, shard: number): Key {
  if (shard === 0) return balanceKeyOf(scope, wallet, symbol);
  // It does not end as a shard of an outbox does, whatever the wallet and the symbol are called.
  return { pk: `${scope}#shard#${shard}#${wallet}#${symbol}#`, sk: onlySk };
}

/** A gate of a busy record, in a partition of its own. Decision 134. */
export function gateKeyOf(scope: Scope, kind: Kind, handle: string, gate: number): Key {
  // It does not end as a shard of an outbox does, whatever the record is called.
  return { pk: `${scope}#gate#${gate}#${kind}#${handle}#`, sk: onlySk };
}

/** The range of all balances of a wallet, by symbol. */
export function balanceRangeOf(scope: Scope, wallet: string): KeyRange {
  const { pk } = headKeyOf(scope, 'wallet', wallet);
  return { pk, from: balancePrefix, to: endOf(balancePrefix) };
}

/**
 * The item that has the handle of a luid. An intent never moves in its list, so its list entry is its pointer, which
 * saves two write units for each intent. `spread` is the number that a busy ledger has given it.
 */
export function pointerKeyOf(scope: Scope, kind: Kind, luid: string, spread = 0): Key {
  if (!keepsPlace(kind)) return { pk: `${scope}#luid#${luid}`, sk: onlySk };
  const pk = listPartitionOf(spreadScopeOf(scope, spread), kind);
  return { pk, sk: listSkOf(timeInLuid(luid), luid) };
}

/** The keys at which the pointer may be, in a ledger that has spread its intents over so many partitions. */
export function pointerKeysOf(scope: Scope, kind: Kind, luid: string, count: number): Key[] {
  const spreads = keepsPlace(kind) ? spreadsOf(luid, count) : [0];
  return spreads.map((spread) => pointerKeyOf(scope, kind, luid, spread));
}

/** The numbers that an intent may have got while its ledger spread to so many partitions, each once. */
export function spreadsOf(luid: string, count: number): number[] {
  const counts = spreadCounts.filter((one) => one <= count);
  return [...new Set(counts.map((one) => shareOf(luid, one)))];
}

/** The beginning of partitions that only intents with this number use. No family of items begins with `~`. */
function spreadScopeOf(scope: Scope, spread = 0): string {
  return spread === 0 ? scope : `${scope}#${spreadMark}${spread}`;
}

/** True for the luid of an intent, the kind that a busy ledger spreads. */
export function isOfIntent(luid: string): boolean {
  return luid.startsWith(`$${kinds.intent.prefix}.`);
}

/** The entry of an intent in the same partition of a list as another one. */
export function listKeyBeside({ pk }: Key, luid: string): Key {
  return { pk, sk: listSkOf(timeInLuid(luid), luid) };
}

/**
 * The number of the partition with the list entry of a version, and of those with index entries; undefined where the
 * list was never busy before it was stored.
 */
export function listNumberOf({ spread, part }: Pick<Version, 'spread' | 'part'> = {}) {
  return spread ?? part;
}

/** The items that say whether a version lies where it is looked for; none for one that lies where it always would. */
export function layoutKeysOf(scope: Scope, version?: Version): Key[] {
  return listNumberOf(version) === undefined ? [] : [rulebookKeyOf(scope), expiryMarkKey];
}

/** The entry of a version in the list of its kind. Ruling 19. */
export function listKeyOf(scope: Scope, { kind, record, spread, part }: Version): Key {
  if (keepsPlace(kind)) return pointerKeyOf(scope, kind, record.luid, spread);
  const sk = listSkOf(timeOf(record.meta.moment), record.luid);
  const own = spreadScopeOf(scope, part);
  return { pk: listPartitionOf(own, kind, withinOf(kind, record.data)), sk };
}

/** The partition that lists the records of a kind, or those within one record, oldest first. */
export function listPartitionOf(scope: Scope, kind: Kind, within?: string): string {
  return within === undefined ? `${scope}#list#${kind}` : `${scope}#list#${kind}#${within}`;
}

/** The partitions with a list that is spread over so many. */
export function listPartitionsOf(scope: Scope, kind: Kind, count: number, within?: string) {
  if (!maySpread({ scope, kind })) return [listPartitionOf(scope, kind, within)];
  const spreads = Array.from({ length: count }, (_, spread) => spreadScopeOf(scope, spread));
  return spreads.map((one) => listPartitionOf(one, kind));
}

/** True for the lists that a busy ledger spreads: those of its kinds, and not those within one record. */
export function maySpread({ scope, kind }: Pick<Listing, 'scope' | 'kind'>): boolean {
  return scope !== '' && lineOf(kind).within === undefined;
}

/** The partition of the counts of a list, of all its partitions together. Decision 140. */
export function spansPartitionOf({ scope, kind, within }: ListName): string {
  return within === undefined ? `${scope}#spans#${kind}` : `${scope}#spans#${kind}#${within}`;
}

/** The counts of a list from a millisecond on. */
export function spansKeyOf(list: ListName, startMs: number): Key {
  return { pk: spansPartitionOf(list), sk: encodeTime(startMs) };
}

/** The millisecond from which on counts are. */
export function startOfSpans(sk: string): number {
  return decodeTime(sk);
}

/** The millisecond at which an entry lies in its list. */
export function msOfPlace(sk: string): number {
  return decodeTime(sk.slice(0, timeLength));
}

/** The sort key that follows all entries of a list from before a millisecond. */
export function placeBefore(ms: number): string {
  return encodeTime(ms);
}

/** The luid that a list entry shows. */
export function luidOfListSk(sk: string): string {
  return sk.slice(timeLength);
}

/** The index entry of a version; undefined for kinds and versions without an indexed member. */
export function indexKeyOf(scope: Scope, { kind, record }: Version): Key | undefined {
  const isLong = kind === 'intent' && waitsLong(record);
  const value = isLong ? longWait : indexedValueOf(kind, record.data);
  if (value === undefined) return undefined;
  return { pk: indexPartitionOf(scope, kind, value), sk: record.luid };
}

/** The index entries of intents that may wait for long and were made between two times, the second one exclusive. */
export function longWaitRangeOf(scope: Scope, fromMs: number, endMs: number): KeyRange {
  const luidFrom = `$${kinds.intent.prefix}.`;
  return {
    pk: indexPartitionOf(scope, 'intent', longWait),
    from: `${luidFrom}${encodeTime(fromMs)}`,
    to: `${luidFrom}${endOfTime(endMs - 1)}`,
  };
}

/** The partition of the records of a kind whose indexed member has this value. */
export function indexPartitionOf(scope: Scope, kind: Kind, value: string): string {
  return `${scope}#index#${kind}#${lineOf(kind).indexed}#${value}`;
}

/**
 * The index entries of a version, one for each term, in the order of its list. An entry ends in a number, so that adding
 * those of one version never collides with removing those of another. The terms of a record that keeps its place and its
 * data never end: their entries have the number 0 and are of all its versions. Decisions 31 and 126.
 */
export function indexKeysOf(scope: Scope, version: Version): Key[] {
  return [...lastingIndexKeysOf(scope, version), ...passingIndexKeysOf(scope, version)];
}

/** The index entries that a version shares with all later ones; none for kinds whose data can change. */
export function lastingIndexKeysOf(scope: Scope, version: Version): Key[] {
  const { kind, record } = version;
  return keepsPlace(kind) ? termKeysOf(scope, version, lastingTermsOf(kind, record), 0) : [];
}

/**
 * The index entries that end with a version, or with the last one that has its status. A unit for each is asked of their
 * partition when they begin and when they end, so those of spread intents have partitions of their own. Decision 132.
 */
export function passingIndexKeysOf(scope: Scope, version: Version): Key[] {
  const { kind, record, change } = version;
  if (keepsPlace(kind) && hasLastingTermsOnly(record)) return [];
  const lasting = new Set(lastingIndexKeysOf(scope, version).map(({ pk }) => pk));
  const status = termOfWord(record.meta.status);
  const isStatus = ({ field, value }: Term) =>
    keepsPlace(kind) && field === status.field && value === status.value;
  const within = withinOf(kind, record.data);
  const isPassing = (term: Term) => !lasting.has(termPartitionOf({ scope, kind, within }, term));
  return termsOf(kind, record)
    .filter(isPassing)
    .flatMap((term) => {
      const own = isSpreadTerm(kind, term) ? spreadScopeOf(scope, listNumberOf(version)) : scope;
      // No entry that ends has the number of those that last, also where the author's proof states no status.
      const since = isStatus(term) ? Math.max(1, statusSince(record)) : change;
      return termKeysOf(own, version, [term], since);
    });
}

/** True for the key of an index entry that never ends. */
export function isLastingIndexKey({ sk }: Key): boolean {
  return sk.endsWith(`#${numberOf(0)}`);
}

/**
 * The keys under which a release before wrote the same entry of a record that keeps its place: those of one of the
 * versions with these changes. An entry of another record has one key.
 */
export function formerIndexKeysOf({ pk, sk }: Key, changes: readonly number[]): Key[] {
  const name = itemOf(pk, sk);
  const hasOthers = name?.item === 'mention' && keepsPlace(name.kind);
  return hasOthers
    ? changes.map((change) => ({ pk, sk: `${placeOfSk(sk)}#${numberOf(change)}` }))
    : [];
}

function termKeysOf(scope: Scope, version: Version, terms: readonly Term[], change: number): Key[] {
  const { kind, record } = version;
  const sk = `${listKeyOf(scope, version).sk}#${numberOf(change)}`;
  const within = withinOf(kind, record.data);
  return terms.map((term) => ({ pk: termPartitionOf({ scope, kind, within }, term), sk }));
}

/** The key of several list entries or lasting index entries in one item, at the newest of their places. */
export function packedIndexKeyOf({ pk, sk }: Key, hash: string): Key {
  return { pk, sk: `${placeOfSk(sk)}#${packedSign}${hash}` };
}

/** The key of several entries of a book in one item: behind all entries that may lie in one item with this one. */
export function bookBlockKeyOf({ pk, sk }: Key, hash: string): Key {
  return { pk, sk: `${bookBlockRangeOf(pk, sk).from}${blockMark}${hash}` };
}

/** The range of the items that may hold an entry of this place together with others. */
export function bookBlockRangeOf(pk: string, place: string): KeyRange {
  const to = packedEndOf(place);
  const from =
    packedStartOf(place) === undefined ? to : `${to.slice(0, timeLength)}${bookBlockSign}`;
  return { pk, from, to };
}

/** The key of the lasting index entry of a record in the same partition as another one, by its luid. */
export function indexKeyBeside({ pk }: Key, luid: string): Key {
  return { pk, sk: `${listSkOf(timeInLuid(luid), luid)}#${numberOf(0)}` };
}

/** The range of all entries that may lie in one item with this one. */
export function packedSpanOf({ pk, sk }: Key): KeyRange {
  return { pk, from: packedFromOf(sk), to: packedEndOf(sk) };
}

/** The start of the places that may lie in one item with those that sort from this text on. */
export function packedFromOf(text: string): string {
  const startMs = packedStartOf(text);
  return startMs === undefined ? text : encodeTime(startMs);
}

/** The end of the places that may lie in one item with those that sort up to this text. */
export function packedEndOf(text: string): string {
  const startMs = packedStartOf(text);
  return startMs === undefined ? text : endOfTime(startMs + spanMs - 1);
}

/** The first millisecond of those whose places lie in one item together; undefined for a text that begins with no time. */
function packedStartOf(text: string): number | undefined {
  const time = text.slice(0, timeLength);
  const ms = Math.min(timeMsMax, Math.max(0, decodeTime(time)));
  return encodeTime(ms) === time ? ms - (ms % spanMs) : undefined;
}

/** The partition of the index entries of a term, for all records of a kind or for those within one record. */
export function termPartitionOf(
  { scope, kind, within = '' }: { scope: Scope; kind: string; within?: string | undefined },
  { field, value }: Term,
): string {
  return `${scope}#term#${kind}#${within}#${keyPartOf(field)}#${keyPartOf(value)}`;
}

/** The partitions of the index entries of a term whose list is spread over so many. */
export function termPartitionsOf({ scope, kind, within }: Listing, term: Term, count: number) {
  const isSpread = maySpread({ scope, kind }) && isSpreadTerm(kind, term);
  const spreads = Array.from({ length: isSpread ? count : 1 }, (_, spread) => spread);
  return spreads.map((spread) =>
    termPartitionOf({ scope: spreadScopeOf(scope, spread), kind, within }, term),
  );
}

/**
 * True for a term whose index entries are spread with their list: for intents only those that a version may lose, since
 * the others share items. Decision 132.
 */
export function isSpreadTerm(kind: Kind, term: Term): boolean {
  return !keepsPlace(kind) || isPassingTerm(term);
}

/** The part of the sort key by which a list sorts, of a list entry or an index entry. */
export function placeOfSk(sk: string): string {
  return sk.slice(0, timeLength + luidLength);
}

/** A range of a partition that sorts by time: from one millisecond to another, both included. */
export function timeRangeOf(pk: string, sinceMs: number, upTo: number | string): KeyRange {
  const to = typeof upTo === 'string' ? upTo : endOfTime(upTo);
  return { pk, from: encodeTime(sinceMs), to };
}

/** The item of a version that was superseded. */
export function changeKeyOf(scope: Scope, luid: string, change: number): Key {
  return { pk: `${scope}#luid#${luid}`, sk: `${changePrefix}${numberOf(change)}` };
}

/** The range of the superseded versions that end with the change `first` or a later one. */
export function changeRangeOf(scope: Scope, luid: string, first: number): KeyRange {
  const { pk, sk: from } = changeKeyOf(scope, luid, first);
  return { pk, from, to: endOf(changePrefix) };
}

/** The replay guard of a proof of a create or a drop, for any spelling of its digest. Decision 7. */
export function replayGuardKeyOf(scope: Scope, kind: Kind, proof: GuardedProof): Key {
  return replayGuardKeyWithin(scope, guardKindOf(kind, proof), proof);
}

/** The replay guard of an earlier release, which guarded dated proofs, too, for their kind alone. */
export function oldReplayGuardKeyOf(scope: Scope, kind: Kind, proof: GuardedProof): Key {
  return replayGuardKeyWithin(scope, kind, proof);
}

function replayGuardKeyWithin(scope: Scope, kind: Kind | undefined, proof: GuardedProof): Key {
  const digest = proof.digest.toLowerCase();
  return { pk: `${scope}#seal#${kind ?? ''}#${digest}#${proof.public}`, sk: onlySk };
}

/** The item that names the signer of a public key. */
export function holderKeyOf(scope: Scope, publicKey: string): Key {
  return { pk: `${scope}#public#${publicKey}`, sk: onlySk };
}

export function secretKeyOf(scope: Scope): Key {
  return { pk: `${scope}#secret`, sk: onlySk };
}

/** The progress of an unfinished import. Decision 72. */
export function importKeyOf(scope: Scope): Key {
  return { pk: `${scope}#import`, sk: onlySk };
}

/** The note of the last audit of a ledger. Decision 121. */
export function auditKeyOf(scope: Scope): Key {
  return { pk: `${scope}#audit`, sk: onlySk };
}

/** The wrapped secrets of a bridge or a provider. */
export function secretsKeyOf(scope: Scope, luid: string): Key {
  return { pk: `${scope}#secrets#${luid}`, sk: onlySk };
}

/** The note that a token was used. */
export function usedKeyOf(scope: Scope, name: string): Key {
  return { pk: `${scope}#jti#${name}`, sk: onlySk };
}

/** The count of attempts by one caller, from that time on. */
export function attemptsKeyOf({
  scope,
  who,
  startMs,
}: {
  readonly scope: Scope;
  readonly who: string;
  readonly startMs: number;
}): Key {
  return { pk: `${scope}#attempts#${who}`, sk: encodeTime(startMs) };
}

export function clientKeyOf(scope: Scope, id: string): Key {
  return { pk: `${scope}#client#${id}`, sk: onlySk };
}

/** One part of a produced asset. */
export function assetKeyOf(scope: Scope, luid: string, asset: string, number: number): Key {
  return { pk: assetPartitionOf(scope, luid), sk: `${asset}#${numberOf(number)}` };
}

/** The partition of all parts of a report's assets. */
export function assetPartitionOf(scope: Scope, luid: string): string {
  return `${scope}#asset#${luid}`;
}

/** The marker of a report that needs work at that time. */
export function workKeyOf(scope: Scope, luid: string, dueMs: number): Key {
  return { pk: workPartition, sk: `${encodeTime(dueMs)}#${scope}#${luid}` };
}

/** The markers of reports that are due by that time, the longest due first. */
export function workRangeOf(nowMs: number): KeyRange {
  // A marker is longer than its time, so those of the next millisecond lie behind the end.
  return { pk: workPartition, from: encodeTime(0), to: encodeTime(nowMs + 1) };
}

/** The report or intent of a marker, and its due time. */
export function workOf(sk: string): { scope: Scope; luid: string; dueMs: number } {
  const [time = '', scope = '', luid = ''] = sk.split('#');
  return { scope, luid, dueMs: decodeTime(time) };
}

/** The expiry marker of an undecided intent; undefined for every other version. */
export function expiryKeyOf(scope: Scope, { kind, record, spread }: Version): Key | undefined {
  const due = kind === 'intent' ? watchedFrom(record) : undefined;
  if (due === undefined) return undefined;
  const { luid } = record;
  return {
    pk: expiryPartitionOf(expiryShardOf(luid, spread)),
    sk: `${timeOf(due)}#${scope}#${luid}`,
  };
}

/** The shard of a marker. Those of the intents of a busy ledger follow those of quiet ones. */
function expiryShardOf(luid: string, spread: number | undefined): number {
  if (spread === undefined) return shareOf(luid, expiryShardCount);
  return expiryShardCount + shareOf(luid, expiryShardCountMax - expiryShardCount);
}

/** The expiry markers of a shard that are due by then, the longest due first; before them the mark of further shards. */
export function expiryRangeOf(shard: number, nowMs: number): KeyRange {
  return { pk: expiryPartitionOf(shard), from: onlySk, to: encodeTime(nowMs + 1) };
}

/**
 * The mark that there are markers of spread intents. It sorts before the markers of the first shard, and so is found
 * by whoever reads these.
 */
export const expiryMarkKey: Key = { pk: expiryPartitionOf(0), sk: onlySk };

function expiryPartitionOf(shard: number): string {
  return `#expiry#${shard}`;
}

/** The outbox entry of a version. Entries sort by the time of the last change. */
export function outboxKeyOf(scope: Scope, version: Version): Key {
  const { record, steps, change } = version;
  const moment = steps.at(-1)?.moment ?? record.meta.moment;
  const sk = `${timeOf(moment)}${record.luid}#${numberOf(change)}`;
  return { pk: outboxPartitionOf(scope, shardOfVersion(version)), sk };
}

/** The partition of one shard of a ledger's outbox. Those of a busy ledger end as the first one does. */
export function outboxPartitionOf(scope: Scope, shard: number): string {
  const spread = spreadOfShard(shard);
  return spread > 0 ? `${spreadScopeOf(scope, spread)}#outbox#0` : `${scope}#outbox#${shard}`;
}

/** The shard of a record: always the same, so that its signals keep their order. */
export function shardOf(luid: string, spread = 0): number {
  return spread > 0 ? lastShard + spread : shareOf(luid, outboxShardCount);
}

/** The shard of all versions of a record, of any of them. */
export function shardOfVersion({ record, spread }: Version): number {
  return shardOf(record.luid, spread);
}

/** The number of the partitions in which a shard lies. */
export function spreadOfShard(shard: number): number {
  return Math.max(0, shard - lastShard);
}

/** The shards of a ledger that has spread its intents over so many partitions. */
export function outboxShardsOf(count: number): number[] {
  return Array.from({ length: lastShard + count }, (_, shard) => shard);
}

/** The key of several outbox entries in one item: before all of those of the same millisecond, so before what follows them. */
export function outboxBlockKeyOf({ pk, sk }: Key, count: number, hash: string): Key {
  return { pk, sk: `${sk.slice(0, timeLength)}${blockMark}${count}-${hash}` };
}

/** The range of the items that may hold these outbox entries of a partition with others. */
export function outboxBlockRangeOf(pk: string, places: readonly string[]): KeyRange {
  const sorted = [...places].sort();
  const { momentMs } = outboxPlaceOf(sorted[0] ?? '');
  const from = encodeTime(Math.max(0, momentMs - outboxBlockMs));
  return { pk, from, to: sorted.at(-1) ?? from };
}

/** The number of entries that an item of an outbox holds, by its sort key. */
export function countOfOutboxSk(sk: string): number {
  return isOutboxBlock(sk) ? Number.parseInt(sk.slice(timeLength + blockMark.length), 10) : 1;
}

function isOutboxBlock(sk: string): boolean {
  return sk.startsWith(blockMark, timeLength);
}

/** The time and the number of the last change, read from the place of an outbox entry. */
export function outboxPlaceOf(sk: string): { momentMs: number; luid: string; change: number } {
  const [luid = '', change] = sk.slice(timeLength).split('#');
  return { momentMs: decodeTime(sk.slice(0, timeLength)), luid, change: Number(change) };
}

/** The item that keeps the last place of a shard that is on the bus. */
export function publishedKeyOf(scope: Scope, shard: number): Key {
  const spread = spreadOfShard(shard);
  return { pk: `${spreadScopeOf(scope, spread)}#told`, sk: spread > 0 ? '0' : String(shard) };
}

/** The item of an outbox entry that could not be published. */
export function asideKeyOf(scope: Scope, place: string): Key {
  return { pk: `${scope}#aside`, sk: place };
}

/** The part of a delivery that changes with its attempts. */
export function deliveryKeyOf({ scope, subject, luid, spread }: DeliveryName): Key {
  return { pk: deliveryPartitionOf(spreadScopeOf(scope, spread), subject), sk: luid };
}

/** The partition of a target's deliveries, oldest first, in a quiet ledger. */
export function deliveryPartitionOf(scope: Scope, subject: string): string {
  return `${scope}#delivery#${subject}`;
}

/** The partitions of a target's deliveries, in a ledger that has spread its intents over so many. Decision 138. */
export function deliveryPartitionsOf(scope: Scope, subject: string, count: number): string[] {
  return Array.from({ length: count }, (_, spread) =>
    deliveryPartitionOf(spreadScopeOf(scope, spread), subject),
  );
}

/** The members by which the content of deliveries is found. */
export interface EventName {
  readonly scope: Scope;
  /** Handle of the event, or of the call. */
  readonly event: string;
  /** Distinguishes contents of the same handle that were signed at different times. */
  readonly name: string;
}

/**
 * The content of deliveries, which never changes and is stored once for all targets. It lies apart from the deliveries:
 * an attempt then writes little, and a busy target does not collect all contents in one partition.
 */
export function eventKeyOf({ scope, event, name }: EventName): Key {
  return { pk: `${scope}#event#${event}`, sk: name };
}

/** The content of one delivery, as earlier releases stored it; it stays there. */
export function ownEventKeyOf({ scope, luid }: Pick<DeliveryName, 'scope' | 'luid'>): Key {
  return { pk: `${scope}#event#${luid}`, sk: onlySk };
}

/** The marker of a delivery that is due at that time. */
export function dueKeyOf(delivery: Omit<DeliveryName, 'spread'>, dueMs: number): Key {
  const { scope, subject, luid } = delivery;
  const sk = `${encodeTime(dueMs)}#${scope}#${subject}#${luid}`;
  return { pk: duePartitionOf(shareOf(luid, dueShardCount)), sk };
}

/** The markers of a shard that are due by that time, the longest due first. */
export function dueRangeOf(shard: number, nowMs: number): KeyRange {
  // A marker is longer than its time, so those of the next millisecond lie behind the end.
  return { pk: duePartitionOf(shard), from: encodeTime(0), to: encodeTime(nowMs + 1) };
}

/** The delivery of a marker, and its due time. */
export function dueOf(sk: string): DeliveryName & { readonly dueMs: number } {
  const [time = '', scope = '', subject = '', luid = ''] = sk.split('#');
  return { scope, subject, luid, dueMs: decodeTime(time) };
}

/** The partition of a book: its state, then entry by entry, with running totals between them. */
export function bookPartitionOf({ scope, wallet = '', symbol }: BookName): string {
  // It does not end as a shard of an outbox does, whatever the wallet and the symbol are called.
  return `${scope}#book#${wallet}#${symbol}#`;
}

/** The item that keeps how far a book has running totals. */
export function bookKeyOf(name: BookName): Key {
  return { pk: bookPartitionOf(name), sk: onlySk };
}

/** The place of an entry in its book. */
export function bookPlaceOf({ moment, intent, number }: BookEntry): string {
  return `${timeOf(moment)}${intent.luid}#${String(number).padStart(bookNumberLength, '0')}`;
}

/** The moment, the intent and the number that the place of an entry states. */
export function bookPlaceIn(place: string): { moment: string; luid: string; number: number } {
  const { momentMs, luid, change } = outboxPlaceOf(place);
  return { moment: new Date(momentMs).toISOString(), luid, number: change };
}

/** The sort key of the totals that include all entries up to this place. */
export function totalSkOf(place: string): string {
  return `${place}${totalEnd}`;
}

/** The place up to which totals count; undefined for the sort key of an entry. */
export function placeOfTotal(sk: string): string | undefined {
  return sk.endsWith(totalEnd) ? sk.slice(0, -totalEnd.length) : undefined;
}

/** All entries and running totals of a book, from a place on. */
export function bookRangeOf(name: BookName, from = encodeTime(0)): KeyRange {
  return { pk: bookPartitionOf(name), from, to: endOfTime(timeMsMax) };
}

/** The first place of a millisecond in a book, and the last one. */
export function bookBoundsOf(ms: number): { readonly first: string; readonly last: string } {
  return { first: encodeTime(ms), last: endOfTime(ms) };
}

/** The place of a book among those of its symbol, in a ledger that has spread over so many partitions. Decision 132. */
export function listedBookKeyOf({ scope, wallet = onlySk, symbol }: BookName, count = 1): Key {
  const spread = wallet === onlySk ? 0 : shareOf(wallet, count);
  return { pk: bookListPartitionOf(spreadScopeOf(scope, spread), symbol), sk: wallet };
}

/** The places that a book may have got while its ledger spread to so many partitions, each once. */
export function listedBookKeysOf(name: BookName, count: number): Key[] {
  const counts = spreadCounts.filter((one) => one <= count);
  const keys = counts.map((one) => [listedBookKeyOf(name, one).pk, listedBookKeyOf(name, one)]);
  return [...new Map(keys as [string, Key][]).values()];
}

/** The partitions that list the books of a symbol, that of its supply first, in a ledger that has spread over so many. */
export function bookListPartitionsOf(scope: Scope, symbol: string, count: number): string[] {
  return Array.from({ length: count }, (_, spread) =>
    bookListPartitionOf(spreadScopeOf(scope, spread), symbol),
  );
}

/** The partition that lists the books of a symbol in a quiet ledger. */
export function bookListPartitionOf(scope: Scope, symbol: string): string {
  return `${scope}#books#${symbol}`;
}

/** The book that a list of books shows. */
export function listedBookOf(scope: Scope, symbol: string, sk: string): BookName {
  return sk === onlySk ? { scope, symbol } : { scope, wallet: sk, symbol };
}

/** The mark that the books of a ledger have all entries since its first intent. */
export function wholeBooksKeyOf(scope: Scope): Key {
  return { pk: `${scope}#books`, sk: onlySk };
}

/** The state of the monitor of an effect. */
export function monitorKeyOf(scope: Scope, luid: string): Key {
  return { pk: `${scope}#book-monitor#${luid}`, sk: onlySk };
}

/** The head of the tree of a ledger's log. */
export function logKeyOf(scope: Scope): Key {
  return { pk: `${scope}#log`, sk: onlySk };
}

/** The newest checkpoint of a log. */
export function checkpointKeyOf(scope: Scope): Key {
  return { pk: logKeyOf(scope).pk, sk: checkpointSk };
}

/** The answers of the witnesses of a log. */
export function cosignedKeyOf(scope: Scope): Key {
  return { pk: logKeyOf(scope).pk, sk: cosignedSk };
}

/** A full tile of a log. */
export function tileKeyOf(scope: Scope, level: number, number: number): Key {
  return { pk: tilePartitionOf(scope, level, number), sk: onlySk };
}

/**
 * The item with hashes of a tile: at level 0 the leaves from this one on, above the root of the full tile of this number.
 * Each tile has a partition of its own, so that a busy log writes to another one with every 256 leaves.
 */
export function hashesKeyOf(scope: Scope, level: number, index: number): Key {
  const pk = tilePartitionOf(scope, level, Math.floor(index / tileWidth));
  return { pk, sk: indexSkOf(index) };
}

/** The items with the hashes of a tile, from an index of its level on. */
export function hashesRangeOf(scope: Scope, level: number, number: number, from = 0): KeyRange {
  return {
    pk: tilePartitionOf(scope, level, number),
    from: indexSkOf(Math.max(from, number * tileWidth)),
    to: indexSkOf((number + 1) * tileWidth - 1),
  };
}

function tilePartitionOf(scope: Scope, level: number, number: number): string {
  return `${scope}#log#${level}#${number}`;
}

function indexSkOf(index: number): string {
  return String(index).padStart(indexLength, '0');
}

/** The place in a log of changes that were made at once, by the first of them. */
export function loggedKeyOf(scope: Scope, luid: string, change: number): Key {
  return { pk: `${scope}#logged#${luid}`, sk: numberOf(change) };
}

/** The places of the changes of a record up to this one. */
export function loggedRangeOf(scope: Scope, luid: string, change: number): KeyRange {
  const { pk, sk: to } = loggedKeyOf(scope, luid, change);
  return { pk, from: numberOf(0), to };
}

/** The partition of places of several records in one item: of those that were made within the same time. Decision 132. */
export function placesPartitionOf(scope: Scope, luid: string): string {
  const time = timeInLuid(luid);
  const startMs = packedStartOf(time);
  return `${scope}#logged#${packedSign}${startMs === undefined ? '' : encodeTime(startMs)}`;
}

function duePartitionOf(shard: number): string {
  return `#due#${shard}`;
}

/** The end of all that sorts by this millisecond: `~` follows the characters of luids. */
function endOfTime(ms: number): string {
  return `${encodeTime(ms)}~`;
}

/** Any text as a part of a key: hashed when it is long or holds other characters. */
function keyPartOf(text: string): string {
  if (plainPart.test(text)) return text;
  return `~${createHash('sha256').update(text).digest('base64url')}`;
}

/** The item for which `Store.load` is asked. */
export function wantKeyOf(want: Want): Key {
  switch (want.what) {
    case 'record':
      return headKeyOf(want.scope, want.kind, want.handle);
    case 'pointer':
      return pointerKeyOf(want.scope, want.kind, want.luid);
    case 'balance':
      return balanceKeyOf(want.scope, want.wallet, want.symbol);
    case 'holder':
      return holderKeyOf(want.scope, want.public);
    case 'secret':
      return secretKeyOf(want.scope);
    case 'secrets':
      return secretsKeyOf(want.scope, want.luid);
    case 'client':
      return clientKeyOf(want.scope, want.id);
    case 'rulebook':
      return rulebookKeyOf(want.scope);
  }
}

/** The key of an item of the table. */
export function keyOfItem({ pk, sk }: Readonly<Record<string, unknown>>): Key {
  return { pk: pk as string, sk: sk as string };
}

/** The key as one text, for maps. */
export function textOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}

/** True when DynamoDB accepts the key: callers choose the length of the handles that they ask for. */
export function isAskable({ pk, sk }: Key): boolean {
  return sk !== '' && Buffer.byteLength(pk) <= pkBytesMax && Buffer.byteLength(sk) <= skBytesMax;
}

/** The kind and name of an item, read from its key alone. */
export type ItemName =
  | { readonly item: 'head'; readonly scope: Scope; readonly kind: Kind; readonly handle: string }
  | { readonly item: 'usage'; readonly scope: Scope; readonly kind: Kind; readonly handle: string }
  | { readonly item: 'refers'; readonly scope: Scope; readonly kind: Kind; readonly handle: string }
  | { readonly item: 'rulebook'; readonly scope: Scope }
  | {
      readonly item: 'balance';
      readonly scope: Scope;
      readonly wallet: string;
      readonly symbol: string;
    }
  | {
      readonly item: 'shard';
      readonly scope: Scope;
      readonly wallet: string;
      readonly symbol: string;
      readonly shard: number;
    }
  | {
      readonly item: 'gate';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly handle: string;
      readonly gate: number;
    }
  | { readonly item: 'pointer'; readonly scope: Scope; readonly luid: string }
  | {
      readonly item: 'change';
      readonly scope: Scope;
      readonly luid: string;
      readonly change: number;
    }
  | {
      readonly item: 'list';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly luid: string;
      /** Present in the partitions of spread intents. */
      readonly spread?: number;
    }
  | ({ readonly item: 'spans' } & Listing)
  | {
      readonly item: 'index';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly value: string;
      readonly luid: string;
    }
  | {
      readonly item: 'mention';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly luid: string;
      readonly change: number;
    }
  | { readonly item: 'mentions'; readonly scope: Scope; readonly kind: Kind }
  | { readonly item: 'lists'; readonly scope: Scope; readonly spread?: number }
  | { readonly item: 'signals'; readonly scope: Scope; readonly shard: number }
  | {
      readonly item: 'seal';
      readonly scope: Scope;
      /** Present for a proof that counts once within this kind; absent when it counts once among all kinds. */
      readonly kind?: Kind;
      readonly digest: string;
      readonly public: string;
    }
  | { readonly item: 'holder'; readonly scope: Scope; readonly public: string }
  | { readonly item: 'secret' | 'import' | 'audit'; readonly scope: Scope }
  | { readonly item: 'secrets' | 'monitor'; readonly scope: Scope; readonly luid: string }
  | { readonly item: 'client'; readonly scope: Scope; readonly id: string }
  | { readonly item: 'used'; readonly scope: Scope; readonly name: string }
  | {
      readonly item: 'attempts';
      readonly scope: Scope;
      readonly who: string;
      readonly startMs: number;
    }
  | {
      readonly item: 'asset';
      readonly scope: Scope;
      readonly luid: string;
      readonly asset: string;
      readonly number: number;
    }
  | { readonly item: 'expiries'; readonly scope: Scope }
  | {
      readonly item: 'work' | 'expiry';
      readonly scope: Scope;
      readonly luid: string;
      readonly dueMs: number;
    }
  | {
      readonly item: 'outbox';
      readonly scope: Scope;
      readonly shard: number;
      readonly luid: string;
      readonly change: number;
    }
  | { readonly item: 'told'; readonly scope: Scope; readonly shard: number }
  | {
      readonly item: 'aside';
      readonly scope: Scope;
      readonly luid: string;
      readonly change: number;
    }
  | {
      readonly item: 'delivery';
      readonly scope: Scope;
      readonly subject: string;
      readonly luid: string;
      /** Present in the partitions of spread intents. */
      readonly spread?: number;
    }
  | { readonly item: 'event'; readonly scope: Scope; readonly luid: string }
  | ({ readonly item: 'brought' } & EventName)
  | ({ readonly item: 'book' | 'listed-book' | 'entries' } & BookName)
  | ({ readonly item: 'entry'; readonly place: string; readonly luid: string } & BookName)
  | ({ readonly item: 'totals'; readonly place: string } & BookName)
  | { readonly item: 'books'; readonly scope: Scope }
  | { readonly item: 'log' | 'checkpoint' | 'cosigned'; readonly scope: Scope }
  | { readonly item: 'places'; readonly scope: Scope }
  | {
      readonly item: 'tile';
      readonly scope: Scope;
      readonly level: number;
      readonly number: number;
    }
  | { readonly item: 'leaves'; readonly scope: Scope; readonly index: number }
  | { readonly item: 'root'; readonly scope: Scope; readonly level: number; readonly index: number }
  | {
      readonly item: 'logged';
      readonly scope: Scope;
      readonly luid: string;
      readonly change: number;
    }
  | {
      readonly item: 'due';
      readonly scope: Scope;
      readonly subject: string;
      readonly luid: string;
      readonly dueMs: number;
    };

/** The kind and name of the item at a key; undefined for a key that the ledger never forms. */
export function itemOf(pk: string, sk: string): ItemName | undefined {
  const [scope = '', family = '', name = '', ...rest] = pk.split('#');
  if (isKind(family)) return itemOfHead(scope, family, name, sk);
  if (family.startsWith(spreadMark))
    return itemOfSpread(scope, family.slice(spreadMark.length), [name, ...rest], sk);
  switch (family) {
    case 'luid':
      return itemOfLuid(scope, name, sk);
    case 'list':
    case 'index':
    case 'term':
      return isKind(name) ? itemOfKind(scope, family, name, rest, sk) : undefined;
    case 'seal':
      return itemOfReplayGuard(scope, name, rest);
    case 'public':
      return { item: 'holder', scope, public: name };
    case 'secret':
    case 'import':
    case 'audit':
      return { item: family, scope };
    case 'secrets':
      return { item: 'secrets', scope, luid: name };
    case 'book-monitor':
      return { item: 'monitor', scope, luid: name };
    case 'client':
      return { item: 'client', scope, id: name };
    case 'jti':
      return { item: 'used', scope, name };
    case 'attempts':
      return { item: 'attempts', scope, who: name, startMs: decodeTime(sk) };
    case 'asset': {
      const [asset = '', number] = sk.split('#');
      return { item: 'asset', scope, luid: name, asset, number: Number(number) };
    }
    case 'work':
    case 'expiry':
      return scope === '' ? itemOfWork(family, { pk, sk }) : undefined;
    case 'rulebook':
      return { item: 'rulebook', scope };
    case 'outbox':
    case 'aside':
      return itemOfSignals(scope, family, name, sk);
    case 'told':
      return { item: 'told', scope, shard: Number(sk) };
    case 'delivery':
      return { item: 'delivery', scope, subject: name, luid: sk };
    case 'event':
      return itemOfEvent(scope, name, sk);
    case 'due':
      return scope === '' ? { item: 'due', ...dueOf(sk) } : undefined;
    default:
      return itemOfDerived(scope, family, [name, ...rest], sk);
  }
}

function itemOfWork(item: 'work' | 'expiry', key: Key): ItemName {
  return textOf(key) === textOf(expiryMarkKey)
    ? { item: 'expiries', scope: '' }
    : { item, ...workOf(key.sk) };
}

/** The items of a spread intent, or of a record in a busy list, that lie in partitions of its number. */
function itemOfSpread(
  scope: Scope,
  spread: string,
  [family = '', name = '']: readonly string[],
  sk: string,
): ItemName | undefined {
  const number = Number(spread);
  if (family === 'outbox') return itemOfSignals(scope, family, String(lastShard + number), sk);
  if (family === 'told') return { item: 'told', scope, shard: lastShard + number };
  if (family === 'books') return { item: 'listed-book', ...listedBookOf(scope, name, sk) };
  if (family === 'delivery')
    return { item: 'delivery', scope, subject: name, luid: sk, spread: number };
  if (!isKind(name) || !maySpread({ scope, kind: name })) return undefined;
  // Those of several items in one are of terms that last, and are not spread.
  if (family === 'term' && !sk.includes(`#${packedSign}`)) return itemOfTerm(scope, name, sk);
  if (family !== 'list') return undefined;
  if (keepsPlace(name) && sk.includes(blockMark)) return { item: 'lists', scope, spread: number };
  return { item: 'list', scope, kind: name, luid: luidOfListSk(sk), spread: number };
}

/** The shards of balances, the gates of records, and the items that the relay derives from records: counts, books, logs. */
function itemOfDerived(
  scope: Scope,
  family: string,
  names: readonly string[],
  sk: string,
): ItemName | undefined {
  switch (family) {
    case 'shard':
      return itemOfShard(scope, names, sk);
    case 'gate':
      return itemOfGate(scope, names, sk);
    case 'spans':
      return itemOfSpans(scope, names);
    case 'book':
    case 'books':
      return itemOfBooks(scope, family, names, sk);
    case 'log':
      return itemOfLog(scope, names, sk);
    case 'logged':
      if (names[0]?.startsWith(packedSign)) return { item: 'places', scope };
      return { item: 'logged', scope, luid: names[0] ?? '', change: Number(sk) };
    default:
      return undefined;
  }
}

/** The name of an item of the table; undefined for one that the ledger did not write. */
export function nameOfItem(item: Readonly<Record<string, unknown>>): ItemName | undefined {
  const { pk, sk } = keyOfItem(item);
  return itemOf(pk, sk);
}

function itemOfKind(
  scope: Scope,
  family: 'list' | 'index' | 'term',
  kind: Kind,
  [first = '', second = '']: readonly string[],
  sk: string,
): ItemName | undefined {
  switch (family) {
    case 'list':
      if (keepsPlace(kind) && sk.includes(blockMark)) return { item: 'lists', scope };
      return { item: 'list', scope, kind, luid: luidOfListSk(sk) };
    case 'term':
      return itemOfTerm(scope, kind, sk);
    case 'index': {
      const isIndexed = lineOf(kind).indexed === first;
      return isIndexed ? { item: 'index', scope, kind, value: second, luid: sk } : undefined;
    }
  }
}

function itemOfTerm(scope: Scope, kind: Kind, sk: string): ItemName {
  if (sk.includes(`#${packedSign}`)) return { item: 'mentions', scope, kind };
  const { luid, change } = outboxPlaceOf(sk);
  return { item: 'mention', scope, kind, luid, change };
}

/** True for the number of a shard of a balance beside the balance itself. */
export function isShardNumber(shard: number): boolean {
  return balanceShardForm.test(String(shard));
}

function itemOfShard(
  scope: Scope,
  [shard = '', wallet = '', symbol = '', ...rest]: readonly string[],
  sk: string,
): ItemName | undefined {
  const isFormed =
    sk === onlySk && rest.join('#') === '' && rest.length === 1 && balanceShardForm.test(shard);
  return isFormed ? { item: 'shard', scope, wallet, symbol, shard: Number(shard) } : undefined;
}

function itemOfGate(
  scope: Scope,
  [gate = '', kind = '', handle = '', ...rest]: readonly string[],
  sk: string,
): ItemName | undefined {
  const isFormed =
    sk === onlySk && rest.join('#') === '' && rest.length === 1 && gateForm.test(gate);
  return isFormed && isKind(kind)
    ? { item: 'gate', scope, kind, handle, gate: Number(gate) }
    : undefined;
}

function itemOfSpans(scope: Scope, [kind = '', within]: readonly string[]): ItemName | undefined {
  if (!isKind(kind)) return undefined;
  return { item: 'spans', scope, kind, ...(within !== undefined && { within }) };
}

function itemOfReplayGuard(
  scope: Scope,
  kind: string,
  [digest = '', publicKey = '']: readonly string[],
): ItemName | undefined {
  const guard = { item: 'seal', scope, digest, public: publicKey } as const;
  if (kind === '') return guard;
  return isKind(kind) ? { ...guard, kind } : undefined;
}

function itemOfSignals(
  scope: Scope,
  item: 'outbox' | 'aside',
  shard: string,
  sk: string,
): ItemName {
  if (item === 'outbox' && isOutboxBlock(sk))
    return { item: 'signals', scope, shard: Number(shard) };
  const { luid, change } = outboxPlaceOf(sk);
  if (item === 'aside') return { item, scope, luid, change };
  return { item, scope, shard: Number(shard), luid, change };
}

function itemOfEvent(scope: Scope, name: string, sk: string): ItemName {
  return sk === onlySk
    ? { item: 'event', scope, luid: name }
    : { item: 'brought', scope, event: name, name: sk };
}

function itemOfBooks(
  scope: Scope,
  family: 'book' | 'books',
  [first = '', symbol = '']: readonly string[],
  sk: string,
): ItemName {
  if (family === 'books' && first === '') return { item: 'books', scope };
  if (family === 'books') return { item: 'listed-book', ...listedBookOf(scope, first, sk) };
  const name = { scope, symbol, ...(first !== '' && { wallet: first }) };
  if (sk === onlySk) return { item: 'book', ...name };
  if (sk.includes(blockMark)) return { item: 'entries', ...name };
  const place = placeOfTotal(sk);
  return place === undefined
    ? { item: 'entry', ...name, place: sk, luid: outboxPlaceOf(sk).luid }
    : { item: 'totals', ...name, place };
}

const headItems: Readonly<Record<string, 'checkpoint' | 'cosigned'>> = {
  [checkpointSk]: 'checkpoint',
  [cosignedSk]: 'cosigned',
};

function itemOfLog(
  scope: Scope,
  [level = '', number = '']: readonly string[],
  sk: string,
): ItemName | undefined {
  if (level === '') return { item: headItems[sk] ?? 'log', scope };
  if (sk === onlySk) return { item: 'tile', scope, level: Number(level), number: Number(number) };
  const index = Number(sk);
  return level === '0'
    ? { item: 'leaves', scope, index }
    : { item: 'root', scope, level: Number(level), index };
}

function itemOfHead(scope: Scope, kind: Kind, handle: string, sk: string): ItemName | undefined {
  if (sk === onlySk) return { item: 'head', scope, kind, handle };
  if (sk === usageSk) return { item: 'usage', scope, kind, handle };
  if (sk.startsWith(refersPrefix)) return { item: 'refers', scope, kind, handle };
  if (kind !== 'wallet' || !sk.startsWith(balancePrefix)) return undefined;
  return { item: 'balance', scope, wallet: handle, symbol: sk.slice(balancePrefix.length) };
}

function itemOfLuid(scope: Scope, luid: string, sk: string): ItemName | undefined {
  if (sk === onlySk) return { item: 'pointer', scope, luid };
  if (!sk.startsWith(changePrefix)) return undefined;
  return { item: 'change', scope, luid, change: Number(sk.slice(changePrefix.length)) };
}

/** The time at the start of a luid, as it sorts; also of a text that only looks like a luid. */
function timeInLuid(luid: string): string {
  return luid.slice(luidTimeStart, luidTimeStart + timeLength);
}

function listSkOf(time: string, luid: string): string {
  return `${time}${luid}`;
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}
