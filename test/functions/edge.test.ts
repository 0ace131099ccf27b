/** Goal: what lies at the edges of the contract and of the table is answered, never an unexpected error. */
import { describe, expect, test } from 'vitest';
import {
  clientOf,
  farewell,
  newKey,
  newLedger,
  now,
  outcomeOf,
  proofOf,
  revision,
  signed,
  titled,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const home = await sharedHome();
const ledger = await newLedger(home, key);

describe('names', () => {
  test.each(
    titled([
      '$int.',
      '$int.short',
      '$int.!',
      `$int.${'z'.repeat(17)}`,
      `$int.${'-'.repeat(17)}`,
      `$wlt.${'0'.repeat(17)}`,
      `$int.${'é'.repeat(17)}`,
      `$int.${'0'.repeat(3000)}`,
    ]),
  )('no intent has the luid %j', async (_, luid) => {
    for (const tail of ['', '/changes', '/changes/1']) {
      const reply = await ledger.get(`/intents/${encodeURIComponent(luid)}${tail}`);
      expect([tail, reply.status, reply.reason]).toEqual([tail, 404, 'record.not-found']);
    }
    const proof = proofOf('0'.repeat(64), key, { moment: now() });
    const reply = await ledger.post(`/intents/${encodeURIComponent(luid)}/proofs`, proof);
    expect(reply.reason).toBe('record.not-found');
  });

  test('words of the language are names like any other', async () => {
    const [first, second, third] = ['__proto__', 'constructor', 'toString'];
    for (const handle of [first, second]) await ledger.make('wallets', { handle }, key);
    for (const handle of [first, third]) await ledger.make('symbols', { handle, factor: 1 }, key);
    const issued = await ledger.settle(
      key,
      `issue ${first} 9 ${first}`,
      `issue ${second} 9 ${third}`,
    );
    expect(outcomeOf(issued)).toBe('completed');
    const moved = await ledger.settle(key, `transfer ${first} ${second} 4 ${first}`);
    expect(outcomeOf(moved)).toBe('completed');
    expect(outcomeOf(await ledger.settle(key, `issue hasOwnProperty 1 ${first}`))).toBe(
      'core.target-invalid',
    );
    const { items } = await ledger.get(`/wallets/${second}/balances`);
    expect(items.map(({ data }) => [data['symbol'], data['amount']])).toEqual([
      [first, 4],
      [third, 9],
    ]);
  });

  test('the longest names fit together', async () => {
    const long = (name: string) => unique(name).padEnd(256, 'x');
    const [wallet, symbol, handle] = [long('wallet'), long('symbol'), long('intent')];
    await ledger.make('wallets', { handle: wallet }, key);
    await ledger.make('symbols', { handle: symbol, factor: 1 }, key);
    const claims = [{ action: 'issue', target: wallet, symbol, amount: 1 }];
    expect((await ledger.make('intents', { handle, claims }, key)).meta.status).toBe('completed');
    expect(await ledger.balances(wallet)).toEqual({ [symbol]: '1' });
    const far = long('ledger');
    await home.make('ledgers', { handle: far }, key);
    const headers = { 'x-ledger': far };
    const { text } = await ledger
      .get('/signers/system', { headers })
      .catch((error) => ({ text: String(error) }));
    // Signed by the far ledger, whose key is not the one expected here.
    expect(text).toMatch(/did not sign: 200/);
  });
});

describe('many', () => {
  test('a record is signed by fifty at most', async () => {
    const keys = Array.from({ length: 51 }, newKey);
    const data = { handle: unique('many') };
    const refused = await ledger.post('/wallets', signed(data, keys));
    expect([refused.status, refused.reason]).toEqual([422, 'record.schema-invalid']);
    const { status, body } = await ledger.post('/wallets', signed(data, keys.slice(1)));
    expect([status, body.meta.owners.length]).toEqual([201, 50]);
    const update = signed({ ...data, parent: body.hash }, keys.slice(1));
    expect((await ledger.put(`/wallets/${body.luid}`, update)).status).toBe(200);
    const { body: updated } = await ledger.get(`/wallets/${body.luid}`);
    const { hash, data: parent } = farewell(updated, key);
    const custom = { moment: now(), status: 'dropped' };
    const proofs = keys.slice(1).map((author) => proofOf(hash, author, custom));
    const drop = { hash, data: parent, meta: { proofs } };
    expect((await ledger.send('DELETE', `/wallets/${body.luid}`, drop)).status).toBe(204);
  });

  test('an intent of forty claims may be signed by fifty', async () => {
    const keys = Array.from({ length: 50 }, newKey);
    const usd = unique('usd');
    await ledger.make('symbols', { handle: usd, factor: 1 }, key);
    const targets = Array.from({ length: 40 }, () => unique('w'));
    await Promise.all(targets.map((handle) => ledger.make('wallets', { handle }, key)));
    const claims = targets.map((target) => ({ action: 'issue', target, symbol: usd, amount: 1 }));
    const reply = await ledger.post('/intents', signed({ handle: unique('i'), claims }, keys));
    expect([reply.status, reply.body.meta.status]).toEqual([201, 'completed']);
  });

  test('the same proof twice in one body is no obstacle', async () => {
    const body = signed({ handle: unique('twice') }, [key, key]);
    const reply = await ledger.post('/wallets', body);
    expect([reply.status, reply.body.meta.owners]).toEqual([201, [key.public]]);
  });

  test('a wallet of a hundred symbols shows them all, and is ended by fifty signers', async () => {
    const item = await ledger.make('wallets', { handle: unique('wide') }, key);
    const { handle } = item.data;
    const symbols = Array.from({ length: 105 }, () => unique('s'));
    for (let from = 0; from < symbols.length; from += 35) {
      const some = symbols.slice(from, from + 35);
      await Promise.all(
        some.map((symbol) => ledger.make('symbols', { handle: symbol, factor: 1 }, key)),
      );
      await ledger.settle(key, ...some.map((symbol) => `issue ${handle} 2 ${symbol}`));
    }
    const pages = [0, 1].map((index) =>
      ledger.get(`/wallets/${handle}/balances?page.limit=100&page.index=${index}`),
    );
    const [first, second] = await Promise.all(pages);
    expect([first?.items.length, second?.items.length, second?.page.total]).toEqual([100, 5, 105]);
    const drop = () => ledger.send('DELETE', `/wallets/${handle}`, farewell(item, key));
    expect((await drop()).reason).toBe('record.drop-rejected');
    for (let from = 0; from < symbols.length; from += 35)
      await ledger.settle(
        key,
        ...symbols.slice(from, from + 35).map((symbol) => `destroy ${handle} 2 ${symbol}`),
      );
    // The commit remembers each proof of a drop, beside the balances that it closes.
    const keys = Array.from({ length: 50 }, newKey);
    const last = signed({ parent: item.hash }, keys, { moment: now(), status: 'dropped' });
    expect((await ledger.send('DELETE', `/wallets/${handle}`, last)).status).toBe(204);
    await ledger.make('wallets', { handle }, key);
    expect(await ledger.balances(handle)).toEqual({});
  });

  test('a history of a hundred and more changes is whole', async () => {
    const item = await ledger.make('wallets', { handle: unique('busy') }, key);
    const essay = 'x'.repeat(20_000);
    for (let n = 0; n < 60; n += 1) {
      const { body } = await ledger.get(`/wallets/${item.luid}`);
      await ledger.put(`/wallets/${item.luid}`, revision(body, { custom: { n, essay } }, key));
      await ledger.post(
        `/wallets/${item.luid}/proofs`,
        proofOf((await ledger.get(`/wallets/${item.luid}`)).body.hash, key, { n }),
      );
    }
    const { items, page } = await ledger.get(`/wallets/${item.luid}/changes?page.limit=100`);
    expect(page.total).toBe(121);
    expect(items.map(({ meta }) => meta.change)).toEqual(
      Array.from({ length: 100 }, (_, n) => 121 - n),
    );
    const rest = await ledger.get(`/wallets/${item.luid}/changes?page.limit=100&page.index=1`);
    expect(rest.items.map(({ meta }) => meta.change)).toEqual(
      Array.from({ length: 21 }, (_, n) => 21 - n),
    );
  });

  test('a page that no answer can carry ends before, and says where to go on', async () => {
    const large = await newLedger(clientOf(home.url, home.key), key);
    const custom = { essay: '"'.repeat(150_000) };
    const make = () => large.make('wallets', { handle: unique('large'), custom }, key);
    const made = await Promise.all(Array.from({ length: 16 }, make));
    const first = await large.get('/wallets?page.limit=16');
    expect([first.status, first.items.length]).toEqual([200, 9]);
    const { next = '' } = first.page;
    const second = await large.get(`/wallets?page.limit=16&page.cursor=${next}`);
    expect(second.page).toEqual({ index: 0, limit: 16 });
    const luids = [...first.items, ...second.items].map(({ luid }) => luid);
    expect(luids.sort()).toEqual(made.map(({ luid }) => luid).sort());
  });
});

describe('manners', () => {
  test('a body of no declared type is read as JSON', async () => {
    const body = signed({ handle: unique('wallet') }, key);
    const response = await fetch(`${home.url}/wallets`, {
      method: 'POST',
      headers: { 'x-ledger': ledger.ledger ?? '' },
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(response.status).toBe(201);
  });

  test('a body that comes in pieces is one body', async () => {
    const text = JSON.stringify(
      signed({ handle: unique('wallet'), custom: { text: 'é'.repeat(1000) } }, key),
    );
    const bytes = new TextEncoder().encode(text);
    const pieces = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json', 'x-ledger': ledger.ledger ?? '' };
    const init = { method: 'POST', headers, body: pieces, duplex: 'half' };
    expect((await fetch(`${home.url}/wallets`, init as RequestInit)).status).toBe(201);
  });

  test('members of a proof that are not its own are left out', async () => {
    const body = signed({ handle: unique('wallet') }, key);
    const proofs = body.meta.proofs.map((proof) => ({ ...proof, evil: true }));
    const reply = await ledger.post('/wallets', { ...body, meta: { proofs } });
    expect([reply.status, reply.text.includes('evil')]).toEqual([201, false]);
  });

  test.each([[null], [[]], ['text'], [7]])('a proof whose custom is %j is none', async (custom) => {
    const item = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const proof = { ...proofOf(item.hash, key), custom };
    const reply = await ledger.post(`/wallets/${item.luid}/proofs`, proof);
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
  });

  test('a status that is no text is refused, and its proof is not kept', async () => {
    const item = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const reply = await ledger.post(
      `/wallets/${item.luid}/proofs`,
      proofOf(item.hash, key, { status: { a: 1 } }),
    );
    expect([reply.status, reply.reason]).toEqual([422, 'record.status-policy-violation']);
    expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
  });
});
