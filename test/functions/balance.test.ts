/** Goal: many claims at once, and balances to the last unit. Rulings 39, 40, 45 and 48. */
import { describe, expect, test } from 'vitest';
import { newKey, newLedger, outcomeOf, unique } from '../fixture/client.ts';
import { fundedIn, walletsIn } from '../fixture/payment.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const usd = 'usd';
const largest = Number.MAX_SAFE_INTEGER;

const ledger = await newLedger(await sharedHome(), key);
await ledger.make('symbols', { handle: usd, factor: 100 }, key);

const wallets = (count: number) => walletsIn(ledger, key, count);
const funded = (amount: number) => fundedIn(ledger, key, amount);

describe('large intents', () => {
  test('forty claims pay forty new wallets', async () => {
    const targets = await wallets(40);
    const intent = await ledger.settle(
      key,
      ...targets.map((target, n) => `issue ${target} ${n + 1} usd`),
    );
    expect(intent.meta.status).toBe('completed');
    expect(intent.meta.proofs).toHaveLength(1 + 1 + 40 + 3);
    for (const n of [0, 19, 39])
      expect(await ledger.balances(targets[n] ?? '')).toEqual({ usd: String(n + 1) });
  });

  test('forty claims move forty symbols between eighty wallets', async () => {
    const symbols = Array.from({ length: 40 }, () => unique('s'));
    await Promise.all(symbols.map((handle) => ledger.make('symbols', { handle, factor: 1 }, key)));
    const [sources, targets] = [await wallets(40), await wallets(40)];
    const issued = await ledger.settle(
      key,
      ...symbols.map((symbol, n) => `issue ${sources[n]} 9 ${symbol}`),
    );
    expect(outcomeOf(issued)).toBe('completed');
    const moved = await ledger.settle(
      key,
      ...symbols.map((symbol, n) => `transfer ${sources[n]} ${targets[n]} 4 ${symbol}`),
    );
    expect(outcomeOf(moved)).toBe('completed');
    expect(moved.meta.proofs).toHaveLength(1 + 1 + 80 + 3);
    const last = symbols[39] ?? '';
    expect(await ledger.balances(sources[39] ?? '')).toEqual({ [last]: '5' });
    expect(await ledger.balances(targets[39] ?? '')).toEqual({ [last]: '4' });
  });

  test('forty claims through one wallet are one sum', async () => {
    const [alice, bob] = await funded(40);
    const claims = Array.from({ length: 40 }, () => `transfer ${alice} ${bob} 1 usd`);
    expect((await ledger.settle(key, ...claims)).meta.status).toBe('completed');
    expect([await ledger.balances(alice), await ledger.balances(bob)]).toEqual([
      { usd: '0' },
      { usd: '40' },
    ]);
  });
});

describe('balances', () => {
  test('they are exact beyond what a double holds', async () => {
    const [alice, bob] = await funded(largest);
    for (const _ of [1, 2, 3])
      await ledger.settle(
        key,
        ...Array.from({ length: 40 }, () => `issue ${alice} ${largest} usd`),
      );
    const total = 121n * BigInt(largest);
    const { text } = await ledger.get(`/wallets/${alice}/balances`);
    expect(text).toContain(`"amount":${total},`);
    await ledger.settle(key, `transfer ${alice} ${bob} ${largest} usd`, `destroy ${alice} 1 usd`);
    expect(await ledger.balances(alice)).toEqual({ usd: String(total - BigInt(largest) - 1n) });
    expect(await ledger.balances(bob)).toEqual({ usd: String(largest) });
  });

  test('there is a signed row for each symbol, in order', async () => {
    const symbols = ['c', 'a', 'b'].map(unique);
    for (const handle of symbols) await ledger.make('symbols', { handle, factor: 1 }, key);
    const { luid, data } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    for (const symbol of symbols) await ledger.settle(key, `issue ${data.handle} 3 ${symbol}`);
    const { items, page } = await ledger.get(`/wallets/${luid}/balances`);
    expect(page).toEqual({ index: 0, limit: 20, total: 3 });
    expect(items.map((row) => row.data)).toEqual(
      [...symbols]
        .sort()
        .map((symbol) => ({ wallet: data.handle, symbol, schema: 'available', amount: 3 })),
    );
    for (const row of items) {
      expect(row.luid).toMatch(/^\$bal\./);
      expect(row.meta.proofs).toMatchObject([{ signer: 'system', public: ledger.key }]);
    }
    const second = await ledger.get(`/wallets/${luid}/balances?page.limit=2&page.index=1`);
    expect(second.items.map((row) => row.data)).toEqual([items[2]?.data]);
    expect(second.page).toEqual({ index: 1, limit: 2, total: 3 });
  });

  test.each(['balances', 'limits'])('a page of %s goes on behind its row', async (list) => {
    const [aud, chf, eur] = ['a', 'c', 'e'].map(unique) as [string, string, string];
    for (const handle of [aud, chf, eur]) await ledger.make('symbols', { handle, factor: 1 }, key);
    const { data } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const open = async (symbol: string) => {
      await ledger.settle(key, `issue ${data.handle} 3 ${symbol}`);
      await ledger.settle(key, `limit ${data.handle} minBalance -5 ${symbol}`);
    };
    for (const symbol of [chf, eur]) await open(symbol);
    const pageAt = (cursor: unknown) =>
      ledger.get(`/wallets/${data.handle}/${list}?page.limit=1&page.cursor=${cursor}`);
    const first = await pageAt('');
    await open(aud);
    const second = await pageAt(first.page['next']);
    expect([first, second].map(({ items }) => items[0]?.data['symbol'])).toEqual([chf, eur]);
    expect((await pageAt(second.page['next'])).items).toEqual([]);
    expect((await pageAt('MQ')).reason).toBe('api.query-malformed');
  });
});
