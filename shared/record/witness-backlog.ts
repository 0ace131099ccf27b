/** Witnesses who have not cosigned the newest checkpoint of a log, as a backlog. Rulings 96 and 100. */
import type { DueBacklog } from '../port/backlogs.ts';
import type { Logs } from '../port/logs.ts';
import type { Scope, Store } from '../port/ports.ts';
import { hasCosigned, witnessesOf } from './witnesses.ts';

interface WitnessBacklogPorts {
  readonly logs: Logs;
  readonly store: Pick<Store, 'load'>;
}

/**
 * The witnesses who are to be asked now, those who are asked again later because they failed, and since when the first of
 * these has. Undefined for a ledger without witnesses.
 */
export async function witnessBacklog(
  { logs, store }: WitnessBacklogPorts,
  scope: Scope,
  nowMs: number,
): Promise<DueBacklog | undefined> {
  const [home] = await store.load([{ what: 'record', scope: '', kind: 'ledger', handle: scope }]);
  const witnesses = home ? witnessesOf(home.record) : [];
  if (witnesses.length === 0) return undefined;
  const [state, cosigned] = await Promise.all([logs.read(scope), logs.cosigned(scope)]);
  const newest = state?.checkpoint;
  const open = newest ? witnesses.filter((one) => !hasCosigned(cosigned, newest, one)) : [];
  const progress = open.map(({ vkey }) => cosigned?.progress[vkey]);
  const waiting = progress.filter((one) => one !== undefined && one.nextMs > nowMs).length;
  const since = progress.flatMap((one) => one?.sinceMs ?? []);
  return {
    ...{ due: open.length - waiting, waiting, isPartial: false },
    ...(since.length > 0 && { oldestMs: Math.min(...since) }),
  };
}
