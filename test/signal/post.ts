/** An outbox and a bus in memory, with the trouble that either may have. */

import { encodeTime } from '../../shared/crypto/luid.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Outbox, OutboxEntry } from '../../shared/port/outbox.ts';
import type { Scope, Signal } from '../../shared/port/ports.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import type { Bus, RelayPorts } from '../../shared/signal/relay.ts';

/** How long after an entry's moment it is told here. */
const lagMs = 40;

/** The entry of a version, with these signals of its last change, or with those given. */
export function entryOf(
  version: Version,
  signals: readonly (string | Signal)[] = [`${version.kind}-created`],
  scope: Scope = 'main',
): OutboxEntry {
  const { kind, record, change, steps } = version;
  const momentMs = Date.parse(steps.at(-1)?.moment ?? '');
  return {
    scope,
    shard: 0,
    place: `${encodeTime(momentMs)}${record.luid}#${String(change).padStart(6, '0')}`,
    kind,
    luid: record.luid,
    handle: record.data.handle,
    change,
    momentMs,
    signals: signals.map((signal) => (typeof signal === 'string' ? { signal, change } : signal)),
  };
}

export interface Post extends RelayPorts {
  /** The effects of each signal, and when they cannot be read. */
  subscribers: (scope: Scope, signal: string) => Promise<Version[]>;
  /** Lets time pass, in milliseconds. */
  readonly pass: (ms: number) => void;
  /** Stores a version with its signals. */
  readonly store: (version: Version, signals?: readonly (string | Signal)[]) => OutboxEntry;
  /** The entries that wait, by place. */
  readonly waiting: () => OutboxEntry[];
  /** What the bus was offered, batch by batch, and what it took, in order. */
  readonly offered: LedgerEvent[][];
  readonly taken: LedgerEvent[];
  readonly aside: { readonly entry: OutboxEntry; readonly why: string }[];
  readonly metrics: (readonly [name: string, value: number])[];
  /** Set by a test: which events the bus refuses, what is missing, and what happens before entries are forgotten. */
  trouble: {
    refuses?: (event: LedgerEvent) => boolean;
    /** Whose version cannot be seen, or is not there. */
    lacks?: (entry: OutboxEntry) => boolean;
    beforeTold?: (entries: readonly OutboxEntry[]) => void;
  };
}

/** An empty outbox and a bus that takes everything. */
export function post(): Post {
  const entries = new Map<string, OutboxEntry>();
  const versions = new Map<string, Version>();
  const nameOf = ({ luid, change }: Pick<OutboxEntry, 'luid' | 'change'>) => `${luid} ${change}`;
  const waiting = () => [...entries.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
  let latestMs = 0;
  const outbox: Outbox = {
    ledgers: async () => [],
    oldest: async (scope, shard, limit, after = '') =>
      waiting()
        .filter((entry) => entry.scope === scope && entry.shard === shard && entry.place > after)
        .slice(0, limit),
    versions: async (wanted) =>
      wanted.map((entry) =>
        self.trouble.lacks?.(entry) ? undefined : versions.get(nameOf(entry)),
      ),
    markPublished: async (told) => {
      self.trouble.beforeTold?.(told);
      for (const { place } of told) entries.delete(place);
    },
    setAside: async (entry, why) => {
      entries.delete(entry.place);
      self.aside.push({ entry, why });
    },
    shards: async () => [0],
  };
  const bus: Bus = {
    publish: async (lines) => {
      return lines.map((line) => {
        const refused = line.findIndex((event) => self.trouble.refuses?.(event) ?? false);
        const count = refused < 0 ? line.length : refused;
        self.offered.push(line.slice(0, count + 1));
        self.taken.push(...line.slice(0, count));
        return count;
      });
    },
  };
  const self: Post = {
    subscribers: async () => [],
    outbox,
    // No wallet or symbol of a receipt is there any more.
    reader: {
      load: async () => [] as never,
      past: async () => [],
      indexed: async (scope, _kind, signal) => self.subscribers(scope, signal),
    },
    bus,
    clock: () => latestMs + lagMs,
    pass: (ms) => {
      latestMs += ms;
    },
    metric: (name, value) => void self.metrics.push([name, value]),
    store: (version, signals) => {
      const entry = entryOf(version, signals);
      entries.set(entry.place, entry);
      versions.set(nameOf(entry), version);
      latestMs = entry.momentMs;
      return entry;
    },
    waiting,
    offered: [],
    taken: [],
    aside: [],
    metrics: [],
    trouble: {},
  };
  return self;
}
