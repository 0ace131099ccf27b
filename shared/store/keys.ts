/**
 * Every key of the one table, and nothing else knows them. A partition begins with the ledger
 * (empty for the server itself), so that nothing of one ledger can be reached through another.
 * Ruling 25. `#` separates the parts, because no handle, luid, digest or public key may hold one. A
 * `<handle>` is what names the record among all of its kind: `nameOf`.
 *
 * | item                      | pk                                  | sk                         |
 * |---------------------------|-------------------------------------|----------------------------|
 * | head: the current version | `<scope>#<kind>#<handle>`           | `#`                        |
 * | usage of a head           | `<scope>#<kind>#<handle>`           | `usage`                    |
 * | who refers to a head      | `<scope>#<kind>#<handle>`           | `refers#<shard>`           |
 * | balance                   | `<scope>#wallet#<handle>`           | `balance#<symbol>`         |
 * | pointer                   | `<scope>#luid#<luid>`               | `#`                        |
 * | superseded version        | `<scope>#luid#<luid>`               | `change#<number>`          |
 * | list entry                | `<scope>#list#<kind>[#<within>]`    | `<time><luid>`             |
 * | index entry               | `<scope>#index#<kind>#<member>#<value>` | `<luid>`               |
 * | mention of a term         | `<scope>#term#<kind>#<within>#<field>#<value>` | `<time><luid>#<number>` |
 * | accepted create or drop   | `<scope>#seal#[<kind>]#<digest>#<public>` | `#`                  |
 * | holder of a key           | `<scope>#public#<public>`           | `#`                        |
 * | secret of a ledger        | `<scope>#secret`                    | `#`                        |
 * | secrets of a bridge       | `<scope>#secrets#<luid>`            | `#`                        |
 * | client that asks for tokens | `<scope>#client#<clientId>`       | `#`                        |
 * | token that was used       | `<scope>#jti#<name>`                | `#`                        |
 * | attempts to get a token   | `<scope>#attempts#<who>`            | `<time>`                   |
 * | rulebook of a ledger      | `<scope>#rulebook`                  | `#`                        |
 * | outbox entry              | `<scope>#outbox#<shard>`            | `<time><luid>#<number>`    |
 * | how far a shard was told    | `<scope>#told`                      | `<shard>`                  |
 * | entry that was set aside  | `<scope>#aside`                     | `<time><luid>#<number>`    |
 * | delivery                  | `<scope>#delivery#<subject luid>`   | `<luid>`                   |
 * | what deliveries bring     | `<scope>#event#<event handle>`      | `<name>`                   |
 * | the same, as it once was  | `<scope>#event#<delivery luid>`     | `#`                        |
 * | marker of a due delivery  | `#due#<shard>`                      | `<time>#<scope>#<subject>#<luid>` |
 * | marker of a waiting intent | `#expiry#<shard>`                  | `<time>#<scope>#<luid>`    |
 * | part of a report's asset  | `<scope>#asset#<report luid>`       | `<asset>#<number>`         |
 * | import that has not ended | `<scope>#import`                    | `#`                        |
 * | marker of work on a report | `#work`                            | `<time>#<scope>#<luid>`    |
 */
import { createHash } from 'node:crypto';
import { decodeTime, encodeTime } from '../crypto/luid.ts';
import { watchedFrom } from '../ledger/intent.ts';
import { indexedValueOf, type Kind, keepsPlace, kinds, lineOf, withinOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Relation } from '../ledger/relation.ts';
import { type Sealed, sealKindOf } from '../ledger/seal.ts';
import { type Term, termsOf } from '../ledger/term.ts';
import type { Delivery } from '../port/deliveries.ts';
import type { Scope, Want } from '../port/ports.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A stretch of one partition; both ends belong to it. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** In how many partitions a ledger's outbox lies, so that no single one limits its writes. */
export const outboxShardCount = 4;

