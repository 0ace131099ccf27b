/**
 * The sequencer: appends what is published to the logs of ledgers, behind the relay. An entry leaves the outbox only
 * once the log has its changes. It needs no key: checkpoints are signed apart. Decision 115.
 */
import { logSigner } from '../log/checkpoint.ts';
import { logOf } from '../log/leaf.ts';
import type { EntryVersion } from '../port/catalog.ts';
import type { Logs } from '../port/logs.ts';
import type { Scope, Store } from '../port/ports.ts';

export interface SequencerPorts {
  readonly logs: Logs;
  readonly store: Pick<Store, 'load'>;
  /** Signs a checkpoint of a log, where this process may. */
  readonly sign?: (scope: Scope) => Promise<void>;
  /** Receives the reason why a checkpoint could not be signed; a later one includes its leaves. */
  readonly report: (error: unknown) => void;
}

/** The part of a log that `indexing` needs. */
export interface Sequencer {
  /** Appends the changes of these versions, unless they are in the log of their ledger; returns the logs that there are. */
  keep(entries: readonly EntryVersion[]): Promise<ReadonlySet<Scope>>;
}

export function sequencer(ports: SequencerPorts): Sequencer {
  return {
    keep: async (entries) => {
      const byLog = new Map<Scope, EntryVersion[]>();
      for (const one of entries) {
        const log = logOf(one.entry.scope, one.version);
        const own = byLog.get(log);
        if (own) own.push(one);
        else byLog.set(log, [one]);
      }
      const logs = await Promise.all(
        [...byLog].map(async ([log, own]) => ((await keepIn(ports, log, own)) ? [log] : [])),
      );
      return new Set(logs.flat());
    },
  };
}

/** Appends versions to a log; false where there is none. */
async function keepIn(
  { logs, store, sign, report }: SequencerPorts,
  scope: Scope,
  entries: readonly EntryVersion[],
): Promise<boolean> {
  const versions = entries.map(({ version }) => version);
  // Those of a batch lie together in the log as well.
  const how = entries.some(({ entry }) => entry.block) ? 'together' : undefined;
  const isThere = (await logs.append(scope, versions, how)) !== undefined;
  if (!isThere) {
    const [signer] = await store.load([
      { what: 'record', scope, kind: 'signer', handle: logSigner },
    ]);
    // A ledger from before the logs gets its own by `npm run reindex`.
    if (!signer || signer.record.meta.owners.length > 0) return false;
    await logs.begin(scope, true);
    await logs.append(scope, versions, how);
  }
  await sign?.(scope).catch(report);
  return true;
}
