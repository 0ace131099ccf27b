import { expect, test } from 'vitest';
import {
  isLimit,
  type Limit,
  limitsAfter,
  settingsOf,
  settingsOfIntent,
} from '../../shared/ledger/limit.ts';
import type { Claim, LimitMetric } from '../../shared/shape/intent.ts';
import { created } from '../fixture/version.ts';

const limit = (wallet: string, metric: LimitMetric, amount: number, symbol = 'usd'): Claim => ({
  ...{ action: 'limit', wallet, symbol, metric, amount },
});
const issue: Claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 1 };

test('only the claims of one action set limits', () => {
  expect([issue, limit('alice', 'dailyCount', 1)].map(isLimit)).toEqual([false, true]);
});

test('a limit is set on the wallet that its address leads to, and the last claim counts', () => {
  const claims = [
    limit('alice', 'dailyCount', 1),
    issue,
    limit('savings:1@bank', 'dailyCount', 2),
    limit('alice', 'dailyCount', 3),
    limit('alice', 'dailyCount', 4, 'eur'),
    limit('alice', 'maxBalance', 5),
  ];
  const settings = settingsOf(claims, ({ wallet }) => (wallet === 'alice' ? 'alice' : 'bank'));
  expect(settings).toEqual([
    { wallet: 'alice', symbol: 'usd', metric: 'dailyCount', amount: 3 },
    { wallet: 'bank', symbol: 'usd', metric: 'dailyCount', amount: 2 },
    { wallet: 'alice', symbol: 'eur', metric: 'dailyCount', amount: 4 },
    { wallet: 'alice', symbol: 'usd', metric: 'maxBalance', amount: 5 },
  ]);
});

test('an intent keeps to the wallets that were found when it was signed', () => {
  const claims = [issue, limit('a@bank', 'maxBalance', 5), issue, limit('b@bank', 'maxBalance', 6)];
  const { record } = created('intent', 'rent', { claims } as never);
  const wallets = ({ wallet }: { readonly wallet: string }) => wallet;
  const limitedWallets = ['bank', 'other'];
  expect(settingsOfIntent({ record, limitedWallets }).map(wallets)).toEqual(limitedWallets);
  expect(settingsOfIntent({ record }).map(wallets)).toEqual(['a@bank', 'b@bank']);
});

test('a limit that is set again keeps its name and its beginning', () => {
  const old: Limit = { luid: '$lmt.1', amount: 1, moment: 'b', since: 'a', intent: '$int.1' };
  const settings = settingsOf(
    [limit('alice', 'dailyCount', 7), limit('alice', 'minBalance', -3)],
    () => 'alice',
  );
  const now = { moment: 'c', intent: '$int.2' };
  const after = limitsAfter({ dailyCount: old, maxBalance: old }, settings, now, () => '$lmt.2');
  expect(after).toEqual({
    dailyCount: { luid: '$lmt.1', amount: 7, moment: 'c', since: 'a', intent: '$int.2' },
    maxBalance: old,
    minBalance: { luid: '$lmt.2', amount: -3, moment: 'c', since: 'c', intent: '$int.2' },
  });
});
