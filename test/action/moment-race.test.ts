/**
 * Goal: what was answered about a moment of a wallet stays true, also of the moment of the answer, whatever is being
 * stored then. Rulings 81 to 83, Decision 92.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { balances } from '../../shared/action/balances.ts';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { entries } from '../../shared/action/entries.ts';
import { prove } from '../../shared/action/prove.ts';
import { claimOf, type Json, now, proofOf, signed, unique } from '../fixture/client.ts';
import { type Desk, isIntent, openDeskBefore, type StoreStep } from '../fixture/desk.ts';

// Those who were slower wait for a random time; here for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const intentOf = (desk: Desk, claims: readonly string[], more: Json = {}) =>
  signed({ handle: unique('pay'), claims: claims.map(claimOf), ...more }, desk.key);

async function pay(desk: Desk, claim: string, more: Json = {}) {
  const record = await desk.run(createIntent, { body: intentOf(desk, [claim], more) });
  expect(record.meta.status).toBe(more['config'] ? 'prepared' : 'completed');
  return record;
}

async function decide(desk: Desk, { luid, hash }: { luid: string; hash: string }, status: string) {
  const body = proofOf(hash, desk.key, { moment: now(), status });
  return desk.run(prove('intent'), { path: { id: luid }, body });
}

/** Two wallets, of which alice has ten dollars, and a hold of three of them that waits for its decision. */
async function deskWith(step: StoreStep = 'commit') {
  const { desk, arm } = await openDeskBefore(step, step === 'commit' ? isIntent : () => true);
  for (const handle of ['usd', 'eur']) await desk.make('symbol', { handle, factor: 1 });
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  await pay(desk, 'issue alice 10 usd');
  const hold = await pay(desk, 'transfer alice bob 3 usd', { config: { commit: 'manual' } });
  return { desk, arm, hold };
}

interface Answer {
  readonly data: readonly { readonly data: Json; readonly meta: { readonly moment: string } }[];
  readonly meta: { readonly closing: { readonly data: Json } };
}

/** The balances at a moment, by a server whose clock is ahead. */
async function shown({ run, services }: Desk, wallet: string, moment: string, aheadMs = 0) {
  const answer = await run(balances, {
    path: { id: wallet },
    query: { moment: [moment] },
    services: { ...services, clock: () => Date.now() + aheadMs },
  });
  return (answer as unknown as Answer).data.map(({ data }) => data);
}

async function stated({ run }: Desk, wallet: string, symbol: string, moment?: string) {
  const query = { symbol: [symbol], include: ['holds'], ...(moment && { to: [moment] }) };
  const answer = (await run(entries, { path: { id: wallet }, query })) as unknown as Answer;
  return { rows: answer.data.map(({ data }) => data), closing: answer.meta.closing.data };
}

type Payment = (desk: Desk, hold: { luid: string; hash: string }) => Promise<unknown>;

const payments: readonly { what: string; make: Payment; step?: StoreStep; symbol?: string }[] = [
  { what: 'a transfer', make: (desk) => pay(desk, 'transfer alice bob 5 usd') },
  { what: 'an issue', make: (desk) => pay(desk, 'issue alice 5 usd') },
  {
    what: 'a first payment of a symbol',
    make: (desk) => pay(desk, 'issue alice 5 eur'),
    symbol: 'eur',
  },
  {
    what: 'a first payment of a symbol, before its balance is opened,',
    make: (desk) => pay(desk, 'issue alice 5 eur'),
    step: 'open',
    symbol: 'eur',
  },
  {
    what: 'a hold',
    make: (desk) => pay(desk, 'transfer alice bob 5 usd', { config: { commit: 'manual' } }),
  },
  { what: 'the decision of a hold', make: (desk, hold) => decide(desk, hold, 'committed') },
  { what: 'the end of a hold', make: (desk, hold) => decide(desk, hold, 'aborted') },
  {
    what: 'an atomic batch',
    make: (desk) => {
      const data = ['transfer alice bob 2 usd', 'transfer alice bob 1 usd'];
      const body = { mode: 'atomic', data: data.map((claim) => intentOf(desk, [claim])) };
      return desk.run(batchIntents, { body });
    },
  },
];

