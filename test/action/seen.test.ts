/** Records as conditions see them. Ruling 42, Decision 42. */
import { expect, test } from 'vitest';
import { viewFor } from '../../shared/access/seen.ts';
import type { Conditions } from '../../shared/ledger/rule.ts';
import type { Call } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { openDesk } from '../fixture/desk.ts';

test('the wallets behind the addresses of an intent are read only where a condition asks for a name', async () => {
  let reads = 0;
  const { services } = await openDesk(({ load }) => ({
    load: async (wants) => {
      reads += 1;
      return load(wants);
    },
  }));
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('The default ledger is there.');
  const data = { handle: 'pay', claims: [{ action: 'issue', target: 'ann@blue', symbol: 'usd' }] };
  const readsFor = async (kind: string, condition: Conditions) => {
    const work = newWork(services);
    const call: Call = { services, ledger, path: {}, query: {}, body: undefined, work };
    reads = 0;
    const view = await viewFor(call, kind, data, () => [undefined, condition]);
    return [reads, view(data).length];
  };
  expect(await readsFor('intent', { 'custom.order': 7 })).toEqual([0, 1]);
  expect(await readsFor('symbol', { 'claims.target': 'ann@blue' })).toEqual([0, 1]);
  const [some] = await readsFor('intent', { 'claims.target': 'ann@blue' });
  expect(some).toBeGreaterThan(0);
});
