/** Goal: balances of the past and statements are exact, signed, and by right. Rulings 81 and 82. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  farewell,
  type Item,
  newKey,
  newLedger,
  now,
  proofOf,
  type Reply,
  signed,
  unique,
} from '../fixture/client.ts';
import { byKey, byToken, forbidden, houseOf, outcome, owner, reading } from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const key = newKey();
const ledger = await newLedger(home, key);
const [alice, bob] = [unique('alice'), unique('bob')];
/** The moment after each step. */
const after: Record<string, string> = {};

const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
const step = async (name: string) => {
  await pause();
  after[name] = now();
  await pause();
};
const rowsOf = ({ items }: Reply) =>
  items.map(({ data }) => [data['symbol'], data['schema'], data['amount']].join(' '));
const balancesAt = (wallet: string, moment = '') =>
  ledger.get(`/wallets/${wallet}/balances?moment=${encodeURIComponent(moment)}`);
const entriesOf = (query: string, wallet = alice) =>
  ledger.get(`/wallets/${wallet}/entries?${query}`);
const linesOf = ({ items }: Reply) =>
  items.map(({ data }) => [data['schema'], data['amount'], data['balance']].join(' '));
const endsOf = ({ body }: Reply) => {
  const { opening, closing } = body.meta as unknown as Record<
    'opening' | 'closing',
    { data: Record<string, unknown> }
  >;
  return [opening.data['balance'], closing.data['balance']];
};

beforeAll(async () => {
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  for (const handle of [alice, bob]) await ledger.make('wallets', { handle }, key);
  await step('made');
  await ledger.settle(key, `issue ${alice} 100 usd`);
  await step('issued');
  const claims = [{ action: 'transfer', source: alice, target: bob, symbol: 'usd', amount: 30 }];
  const data = { handle: 'rent', claims, config: { commit: 'manual' } };
  const { hash, luid } = await ledger.make('intents', data, key);
  await step('held');
  const decision = proofOf(hash, key, { moment: now(), status: 'committed' });
  await ledger.post(`/intents/${luid}/proofs`, decision);
  await step('moved');
  await ledger.settle(key, `destroy ${alice} 5 usd`);
  await step('destroyed');
});

