/**
 * A version as an item, and back, exactly. Write units count by the kilobyte, so nothing is stored that can be derived:
 * the hash from the data, a digest from the hash and the statement that it signs. Keys and signatures are bytes, each
 * key once. Signer and key are stored once for all of their proofs; statements are packed (`pack-words.ts`), and the
 * texts are deflated where they take more than a kilobyte (`pack-texts.ts`).
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { hashOf } from '../crypto/digest.ts';
import { luidTextLength } from '../crypto/luid.ts';
import { kindOfLuid } from '../ledger/address.ts';
import { assert } from '../ledger/assert.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Limit, Limits } from '../ledger/limit.ts';
import {
  attachmentOf,
  type ChangeAction,
  type ChangeStep,
  type Counted,
  type IntentAttachment,
  type LedgerRecord,
  type SignedDrop,
  type Version,
} from '../ledger/record.ts';
import type { Counters } from '../ledger/window.ts';
import type { Balance } from '../port/ports.ts';
import {
  indexIn,
  keyBytes,
  type PackedAuthor,
  type PackedProof,
  packBytes,
  packProofs,
  resultBytes,
  textOfBytes,
  unpackProofs,
} from './pack-proofs.ts';
import { type PackedTexts, packTexts, type Texts, unpackTexts } from './pack-texts.ts';
import { packMoment, unpackMoment } from './pack-words.ts';

/** The attributes of a version, beside its key. */
export interface VersionItem {
  /** Also a condition of every update, with `change`. */
  readonly luid: string;
  /** `Version.change`. */
  readonly change: number;
  /** Canonical JSON of the record's data. Ruling 1. */
  readonly data?: string;
  /** JSON of `PackedMeta`: everything else but keys and signatures. */
  readonly meta?: string;
  /** Both of these texts, deflated. Decision 132. */
  readonly texts?: Uint8Array;
  /** The distinct public keys, 32 bytes each, then the result of each proof, 64 bytes each. */
  readonly proofs: Uint8Array;
  /** `Version.spread`, beside the content: the store chooses it once a version was found to fit. Decision 124. */
  readonly spread?: number;
  /** `Version.part`, for the same reason. */
  readonly part?: number;
}

/** `moment` is the record's; a key is stored as its index in the table of keys. */
type PackedMeta = readonly [
  moment: string,
  owners: readonly number[],
  authors: readonly PackedAuthor[],
  proofs: readonly PackedProof[],
  steps: readonly PackedStep[],
  rest?: PackedRest,
];

/** The index of the action, the status, the number of proofs, and the moment if it is not the record's. */
type PackedStep = readonly [
  action: number,
  status: string,
  proofs: number,
  moment?: number | string,
];

/** Members that few versions have, or that rarely differ from the derived value. */
interface PackedRest extends Omit<IntentAttachment, 'bridgeOwners' | 'bridgeLuids' | 'spread'> {
  readonly hash?: string;
  readonly status?: string;
  readonly labels?: readonly string[];
  readonly domain?: string;
  readonly clientId?: string;
  /** Keys as their indexes. */
  readonly predecessors?: readonly number[];
  readonly drop?: SignedDrop;
  readonly counted?: Counted;
  readonly thread?: string;
  /** A key is stored as its index. */
  readonly voices?: Readonly<Record<string, readonly number[]>>;
  /** The luids of these bridges in their order, one behind the other, without what all luids of bridges begin with. */
  readonly of?: string;
}

const bridgePrefix = `$${lineOf('bridge').prefix}.`;

const actions: readonly ChangeAction[] = ['create', 'update', 'drop'];

// The size limit of an item of DynamoDB, less the key and the names. Decision 16.
const versionBytesMax = 400 * 1024 - 4096;

/** The item of a version; `isDense` where the release before does not read it any more. */
export function pack(version: Version, isDense = false): VersionItem {
  const { kind, record, change, steps } = version;
  assert(kindOfLuid(record.luid) === kind, 'a luid begins with the prefix of its kind');
  const { moment, owners, proofs } = record.meta;
  const keys: string[] = [];
  const { luid, hash } = record;
  const packedProofs = packProofs(proofs, { hash, luid, moment }, keys);
  const packedOwners = owners.map((owner) => indexIn(keys, owner));
  const packedSteps = steps.map((step) => packStep(step, moment));
  const rest = packRest(version, keys);
  const { authors, proofs: said } = packedProofs;
  const meta: PackedMeta = [moment, packedOwners, authors, said, packedSteps];
  const texts = {
    data: canonicalOf(record.data),
    meta: JSON.stringify(Object.keys(rest).length > 0 ? [...meta, rest] : meta),
  };
  const bytes = packBytes(
    keys,
    proofs.map(({ result }) => result),
  );
  assertFits(texts, bytes);
  const item = { luid, change, proofs: bytes };
  const { spread, part } = version;
  // The release before reads no deflated texts, and finds no intents of other numbers.
  const isPlain = !spread && !isDense;
  return {
    ...item,
    ...(isPlain ? texts : packTexts(texts, bytes.length)),
    ...(spread !== undefined && { spread }),
    ...(part !== undefined && { part }),
  };
}

