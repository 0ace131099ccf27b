/**
 * Invariants 2 and 3, for the shards of a balance: they are as many as shard 0 says, of the same wallet, and none is below
 * zero; a balance with shards has no limits. Their sums are compared as those of any balance. Memory grows with the shards.
 * Decision 125.
 */
import { balanceKeyOf, type Key, shardKeyOf, textOf } from '../store/keys.ts';
import { shardCountOf } from '../store/read-shards.ts';
import type { Item } from '../store/request.ts';
import { heldIn } from './home.ts';
import { type AuditRun, type DividedBalance, lastingIn } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import type { BalanceMeasure } from './sums.ts';
import {
  type AuditViolation,
  type Finding,
  type ViolationSubject,
  violationOf,
} from './violation.ts';

/** Notes a shard, or shard 0 where it says that there are others. */
export function noteShard(run: AuditRun, { name, item }: NamedItem): void {
  if (name.item !== 'shard' && name.item !== 'balance') return;
  const { scope, wallet, symbol } = name;
  const shard = name.item === 'shard' ? name.shard : 0;
  if (shard === 0 && shardCountOf(item) === 1) return;
  const text = `${scope}#${wallet}#${symbol}`;
  const last = Math.max(run.divided.get(text)?.last ?? 0, shard);
  run.divided.set(text, { scope, wallet, symbol, last });
  if (name.item !== 'shard') return;
  for (const [balanceMeasure, amount] of heldInShard(name, item))
    if (amount !== 0n) run.sums.hold(balanceMeasure, amount);
}

/** The values of a shard, measure by measure. */
export function heldInShard(
  { scope, wallet, symbol }: Pick<DividedBalance, 'scope' | 'wallet' | 'symbol'>,
  { available = 0n, reserved = 0n, holds = 0n }: Item,
): (readonly [BalanceMeasure, bigint])[] {
  return heldIn({
    ...{ scope, wallet, symbol },
    available: BigInt(available as bigint),
    reserved: BigInt(reserved as bigint),
    holds: BigInt(holds as bigint),
  });
}

/** Checks the shards of each balance that has some; in a running ledger, again where something looks wrong. */
export async function* auditShards(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  for (const divided of run.divided.values())
    yield* await lastingIn(run, async () => [
      ...checkShards(divided, await shardsOf(run.source, divided)),
    ]);
}

/** Shard 0, and the other shards by number. */
async function shardsOf(
  source: AuditSource,
  { scope, wallet, symbol, last }: DividedBalance,
): Promise<Shards> {
  const key = balanceKeyOf(scope, wallet, symbol);
  const first = (await source.at([key])).get(textOf(key));
  const top = Math.max(last + 1, shardCountOf(first));
  const keys = Array.from({ length: top - 1 }, (_, index): [number, Key] => [
    index + 1,
    shardKeyOf(scope, wallet, symbol, index + 1),
  ]);
  const items = await source.at(keys.map(([, one]) => one));
  const others = keys.flatMap(([shard, one]): [number, Item][] => {
    const item = items.get(textOf(one));
    return item ? [[shard, item]] : [];
  });
  return { first, others: new Map(others) };
}

interface Shards {
  readonly first: Item | undefined;
  readonly others: ReadonlyMap<number, Item>;
}

function* checkShards(
  { scope, wallet, symbol }: DividedBalance,
  { first, others }: Shards,
): Finding {
  const subject = { scope, kind: 'wallet', handle: wallet } as const;
  const shards = shardCountOf(first);
  for (let shard = 1; shard < shards; shard += 1)
    if (!others.has(shard))
      yield violationOf(3, subject, `Shard ${shard} of the balance of ${symbol} is missing.`);
  for (const [shard, item] of others) {
    const fault = faultOf(shard, item, first);
    if (fault)
      yield violationOf(3, subject, `Shard ${shard} of the balance of ${symbol} ${fault}.`);
  }
  if (shards === 1 || !first) return;
  for (const [shard, item] of [[0, first] as const, ...others])
    yield* checkAmounts(`Shard ${shard} of the balance of ${symbol}`, item, subject);
  if (first['limits'] !== undefined)
    yield violationOf(2, subject, `The balance of ${symbol} has limits and ${shards} shards.`);
}

/** The first contradiction between a shard and shard 0. */
function faultOf(shard: number, item: Item, first: Item | undefined): string | undefined {
  const shards = shardCountOf(first);
  if (shard >= shards) return `is none of its ${shards}`;
  if (item['wallet'] !== first?.['wallet']) return 'is of another wallet';
  if (item['limitsChange'] === first?.['limitsChange']) return undefined;
  return 'says of another number of changes of its limits';
}

function* checkAmounts(name: string, item: Item, subject: ViolationSubject): Finding {
  for (const amount of ['available', 'reserved', 'holds'] as const) {
    const found = BigInt((item[amount] ?? 0n) as bigint);
    if (found < 0n)
      yield violationOf(2, subject, `${name} is below zero.`, {
        expected: `0 or more ${amount}`,
        found,
      });
  }
}
