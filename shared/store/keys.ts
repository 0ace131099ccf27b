/**
 * Every key of the one table, and nothing else knows them. A partition begins with the ledger
 * (empty for the server itself), so that nothing of one ledger can be reached through another.
 * Ruling 25. `#` separates the parts, because no handle, luid, digest or public key may hold one.
 *
 * | item                      | pk                                  | sk                         |
 * |---------------------------|-------------------------------------|----------------------------|
 * | head: the current version | `<scope>#<kind>#<handle>`           | `#`                        |
 * | usage of a head           | `<scope>#<kind>#<handle>`           | `usage`                    |
 * | balance                   | `<scope>#wallet#<handle>`           | `balance#<symbol>`         |
 * | pointer                   | `<scope>#luid#<luid>`               | `#`                        |
 * | superseded version        | `<scope>#luid#<luid>`               | `change#<number>`          |
 * | list entry                | `<scope>#list#<kind>`               | `<time><luid>`             |
 * | index entry               | `<scope>#index#<kind>#<member>#<value>` | `<luid>`               |
 * | accepted creating proof   | `<scope>#seal#<kind>#<digest>#<public>` | `#`                    |
 * | holder of a key           | `<scope>#public#<public>`           | `#`                        |
 * | secret of a ledger        | `<scope>#secret`                    | `#`                        |
 * | outbox entry              | `<scope>#outbox#<shard>`            | `<time><luid>#<number>`    |
 * | how far a shard was told    | `<scope>#told`                      | `<shard>`                  |
 * | entry that was set aside  | `<scope>#aside`                     | `<time><luid>#<number>`    |
 * | delivery                  | `<scope>#delivery#<subject luid>`   | `<luid>`                   |
 * | what a delivery brings    | `<scope>#event#<luid>`              | `#`                        |
 * | marker of a due delivery  | `#due#<shard>`                      | `<time>#<scope>#<subject>#<luid>` |
 */
import type { Delivery } from '../action/deliveries.ts';
import type { Scope, Want } from '../action/ports.ts';
import { decodeTime, encodeTime } from '../crypto/luid.ts';
import { type Kind, kinds, lineOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';

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

/** In how many partitions the markers of due deliveries lie, those of all ledgers together. */
export const dueShardCount = 8;

const onlySk = '#';
const usageSk = 'usage';
const changePrefix = 'change#';
const balancePrefix = 'balance#';
// `$` follows `#`, so this ends a range of keys that begin with the prefix.
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}$`;

const changeLength = 10;
const timeLength = 8;
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
 * Where the handle of a luid is found. Records that are never updated stay where they are in the
 * list, so their list entry is their pointer, which saves two write units on every intent.
 */
export function pointerKeyOf(scope: Scope, kind: Kind, luid: string): Key {
  if (lineOf(kind).updates) return { pk: `${scope}#luid#${luid}`, sk: onlySk };
  return { pk: listPartitionOf(scope, kind), sk: listSkOf(timeInLuid(luid), luid) };
}

/** Where the list of a kind shows this version. Ruling 19. */
export function listKeyOf(scope: Scope, { kind, record }: Version): Key {
  if (!lineOf(kind).updates) return pointerKeyOf(scope, kind, record.luid);
  const sk = listSkOf(timeOf(record.meta.moment), record.luid);
  return { pk: listPartitionOf(scope, kind), sk };
}

/** The partition that lists the records of a kind, oldest first. */
export function listPartitionOf(scope: Scope, kind: Kind): string {
  return `${scope}#list#${kind}`;
}

/** The luid that a list entry shows. */
export function luidOfListSk(sk: string): string {
  return sk.slice(timeLength);
}

/** Where a version is found by its indexed member; undefined for kinds and versions without one. */
export function indexKeyOf(scope: Scope, { kind, record }: Version): Key | undefined {
  const { indexed } = lineOf(kind);
  const value = indexed && record.data[indexed];
  if (typeof value !== 'string') return undefined;
  return { pk: indexPartitionOf(scope, kind, value), sk: record.luid };
}

/** The partition of the records of a kind whose indexed member has this value. */
export function indexPartitionOf(scope: Scope, kind: Kind, value: string): string {
  return `${scope}#index#${kind}#${lineOf(kind).indexed}#${value}`;
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

/** Where an accepted creating proof is remembered, however its digest is written. */
export function sealKeyOf(
  scope: Scope,
  kind: Kind,
  seal: { readonly digest: string; readonly public: string },
): Key {
  const digest = seal.digest.toLowerCase();
  return { pk: `${scope}#seal#${kind}#${digest}#${seal.public}`, sk: onlySk };
}

/** Where the signer of a public key is. */
export function holderKeyOf(scope: Scope, publicKey: string): Key {
  return { pk: `${scope}#public#${publicKey}`, sk: onlySk };
}

/** Where the wrapped key of a ledger is. */
export function secretKeyOf(scope: Scope): Key {
  return { pk: `${scope}#secret`, sk: onlySk };
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

/**
 * Where that is which a delivery brings, and which never changes. It is apart from the delivery, so
 * that an attempt writes little, and that a busy target does not have all of it in one partition.
 */
export function eventKeyOf({ scope, luid }: DeliveryName): Key {
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
  }
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
      readonly item: 'seal';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly digest: string;
      readonly public: string;
    }
  | { readonly item: 'holder'; readonly scope: Scope; readonly public: string }
  | { readonly item: 'secret'; readonly scope: Scope }
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
    case 'seal':
      return isKind(name) ? itemOfKind(scope, family, name, rest, sk) : undefined;
    case 'public':
      return { item: 'holder', scope, public: name };
    case 'secret':
      return { item: 'secret', scope };
    case 'outbox':
    case 'aside':
      return itemOfSignals(scope, family, name, sk);
    case 'told':
      return { item: 'told', scope, shard: Number(sk) };
    case 'delivery':
      return { item: 'delivery', scope, subject: name, luid: sk };
    case 'event':
      return { item: 'event', scope, luid: name };
    case 'due':
      return scope === '' ? { item: 'due', ...dueOf(sk) } : undefined;
    default:
      return undefined;
  }
}

function itemOfKind(
  scope: Scope,
  family: 'list' | 'index' | 'seal',
  kind: Kind,
  [first = '', second = '']: readonly string[],
  sk: string,
): ItemName | undefined {
  switch (family) {
    case 'list':
      return { item: 'list', scope, kind, luid: luidOfListSk(sk) };
    case 'seal':
      return { item: 'seal', scope, kind, digest: first, public: second };
    case 'index': {
      const isIndexed = lineOf(kind).indexed === first;
      return isIndexed ? { item: 'index', scope, kind, value: second, luid: sk } : undefined;
    }
  }
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
