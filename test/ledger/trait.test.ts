/** Goal: what a bridge is called for, by its traits and their conditions. Ruling 53. */
import { expect, test } from 'vitest';
import { BudgetExceeded } from '../../shared/ledger/budget.ts';
import { subjectOf } from '../../shared/ledger/policy.ts';
import { hasTrait, type TraitName, traitFilters } from '../../shared/ledger/trait.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { bridge, bridged } from '../fixture/bridged.ts';
import { transferred } from '../fixture/version.ts';

const { record } = bridged({
  status: 'completed',
  data: { schema: 'rent', custom: { city: 'Zagreb' } },
});

function holds(traits: readonly unknown[] | undefined, name: TraitName = 'statuses'): boolean {
  const { record: one } = bridge('bank', traits ? { traits } : {});
  return hasTrait(one, name, subjectOf(record), patternMaker);
}

test.each([
  ['all when there are none', undefined, true],
  ['all when the list is empty', [], true],
  ['what is named', ['debits', 'statuses'], true],
  ['not what is not named', ['debits', 'credits'], false],
  ['what is named without conditions', [{ method: 'statuses' }], true],
  ['what fits', [{ method: 'statuses', filter: { schema: 'rent' } }], true],
  ['not what does not fit', [{ method: 'statuses', filter: { schema: 'sale' } }], false],
  [
    'by a path in the data',
    [{ method: 'statuses', filter: { 'custom.city': { $regex: '^Z' } } }],
    true,
  ],
  ['by a path from the record', [{ method: 'statuses', filter: { 'data.schema': 'rent' } }], true],
  ['by its status', [{ method: 'statuses', filter: { 'meta.status': 'completed' } }], true],
  ['not by the conditions of another', [{ method: 'debits', filter: {} }], false],
  ['twice, when one fits', [{ method: 'statuses', filter: { schema: 'x' } }, 'statuses'], true],
])('a bridge is called for %s', (_, traits, expected) => {
  expect(holds(traits)).toBe(expected);
});

test('the conditions of traits are those that they state, and none where they state none', () => {
  const filtersOf = (data: object) => traitFilters(bridge('bank', data).record);
  expect(filtersOf({})).toEqual([]);
  const filter = { 'claims.source': 'vault' };
  const traits = ['debits', { method: 'credits' }, { method: 'statuses', filter }];
  expect(filtersOf({ traits })).toEqual([{}, {}, filter]);
});

test('whether a trait covers an intent is not said when that takes too much work', () => {
  const traits = [{ method: 'statuses', filter: { 'custom.note': { $regex: '^a{400}$' } } }];
  const bridge = { data: { handle: 'bank', traits } };
  const intent = transferred('rent', 'a', 'b', { custom: { note: 'a'.repeat(400) } });
  expect(() => hasTrait(bridge, 'statuses', subjectOf(intent.record), patternMaker)).toThrow(
    BudgetExceeded,
  );
});
