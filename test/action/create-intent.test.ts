/** Goal: an intent whose wallets and symbols change under it is decided anew, and not without end. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { claimOf, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

// Those who were slower wait for a random time; here for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** A desk whose store says that what an opening names has gone, so many times. */
async function opened(refusalCount: number): Promise<Desk & { readonly opens: () => number }> {
  let openCount = 0;
  const desk = await openDesk(({ open }) => ({
    open: async (openings) => {
      openCount += 1;
      return openCount > refusalCount ? open(openings) : false;
    },
  }));
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  await desk.make('wallet', { handle: 'ann' });
  return { ...desk, opens: () => openCount };
}

const issue = ({ run, key }: Desk) => {
  const data = { handle: unique('intent'), claims: [claimOf('issue ann 5 usd')] };
  return run(createIntent, { body: signed(data, key) });
};

test('a balance that could not be opened is opened when all is read anew', async () => {
  const desk = await opened(3);
  const { meta } = await issue(desk);
  expect([meta.status, desk.opens()]).toEqual(['completed', 4]);
});

test('an intent that can never open its balance is given up, and nothing is stored', async () => {
  const desk = await opened(Number.POSITIVE_INFINITY);
  await expect(issue(desk)).rejects.toMatchObject({ reason: 'api.request-timeout' });
  expect(desk.opens()).toBeLessThan(100);
  expect(await desk.services.store.list('main', 'intent', { index: 0, limit: 1 })).toEqual([]);
});
