/**
 * The outbox as the relay sees it, with the catalog behind it: what is read there is mentioned while it is
 * told, and forgotten only after both. So the outbox holds all that may not be mentioned yet. While
 * mentions cannot be written, nothing more is told, so that nothing is told again and again.
 * Ruling 23, Decision 32.
 */

import type { Version } from '../ledger/record.ts';
import type { Catalog } from '../port/catalog.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Metric } from './relay.ts';

export interface MentionPorts {
  readonly outbox: Outbox;
  readonly catalog: Pick<Catalog, 'keep'>;
  readonly metric: Metric;
  /** Told of what can never be mentioned, and why. */
  readonly report: (why: string) => void;
}

/** How many entries that wait for the bus are remembered, so that they are not mentioned again and again. */
const keptCountMax = 10_000;

/** Mentioning one or more entries. */
interface Keeping {
  readonly done: Promise<void>;
  state: 'running' | 'done' | 'failed';
}

/** The outbox whose entries are mentioned before they are forgotten. */
export function mentioning(ports: MentionPorts): Outbox {
  const { outbox } = ports;
  const kept = new Map<string, Keeping>();
  let isTroubled = false;

  /** Begins to mention what was not yet, or not successfully. */
  const keepNew = (entries: readonly OutboxEntry[], versions: readonly (Version | undefined)[]) => {
    const told = entries.flatMap((entry, index) => {
      const version = versions[index];
      const state = kept.get(nameOf(entry))?.state ?? 'failed';
      return version && state === 'failed' ? [{ entry, version }] : [];
    });
    const keeping: Keeping = { done: keep(ports, told), state: 'running' };
    const end = (state: 'done' | 'failed') => {
      keeping.state = state;
      isTroubled = state === 'failed';
    };
    // Whoever forgets an entry hears of what went wrong.
    keeping.done.then(
      () => end('done'),
      () => end('failed'),
    );
    forgetSome(kept);
    for (const { entry } of told) kept.set(nameOf(entry), keeping);
    return keeping.done;
  };
  const settled = (entries: readonly OutboxEntry[]) =>
    Promise.all(entries.map((entry) => kept.get(nameOf(entry))?.done));

  return {
    ...outbox,
    versions: async (entries) => {
      const versions = await outbox.versions(entries);
      const wasTroubled = isTroubled;
      const keeping = keepNew(entries, versions);
      if (wasTroubled) await keeping;
      return versions;
    },
    told: async (entries) => {
      await settled(entries);
      await outbox.told(entries);
      for (const entry of entries) kept.delete(nameOf(entry));
    },
    setAside: async (entry, why) => {
      await settled([entry]);
      await outbox.setAside(entry, why);
    },
  };
}

/** Of too many, those that are done are forgotten: to mention them once more does no harm. */
function forgetSome(kept: Map<string, Keeping>): void {
  if (kept.size <= keptCountMax) return;
  for (const [name, { state }] of kept) if (state === 'done') kept.delete(name);
}

/** Mentions versions; one that can never be mentioned is told all the same, and counted. */
async function keep(
  { catalog, metric, report }: MentionPorts,
  told: Parameters<Catalog['keep']>[0],
): Promise<void> {
  if (told.length === 0) return;
  for (const { entry, why } of await catalog.keep(told)) {
    metric('OutboxSetAside', 1);
    report(`${entry.luid} cannot be mentioned: ${why}`);
  }
}

function nameOf({ scope, shard, place }: OutboxEntry): string {
  return `${scope} ${shard} ${place}`;
}
