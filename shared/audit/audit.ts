/**
 * The audit: checks invariants 1 to 5 of the architecture in a whole table or for one ledger. It makes one pass over
 * all items and one over the intents, looks again at items for which neither accounts, and compares the balances.
 * Memory grows with the balances, and in a running ledger with the undecided intents, but not with the records. Only
 * where a count of references looks wrong are the luids of the records that may be counted held while it is counted
 * again.
 */
import { headKeyOf, textOf } from '../store/keys.ts';
import { auditIntents } from './intents.ts';
import { auditLogs } from './log.ts';
import { auditOrphans } from './orphan.ts';
import { auditOutlines, type Selection } from './outline.ts';
import { readableIn } from './readable.ts';
import { noteGovernings } from './rulebook.ts';
import { type AuditOptions, type AuditReport, type AuditRun, newRun } from './run.ts';
import { settle } from './settle.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, lineOfViolation } from './violation.ts';

/** The ledger that was asked for is not in the table. */
export class UnknownLedger extends Error {
  override readonly name = 'UnknownLedger';
}

/** Yields violations as they are found; `report` counts what was checked. */
export async function* audit(
  source: AuditSource,
  options: AuditOptions,
  report: AuditReport,
): AsyncGenerator<AuditViolation, void, undefined> {
  const unreadable = new Map<string, AuditViolation>();
  const readable = readableIn(source, (text, violation) => unreadable.set(text, violation));
  const run = newRun(readable, options, report);
  const selection = await selectionOf(run);
  const said = new Set<string>();
  const isNew = (violation: AuditViolation): boolean => {
    const line = lineOfViolation(violation);
    const isKnown = said.has(line);
    said.add(line);
    return !isKnown;
  };
  // An item that cannot be read is missing wherever it is needed: it is named before what follows from that.
  for await (const violation of all(run, selection))
    yield* [...taken(unreadable), violation].filter(isNew);
  yield* taken(unreadable).filter(isNew);
}

/** The values of a map, which is empty then. */
function taken<Value>(map: Map<string, Value>): Value[] {
  const values = [...map.values()];
  map.clear();
  return values;
}

async function* all(
  run: AuditRun,
  selection: Selection,
): AsyncGenerator<AuditViolation, void, undefined> {
  await noteGovernings(run);
  yield* auditOutlines(run, selection);
  for (const scope of run.scopes) if (scope !== '') yield* auditIntents(run, scope);
  yield* auditOrphans(run, selection);
  yield* auditLogs(run);
  yield* settle(run);
}

/** All items, or those of one ledger: the items under its handle, and those of its own record. */
async function selectionOf({ source, options }: AuditRun): Promise<Selection> {
  const { ledger } = options;
  if (ledger === undefined) return { holds: () => true };
  const key = headKeyOf('', 'ledger', ledger);
  const head = (await source.at([key])).get(textOf(key));
  if (!head) throw new UnknownLedger(`There is no ledger '${ledger}' in this table.`);
  const luid = head['luid'];
  return {
    scopes: ['', ledger],
    holds: ({ name, item }: NamedItem) =>
      name.scope === ledger ||
      ('luid' in name && name.luid === luid) ||
      (name.item === 'head' && name.kind === 'ledger' && item['luid'] === luid),
  };
}
