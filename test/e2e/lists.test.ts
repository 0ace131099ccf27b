/** Goal: lists come in pages, newest first; filters and search find the records that match. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Item, type Json, revision } from '../fixture/client.ts';
import { newLedger, owner } from './target.ts';

let ledger: Client;
const cities = ['Split', 'Zadar', 'Pula', 'Split', 'Zadar'];

beforeAll(async () => {
  ledger = await newLedger();
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const [n, city] of cities.entries())
    await ledger.make('wallets', { handle: `w${n}`, custom: { n, city } }, owner);
  await ledger.settle(owner, 'issue w0 100 usd');
  await ledger.settle(owner, 'transfer w0 w1 30 usd');
  await ledger.settle(owner, 'transfer w0 w2 500 usd');
});

const handlesOf = (items: readonly Item[]) => items.map(({ data }) => data.handle);
async function found(query: string, group = 'wallets'): Promise<unknown[]> {
  const { status, items, detail } = await ledger.get(`/${group}?${query}`);
  expect([status, detail]).toEqual([200, undefined]);
  return handlesOf(items);
}

describe('a list', () => {
  test('comes in pages, newest first', async () => {
    expect(await found('page.limit=2')).toEqual(['w4', 'w3']);
    expect(await found('page.limit=2&page.index=1')).toEqual(['w2', 'w1']);
    expect(await found('page.limit=2&page.index=2')).toEqual(['w0']);
    const { page } = await ledger.get('/wallets?page.limit=2&page.index=1');
    expect(page).toMatchObject({ index: 1, limit: 2 });
  });

  test.each([
    ['data.custom.city=Split', ['w3', 'w0']],
    ['data.custom.city=Split&data.custom.n=3', ['w3']],
    ['data.custom.city.$in=%5B%22Split%22,%22Pula%22%5D', ['w3', 'w2', 'w0']],
    ['data.custom.city.$ne=Split', ['w4', 'w2', 'w1']],
    ['data.custom.n.$gte=3', ['w4', 'w3']],
    ['data.handle=w2', ['w2']],
    ['data.custom.city=%C5%A0ibenik', []],
  ])('shows what %s matches', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('is refused that asks for what no list is filtered by', async () => {
    const { status, reason } = await ledger.get('/wallets?data.color=red');
    expect([status, reason]).toEqual([400, 'api.query-malformed']);
  });

  test('of intents is filtered by what became of them', async () => {
    const { items } = await ledger.get('/intents?meta.status=rejected');
    expect(items.map(({ data }) => (data['claims'] as Json[])[0]?.['amount'])).toEqual([500]);
  });

  test('shows a record as it is now', async () => {
    const { body } = await ledger.get('/wallets/w4');
    const change = revision(body, { custom: { n: 4, city: 'Rijeka' } }, owner);
    expect((await ledger.put('/wallets/w4', change)).status).toBe(200);
    expect(await found('data.custom.city=Rijeka')).toEqual(['w4']);
    expect(await found('data.custom.city=Zadar')).toEqual(['w1']);
  });
});

describe('a search', () => {
  const search = (text: string) => found(`$plainTextQuery=${encodeURIComponent(text)}`, 'intents');

  test('finds intents by their words', async () => {
    expect(await search('transfer')).toHaveLength(2);
    expect(await search('w1')).toHaveLength(1);
    expect(await search('W1 usd completed')).toHaveLength(1);
    expect(await search('nobody')).toEqual([]);
  });
});

describe('a history', () => {
  test('has each version, newest first, numbered without gaps', async () => {
    const first = await ledger.make('symbols', { handle: 'eur', factor: 100 }, owner);
    const path = `/symbols/${first.luid}`;
    let current = first;
    for (const name of ['euro', 'Euro'])
      current = (await ledger.put(path, revision(current, { custom: { name } }, owner))).body;
    const { items } = await ledger.get(`${path}/changes`);
    expect(items.map(({ data }) => (data['custom'] as Json | undefined)?.['name'])).toEqual([
      ...['Euro', 'euro', undefined],
    ]);
    for (const [index, name] of [undefined, 'euro', 'Euro'].entries()) {
      const { status, body } = await ledger.get(`${path}/changes/${index + 1}`);
      const custom = body.data['custom'] as Json | undefined;
      expect([status, custom?.['name']]).toEqual([200, name]);
    }
    expect((await ledger.get(`${path}/changes/4`)).reason).toBe('record.not-found');
  });
});
