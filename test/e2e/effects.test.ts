/**
 * Goal: every event is a delivery that can be read, and arrives where the target can call this machine. Elsewhere no
 * endpoint answers, and the delivery shows it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Item, signed, unique } from '../fixture/client.ts';
import {
  type Arrival,
  assertWebhook,
  type Receiver,
  startReceiver,
  until,
} from '../fixture/receiver.ts';
import { newLedger, owner, patienceMs, target } from './target.ts';

let ledger: Client;

beforeAll(async () => {
  ledger = await newLedger();
});

const newWallet = (tier: string) =>
  ledger.make('wallets', { handle: unique('wallet'), custom: { tier } }, owner);
/** Filters by a tier, because late events of other tests would match as well. */
const newEffect = (endpoint: string, tier: string) => {
  const action = { schema: 'webhook', endpoint };
  const filter = { 'wallet.data.custom.tier': tier };
  const data = { handle: unique('effect'), signal: 'wallet-created', filter, action };
  return ledger.make('effects', data, owner);
};

/** Waits for a delivery of an effect that meets a condition. */
async function delivered(effect: Item, isIt: (delivery: Item) => boolean): Promise<Item> {
  let found: Item | undefined;
  const path = `/effects/${effect.luid}/events`;
  const isThere = async () => {
    const { items } = await ledger.get(path);
    found = items.find(isIt);
    if (!found) await new Promise((resolve) => setTimeout(resolve, 100));
    return found !== undefined;
  };
  await until(`a delivery at ${path}`, isThere, patienceMs);
  return found as Item;
}

test('an event where nobody listens is a delivery that says so', async () => {
  // The domain .invalid never exists. RFC 6761.
  const effect = await newEffect('https://nobody.invalid/hook', 'silent');
  const { luid } = await newWallet('silent');
  const delivery = await delivered(effect, ({ meta }) => meta.status === 'failed');
  expect(delivery.data).toMatchObject({ effect: effect.data.handle, linked: luid });
  const reasons = delivery.meta.proofs.map(({ custom }) => custom?.['reason']);
  expect(reasons).toContain('delivery.target-unreachable');
  const path = `/effects/${effect.luid}/events/${delivery.luid}`;
  const read = await ledger.get(path);
  expect([read.status, read.body.hash]).toEqual([200, delivery.hash]);
});

describe.runIf(target.isInside)('where the target may call us', () => {
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());

  test('a webhook arrives, signed by the ledger, and its delivery is over', async () => {
    const effect = await newEffect(receiver.at('/taken'), 'taken');
    const { luid } = await newWallet('taken');
    const [arrival] = (await receiver.until('/taken', 1, patienceMs)) as [Arrival];
    assertWebhook(arrival, ledger.key);
    expect((arrival.data['wallet'] as Item).luid).toBe(luid);
    const delivery = await delivered(effect, ({ meta }) => meta.status === 'delivered');
    expect(delivery.data['linked']).toBe(luid);
  });

  test('only what the filter lets pass arrives', async () => {
    await newEffect(receiver.at('/gold'), 'gold');
    await newWallet('tin');
    const gold = await newWallet('gold');
    const arrivals = await receiver.until('/gold', 1, patienceMs);
    // An event may arrive twice: it is delivered at least once.
    const luids = new Set(arrivals.map(({ data }) => (data['wallet'] as Item).luid));
    expect([...luids]).toEqual([gold.luid]);
  });

  test('what was not taken is sent again', async () => {
    receiver.behave('/later', [{ status: 500 }, { status: 204 }]);
    const effect = await newEffect(receiver.at('/later'), 'later');
    await newWallet('later');
    const [first, second] = (await receiver.until('/later', 2, patienceMs)) as [Arrival, Arrival];
    expect(second.handle).toBe(first.handle);
    await delivered(effect, ({ meta }) => meta.status === 'delivered');
  });

  test('what was refused is sent again when that is asked for', async () => {
    receiver.behave('/refused', [{ status: 501 }, { status: 204 }]);
    const effect = await newEffect(receiver.at('/refused'), 'refused');
    await newWallet('refused');
    const { luid } = await delivered(effect, ({ meta }) => meta.status === 'cancelled');
    const wish = signed({ handle: luid }, owner);
    expect((await ledger.post(`/effects/${effect.luid}/events/retry`, wish)).status).toBe(202);
    await delivered(effect, ({ meta }) => meta.status === 'delivered');
  });
});