/** In how many items who refers to a record is counted, so that no single one limits the writes. */
export const refersShardCount = 4;
/** Where wallets are counted that a wallet pays for: unlike anchors, they never let it go. Decision 51. */
const drawingShard = refersShardCount;

/** In how many partitions the markers of due deliveries lie, those of all ledgers together. */
export const dueShardCount = 8;

/** In how many partitions the markers of waiting intents lie, those of all ledgers together. */
export const expiryShardCount = 8;

const onlySk = '#';
const usageSk = 'usage';
const refersPrefix = 'refers#';
const changePrefix = 'change#';
const balancePrefix = 'balance#';
// `$` follows `#`, so this ends a range of keys that begin with the prefix.
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}$`;

const changeLength = 10;
const timeLength = 8;
const luidLength = '$wlt.'.length + 17;
// Printable ASCII, but for `#` and the sign of a hash.
const plainPart = /^[!"$-}]{1,200}$/;
const workPartition = '#work';
const luidTimeStart = '$wlt.'.length;

// What DynamoDB accepts. A longer name can be asked for, but nothing can be there.
const pkBytesMax = 2048;
const skBytesMax = 1024;

const numberOf = (change: number): string => String(change).padStart(changeLength, '0');
const timeOf = (moment: string): string => encodeTime(Date.parse(moment));

/** Where the current version of a record is. */
export function headKeyOf(scope: Scope, kind: Kind, handle: string): Key {
  return { pk: `${scope}#${kind}#${handle}`, sk: onlySk };
}

/** Where the balances of a wallet are counted, and where a symbol is marked as having some. */
export function usageKeyOf(scope: Scope, kind: Kind, handle: string): Key {
  return { pk: headKeyOf(scope, kind, handle).pk, sk: usageSk };
}

/** Where it is counted that others refer to a record: each of them always in the same item. */
export function refersKeyOf(scope: Scope, { kind, handle }: Relation, luid: string): Key {
  const isDrawing = kind === 'wallet' && luid.startsWith(`$${kinds.wallet.prefix}.`);
  const shard = isDrawing ? drawingShard : sumOf(luid) % refersShardCount;
  return refersKeyAt(scope, { kind, handle }, shard);
}

/** Every item in which it is counted who refers to a record. */
export function refersKeysOf(scope: Scope, named: Relation): Key[] {
  const shards = Array.from({ length: refersShardCount }, (_, shard) => shard);
  return [
    ...shards.map((shard) => refersKeyAt(scope, named, shard)),
    ...drawingKeysOf(scope, named),
  ];
}

/** Where it is counted which wallets a wallet pays for; nothing of other kinds. */
export function drawingKeysOf(scope: Scope, named: Relation): Key[] {
  return named.kind === 'wallet' ? [refersKeyAt(scope, named, drawingShard)] : [];
}

function refersKeyAt(scope: Scope, { kind, handle }: Relation, shard: number): Key {
  return { pk: headKeyOf(scope, kind, handle).pk, sk: `${refersPrefix}${shard}` };
}

/** Where it is counted who lays down rules in a ledger. */
export function rulebookKeyOf(scope: Scope): Key {
  return { pk: `${scope}#rulebook`, sk: onlySk };
}

/** Where what a wallet has of a symbol is. */
export function balanceKeyOf(scope: Scope, wallet: string, symbol: string): Key {
  return { pk: headKeyOf(scope, 'wallet', wallet).pk, sk: `${balancePrefix}${symbol}` };
}

/** Where all balances of a wallet are, by symbol. */
export function balanceRangeOf(scope: Scope, wallet: string): KeyRange {
  const { pk } = headKeyOf(scope, 'wallet', wallet);
  return { pk, from: balancePrefix, to: endOf(balancePrefix) };
}

/**
 * Where the handle of a luid is found. Intents stay where they are in the list, so their list entry is their pointer, which saves two write units on every intent.
 */
export function pointerKeyOf(scope: Scope, kind: Kind, luid: string): Key {
  if (!keepsPlace(kind)) return { pk: `${scope}#luid#${luid}`, sk: onlySk };
  return { pk: listPartitionOf(scope, kind), sk: listSkOf(timeInLuid(luid), luid) };
}

/** Where the list of a kind shows this version. Ruling 19. */
export function listKeyOf(scope: Scope, { kind, record }: Version): Key {
  if (keepsPlace(kind)) return pointerKeyOf(scope, kind, record.luid);
  const sk = listSkOf(timeOf(record.meta.moment), record.luid);
  return { pk: listPartitionOf(scope, kind, withinOf(kind, record.data)), sk };
}

/** The partition that lists the records of a kind, or those within one record, oldest first. */
export function listPartitionOf(scope: Scope, kind: Kind, within?: string): string {
  return within === undefined ? `${scope}#list#${kind}` : `${scope}#list#${kind}#${within}`;
}

/** The luid that a list entry shows. */
export function luidOfListSk(sk: string): string {
  return sk.slice(timeLength);
}

/** Where a version is found by its indexed member; undefined for kinds and versions without one. */
export function indexKeyOf(scope: Scope, { kind, record }: Version): Key | undefined {
  const value = indexedValueOf(kind, record.data);
  if (value === undefined) return undefined;
  return { pk: indexPartitionOf(scope, kind, value), sk: record.luid };
}

/** The partition of the records of a kind whose indexed member has this value. */
export function indexPartitionOf(scope: Scope, kind: Kind, value: string): string {
  return `${scope}#index#${kind}#${lineOf(kind).indexed}#${value}`;
}

/**
 * Where a version is mentioned, term by term: in the order of its list. Each version has mentions of its own,
 * so that none of them can be put or taken away in the place of another. Decision 31.
 */
export function mentionKeysOf(scope: Scope, version: Version): Key[] {
  const { kind, record, change } = version;
  const sk = `${listKeyOf(scope, version).sk}#${numberOf(change)}`;
  const within = withinOf(kind, record.data);
  return termsOf(kind, record).map((term) => ({
    pk: termPartitionOf({ scope, kind, within }, term),
    sk,
  }));
}

/** The partition of the mentions of a term, in the lists of a kind or in that within one record. */
export function termPartitionOf(
  { scope, kind, within = '' }: { scope: Scope; kind: string; within?: string | undefined },
  { field, value }: Term,
): string {
  return `${scope}#term#${kind}#${within}#${keyPartOf(field)}#${keyPartOf(value)}`;
}

/** Where a list entry or a mention is, as far as lists sort by it. */
export function placeOfSk(sk: string): string {
  return sk.slice(0, timeLength + luidLength);
}

/** A stretch of a partition that sorts by time: from one millisecond to another, both with all they hold. */
export function timeRangeOf(pk: string, sinceMs: number, upTo: number | string): KeyRange {
  const to = typeof upTo === 'string' ? upTo : endOfTime(upTo);
  return { pk, from: encodeTime(sinceMs), to };
}

/** Where a version is after it was superseded. */
export function changeKeyOf(scope: Scope, luid: string, change: number): Key {
  return { pk: `${scope}#luid#${luid}`, sk: `${changePrefix}${numberOf(change)}` };
}

/** Where the superseded versions are that end with the change `first` or a later one. */
export function changeRangeOf(scope: Scope, luid: string, first: number): KeyRange {
  const { pk, sk: from } = changeKeyOf(scope, luid, first);
  return { pk, from, to: endOf(changePrefix) };
}

/** Where an accepted proof of a create or a drop is remembered, however its digest is written. Decision 7. */
export function sealKeyOf(scope: Scope, kind: Kind, proof: Sealed): Key {
  return sealKeyWithin(scope, sealKindOf(kind, proof), proof);
}

/** Where a proof was remembered for its kind alone, before what is dated counted once among all kinds. */
export function oldSealKeyOf(scope: Scope, kind: Kind, proof: Sealed): Key {
  return sealKeyWithin(scope, kind, proof);
}

function sealKeyWithin(scope: Scope, kind: Kind | undefined, proof: Sealed): Key {
  const digest = proof.digest.toLowerCase();
  return { pk: `${scope}#seal#${kind ?? ''}#${digest}#${proof.public}`, sk: onlySk };
}

/** Where the signer of a public key is. */
export function holderKeyOf(scope: Scope, publicKey: string): Key {
  return { pk: `${scope}#public#${publicKey}`, sk: onlySk };
}

/** Where the wrapped key of a ledger is. */
export function secretKeyOf(scope: Scope): Key {
  return { pk: `${scope}#secret`, sk: onlySk };
}

/** Where it is kept how far an import of the ledger has come. Decision 72. */
export function importKeyOf(scope: Scope): Key {
  return { pk: `${scope}#import`, sk: onlySk };
}

/** Where the wrapped secrets of a bridge are. */
export function secretsKeyOf(scope: Scope, luid: string): Key {
  return { pk: `${scope}#secrets#${luid}`, sk: onlySk };
}

/** Where it is noted that a token was used. */
export function usedKeyOf(scope: Scope, name: string): Key {
  return { pk: `${scope}#jti#${name}`, sk: onlySk };
}

/** Where it is counted how often somebody has tried, from that time on. */
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

/** Where the client of this `clientId` is. */
export function clientKeyOf(scope: Scope, id: string): Key {
  return { pk: `${scope}#client#${id}`, sk: onlySk };
}

/** Where a part of an asset is that the ledger has produced. */
export function assetKeyOf(scope: Scope, luid: string, asset: string, number: number): Key {
  return { pk: assetPartitionOf(scope, luid), sk: `${asset}#${numberOf(number)}` };
}

/** The partition of all that a report's assets are stored in. */
export function assetPartitionOf(scope: Scope, luid: string): string {
  return `${scope}#asset#${luid}`;
}

/** Where a report is marked to be looked after at that time. */
export function workKeyOf(scope: Scope, luid: string, dueMs: number): Key {
  return { pk: workPartition, sk: `${encodeTime(dueMs)}#${scope}#${luid}` };
}

/** Where the markers of reports are that are due by that time, the longest due first. */
export function workRangeOf(nowMs: number): KeyRange {
  // A marker is longer than its time, so those of the next millisecond lie behind the end.
  return { pk: workPartition, from: encodeTime(0), to: encodeTime(nowMs + 1) };
}

/** The report, or the intent, that a marker is of, and when it is due. */
export function workOf(sk: string): { scope: Scope; luid: string; dueMs: number } {
  const [time = '', scope = '', luid = ''] = sk.split('#');
  return { scope, luid, dueMs: decodeTime(time) };
}

/** Where an intent is marked that is to be looked after once its time is over; undefined for versions that have ended. */
export function expiryKeyOf(scope: Scope, { kind, record }: Version): Key | undefined {
  const due = kind === 'intent' ? watchedFrom(record) : undefined;
  if (due === undefined) return undefined;
  const { luid } = record;
  const pk = expiryPartitionOf(sumOf(luid) % expiryShardCount);
  return { pk, sk: `${timeOf(due)}#${scope}#${luid}` };
}

/** Where the markers of a shard are whose intents have waited long enough, the longest first. */
export function expiryRangeOf(shard: number, nowMs: number): KeyRange {
  return { pk: expiryPartitionOf(shard), from: encodeTime(0), to: encodeTime(nowMs + 1) };
}

function expiryPartitionOf(shard: number): string {
  return `#expiry#${shard}`;
}

/** Where the signals of a version wait to be told. They sort by the time of its last change. */
export function outboxKeyOf(scope: Scope, { record, steps, change }: Version): Key {
  const moment = steps.at(-1)?.moment ?? record.meta.moment;
  const sk = `${timeOf(moment)}${record.luid}#${numberOf(change)}`;
  return { pk: outboxPartitionOf(scope, shardOf(record.luid)), sk };
}

/** The partition of one shard of a ledger's outbox. */
export function outboxPartitionOf(scope: Scope, shard: number): string {
  return `${scope}#outbox#${shard}`;
}

/** The shard of a record: always the same, so that its signals keep their order. */
export function shardOf(luid: string): number {
  return sumOf(luid) % outboxShardCount;
}

/** What the place of an outbox entry says: when its last change was made, and which that is. */
export function outboxPlaceOf(sk: string): { momentMs: number; luid: string; change: number } {
  const [luid = '', change] = sk.slice(timeLength).split('#');
  return { momentMs: decodeTime(sk.slice(0, timeLength)), luid, change: Number(change) };
}

/** Where it is kept how far a shard was told: the last place that is on the bus. */
export function toldKeyOf(scope: Scope, shard: number): Key {
  return { pk: `${scope}#told`, sk: String(shard) };
}

/** Where an outbox entry lies that cannot be told. */
export function asideKeyOf(scope: Scope, place: string): Key {
  return { pk: `${scope}#aside`, sk: place };
}

/** How a delivery is named; enough to find it. */
export type DeliveryName = Pick<Delivery, 'scope' | 'subject' | 'luid'>;

/** Where a delivery is: what changes with its attempts. */
export function deliveryKeyOf({ scope, subject, luid }: DeliveryName): Key {
  return { pk: deliveryPartitionOf(scope, subject), sk: luid };
}

/** The partition of a target's deliveries, oldest first. */
export function deliveryPartitionOf(scope: Scope, subject: string): string {
  return `${scope}#delivery#${subject}`;
}

/** What deliveries bring, by name; enough to find it. */
export interface EventName {
  readonly scope: Scope;
  /** Handle of the event, or of the call. */
  readonly event: string;
  /** Tells it from what has the same handle and was signed at another time. */
  readonly name: string;
}

/**
 * Where that is which deliveries bring, and which never changes: once for all targets that are told the same. It is
 * apart from them, so that an attempt writes little, and that a busy target does not have all of it in one partition.
 */
export function eventKeyOf({ scope, event, name }: EventName): Key {
  return { pk: `${scope}#event#${event}`, sk: name };
}

/** Where it was when each delivery had its own: whatever is there stays there. */
export function ownEventKeyOf({ scope, luid }: Pick<DeliveryName, 'scope' | 'luid'>): Key {
  return { pk: `${scope}#event#${luid}`, sk: onlySk };
}

/** Where a delivery is marked as due at that time. */
export function dueKeyOf(delivery: DeliveryName, dueMs: number): Key {
  const { scope, subject, luid } = delivery;
  const sk = `${encodeTime(dueMs)}#${scope}#${subject}#${luid}`;
  return { pk: duePartitionOf(sumOf(luid) % dueShardCount), sk };
}

/** Where the markers of a shard are that are due by that time, the longest due first. */
export function dueRangeOf(shard: number, nowMs: number): KeyRange {
  // A marker is longer than its time, so those of the next millisecond lie behind the end.
  return { pk: duePartitionOf(shard), from: encodeTime(0), to: encodeTime(nowMs + 1) };
}

/** The delivery that a marker is of, and when it is due. */
export function dueOf(sk: string): DeliveryName & { readonly dueMs: number } {
  const [time = '', scope = '', subject = '', luid = ''] = sk.split('#');
  return { scope, subject, luid, dueMs: decodeTime(time) };
}

function duePartitionOf(shard: number): string {
  return `#due#${shard}`;
}

/** Behind all that sorts by this millisecond: `~` follows what luids are made of. */
function endOfTime(ms: number): string {
  return `${encodeTime(ms)}~`;
}

/** Text of any kind and length as a part of a key. */
function keyPartOf(text: string): string {
  if (plainPart.test(text)) return text;
  return `~${createHash('sha256').update(text).digest('base64url')}`;
}

function sumOf(luid: string): number {
  let sum = 0;
  for (const char of luid) sum += char.charCodeAt(0);
  return sum;
}

/** Where something that `Store.load` may be asked for is. */
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

/** A text that names the key, for maps. */
export function textOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}

