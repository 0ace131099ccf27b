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
 * | accepted creating proof   | `<scope>#seal#<kind>#<digest>#<public>` | `#`                    |
 * | holder of a key           | `<scope>#public#<public>`           | `#`                        |
 * | secret of a ledger        | `<scope>#secret`                    | `#`                        |
 * | outbox entry              | `<scope>#outbox#<shard>`            | `<time><luid>#<number>`    |
 */
import type { Scope, Want } from '../action/ports.ts';
import { encodeTime } from '../crypto/luid.ts';
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
  let sum = 0;
  for (const char of luid) sum += char.charCodeAt(0);
  return sum % outboxShardCount;
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
    };

/** What the item at a key is; undefined when it is none of ours. For whoever scans the table. */
export function itemOf(pk: string, sk: string): ItemName | undefined {
  const [scope = '', family = '', name = '', digest = '', publicKey = ''] = pk.split('#');
  if (isKind(family)) return itemOfHead(scope, family, name, sk);
  switch (family) {
    case 'luid':
      return itemOfLuid(scope, name, sk);
    case 'list':
      return isKind(name) ? { item: 'list', scope, kind: name, luid: luidOfListSk(sk) } : undefined;
    case 'seal':
      return isKind(name)
        ? { item: 'seal', scope, kind: name, digest, public: publicKey }
        : undefined;
    case 'public':
      return { item: 'holder', scope, public: name };
    case 'secret':
      return { item: 'secret', scope };
    case 'outbox': {
      const [luid = '', change] = sk.slice(timeLength).split('#');
      return { item: 'outbox', scope, shard: Number(name), luid, change: Number(change) };
    }
    default:
      return undefined;
  }
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