describe.each(payments)('$what that is being stored', ({ make, step, symbol = 'usd' }) => {
  test('is later than the balances of a moment that were answered meanwhile', async () => {
    const { desk, arm, hold } = await deskWith(step);
    const seen: { moment: string; rows: Json[] }[] = [];
    arm(async () => {
      const moment = now();
      seen.push({ moment, rows: await shown(desk, 'alice', moment) });
    });
    await make(desk, hold);
    const [before] = seen;
    expect(before?.rows).toMatchObject([
      { symbol: 'usd', amount: 7n },
      { schema: 'reserved', amount: 3n },
    ]);
    expect(await shown(desk, 'alice', before?.moment ?? '')).toEqual(before?.rows);
    expect(await shown(desk, 'alice', await later(before?.moment))).not.toEqual(before?.rows);
  });

  test('is later also where the clock of the answer was ahead', async () => {
    const { desk, arm, hold } = await deskWith(step);
    const moment = new Date(Date.now() + 4_000).toISOString();
    const seen: Json[][] = [];
    arm(async () => void seen.push(await shown(desk, 'alice', moment, 5_000)));
    await make(desk, hold);
    expect(await shown(desk, 'alice', moment, 5_000)).toEqual(seen[0]);
    const after = new Date(Date.parse(moment) + 1).toISOString();
    expect(await shown(desk, 'alice', after, 5_000)).not.toEqual(seen[0]);
  });

  test('is later than the entries that were answered meanwhile', async () => {
    const { desk, arm, hold } = await deskWith(step);
    const seen: Awaited<ReturnType<typeof stated>>[] = [];
    arm(async () => {
      seen.push(await stated(desk, 'alice', symbol));
    });
    await make(desk, hold);
    const [before] = seen;
    const moment = String(before?.closing['moment']);
    // The end is excluded when it is named, and included when it is the present.
    const end = new Date(Date.parse(moment) + 1).toISOString();
    await later(end);
    const after = await stated(desk, 'alice', symbol, end);
    expect(after.rows).toEqual(before?.rows);
    expect({ ...after.closing, moment }).toEqual(before?.closing);
    expect((await stated(desk, 'alice', symbol)).rows.length).toBeGreaterThan(
      before?.rows.length ?? 0,
    );
  });
});

test('a moment that is settled fences nothing', async () => {
  const { desk } = await deskWith();
  await shown(desk, 'alice', now(), 31_000);
  const [row] = await desk.services.store.balances('main', 'alice');
  expect(row?.fencedMs).toBeUndefined();
});

const slow: readonly { what: string; make: (desk: Desk) => Promise<unknown> }[] = [
  { what: 'a payment', make: (desk) => pay(desk, 'issue alice 5 eur') },
  {
    what: 'an atomic batch',
    make: (desk) => {
      const body = { mode: 'atomic', data: [intentOf(desk, ['issue alice 5 eur'])] };
      return desk.run(batchIntents, { body });
    },
  },
  {
    what: 'an independent batch',
    make: (desk) => {
      const data = [2, 3].map((amount) => intentOf(desk, [`issue alice ${amount} eur`]));
      return desk.run(batchIntents, { body: { mode: 'independent', data } });
    },
  },
];

test.each(slow)(
  '$what that is slow to be decided is later than what is final',
  async ({ make }) => {
    const { now: nowMs } = Date;
    let passedMs = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => nowMs() + passedMs);
    const { desk, arm } = await deskWith('open');
    const seen: { moment: string; rows: Json[] }[] = [];
    arm(async () => {
      const moment = new Date(Date.now()).toISOString();
      passedMs = 31_000;
      seen.push({ moment, rows: await shown(desk, 'alice', moment) });
    });
    await make(desk);
    const [before] = seen;
    expect(before?.rows).toMatchObject([{ symbol: 'usd' }, { schema: 'reserved' }]);
    expect(await shown(desk, 'alice', before?.moment ?? '')).toEqual(before?.rows);
    const present = new Date(Date.now()).toISOString();
    expect(await shown(desk, 'alice', present)).toMatchObject([
      { symbol: 'eur', amount: 5n },
      ...[{ symbol: 'usd' }, { schema: 'reserved' }],
    ]);
  },
);

/** The present moment, once it is later than another. */
async function later(than = ''): Promise<string> {
  while (now() <= than) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 2));
  return now();
}