export function unpack(item: Readonly<Record<string, unknown>>): Version {
  const { luid, proofs } = item as unknown as VersionItem;
  const { data, meta } = unpackTexts(item as unknown as PackedTexts);
  const kind = kindOfLuid(luid);
  assert(kind, 'a stored version has the luid of a kind');
  const [moment, owners, authors, packedProofs, packedSteps, rest = {}] = JSON.parse(
    meta,
  ) as PackedMeta;
  const { hash: oddHash, status: oddStatus, labels, domain, clientId, thread } = rest;
  const { drop, counted } = rest;
  const { voices, of, predecessors, ...carried } = rest;
  const recordData = JSON.parse(data) as LedgerRecord['data'];
  const hash = oddHash ?? hashOf(recordData);
  const bytes = Buffer.from(proofs.buffer, proofs.byteOffset, proofs.byteLength);
  const resultsStart = bytes.length - packedProofs.length * resultBytes;
  const keyAt = (index: number): string => textOfBytes(bytes, index * keyBytes, keyBytes);
  const resultAt = (index: number): string =>
    textOfBytes(bytes, resultsStart + index * resultBytes, resultBytes);
  const steps = packedSteps.map((step) => unpackStep(step, moment));
  const record: LedgerRecord = {
    luid,
    hash,
    data: recordData,
    meta: {
      proofs: unpackProofs(packedProofs, authors, { hash, luid, moment }, { keyAt, resultAt }),
      status: oddStatus ?? steps.at(-1)?.status ?? '',
      moment,
      owners: owners.map(keyAt),
      ...(predecessors && { predecessors: predecessors.map(keyAt) }),
      ...(labels && { labels }),
      ...(domain !== undefined && { domain }),
      ...(thread !== undefined && { thread }),
      ...(clientId !== undefined && { clientId }),
    },
  };
  // Numbers arrive as bigints, so that amounts are exact.
  const change = Number(item['change']);
  return {
    ...{ kind, record, change, steps },
    ...(drop && { drop }),
    ...(counted && { counted }),
    ...attachmentOf({
      ...carried,
      ...(voices && { bridgeOwners: unpackBridgeOwners(voices, keyAt) }),
      ...(voices && of !== undefined && { bridgeLuids: unpackBridgeLuids(voices, of) }),
    }),
    ...unpackPlace(item),
  };
}

function unpackPlace({ spread, part }: Readonly<Record<string, unknown>>) {
  return {
    ...(spread !== undefined && { spread: Number(spread) }),
    ...(part !== undefined && { part: Number(part) }),
  };
}

/** True when two items hold the same version. */
export function holdsSame(one: VersionItem, other: Readonly<Record<string, unknown>>): boolean {
  const { luid, change, proofs } = other as unknown as VersionItem;
  const [own, others] = [one, other].map((item) => unpackTexts(item as PackedTexts));
  return (
    one.luid === luid &&
    one.change === Number(change) &&
    own?.data === others?.data &&
    own?.meta === others?.meta &&
    Buffer.compare(one.proofs, proofs) === 0
  );
}

/** The balance that an item holds, with the names from its key. */
export function unpackBalance(
  names: { readonly wallet: string; readonly symbol: string },
  item: Readonly<Record<string, unknown>>,
): Balance {
  const { luid, wallet, available, moves, ...rest } = item as unknown as BalanceItem;
  const { reserved, holds, limits, counters, limitsChange, watched, fenced } = rest;
  return {
    luid,
    wallet: names.wallet,
    walletLuid: wallet,
    symbol: names.symbol,
    available,
    isActive: moves !== undefined,
    ...(reserved !== undefined && { reserved }),
    ...(holds !== undefined && { holds: Number(holds) }),
    ...(limits && { limits: unpackLimits(limits) }),
    ...(counters !== undefined && { counters: unpackCounters(counters) }),
    ...(limitsChange !== undefined && { limitsChange: Number(limitsChange) }),
    ...(watched !== undefined && { isWatched: true }),
    ...(fenced !== undefined && { fencedMs: Number(fenced) }),
  };
}

