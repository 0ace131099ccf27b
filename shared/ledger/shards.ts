/**
 * Shards of a balance: a busy balance is kept in several items, and its amounts are their sums. No shard is ever below
 * zero, so what one shard has is there, whatever the others have. A move becomes parts, and their conditions together
 * imply its own. Amounts that are reserved, and holds, are alike wherever they lie: a decision takes them from any shard.
 * Decision 125.
 */

/** One shard as it was read. Shard 0 is the item of the balance. */
export interface Shard {
  readonly number: number;
  readonly available: bigint;
  readonly reserved?: bigint;
  readonly holds?: number;
}

/** The shards of a balance, of which some were read. */
export interface SeenShards {
  readonly count: number;
  readonly seen: readonly Shard[];
  /** The last time that somebody looked how busy they are, in milliseconds. */
  readonly lookedMs: number;
}

/** The change of a balance that is to be divided. */
export interface ShardDemand {
  readonly amount: bigint;
  readonly needs?: bigint;
  readonly reserve?: bigint;
  /** The holds that begin, or -1 for one that ends. */
  readonly hold?: number;
}

/** The change of one shard, with what it needs there. */
export interface ShardPart {
  readonly shard: number;
  readonly amount: bigint;
  readonly needs: bigint;
  readonly reserve: bigint;
  readonly hold: number;
}

/** True where not all shards were read, so that the balance may have more. */
export function isPartial(shards: SeenShards | undefined): boolean {
  return shards !== undefined && shards.seen.length < shards.count;
}

/** True for a debit that nothing covers: it may end below zero, which no shard may. */
export function mayOverdraw({ amount, needs = 0n }: ShardDemand): boolean {
  return amount < 0n && needs + amount < 0n;
}

/**
 * Divides a change among shards; undefined when those that were read have too little. It takes from one shard where it can,
 * and otherwise from as few as have it. `random` is from 0 to below 1; it draws where the shard `own` does not do.
 */
export function partsOf(
  demand: ShardDemand,
  shards: Pick<SeenShards, 'count' | 'seen'>,
  random: () => number,
  own?: number,
): ShardPart[] | undefined {
  const { amount, needs = 0n, reserve = 0n, hold = 0 } = demand;
  const drawn = (enough: readonly Shard[]): Shard | undefined =>
    enough.find(({ number }) => number === own) ?? oneOf(enough, shards.count, random);
  const taken = sharesOf(shards, needs, ({ available }) => available, drawn);
  const released =
    sharesOf(shards, -reserve, reservedOn(hold), drawn) ??
    sharesOf(shards, -reserve, reservedOn(0), drawn);
  const held = hold === -1 ? holderIn(shards.seen, released) : undefined;
  if (!taken || !released || (hold === -1 && held === undefined)) return undefined;
  const any = (): number =>
    own !== undefined && own < shards.count ? own : Math.floor(random() * shards.count);
  const main = taken[0]?.shard ?? released[0]?.shard ?? held ?? any();
  const gain = needs > 0n ? amount + needs : amount;
  return merged([
    { ...nothing, shard: main, amount: gain, ...(reserve > 0n && { reserve }) },
    ...taken.map(({ shard, share }) => ({ ...nothing, shard, amount: -share, needs: share })),
    ...released.map(({ shard, share }) => ({ ...nothing, shard, reserve: -share })),
    ...(hold === 0 ? [] : [{ ...nothing, shard: held ?? main, hold }]),
  ]);
}

const nothing = { amount: 0n, needs: 0n, reserve: 0n, hold: 0 } as const;

interface Share {
  readonly shard: number;
  readonly share: bigint;
}

/** The reserved amount; where a hold ends too, that of shards which have one. */
function reservedOn(hold: number): (shard: Shard) => bigint {
  return ({ reserved = 0n, holds = 0 }) => (hold === -1 && holds === 0 ? 0n : reserved);
}

/** A shard with a hold, first among those that release an amount. */
function holderIn(shards: readonly Shard[], released: readonly Share[] = []): number | undefined {
  const holders = shards.filter(({ holds = 0 }) => holds > 0).map(({ number }) => number);
  return released.find(({ shard }) => holders.includes(shard))?.shard ?? holders[0];
}

/** Shares of shards that come to an amount; undefined when all together have too little. */
function sharesOf(
  { seen: shards }: Pick<SeenShards, 'seen'>,
  wanted: bigint,
  has: (shard: Shard) => bigint,
  drawn: (enough: readonly Shard[]) => Shard | undefined,
): Share[] | undefined {
  if (wanted <= 0n) return [];
  const one = drawn(shards.filter((shard) => has(shard) >= wanted));
  if (one) return [{ shard: one.number, share: wanted }];
  const shares: Share[] = [];
  let rest = wanted;
  for (const shard of shards.toSorted((first, second) => (has(first) < has(second) ? 1 : -1))) {
    const share = has(shard) < rest ? has(shard) : rest;
    if (share > 0n) shares.push({ shard: shard.number, share });
    rest -= share;
  }
  return rest > 0n ? undefined : shares;
}

/** One of those that have enough. Shard 0 is among all that are read, and gets no more than its share. */
function oneOf(enough: readonly Shard[], count: number, random: () => number): Shard | undefined {
  const others = enough.filter(({ number }) => number > 0);
  const some = others.length > 0 && random() * count >= 1 ? others : enough;
  return some[Math.floor(random() * some.length)];
}

/** One part for each shard: no item has two changes in a transaction. */
function merged(parts: readonly ShardPart[]): ShardPart[] {
  const all = new Map<number, ShardPart>();
  for (const part of parts) {
    const before = all.get(part.shard) ?? { ...nothing, shard: part.shard };
    all.set(part.shard, {
      shard: part.shard,
      amount: before.amount + part.amount,
      needs: before.needs + part.needs,
      reserve: before.reserve + part.reserve,
      // That of a hold comes last.
      hold: part.hold,
    });
  }
  return [...all.values()];
}
