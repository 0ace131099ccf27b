/**
 * Invariant 3, for a whole ledger: its rulebook counts the records that lay down rules, so that no rule is overlooked
 * and no absent one is looked for. Rulings 31, 38, 65 and 66.
 */

import type { Kind } from '../ledger/kind.ts';
import { countersOf, governed } from '../ledger/rulebook.ts';
import type { Scope } from '../port/ports.ts';
import { nameOfItem, rulebookKeyOf, textOf } from '../store/keys.ts';
import { countsIn } from '../store/known-layouts.ts';
import type { ItemHistory } from './history.ts';
import { listedOf } from './listed.ts';
import { isBetween } from './refers.ts';
import { type AuditRun, roundCountMax, waitFor } from './run.ts';
import type { AuditSource } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

type RuleCounts = ReadonlyMap<string, number>;

const nothing: RuleCounts = new Map();
/** The kinds whose records lay down rules. */
const ruling: readonly Kind[] = ['domain', 'schema', 'policy'];
const scopeCountMax = 100;

/** Checks the rulebooks of all ledgers. */
export async function* auditRulebooks(
  run: AuditRun,
): AsyncGenerator<AuditViolation, void, undefined> {
  const scopes = [...new Set([...run.scopes, ...run.rules.keys(), ...run.governings.keys()])];
  for (let start = 0; start < scopes.length; start += scopeCountMax) {
    const some = scopes.slice(start, start + scopeCountMax);
    const found = await rulebooksOf(run.source, some);
    for (const scope of some) {
      const counts = found.get(scope) ?? nothing;
      const wrong = wrongIn(scope, run.rules.get(scope) ?? nothing, [counts]);
      yield* run.options.isLive ? await confirm(run, scope, wrong) : wrong;
      yield* wrongMarkIn(run, scope, counts);
    }
  }
}

/** Notes how often ledgers began or ceased to be governed, before the table is read that may change meanwhile. */
export async function noteGovernings(run: AuditRun): Promise<void> {
  const { source, options, countedBefore } = run;
  if (!options.isLive) return;
  const scopes: Scope[] = options.ledger === undefined ? [] : [options.ledger];
  if (options.ledger === undefined)
    for await (const { record } of listedOf(source, '', 'ledger')) scopes.push(record.data.handle);
  for (let start = 0; start < scopes.length; start += scopeCountMax) {
    const some = await rulebooksOf(source, scopes.slice(start, start + scopeCountMax));
    for (const [scope, counts] of some) countedBefore.set(scope, counts.get(governed) ?? 0);
  }
}

/** Accounts for each time that a record began to govern its ledger, or ceased to. */
export function accountGovernings({ governings }: AuditRun, { projected }: ItemHistory): void {
  for (const { item, key, adds } of projected) {
    const many = adds?.[governed];
    if (item !== 'rulebook' || many === undefined) continue;
    const name = nameOfItem({ ...key });
    if (name) governings.set(name.scope, (governings.get(name.scope) ?? 0) + many);
  }
}

/**
 * Checks how often the rulebook says that records began to govern the ledger, or ceased to: it is counted up alone, and
 * without a count the ledger is open to everyone. Decision 47.
 */
function wrongMarkIn(
  { governings, countedBefore, options }: AuditRun,
  scope: Scope,
  counts: RuleCounts,
): AuditViolation[] {
  const [expected, found] = [governings.get(scope) ?? 0, counts.get(governed) ?? 0];
  // In a running ledger rules may have come and gone after the records were read.
  const before = options.isLive ? (countedBefore.get(scope) ?? 0) : found;
  if (isBetween(expected, [before, found])) return [];
  if (expected > 0 && !(found > 0))
    return [violationOf(3, { scope }, 'The ledger is governed, and not marked so.')];
  const fact =
    expected === 0
      ? 'The ledger is marked as governed, and nobody ever laid down a rule.'
      : 'The rulebook counts wrongly how often the ledger began or ceased to be governed.';
  return [violationOf(3, { scope }, fact, { expected, found })];
}

/** Counts again while the ledger is running; a violation is found each time. */
async function confirm(
  { source }: AuditRun,
  scope: Scope,
  first: readonly AuditViolation[],
): Promise<readonly AuditViolation[]> {
  let lasting = first;
  for (let round = 0; round < roundCountMax && lasting.length > 0; round += 1) {
    await waitFor(round);
    const before = await rulebooksOf(source, [scope]);
    const expected = await countAgain(source, scope);
    const after = await rulebooksOf(source, [scope]);
    const ends = [before, after].map((found) => found.get(scope) ?? nothing);
    const facts = new Set(lasting.map(({ fact }) => fact));
    lasting = wrongIn(scope, expected, ends).filter(({ fact }) => facts.has(fact));
  }
  return lasting;
}

async function countAgain(source: AuditSource, scope: Scope): Promise<RuleCounts> {
  const counts = new Map<string, number>();
  for (const kind of ruling) {
    for await (const { record } of listedOf(source, scope, kind)) {
      for (const rule of countersOf(kind, record)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
  }
  return counts;
}

/** The counts that differ from the rulebook, or from all between its readings before and after counting. */
function wrongIn(
  scope: Scope,
  expected: RuleCounts,
  found: readonly RuleCounts[],
): AuditViolation[] {
  const rules = new Set([expected, ...found].flatMap((counts) => [...counts.keys()]));
  rules.delete(governed);
  return [...rules].flatMap((rule) => {
    const count = expected.get(rule) ?? 0;
    const said = found.map((counts) => counts.get(rule) ?? 0);
    if (isBetween(count, said)) return [];
    const fact = `The rulebook counts wrongly: ${rule}.`;
    return [violationOf(3, { scope }, fact, { expected: count, found: said.at(-1) })];
  });
}

async function rulebooksOf(
  source: AuditSource,
  scopes: readonly Scope[],
): Promise<ReadonlyMap<Scope, RuleCounts>> {
  const items = await source.at(scopes.map(rulebookKeyOf));
  return new Map(
    scopes.map(
      (scope) => [scope, new Map(countsIn(items.get(textOf(rulebookKeyOf(scope))) ?? {}))] as const,
    ),
  );
}
