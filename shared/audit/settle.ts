/**
 * Invariants 1 and 2, at the end: the balances against the sums of their entries, the reserved amounts, and the
 * supplies of symbols; and all else that needs the whole ledger.
 */
import { headKeyOf, textOf, usageKeyOf } from '../store/keys.ts';
import { compareLive, heldBy } from './balance.ts';
import { auditBooks } from './books.ts';
import { auditCounts } from './counts.ts';
import { unvouched } from './credit.ts';
import { auditDeliveries } from './deliveries.ts';
import { auditGates } from './gates.ts';
import { auditLimits } from './limits.ts';
import { auditRulebooks } from './rulebook.ts';
import { type AuditRun, reportPhase } from './run.ts';
import { auditShards } from './shards.ts';
import { type BalanceMeasure, measureText, oddMeasure } from './sums.ts';
import { type AuditViolation, violationOf } from './violation.ts';

const measureCountMax = 100;

/** Checks balances, supplies, reserved amounts, limits, the marks of symbols and the rulebooks. */
export async function* settle(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  reportPhase(run, 'comparing balances');
  const odd = [...run.sums.odd()];
  for (let start = 0; start < odd.length; start += measureCountMax) {
    const balanceMeasures = odd.slice(start, start + measureCountMax);
    yield* run.options.isLive
      ? compareLive(run, balanceMeasures)
      : compareStill(run, balanceMeasures);
  }
  yield* run.sums.oddSymbols();
  yield* auditLimits(run);
  yield* auditShards(run);
  yield* auditGates(run);
  yield* await auditDeliveries(run);
  yield* auditCounts(run);
  yield* await unmarked(run);
  yield* await unfounded(run);
  yield* await unvouched(run);
  yield* auditRulebooks(run);
  yield* auditBooks(run);
}

async function* compareStill(run: AuditRun, balanceMeasures: readonly BalanceMeasure[]) {
  const held = await heldBy(run, balanceMeasures);
  for (const balanceMeasure of balanceMeasures)
    yield oddMeasure(
      balanceMeasure,
      run.sums.expectedOf(balanceMeasure),
      held.get(measureText(balanceMeasure)),
    );
}

/** Symbols that have balances and could still change their handle. */
async function unmarked(run: AuditRun): Promise<AuditViolation[]> {
  const texts = [...run.used].filter((text) => !run.marked.has(text));
  const names = texts.map((text) => text.split('#') as [scope: string, handle: string]);
  const keys = names.map(([scope, handle]) => usageKeyOf(scope, 'symbol', handle));
  const marks = await run.source.at(keys);
  return names.flatMap(([scope, handle], index) => {
    const key = keys[index];
    if (key && marks.has(textOf(key))) return [];
    const fact = 'The symbol has balances and is not marked as used.';
    return [violationOf(3, { scope, kind: 'symbol', handle }, fact)];
  });
}

/** Ledgers that have items and no record. */
async function unfounded(run: AuditRun): Promise<AuditViolation[]> {
  const scopes = [...run.scopes].filter((scope) => scope !== '' && !run.ledgers.has(scope));
  const keys = scopes.map((scope) => headKeyOf('', 'ledger', scope));
  const heads = await run.source.at(keys);
  return scopes.flatMap((scope, index) => {
    const key = keys[index];
    if (key && heads.has(textOf(key))) return [];
    return [violationOf(3, { scope }, 'There are items of a ledger that has no record.')];
  });
}
