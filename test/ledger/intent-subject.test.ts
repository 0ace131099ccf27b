/** What the filters of policies see of an intent. Ruling 93. */
import { expect, test } from 'vitest';
import { membersSeenIn } from '../../shared/access/rule-members.ts';
import { derivedMembers, intentSubjectOf } from '../../shared/ledger/intent-subject.ts';
import { parseConditions } from '../../shared/ledger/match.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { patternMaker } from './routes.ts';

const wallets: Readonly<Record<string, object>> = {
  alice: { schema: 'vault', custom: { tier: 2 } },
  bob: { bridge: 'blue' },
};
const walletOf = (handle: string) =>
  wallets[handle] && ({ data: { handle, ...wallets[handle] }, meta: { domain: 'north' } } as never);

const claims = [
  { action: 'transfer', source: 'alice', target: { handle: 'bob' }, symbol: 'usd', amount: 5 },
  {
    action: 'transfer',
    source: { handle: 'alice' },
    target: 'bob',
    symbol: { handle: 'usd' },
    amount: 7,
  },
  { action: 'issue', target: 'nobody', symbol: 'eur', amount: 3 },
  { action: 'destroy', source: 'bob', symbol: 'eur', amount: 2 },
  { action: 'limit', wallet: 'alice', symbol: 'usd', metric: 'maxBalance', amount: 1000 },
];
const record = {
  luid: '$int.x',
  hash: 'h',
  data: { handle: 'pay', claims, amounts: { usd: 1 }, sources: [], custom: { n: 1 } },
  meta: { proofs: [], status: '', moment: '', owners: [] },
} as unknown as LedgerRecord;
const subject = intentSubjectOf(record, walletOf);
const matches = (filter: object) => parseConditions({ ...filter }, patternMaker)(subject);

test.each([
  [{ 'data.claims.amount': { $gt: 999 } }, true],
  [{ 'amounts.usd': 12 }, true],
  [{ 'amounts.eur': 5 }, true],
  [{ 'amounts.usd': { $gt: 12 } }, false],
  [{ 'data.claims.symbol': 'usd', 'claims.symbol.handle': 'eur' }, true],
  [{ 'data.claims.source.handle': 'bob', 'data.claims.target.handle': 'bob' }, true],
  [{ 'data.claims.1.target.handle': 'bob', 'data.claims.wallet.handle': 'alice' }, true],
  [{ 'sources.handle': 'alice', 'targets.handle': 'bob', 'wallets.schema': 'vault' }, true],
  [{ 'targets.schema': 'vault' }, false],
  [{ 'targets.bridge': 'blue', 'sources.custom.tier': 2, 'wallets.domain': 'north' }, true],
  [{ 'wallets.handle': 'nobody' }, false],
  [{ 'data.custom.n': 1, 'custom.n': 1, luid: '$int.x', hash: 'h', 'data.handle': 'pay' }, true],
] as const)('%j: %s', (filter, expected) => {
  expect(matches(filter)).toBe(expected);
});

test.each([
  [{ 'amounts.usd': '18014398509481985' }, true],
  [{ 'amounts.usd': { $gt: '18014398509481984' } }, true],
  [{ 'amounts.usd': { $lt: '18014398509481985' } }, false],
  [{ 'amounts.usd': { $in: ['18014398509481984'] } }, false],
  [{ 'amounts.usd': { $gte: Number.MAX_SAFE_INTEGER } }, true],
] as const)('a sum beyond 2^53 is exact: %j: %s', (filter, expected) => {
  const claim = { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd' };
  const amounts = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 3];
  const data = { handle: 'pay', claims: amounts.map((amount) => ({ ...claim, amount })) };
  const seen = intentSubjectOf({ ...record, data } as unknown as LedgerRecord, walletOf);
  expect(parseConditions({ ...filter }, patternMaker)(seen)).toBe(expected);
});

test('a wallet is there once, however often claims name it', () => {
  expect((subject as { sources: unknown[] }).sources).toHaveLength(2);
});

test('a wallet behind a source is a source, too', () => {
  const behind = [{ data: { handle: 'safe', schema: 'box' }, meta: { domain: 'south' } } as never];
  const seen = intentSubjectOf(record, walletOf, behind);
  const filter = { 'sources.schema': 'box', 'wallets.domain': 'south' };
  expect(parseConditions(filter, patternMaker)(seen)).toBe(true);
  expect(parseConditions({ 'targets.schema': 'box' }, patternMaker)(seen)).toBe(false);
});

test('its members are those of an intent and what is derived, each by its name', () => {
  const known = [...Object.keys(membersSeenIn('intent')), ...derivedMembers];
  const subject = intentSubjectOf(record as unknown as LedgerRecord, () => undefined);
  expect(known).toEqual(expect.arrayContaining(Object.keys(subject as object)));
});