describe('a balance at a moment', () => {
  test('is what it was then', async () => {
    const at = async (name: string, wallet = alice) =>
      rowsOf(await balancesAt(wallet, after[name]));
    expect(await at('made')).toEqual([]);
    expect(await at('issued')).toEqual(['usd available 100']);
    expect(await at('held')).toEqual(['usd available 70', 'usd reserved 30']);
    expect(await at('held', bob)).toEqual([]);
    expect(await at('moved')).toEqual(['usd available 70', 'usd reserved 0']);
    expect(await at('moved', bob)).toEqual(['usd available 30']);
    const whole = await ledger.get(`/wallets/${alice}/balances`);
    expect(rowsOf(whole)).toEqual(await at('destroyed'));
    expect(rowsOf(whole)).toEqual(['usd available 65', 'usd reserved 0']);
  });

  test('is signed as of then', async () => {
    const { items, page } = await balancesAt(alice, after['issued']);
    expect(page).toEqual({ index: 0, limit: 20, total: 1 });
    const [row] = items;
    expect(row?.meta['moment']).toBe(after['issued']);
    expect(row?.meta.proofs[0]?.custom).toEqual({ luid: row?.luid, moment: after['issued'] });
    const current = await ledger.get(`/wallets/${alice}/balances`);
    expect(current.items[0]?.luid).toBe(row?.luid);
  });

  test.each([
    ['in the future', '2999-01-01T00:00:00Z', "'moment' must not be in the future."],
    [
      'before the ledger',
      '2020-01-01T00:00:00Z',
      "'moment' must not be before the ledger was made.",
    ],
    ...[
      ...['yesterday', '2026-01-01', '', '2026-13-01T00:00:00Z'],
      ...['2024-02-30T00:00:00Z', '2025-02-29T00:00:00+02:00'],
    ].map((text) => [
      `that is '${text}'`,
      text,
      "'moment' must be one moment with a time zone, such as 2026-01-31T00:00:00Z.",
    ]),
  ])('%s is refused', async (_, moment, detail) => {
    const reply = await balancesAt(alice, moment);
    expect(outcome(reply)).toEqual([400, 'api.query-malformed']);
    expect(reply.body.data).toMatchObject({
      detail: `Query parameter ${detail}`,
      custom: { parameter: 'moment' },
    });
  });

  test('knows nothing of an earlier wallet of the same handle', async () => {
    const handle = unique('twice');
    const first = await ledger.make('wallets', { handle }, key);
    await ledger.settle(key, `issue ${handle} 7 usd`);
    await step('first');
    await ledger.settle(key, `destroy ${handle} 7 usd`);
    const current = await ledger.get(`/wallets/${handle}`);
    const gone = await ledger.send('DELETE', `/wallets/${handle}`, farewell(current.body, key));
    expect(gone.status).toBe(204);
    await pause();
    const second = await ledger.make('wallets', { handle, custom: { number: 2 } }, key);
    expect(second.luid).not.toBe(first.luid);
    await step('second');
    await ledger.settle(key, `issue ${handle} 4 usd`);
    await step('third');
    const at = async (name: string) => rowsOf(await balancesAt(handle, after[name]));
    expect([await at('first'), await at('second'), await at('third')]).toEqual([
      ...[[], []],
      ['usd available 4'],
    ]);
    expect(linesOf(await entriesOf('symbol=usd', handle))).toEqual(['credit 4 4']);
    const { body } = await entriesOf(`symbol=usd&to=${after['first']}`, handle);
    const { opening, closing } = body.meta as unknown as Record<string, Item>;
    expect([opening?.data, closing?.data]).toMatchObject([
      { balance: 0, moment: after['first'] },
      { balance: 0, moment: after['first'] },
    ]);
  });

  test('of a wallet that took the handle of an earlier one begins when it did', async () => {
    const [old, own] = [unique('old'), unique('own')];
    const renamed = await ledger.make('wallets', { handle: own }, key);
    await ledger.make('wallets', { handle: old }, key);
    await ledger.settle(key, `issue ${old} 7 usd`, `destroy ${old} 7 usd`);
    const last = await ledger.get(`/wallets/${old}`);
    await ledger.send('DELETE', `/wallets/${old}`, farewell(last.body, key));
    await pause();
    const data = { handle: old, parent: renamed.hash };
    expect((await ledger.put(`/wallets/${renamed.luid}`, signed(data, key, {}))).status).toBe(200);
    await step('renamed');
    await ledger.settle(key, `issue ${old} 2 usd`);
    expect(linesOf(await entriesOf('symbol=usd', old))).toEqual(['credit 2 2']);
    expect(rowsOf(await balancesAt(old, after['renamed']))).toEqual([]);
  });
});

