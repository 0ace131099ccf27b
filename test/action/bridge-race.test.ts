/** Goal: a payment relies on its bridges as they stand when it is stored, not on how they stood a moment before. Ruling 69. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import type { Store } from '../../shared/port/ports.ts';
import {
  active,
  claimOf,
  type Item,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

// Those who were slower wait for a random time; here for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** A desk that does something just before an intent is stored for the first time. */
async function desk(meanwhile: (desk: Desk) => Promise<unknown>): Promise<Desk> {
  let isDone = false;
  const opened: Desk = await openDesk(({ commit }: Store) => ({
    commit: async (wish) => {
      if (!isDone && wish.writes.some(({ next }) => next.kind === 'intent')) {
        isDone = true;
        await meanwhile(opened);
      }
      return commit(wish);
    },
  }));
  await opened.make('symbol', { handle: 'usd', factor: 1 });
  await opened.make('bridge', { handle: 'bank', config: { server: 'https://a.example' } });
  await opened.make('wallet', { handle: 'till', bridge: 'bank' });
  await opened.make('wallet', { handle: 'shop' });
  return opened;
}

async function say({ run, key, services }: Desk, status: string) {
  const [bridge] = await services.store.load([
    { what: 'record', scope: 'main', kind: 'bridge', handle: 'bank' },
  ]);
  const proof = proofOf(bridge?.record.hash ?? '', key, { ...active(), status });
  return run(prove('bridge'), { path: { id: 'bank' }, body: proof });
}

const pay = async ({ run, key }: Desk) => {
  const data = { handle: unique('pay'), claims: [claimOf('transfer till shop 5 usd')] };
  return (await run(createIntent, { body: signed(data, key) })) as unknown as Item;
};

test.each([
  ['inactive', 'core.bridge-unreachable'],
  ['frozen', 'core.insufficient-balance'],
  ['active', 'processing'],
])('a bridge that becomes %s while somebody pays: %s', async (status, outcome) => {
  const opened = await desk((at) => say(at, status));
  expect(outcomeOf(await pay(opened))).toBe(outcome);
});
