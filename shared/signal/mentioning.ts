/**
 * The outbox as the relay sees it, with the catalog behind it: what is read there to be told is mentioned
 * first. So the outbox holds all that is not mentioned yet, and whoever hears of a change finds it. As
 * long as the mentions cannot be written, entries wait. Ruling 23, Decision 32.
 */
import type { Catalog } from '../action/catalog.ts';
import type { Outbox, OutboxEntry } from '../action/outbox.ts';
import type { Version } from '../ledger/record.ts';
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

/** The outbox whose versions are mentioned before anybody sees them. */
export function mentioning({ outbox, catalog, metric, report }: MentionPorts): Outbox {
  const kept = new Set<string>();
  const keep = async (
    entries: readonly OutboxEntry[],
    versions: readonly (Version | undefined)[],
  ) => {
    const told = entries.flatMap((entry, index) => {
      const version = versions[index];
      return version && !kept.has(nameOf(entry)) ? [{ entry, version }] : [];
    });
    if (told.length === 0) return;
    // Its signals are told all the same; it is found again once the catalog was made anew.
    for (const { entry, why } of await catalog.keep(told)) {
      metric('OutboxSetAside', 1);
      report(`${entry.luid} cannot be mentioned: ${why}`);
    }
    if (kept.size > keptCountMax) kept.clear();
    for (const { entry } of told) kept.add(nameOf(entry));
  };
  return {
    ...outbox,
    versions: async (entries) => {
      const versions = await outbox.versions(entries);
      await keep(entries, versions);
      return versions;
    },
    told: async (entries) => {
      await outbox.told(entries);
      for (const entry of entries) kept.delete(nameOf(entry));
    },
  };
}

function nameOf({ scope, shard, place }: OutboxEntry): string {
  return `${scope} ${shard} ${place}`;
}
