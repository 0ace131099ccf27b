/** Atomic batches, and what others store while one is judged. Ruling 90, Decision 103. */
import { expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { update } from '../../shared/action/update.ts';
import type { Body, Item } from '../fixture/client.ts';
import { claimOf, signed } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

type Line = Item & { readonly status: number };

async function postAll(desk: Desk, data: readonly Body[]): Promise<Line[]> {
  const { data: lines } = await desk.run(batchIntents, { body: { data, mode: 'atomic' } });
  return lines as unknown as Line[];
}

test.each([1, 2, 3, 4])(
  'a batch that another request stores after reading %i of this one is answered with its records',
  async (number) => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    let left = number;
    const desk = await openDesk(({ load }) => ({
      load: async (wants) => {
        const found = await load(wants);
        const isOfIntents = wants.some((one) => one.what === 'record' && one.kind === 'intent');
        if (meanwhile && isOfIntents && --left === 0) await meanwhile();
        return found;
      },
    }));
    const { key, run, make } = desk;
    await make('symbol', { handle: 'usd', factor: 100 });
    for (const handle of ['a', 'b']) await make('wallet', { handle });
    const funds = signed({ handle: 'funds', claims: [claimOf('issue a 25 usd')] }, key);
    await run(createIntent, { body: funds });
    const data = ['p', 'q'].map((handle) =>
      signed({ handle, claims: [claimOf('transfer a b 10 usd')] }, key),
    );
    let others: Line[] = [];
    meanwhile = async () => {
      others = await postAll(desk, data);
    };
    const lines = await postAll(desk, data);
    expect(lines.map(({ status }) => status)).toEqual([200, 200]);
    expect(lines.map(({ luid }) => luid)).toEqual(others.map(({ luid }) => luid));
  },
);

test('a route that is laid between the readings of two intents leads neither past a policy', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  let first: Promise<unknown> | undefined;
  const desk = await openDesk(({ load }) => ({
    load: async (wants) => {
      const isOfFront = wants.some((one) => one.what === 'record' && one.handle === 'front');
      if (!meanwhile || !isOfFront) return load(wants);
      if (!first) {
        const found = load(wants);
        first = found;
        return found;
      }
      const act = meanwhile;
      meanwhile = undefined;
      await first;
      await act();
      return load(wants);
    },
  }));
  const { key, run, make } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['vault', 'bob']) await make('wallet', { handle });
  const front = await make('wallet', { handle: 'front' });
  const claims = [claimOf('issue vault 1000 usd'), claimOf('issue front 20 usd')];
  await run(createIntent, { body: signed({ handle: 'funds', claims }, key) });
  await make('policy', {
    ...{ handle: 'eyes', schema: 'status', record: 'intent' },
    filter: { 'sources.handle': 'vault', 'amounts.usd': { $gt: 10 } },
    values: [{ status: 'committed', quorum: [{ handle: 'ann' }, { handle: 'cat' }] }],
  });
  const pay = (handle: string, amount: number) =>
    signed({ handle, claims: [claimOf(`transfer front bob ${amount} usd`)] }, key);
  const routes = [{ action: 'debit', target: 'vault' }];
  meanwhile = () => {
    const body = signed({ handle: 'front', routes, parent: front.hash }, key);
    return run(update('wallet'), { path: { id: 'front' }, body: { luid: front.luid, ...body } });
  };
  await expect(postAll(desk, [pay('large', 20), pay('small', 1)])).rejects.toMatchObject({
    reason: 'record.invalid',
    custom: { errors: [{ index: 0, detail: 'The intent would wait.' }] },
  });
});

test('an intent of a batch fails by the limit that it sets, and not by what a later one lacks', async () => {
  const desk = await openDesk();
  const { key, run, make } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['a', 'b', 'c']) await make('wallet', { handle });
  const funds = signed({ handle: 'funds', claims: [claimOf('issue a 10 usd')] }, key);
  await run(createIntent, { body: funds });
  const data = ['limit a minBalance 20 usd', 'transfer c b 5 usd'].map((claim, index) =>
    signed({ handle: `i${index}`, claims: [claimOf(claim)] }, key),
  );
  const detail = 'The new minBalance of wallet a in usd is 20, and it would come to 10.';
  await expect(postAll(desk, data)).rejects.toMatchObject({
    custom: { errors: [{ index: 0, detail }] },
  });
});

test('all of a batch states one moment, also what routes forward and the limits that it sets', async () => {
  const desk = await openDesk();
  const { key, make } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['a', 'b', 'c']) await make('wallet', { handle });
  await make('wallet', { handle: 'fwd', routes: [{ action: 'forward', target: 'b' }] });
  let nowMs = Date.now();
  const services = { ...desk.services, clock: () => nowMs++ };
  const all = [
    ['issue a 10 usd'],
    ['transfer a fwd 10 usd', 'limit fwd maxBalance 80 usd'],
    ['transfer b c 10 usd'],
  ].map((claims, index) => signed({ handle: `i${index}`, claims: claims.map(claimOf) }, key));
  const body = { data: all, mode: 'atomic' };
  const { data } = await desk.run(batchIntents, { services, body });
  const words = (data as unknown as Line[]).flatMap(({ meta }) =>
    meta.proofs.flatMap(({ custom }) => (custom?.['status'] === 'committed' ? [custom] : [])),
  );
  const [balance] = await services.store.balances('main', 'fwd');
  const moments = [...words.map((one) => one['moment']), balance?.limits?.maxBalance?.moment];
  expect(moments).toEqual(Array.from({ length: 4 }, () => moments[0]));
});