/** Whether DynamoDB accepts the key at all: callers choose how long a handle they ask for is. */
export function isAskable({ pk, sk }: Key): boolean {
  return sk !== '' && Buffer.byteLength(pk) <= pkBytesMax && Buffer.byteLength(sk) <= skBytesMax;
}

/** What an item of the table is, told by its key alone. */
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
  | { readonly item: 'pointer'; readonly scope: Scope; readonly luid: string }
  | {
      readonly item: 'change';
      readonly scope: Scope;
      readonly luid: string;
      readonly change: number;
    }
  | { readonly item: 'list'; readonly scope: Scope; readonly kind: Kind; readonly luid: string }
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
  | {
      readonly item: 'seal';
      readonly scope: Scope;
      /** Of a proof that counts once for this kind; absent for one that does among all. */
      readonly kind?: Kind;
      readonly digest: string;
      readonly public: string;
    }
  | { readonly item: 'holder'; readonly scope: Scope; readonly public: string }
  | { readonly item: 'secret' | 'import'; readonly scope: Scope }
  | { readonly item: 'secrets'; readonly scope: Scope; readonly luid: string }
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
    }
  | { readonly item: 'event'; readonly scope: Scope; readonly luid: string }
  | ({ readonly item: 'brought' } & EventName)
  | {
      readonly item: 'due';
      readonly scope: Scope;
      readonly subject: string;
      readonly luid: string;
      readonly dueMs: number;
    };

