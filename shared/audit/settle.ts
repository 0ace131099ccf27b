/**
 * Invariants 1 and 2, at the end: the balances against the sums of their entries, the reserved amounts, and the
 * supplies of symbols; and all else that needs the whole ledger.
 */
import { headKeyOf, textOf, usageKeyOf } from '../store/keys.ts';
import { compareLive, heldBy } from './balance.ts';
import { unvouched } from './credit.ts';
import { auditRulebooks } from './rulebook.ts';
import { type AuditRun, tell } from './run.ts';
import { type BalanceMeasure, cellText, oddCell } from './sums.ts';
import { type AuditViolation, violationOf } from './violation.ts';

const cellCountMax = 100;

/** Checks balances, supplies, reserved amounts, the marks of symbols and the rulebooks. */
export async function* settle(course: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  tell(course, 'comparing balances');
  const odd = [...course.sums.odd()];
  for (let start = 0; start < odd.length; start += cellCountMax) {
    const cells = odd.slice(start, start + cellCountMax);
    yield* course.options.isLive ? compareLive(course, cells) : compareStill(course, cells);
  }
  yield* course.sums.oddSymbols();
  yield* await unmarked(course);
  yield* await unfounded(course);
  yield* await unvouched(course);
  yield* auditRulebooks(course);
}

async function* compareStill(course: AuditRun, cells: readonly BalanceMeasure[]) {
  const held = await heldBy(course, cells);
  for (const cell of cells)
    yield oddCell(cell, course.sums.expectedOf(cell), held.get(cellText(cell)));
}

/** Symbols that have balances and could still change their handle. */
async function unmarked(course: AuditRun): Promise<AuditViolation[]> {
  const texts = [...course.used].filter((text) => !course.marked.has(text));
  const names = texts.map((text) => text.split('#') as [scope: string, handle: string]);
  const keys = names.map(([scope, handle]) => usageKeyOf(scope, 'symbol', handle));
  const marks = await course.source.at(keys);
  return names.flatMap(([scope, handle], index) => {
    const key = keys[index];
    if (key && marks.has(textOf(key))) return [];
    const fact = 'The symbol has balances and is not marked as used.';
    return [violationOf(3, { scope, kind: 'symbol', handle }, fact)];
  });
}

/** Ledgers that have items and no record. */
async function unfounded(course: AuditRun): Promise<AuditViolation[]> {
  const scopes = [...course.scopes].filter((scope) => scope !== '' && !course.ledgers.has(scope));
  const keys = scopes.map((scope) => headKeyOf('', 'ledger', scope));
  const heads = await course.source.at(keys);
  return scopes.flatMap((scope, index) => {
    const key = keys[index];
    if (key && heads.has(textOf(key))) return [];
    return [violationOf(3, { scope }, 'There are items of a ledger that has no record.')];
  });
}
