/** Goal: a condition on a name matches every form of it, and a negative one holds only if no form matches. */
import { expect, test } from 'vitest';
import { parseConditions } from '../../shared/ledger/match.ts';
import {
  addressesIn,
  hasForms,
  type MeaningOf,
  needsForms,
  seenAs,
} from '../../shared/ledger/names.ts';
import { patternMaker } from './routes.ts';

/** A ledger in which `vault:1` means the wallet `vault`. */
const meaningOf: MeaningOf = (address) => (address === 'vault:1' ? 'vault' : undefined);
const claim = { action: 'transfer', target: 'bob', symbol: 'usd', amount: 5 };
const sees = (kind: string, data: object, filter: object) =>
  parseConditions({ ...filter }, patternMaker)(seenAs(kind, { ...data }, meaningOf));
const forms = ['vault', { handle: 'vault' }, { handle: 'vault', custom: { n: 1 } }, 'vault:1'];

test.each(forms)('the wallet that %j means is the same for every condition', (source) => {
  const data = { claims: [{ ...claim, source }] };
  for (const path of ['claims.source', 'claims.0.source', 'claims.source.handle']) {
    expect(sees('intent', data, { [path]: 'vault' })).toBe(true);
    expect(sees('intent', data, { [path]: { $regex: '^vault$' } })).toBe(true);
    expect(sees('intent', data, { [path]: { $ne: 'vault' } })).toBe(false);
    expect(sees('intent', data, { [path]: { $nin: ['till', 'vault'] } })).toBe(false);
    expect(sees('intent', data, { [path]: 'till' })).toBe(false);
  }
  expect(sees('intent', data, { 'claims.source': { $ne: { handle: 'vault' } } })).toBe(false);
  expect(sees('intent', data, { 'claims.target.handle': 'bob' })).toBe(true);
  expect(sees('intent', data, { 'claims.symbol.handle': { $ne: 'usd' } })).toBe(false);
});

test('a name matches as it is written, and so does a whole claim', () => {
  const written = { ...claim, source: 'vault:1' };
  const data = { claims: [written] };
  expect(sees('intent', data, { 'claims.source': 'vault:1' })).toBe(true);
  expect(sees('intent', data, { claims: written, 'claims.0': written })).toBe(true);
  expect(sees('intent', data, { 'claims.1': { $exists: false } })).toBe(true);
});

test.each(forms.slice(0, 3))('an anchor names %j in every form', (target) => {
  const data = { handle: 'a', target, wallet: 'vault', symbol: { handle: 'usd' } };
  for (const path of ['target', 'target.handle', 'wallet.handle'])
    expect(sees('anchor', data, { [path]: { $ne: 'vault' } })).toBe(false);
  expect(sees('anchor', data, { symbol: 'usd' })).toBe(true);
  expect(sees('anchor', { target: null }, { target: { $ne: 'vault' } })).toBe(true);
});

test('only addresses in claims mean other wallets', () => {
  const named = { source: 'vault:1', target: { handle: 'x@vault' }, symbol: 'a:b' };
  const found = [
    { address: 'vault:1', side: 'debit' },
    { address: 'x@vault', side: 'credit' },
  ];
  expect(addressesIn('intent', { claims: [named, claim] })).toEqual(found);
  expect(addressesIn('bridge-entry', named)).toEqual(found);
  expect(addressesIn('anchor', named)).toEqual([]);
});

test('what names nothing is seen as it is', () => {
  const data = { handle: 'w', source: 'x' };
  expect(seenAs('wallet', data)).toEqual([data]);
  expect(['intent', 'anchor', 'wallet'].map(hasForms)).toEqual([true, true, false]);
});

test.each([
  ['claims.source', true],
  ['intent.data.claims.0.target.handle', true],
  ['symbol', true],
  ['custom.sources', false],
  ['handle', false],
])('a condition on %s asks for a name: %s', (path, expected) => {
  expect(needsForms({ [path]: 1 })).toBe(expected);
});
