/** A gauge of what a wallet has at each moment: the sum of the shards of its balance, after each request that changes them. */
import { itemOf } from '../../shared/store/keys.ts';
import type { VirtualClock } from './clock.ts';
import type { Engine, StoredChange } from './engine.ts';
import { symbol } from './workload.ts';

export type Gauge = ReturnType<typeof newGauge>;

/** A gauge of a wallet that has this much; it knows each change of the table from now on. */
export function newGauge(
  { engine, clock }: { readonly engine: Engine; readonly clock: Pick<VirtualClock, 'now'> },
  wallet: string,
  funds: number,
) {
  const sums = [{ atMs: clock.now(), sum: BigInt(funds) }];
  let [leastShard, shardCount] = [0n, 1];
  const isOwn = ({ key: { pk, sk } }: StoredChange): boolean => {
    const name = itemOf(pk, sk);
    const isShard = name?.item === 'balance' || name?.item === 'shard';
    return isShard && name.wallet === wallet && name.symbol === symbol;
  };
  const sum = (): bigint => sums.at(-1)?.sum ?? 0n;
  engine.onChange((changes) => {
    const own = changes.filter(isOwn);
    if (own.length === 0) return;
    let next = sum();
    for (const { before, after } of own) {
      next += amountOf(after) - amountOf(before);
      if (amountOf(after) < leastShard) leastShard = amountOf(after);
      shardCount = Math.max(shardCount, Number(after?.['shards'] ?? 1));
    }
    sums.push({ atMs: clock.now(), sum: next });
  });
  return {
    sum,
    /** The least that it had from one moment on to another. */
    least: (fromMs = 0, toMs: number = Number.POSITIVE_INFINITY): bigint => {
      const first = sums.findLastIndex(({ atMs }) => atMs < fromMs);
      const among = sums.slice(Math.max(0, first)).filter(({ atMs }) => atMs <= toMs);
      return among.map((one) => one.sum).reduce((least, one) => (one < least ? one : least));
    },
    /** The least that a shard had: below zero where one was overdrawn. */
    leastShard: () => leastShard,
    /** The most shards that there were. */
    shardCount: () => shardCount,
  };
}

function amountOf(item: StoredChange['after']): bigint {
  const amount = item?.['available'];
  return typeof amount === 'bigint' ? amount : 0n;
}