/** The attributes of a balance, beside its key. */
interface BalanceItem {
  readonly luid: string;
  /** The luid of the wallet: its handle is in the key. */
  readonly wallet: string;
  readonly available: bigint;
  /** The number of commits that moved it; absent while it was only opened, or limited. */
  readonly moves?: bigint;
  readonly reserved?: bigint;
  readonly holds?: bigint;
  /** By metric, as `Limit` has it. */
  readonly limits?: Readonly<Record<string, PackedLimit>>;
  /** The counters of daily limits: `<quarter>:<count>:<amount>`, oldest first, with spaces between. */
  readonly counters?: string;
  /** The number of times that limits or counters were written, or the balance was marked as watched. */
  readonly limitsChange?: bigint;
  /** Present while its wallet is frozen, or about to be. */
  readonly watched?: bigint;
  /** The last millisecond of which a reading was answered as final. Decision 92. */
  readonly fenced?: bigint;
}

type PackedLimit = Omit<Limit, 'amount'> & { readonly amount: bigint };

function unpackLimits(limits: Readonly<Record<string, PackedLimit>>): Limits {
  const all = Object.entries(limits).map(
    ([metric, limit]) => [metric, { ...limit, amount: Number(limit.amount) }] as const,
  );
  return Object.fromEntries(all);
}

/** Counters as text, half the size of a list: a busy wallet has 97 quarters. */
export function packCounters(counters: Counters): string {
  return counters.map(({ quarter, count, amount }) => `${quarter}:${count}:${amount}`).join(' ');
}

function unpackCounters(text: string): Counters {
  return text
    .split(' ')
    .filter(Boolean)
    .map((one) => {
      const [quarter, count, amount = '0'] = one.split(':');
      return { quarter: Number(quarter), count: Number(count), amount: BigInt(amount) };
    });
}

function packStep(
  { action, status, moment, proofs }: ChangeStep,
  recordMoment: string,
): PackedStep {
  const index = actions.indexOf(action);
  return moment === recordMoment
    ? [index, status, proofs]
    : [index, status, proofs, packMoment(moment, recordMoment)];
}

function unpackStep([index, status, proofs, moment]: PackedStep, recordMoment: string): ChangeStep {
  const action = actions[index];
  assert(action, 'a stored step has a known action');
  const at = moment === undefined ? recordMoment : unpackMoment(moment, recordMoment);
  return { action, status, moment: at, proofs };
}

function packRest(version: Version, keys: string[]): PackedRest {
  const { record, steps, drop, counted } = version;
  const { spread: _spread, ...attached } = attachmentOf(version);
  const { bridgeOwners: voices, bridgeLuids, ...carried } = attached;
  const { status, labels, domain, clientId, thread, predecessors } = record.meta;
  return {
    ...(record.hash !== hashOf(record.data) && { hash: record.hash }),
    ...(status !== steps.at(-1)?.status && { status }),
    ...(labels && { labels }),
    ...(domain !== undefined && { domain }),
    ...(clientId !== undefined && { clientId }),
    ...(predecessors && { predecessors: predecessors.map((key) => indexIn(keys, key)) }),
    ...(drop && { drop }),
    ...(counted && { counted }),
    ...(thread !== undefined && { thread }),
    ...carried,
    ...(voices && { voices: packBridgeOwners(voices, keys) }),
    ...(voices && bridgeLuids && { of: packBridgeLuids(voices, bridgeLuids) }),
  };
}

function packBridgeLuids(voices: BridgeOwners, luids: BridgeLuids): string {
  const all = Object.keys(voices).map((bridge) => luids[bridge] ?? '');
  return all.map((luid) => luid.slice(bridgePrefix.length)).join('');
}

function unpackBridgeLuids(voices: NonNullable<PackedRest['voices']>, of: string): BridgeLuids {
  const all = Object.keys(voices).map((bridge, at) => {
    const start = at * luidTextLength;
    return [bridge, `${bridgePrefix}${of.slice(start, start + luidTextLength)}`] as const;
  });
  return Object.fromEntries(all);
}

type BridgeOwners = NonNullable<IntentAttachment['bridgeOwners']>;
type BridgeLuids = NonNullable<IntentAttachment['bridgeLuids']>;

function packBridgeOwners(voices: BridgeOwners, keys: string[]) {
  const packed = Object.entries(voices).map(
    ([bridge, owners]) => [bridge, owners.map((owner) => indexIn(keys, owner))] as const,
  );
  return Object.fromEntries(packed);
}

function unpackBridgeOwners(
  voices: NonNullable<PackedRest['voices']>,
  keyAt: (index: number) => string,
): BridgeOwners {
  const all = Object.entries(voices).map(
    ([bridge, owners]) => [bridge, owners.map(keyAt)] as const,
  );
  return Object.fromEntries(all);
}

function assertFits({ data, meta }: Texts, proofs: Uint8Array): void {
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(meta) + proofs.length;
  assert(bytes <= versionBytesMax, 'a version was bounded before it is stored');
}
