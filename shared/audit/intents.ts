/** The intents of a ledger, oldest first in each partition. Their list entries are their pointers. */

import { encodeTime, isLuid } from '../crypto/luid.ts';
import type { Scope } from '../port/ports.ts';
import {
  listPartitionsOf,
  luidOfListSk,
  rulebookKeyOf,
  spreadCounts,
  textOf,
} from '../store/keys.ts';
import { layoutIn } from '../store/known-layouts.ts';
import type { Item } from '../store/request.ts';
import { auditHistories } from './histories.ts';
import { type HistoryCursor, pointerOf } from './history.ts';
import { batchLengthMax } from './outline.ts';
import { type AuditRun, reportPhase } from './run.ts';
import type { AuditViolation } from './violation.ts';

/** The batches in progress at a time: reading and verifying overlap. */
const flightCountMax = 4;

/** Audits the intents from a time on that are not counted yet. */
export async function* auditIntents(
  run: AuditRun,
  scope: Scope,
  fromMs = 0,
): AsyncGenerator<AuditViolation, void, undefined> {
  yield* auditCursors(run, tracesFrom(run, scope, fromMs));
}

/** Audits the intents of these traces, some batches at a time. */
export async function* auditCursors(
  run: AuditRun,
  pages: AsyncIterable<readonly HistoryCursor[]> | readonly (readonly HistoryCursor[])[],
): AsyncGenerator<AuditViolation, void, undefined> {
  const flights: Promise<AuditViolation[]>[] = [];
  for await (const cursors of pages) {
    for (let start = 0; start < cursors.length; start += batchLengthMax) {
      const flight = auditHistories(run, cursors.slice(start, start + batchLengthMax));
      // A caller that stops at the first violation does not wait for the other batches.
      flight.catch(() => undefined);
      flights.push(flight);
      if (flights.length < flightCountMax) continue;
      yield* (await flights.shift()) ?? [];
      reportPhase(run, 'checking intents');
    }
  }
  for (const flight of flights) yield* await flight;
}

/** The intents from a time on that are not counted yet, in pages. */
export async function* tracesFrom(
  { source, recent, spread }: AuditRun,
  scope: Scope,
  fromMs: number,
): AsyncGenerator<HistoryCursor[], void, undefined> {
  const key = rulebookKeyOf(scope);
  const layout = layoutIn((await source.at([key])).get(textOf(key)));
  // Intents outside the layout that is stored are read as well, or their money would be missed and nobody told why.
  const count = spread.has(`${scope}#intent`) ? Math.max(...spreadCounts) : layout.count;
  for (const pk of listPartitionsOf(scope, 'intent', count)) {
    for await (const items of source.pages({ pk, from: encodeTime(fromMs), to: '~' })) {
      yield items
        .map((item) => traceOf(scope, item))
        .filter(({ luid }) => isLuid(luid, 'int') && !recent.has(`${scope}#${luid}`));
    }
  }
}

function traceOf(scope: Scope, item: Item): HistoryCursor {
  const luid = luidOfListSk(String(item['sk']));
  const pointer = pointerOf({ kind: 'intent', luid }, item);
  return { scope, kind: 'intent', luid, pointer, hasPast: false };
}