/** What the item at a key is; undefined when it is none of ours. For whoever scans the table. */
export function itemOf(pk: string, sk: string): ItemName | undefined {
  const [scope = '', family = '', name = '', ...rest] = pk.split('#');
  if (isKind(family)) return itemOfHead(scope, family, name, sk);
  switch (family) {
    case 'luid':
      return itemOfLuid(scope, name, sk);
    case 'list':
    case 'index':
    case 'term':
      return isKind(name) ? itemOfKind(scope, family, name, rest, sk) : undefined;
    case 'seal':
      return itemOfSeal(scope, name, rest);
    case 'public':
      return { item: 'holder', scope, public: name };
    case 'secret':
    case 'import':
      return { item: family, scope };
    case 'secrets':
      return { item: 'secrets', scope, luid: name };
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
      return scope === '' ? { item: family, ...workOf(sk) } : undefined;
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
      return sk === onlySk
        ? { item: 'event', scope, luid: name }
        : { item: 'brought', scope, event: name, name: sk };
    case 'due':
      return scope === '' ? { item: 'due', ...dueOf(sk) } : undefined;
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
      return { item: 'list', scope, kind, luid: luidOfListSk(sk) };
    case 'term': {
      const { luid, change } = outboxPlaceOf(sk);
      return { item: 'mention', scope, kind, luid, change };
    }
    case 'index': {
      const isIndexed = lineOf(kind).indexed === first;
      return isIndexed ? { item: 'index', scope, kind, value: second, luid: sk } : undefined;
    }
  }
}

function itemOfSeal(
  scope: Scope,
  kind: string,
  [digest = '', publicKey = '']: readonly string[],
): ItemName | undefined {
  const seal = { item: 'seal', scope, digest, public: publicKey } as const;
  if (kind === '') return seal;
  return isKind(kind) ? { ...seal, kind } : undefined;
}

function itemOfSignals(
  scope: Scope,
  item: 'outbox' | 'aside',
  shard: string,
  sk: string,
): ItemName {
  const { luid, change } = outboxPlaceOf(sk);
  if (item === 'aside') return { item, scope, luid, change };
  return { item, scope, shard: Number(shard), luid, change };
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

/** The time that a luid begins with, as it sorts; also of a text that only looks like a luid. */
function timeInLuid(luid: string): string {
  return luid.slice(luidTimeStart, luidTimeStart + timeLength);
}

function listSkOf(time: string, luid: string): string {
  return `${time}${luid}`;
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}