describe('entries', () => {
  test('have the balance after each, between the first and the last', async () => {
    const reply = await entriesOf('symbol=usd');
    expect(reply.status).toBe(200);
    expect(linesOf(reply)).toEqual(['credit 100 100', 'debit 30 70', 'debit 5 65']);
    expect(endsOf(reply)).toEqual([0, 65]);
    const [, rent] = reply.items;
    const intent = await ledger.get('/intents/rent');
    expect(rent).toMatchObject({
      data: {
        ...{ wallet: alice, symbol: 'usd', counterparty: bob, inputs: [0] },
        intent: { handle: 'rent', luid: intent.body.luid },
        handle: expect.stringMatching(/^deb_/),
      },
      meta: { moment: rent?.data['moment'], proofs: [{ signer: 'system' }] },
    });
    expect(reply.items[0]?.data).not.toHaveProperty('counterparty');
  });

  test('of an interval begin with it and end before its end', async () => {
    const [issued, destroyed] = [after['issued'], after['destroyed']];
    const reply = await entriesOf(`symbol=usd&from=${issued}&to=${destroyed}`);
    expect([linesOf(reply), endsOf(reply)]).toEqual([
      ['debit 30 70', 'debit 5 65'],
      [100, 65],
    ]);
    const moment = reply.items[0]?.data['moment'];
    const from = await entriesOf(`symbol=usd&from=${moment}&to=${moment}`);
    expect([linesOf(from), endsOf(from)]).toEqual([[], [100, 100]]);
    const upTo = await entriesOf(`symbol=usd&to=${moment}`);
    expect([linesOf(upTo), endsOf(upTo)]).toEqual([['credit 100 100'], [0, 100]]);
  });

  test('show on request what was reserved and released', async () => {
    const reply = await entriesOf('symbol=usd&include=holds');
    expect(linesOf(reply)).toEqual([
      ...['credit 100 100', 'reserve 30 100', 'release 30 100', 'debit 30 70', 'debit 5 65'],
    ]);
    expect(reply.items.map(({ data }) => data['reserved'])).toEqual([0, 30, 0, 0, 0]);
    const held = await entriesOf(`symbol=usd&to=${after['held']}`);
    expect(held.body.meta).toMatchObject({
      closing: {
        data: {
          schema: 'closing',
          balance: 100,
          reserved: 30,
          available: 70,
          moment: after['held'],
        },
      },
    });
  });

  test('come page by page', async () => {
    const lines: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const reply = await entriesOf(`symbol=usd&page.limit=1&page.cursor=${cursor}`);
      expect(endsOf(reply)).toEqual([0, 65]);
      lines.push(...linesOf(reply));
      cursor = String(reply.page['next'] ?? '');
      expect(cursor === '').toBe(page === 2);
    }
    expect(lines).toEqual(['credit 100 100', 'debit 30 70', 'debit 5 65']);
    expect((await entriesOf('symbol=usd&page.limit=2')).page).toEqual({
      ...{ index: 0, limit: 2 },
      next: expect.any(String),
    });
  });

  test('in a symbol that the wallet never had are none', async () => {
    const reply = await entriesOf('symbol=eur');
    expect([linesOf(reply), endsOf(reply)]).toEqual([[], [0, 0]]);
  });

  test.each([
    ['', 'symbol'],
    ['symbol=usd&symbol=eur', 'symbol'],
    ['symbol=a%23b', 'symbol'],
    ['symbol=usd&to=2999-01-01T00:00:00Z', 'to'],
    ['symbol=usd&from=never', 'from'],
    ['symbol=usd&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['symbol=usd&include=all', 'include'],
    ['symbol=usd&page.index=1', 'page.index'],
    ['symbol=usd&page.cursor=MTA', 'page.cursor'],
    ['symbol=usd&moment=2026-01-01T00:00:00Z', 'moment'],
  ])('are refused for %s', async (query, parameter) => {
    const reply = await entriesOf(query);
    expect(outcome(reply)).toEqual([400, 'api.query-malformed']);
    expect(reply.body.data['custom']).toMatchObject({ parameter });
  });
});

test('balances and entries of the past are for those who may read the wallet', async () => {
  const reader = newKey();
  const house = await houseOf(
    home,
    { action: 'read', record: 'wallet', ...byToken(reader) },
    { action: 'create', record: 'wallet', ...byKey(reader) },
  );
  const handle = unique('wallet');
  await house.make('wallets', { handle }, owner);
  const paths = [
    `/wallets/${handle}/balances?moment=${now()}`,
    `/wallets/${handle}/entries?symbol=usd`,
  ];
  for (const path of paths) {
    expect(await reading(house, path, newKey())).toEqual(forbidden);
    expect(await reading(house, path, reader)).toEqual([200]);
  }
});
