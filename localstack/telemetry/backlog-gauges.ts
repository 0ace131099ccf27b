/** The backlogs of all ledgers as measurements, read anew each time. */
import { type Backlogs, type DueBacklog, dueKinds } from '../../shared/port/backlogs.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import { scopesOf } from '../../shared/signal/shards.ts';
import type { Measurement } from './metrics.ts';

/** The ledgers whose outboxes are read, at most. */
const scopeCountMax = 100;

export async function backlogGauges(
  backlogs: Backlogs,
  outbox: Pick<Outbox, 'ledgers'>,
  nowMs: number,
): Promise<Measurement[]> {
  const [entries, due] = await Promise.all([outboxOfAll(backlogs, outbox), backlogs.due(nowMs)]);
  return [
    sizeOf('outbox', 'due', entries.due),
    ageOf('outbox', entries, nowMs),
    ...dueKinds.flatMap((kind) => [
      sizeOf(kind, 'due', due[kind].due),
      sizeOf(kind, 'waiting', due[kind].waiting),
      ageOf(kind, due[kind], nowMs),
    ]),
  ];
}

async function outboxOfAll(
  backlogs: Backlogs,
  outbox: Pick<Outbox, 'ledgers'>,
): Promise<Pick<DueBacklog, 'due' | 'oldestMs'>> {
  const scopes: string[] = [];
  for await (const scope of scopesOf(outbox)) {
    if (scopes.push(scope) >= scopeCountMax) break;
  }
  const all = await Promise.all(scopes.map((scope) => backlogs.outbox(scope)));
  const due = all.reduce((sum, { count }) => sum + count, 0);
  const times = all.flatMap(({ oldestMs }) => oldestMs ?? []);
  return { due, ...(times.length > 0 && { oldestMs: Math.min(...times) }) };
}

function sizeOf(kind: string, state: 'due' | 'waiting', value: number): Measurement {
  const attributes = { 'countersign.backlog.kind': kind, 'countersign.backlog.state': state };
  return { name: 'countersign.backlog', value, attributes };
}

function ageOf(
  kind: string,
  { oldestMs }: Pick<DueBacklog, 'oldestMs'>,
  nowMs: number,
): Measurement {
  const value = oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
  return {
    name: 'countersign.backlog.age',
    value,
    attributes: { 'countersign.backlog.kind': kind },
  };
}
