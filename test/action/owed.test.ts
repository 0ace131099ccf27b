/** Goal: a bridge is not dropped while it has something to carry out, however far the index is behind. Rulings 12 and 55. */
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { assertOwesNothing } from '../../shared/action/owed.ts';
import type { Call } from '../../shared/port/action.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { claimOf, signed } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';
import { farBehind } from '../fixture/far-behind.ts';

test('what a bridge has left is seen while its intents are behind the newest changes', async () => {
  const { make, run, key, services } = await openDesk();
  await make('symbol', { handle: 'usd', factor: 1 });
  await make('bridge', { handle: 'bank', config: { server: 'https://a.example' } });
  await make('wallet', { handle: 'till', bridge: 'bank' });
  await make('wallet', { handle: 'shop' });
  const behind = { ...services, catalog: farBehind(services.catalog) };
  const [bank] = await services.store.load([
    { what: 'record', scope: 'main', kind: 'bridge', handle: 'bank' },
  ]);
  const owing = () => {
    const call = { services: behind, ledger: { handle: 'main' }, work: newWork(behind) };
    return assertOwesNothing(call as unknown as Call, bank as NonNullable<typeof bank>);
  };
  await owing();
  const data = { handle: 'pay', claims: [claimOf('transfer till shop 5 usd')] };
  await run(createIntent, { body: signed(data, key) });
  await expect(owing()).rejects.toMatchObject({ reason: 'record.drop-rejected' });
});
