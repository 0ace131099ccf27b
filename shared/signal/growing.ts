/**
 * The outbox as the relay sees it, with a meter: a ledger of which so much is published that its partitions fill up gets a
 * larger layout. The relay sees all entries of a shard, each with its moment, so the rate is that of the commits, however
 * late it publishes them. Decision 124.
 */
import type { Layouts } from '../port/layouts.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Clock, Scope } from '../port/ports.ts';

export interface GrowPorts {
  readonly outbox: Outbox;
  readonly layouts: Layouts;
  readonly clock: Clock;
  /** Receives why a layout could not be stored. The entries are published nevertheless. */
  readonly report: (error: unknown) => void;
}

/** The time for which a rate has to last, in milliseconds; as many in less time count as well. */
export const meteredMs = 30_000;
/** A third of the new intents a second that a quiet ledger takes, of those in one of its four shards. */
export const listRate = 42;
/** A third of the entries a second that a shard takes: each asks for 3 of its 1,000 write units. */
export const shardRate = 111;
/** The meters of a process; what they counted is forgotten when there are more. */
const meterCountMax = 10_000;

/** The number of entries since a moment, those that share an item as one together. */
interface Meter {
  sinceMs: number;
  count: number;
}

/** Wraps an outbox: the intents that are published are counted. */
export function growing({ outbox, layouts, clock, report }: GrowPorts): Outbox {
  const meters = new Map<string, Meter>();
  /** Counts entries of a shard; returns the moment since when there were too many, if there were. */
  const tooManySince = (
    name: string,
    entries: readonly OutboxEntry[],
    rate: number,
  ): number | undefined => {
    if (meters.size >= meterCountMax) meters.clear();
    const meter = meters.get(name) ?? { sinceMs: 0, count: 0 };
    meters.set(name, meter);
    for (const { momentMs, block } of entries) {
      // Those from long before began to be counted by a clock that ran ahead. Decision 87.
      if (Math.abs(momentMs - meter.sinceMs) >= meteredMs)
        Object.assign(meter, { sinceMs: momentMs, count: 0 });
      meter.count += 1 / (block?.count ?? 1);
    }
    if (meter.count * 1_000 < rate * meteredMs) return undefined;
    meters.delete(name);
    return meter.sinceMs;
  };
  const look = async (scope: Scope, shard: number, entries: readonly OutboxEntry[]) => {
    const made = entries.filter(({ signals }) =>
      signals.some(({ signal }) => signal === 'intent-created'),
    );
    const [ofShard, ofList] = [
      tooManySince(`${scope}#${shard}`, entries, shardRate),
      tooManySince(`${scope}#${shard}#`, made, listRate),
    ];
    if (ofShard === undefined && ofList === undefined) return;
    const layout = await layouts.read(scope);
    const since = ofShard ?? (layout.count === 1 ? ofList : undefined);
    const nowMs = clock();
    // Entries from before the layout was used say nothing of it, whatever the clock of who stored them said.
    const isUsed = layout.sinceMs <= nowMs;
    if (isUsed && since !== undefined && since >= layout.sinceMs)
      await layouts.grow(scope, layout, nowMs);
  };
  return {
    ...outbox,
    markPublished: async (entries) => {
      await outbox.markPublished(entries);
      const intents = entries.filter(({ kind }) => kind === 'intent');
      const places = new Map(
        intents.map(({ scope, shard }) => [`${shard} ${scope}`, { scope, shard }]),
      );
      for (const { scope, shard } of places.values()) {
        const own = intents.filter((one) => one.scope === scope && one.shard === shard);
        await look(scope, shard, own).catch(report);
      }
    },
  };
}
