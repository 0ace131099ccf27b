/**
 * Chooses the bridge of each entry, and groups entries that a bridge receives as one. Rulings 53 and 54, Decision 53.
 */
import type { BridgeData } from '../shape/bridge.ts';
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { isSame } from './alteration.ts';
import { assert } from './assert.ts';
import type { Entry } from './balance.ts';
import { budgetOf, paidFrom, unitsFor } from './budget.ts';
import { type ClaimConditions, type Filtered, parsingOnce, viewOf } from './claim.ts';
import { type KnownWallets, meaningIn } from './landing.ts';
import type { PatternMaker } from './match.ts';
import type { Routed } from './routing.ts';
import { covers } from './trait.ts';

/** The largest amount of an entry, because bridges receive amounts as JSON numbers. Ruling 39. */
const amountMax = BigInt(Number.MAX_SAFE_INTEGER);

export interface KnownBridge {
  readonly data: BridgeData;
  /** True when a signer vouches for what its wallets owe. Ruling 69. */
  readonly isVouchedFor: boolean;
}

export type KnownBridges = ReadonlyMap<string, KnownBridge>;

/**
 * Adds to each entry the bridge that is called for it, and groups the entries of one bridge as its `groupBy` says.
 * Throws when its conditions cost too much work (`resultOr`).
 */
export function bridged(
  { claims, entries }: Pick<Routed, 'claims' | 'entries'>,
  wallets: KnownWallets,
  bridges: KnownBridges,
  about: ClaimConditions,
  patternMaker: PatternMaker,
): readonly Entry[] {
  const matcherOf = parsingOnce(paidFrom(budgetOf(unitsFor.routes), patternMaker));
  const grouped: Entry[] = [];
  for (const entry of entries) {
    const claim = claimOf(entry, claims);
    const [bridge = '', known] = bridgeOf(entry, claim, wallets, bridges) ?? [];
    const fits = (trait: Filtered) => matcherOf(trait)(viewOf(claim, about, meaningIn(wallets)));
    if (!known || !covers(known.data, `${entry.schema}s`, fits)) grouped.push(entry);
    else add(grouped, atBridge(entry, bridge, known), known.data, claims);
  }
  return grouped;
}

function atBridge(entry: Entry, bridge: string, { isVouchedFor }: KnownBridge): Entry {
  return { ...entry, bridge, ...(!isVouchedFor && { isUnvouched: true as const }) };
}

/** Adds an entry to the last group that it fits, while a JSON number can hold the sum; otherwise starts a group. */
function add(grouped: Entry[], entry: Entry, bridge: BridgeData, claims: readonly Claim[]): void {
  const index = grouped.findLastIndex((other) => isAlike(other, entry, bridge, claims));
  const group = grouped[index];
  if (group && sizeOf(group) + sizeOf(entry) <= amountMax) grouped[index] = joined(group, entry);
  else grouped.push(entry);
}

/** The bridge of the entry's wallet. Only transfers call bridges. */
function bridgeOf(
  { holder }: Entry,
  { action }: Claim,
  wallets: KnownWallets,
  bridges: KnownBridges,
): readonly [handle: string, known: KnownBridge] | undefined {
  if (action !== 'transfer' || holder === 'supply') return undefined;
  const handle = wallets.get(holder.wallet)?.bridge ?? '';
  const known = bridges.get(handle);
  return known && [handle, known];
}

/** True when two entries differ only in the amount and in what the bridge does not group by. Ruling 72. */
function isAlike(
  one: Entry,
  other: Entry,
  { config }: BridgeData,
  claims: readonly Claim[],
): boolean {
  const groupBy = config[`${other.schema}s.claims.groupBy`];
  const isOfOne = (['schema', 'symbol', 'bridge'] as const).every(
    (name) => one[name] === other[name],
  );
  if (groupBy === undefined || !isOfOne || !isSame(one.holder, other.holder)) return false;
  return groupBy === 'wallet' || addressOf(one, claims) === addressOf(other, claims);
}

/** The address by which the claim names the wallet of an entry. */
function addressOf(entry: Entry, claims: readonly Claim[]): string | undefined {
  const claim = claimOf(entry, claims);
  assert(claim.action === 'transfer', 'only transfers call bridges');
  return handleOf(entry.schema === 'debit' ? claim.source : claim.target);
}

function joined(one: Entry, other: Entry): Entry {
  return { ...one, amount: one.amount + other.amount, inputs: [...one.inputs, ...other.inputs] };
}

function sizeOf({ amount }: Entry): bigint {
  return amount < 0n ? -amount : amount;
}

/** The first claim of an entry. The claims of a group agree in everything that is read from it. */
function claimOf({ inputs: [first = 0] }: Entry, claims: readonly Claim[]): Claim {
  const claim = claims[first];
  assert(claim, 'an entry comes from a claim');
  return claim;
}
