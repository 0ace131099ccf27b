/** Goal: an audit is noted at the ledgers that it has seen, with what it found there. Decision 121. */
import { expect, test } from 'vitest';
import { type EndedAudit, noteAudits } from '../../localstack/cli/note-audit.ts';
import { newCounts, newReport } from '../../shared/audit/run.ts';
import type { NotedAudit } from '../../shared/port/audits.ts';
import { headKeyOf, textOf } from '../../shared/store/keys.ts';

/** The notes of an audit of a table with the ledgers `a` and `b`, and with items of a ledger that has no record. */
async function notesOf(
  found: Readonly<Record<string, number>>,
  ended: Partial<EndedAudit> = {},
): Promise<Readonly<Record<string, Partial<NotedAudit>>>> {
  const report = newReport();
  for (const [index, scope] of ['', 'a', 'b', 'lost'].entries())
    report.ledgers.set(scope, { ...newCounts(), records: index, proofs: 10 * index });
  const notes: Record<string, Partial<NotedAudit>> = {};
  const note = async (scope: string, { findings, isPartial, records, proofs }: NotedAudit) => {
    notes[scope] = { findings, isPartial, records, proofs };
    return true;
  };
  const there = ['a', 'b'].map((scope) => textOf(headKeyOf('', 'ledger', scope)));
  const at = async (keys: readonly Parameters<typeof textOf>[0][]) =>
    new Map(keys.map(textOf).flatMap((text) => (there.includes(text) ? [[text, {}]] : [])));
  const findings = new Map(Object.entries(found));
  await noteAudits({ note }, { at }, { report, findings, isPartial: false, startMs: 1, ...ended });
  return notes;
}

const a = { findings: 0, isPartial: false, records: 1, proofs: 10 };
const b = { findings: 0, isPartial: false, records: 2, proofs: 20 };

test('every ledger that has a record is noted', async () => {
  expect(await notesOf({})).toEqual({ a, b });
});

test('findings count where they are, and those in records of ledgers everywhere', async () => {
  expect(await notesOf({ a: 3, lost: 1 })).toEqual({ a: { ...a, findings: 3 }, b });
  expect(await notesOf({ a: 3, '': 1 })).toEqual({
    a: { ...a, findings: 4 },
    b: { ...b, findings: 1 },
  });
});

test('of an audit that ended at its first finding, nothing is said of other ledgers', async () => {
  expect(await notesOf({ b: 1 }, { isPartial: true })).toEqual({
    b: { ...b, findings: 1, isPartial: true },
  });
});

test('an audit of one ledger is noted there', async () => {
  expect(await notesOf({}, { ledger: 'b' })).toEqual({ b });
});

test('an audit says at which ledgers one that began later is noted', async () => {
  const report = newReport();
  for (const scope of ['a', 'b']) report.ledgers.set(scope, newCounts());
  const note = async (scope: string) => scope !== 'b';
  const at = async (keys: readonly Parameters<typeof textOf>[0][]) =>
    new Map(keys.map((key) => [textOf(key), {}]));
  const ended = { report, findings: new Map(), isPartial: false, startMs: 1 };
  expect(await noteAudits({ note }, { at }, ended)).toEqual(['b']);
});
