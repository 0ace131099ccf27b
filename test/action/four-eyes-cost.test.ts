/** Goal: policies about intents cost a payment that none of them is about one reading, and nothing where there are none. */
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import type { Store } from '../../shared/port/ports.ts';
import { claimOf, type Item, type Json, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

/** A desk with two wallets that have moved, and what its store is asked for. */
async function watchedDesk() {
  const seen: string[] = [];
  const desk = await openDesk((store: Store) => ({
    load: (wants) => {
      seen.push('load');
      return store.load(wants);
    },
    indexed: (...about) => {
      seen.push(`indexed ${about[1]} ${about[2]}`);
      return store.indexed(...about);
    },
    open: (openings) => {
      seen.push('open');
      return store.open(openings);
    },
    commit: (commit) => {
      seen.push('commit');
      return store.commit(commit);
    },
  }));
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  await pay(desk, 'issue alice 100 usd');
  await pay(desk, 'transfer alice bob 1 usd');
  return { desk, seen };
}

async function pay({ run, key }: Desk, claim: string): Promise<unknown> {
  const data = { handle: unique('pay'), claims: [claimOf(claim)] };
  const { meta } = (await run(createIntent, { body: signed(data, key) })) as unknown as Item;
  return meta.status;
}

const policyOf = (more: Json): Json => ({
  ...{ handle: unique('policy'), schema: 'status', record: 'intent' },
  values: [{ status: 'committed', quorum: [{ handle: 'ann' }] }],
  ...more,
});

async function stepsOf(...policies: Json[]) {
  const { desk, seen } = await watchedDesk();
  for (const policy of policies) await desk.make('policy', policyOf(policy));
  seen.splice(0);
  return [await pay(desk, 'transfer alice bob 1 usd'), ...seen];
}

test('a payment in a ledger without such policies', async () => {
  expect(await stepsOf()).toEqual(['completed', 'load', 'commit']);
  expect(await stepsOf({ record: 'wallet' })).toEqual(['completed', 'load', 'commit']);
});

test('a payment that no policy is about', async () => {
  const filter = { 'amounts.usd': { $gte: 50 } };
  const once = ['completed', 'load', 'indexed policy intent', 'commit'];
  expect(await stepsOf({ filter }, { filter })).toEqual(once);
});
