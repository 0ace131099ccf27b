/**
 * Goal: a decision that is taken anew, since another request was faster, rests on the rights of then: a key that was taken
 * away meanwhile counts for nothing. Decision 129.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { assign, create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  claimOf,
  farewell,
  type Json,
  newKey,
  now,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Desk, isIntent, openDeskBefore } from '../fixture/desk.ts';

// Those who were slower wait for a random time; here for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** Whoever signs may create intents and circles. */
const open = ['intent', 'circle'].map((record) => {
  return { action: 'create', record, signer: { public: { $regex: '.' } } };
});
/** The members of the circle may spend from wallets and decide. */
const access = [
  ...['read', 'commit'].map((action) => ({ action, record: 'intent' })),
  { action: 'spend', record: 'wallet' },
];

/** A governed ledger with a full till, and a clerk who pays from it by being in a circle. */
async function counter() {
  const { desk, arm } = await openDeskBefore('commit', isIntent);
  const { run, key, make, services } = desk;
  const clerk = newKey();
  const pay = (claim: string, by = clerk, more: Json = {}) => {
    const data = { handle: unique('pay'), claims: [claimOf(claim)], ...more };
    return run(createIntent, { body: signed(data, by) });
  };
  const keyData = { public: clerk.public, format: 'ed25519-raw' };
  await make('symbol', { handle: 'usd', factor: 1 });
  const till = await make('wallet', { handle: 'till' });
  await make('wallet', { handle: 'bob' });
  await pay('issue till 100 usd', key);
  const signer = await make('signer', { handle: 'clerk', ...keyData });
  await make('circle', { handle: 'all', access: open });
  const circle = await make('circle', { handle: 'payers', access });
  const link = { circle: 'payers', signer: 'clerk' };
  const member = await run(assign, { path: { id: 'payers' }, body: signed(link, key) });
  /** Answers about the till at this moment: a payment that is under way has to state a later one. */
  const overtake = () =>
    services.store.fence('main', { handle: 'till', luid: till.luid }, Date.now() + 1);
  return { ...desk, arm, clerk, pay, signer, circle, member, overtake };
}
type Counter = Awaited<ReturnType<typeof counter>>;

const say = ({ run, key }: Desk, kind: 'signer' | 'circle', { hash, data }: LedgerRecord) => {
  const body = proofOf(hash, key, { moment: now(), status: 'inactive' });
  return run(prove(kind), { path: { id: data.handle }, body });
};

const ends: readonly (readonly [string, (at: Counter) => Promise<unknown>])[] = [
  ['its signer was set inactive', (at) => say(at, 'signer', at.signer)],
  ['its circle was set inactive', (at) => say(at, 'circle', at.circle)],
  [
    'its signer left the circle',
    ({ run, key, member }) =>
      run(drop('circle-signer'), {
        path: { id: 'payers', link: 'clerk' },
        body: farewell(member, key),
      }),
  ],
];

describe.each(ends)('a key by which %s before others were faster', (_, end) => {
  test('pays nothing', async () => {
    const at = await counter();
    expect((await at.pay('transfer till bob 5 usd')).meta.status).toBe('completed');
    at.arm(async () => {
      await end(at);
      await at.overtake();
    });
    expect((await at.pay('transfer till bob 5 usd')).meta.status).toBe('pending');
    const [row] = await at.services.store.balances('main', 'bob');
    expect(row?.available).toBe(5n);
  });

  test('decides nothing', async () => {
    const at = await counter();
    const hold = await at.pay('transfer till bob 5 usd', at.key, {
      config: { commit: 'manual' },
    });
    expect(hold.meta.status).toBe('prepared');
    at.arm(async () => {
      await end(at);
      await at.overtake();
    });
    const body = proofOf(hold.hash, at.clerk, { moment: now(), status: 'committed' });
    const deciding = at.run(prove('intent'), { path: { id: hold.data.handle }, body });
    await expect(deciding).rejects.toMatchObject({ reason: 'auth.forbidden' });
    const [row] = await at.services.store.balances('main', 'till');
    expect(row?.reserved).toBe(5n);
  });
});

test('a ledger that got its first rules before others were faster lets nobody pay by having none', async () => {
  const { desk, arm } = await openDeskBefore('commit', isIntent);
  const { run, key, make, services } = desk;
  await make('symbol', { handle: 'usd', factor: 1 });
  const till = await make('wallet', { handle: 'till' });
  await make('wallet', { handle: 'bob' });
  const pay = (claim: string, by = key) =>
    run(createIntent, {
      body: signed({ handle: unique('pay'), claims: [claimOf(claim)] }, by),
    });
  await pay('issue till 100 usd');
  arm(async () => {
    await run(create('circle'), { body: signed({ handle: 'all', access: open }, key) });
    await services.store.fence('main', { handle: 'till', luid: till.luid }, Date.now() + 1);
  });
  expect((await pay('transfer till bob 5 usd', newKey())).meta.status).toBe('pending');
});
