/** Goal: lists in pages, and that nothing of one ledger shows through another. Rulings 19, 20 and 25. */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  handlesIn,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();

async function wallets(ledger: Client, count: number): Promise<string[]> {
  const handles = Array.from({ length: count }, () => unique('wallet'));
  for (const handle of handles) await ledger.make('wallets', { handle }, key);
  return handles.reverse();
}

describe('pages', () => {
  test('the newest comes first, twenty at a time', async () => {
    const ledger = await newLedger(home, key);
    const newestFirst = await wallets(ledger, 45);
    const first = await ledger.get('/wallets');
    expect(first.page).toEqual({ index: 0, limit: 20 });
    expect(handlesIn(first.items)).toEqual(newestFirst.slice(0, 20));
    const third = await ledger.get('/wallets?page.index=2');
    expect(third.page).toEqual({ index: 2, limit: 20 });
    expect(handlesIn(third.items)).toEqual(newestFirst.slice(40));
    expect((await ledger.get('/wallets?page.index=3')).items).toEqual([]);
    const whole = await ledger.get('/wallets?page.limit=100');
    expect(handlesIn(whole.items)).toEqual(newestFirst);
    expect(handlesIn((await ledger.get('/wallets?page.limit=1&page.index=44')).items)).toEqual(
      newestFirst.slice(44),
    );
  });

  test('an empty list is a list', async () => {
    const ledger = await newLedger(home, key);
    for (const path of ['/wallets', '/symbols', '/intents', '/wallets?page.index=1000000000']) {
      const { status, body, page } = await ledger.get(path);
      expect([path, status, body.data]).toEqual([path, 200, []]);
      expect(page).not.toHaveProperty('total');
      expect(body.meta.proofs).toMatchObject([
        { signer: 'system', custom: { moment: expect.any(String) } },
      ]);
    }
    expect(handlesIn((await ledger.get('/signers')).items)).toEqual(['log', 'system']);
  });

  test('new data brings a record to the front, and a proof does not', async () => {
    const ledger = await newLedger(home, key);
    const [c, b, a] = (await wallets(ledger, 3)) as [string, string, string];
    const { body: oldest } = await ledger.get(`/wallets/${a}`);
    await ledger.put(`/wallets/${a}`, revision(oldest, { custom: { n: 2 } }, key));
    expect(handlesIn((await ledger.get('/wallets')).items)).toEqual([a, c, b]);
    const { body: middle } = await ledger.get(`/wallets/${b}`);
    await ledger.post(`/wallets/${b}/proofs`, proofOf(middle.hash, key, { moment: now() }));
    expect(handlesIn((await ledger.get('/wallets')).items)).toEqual([a, c, b]);
  });

  test('a line of a list is the record as it is read', async () => {
    const ledger = await newLedger(home, key);
    await wallets(ledger, 2);
    const { items } = await ledger.get('/wallets');
    for (const item of items)
      expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
  });

  test.each([
    'page.limit=0',
    'page.limit=101',
    'page.limit=x',
    'page.limit=',
    'page.limit=1.5',
    'page.limit=-1',
    'page.limit=1&page.limit=2',
    'page.index=-1',
    'page.index=1e3',
    'page.index=%200',
    'page.index=99999999999',
  ])('%s is no page', async (query) => {
    for (const path of [
      '/wallets',
      '/intents',
      '/ledgers',
      '/ledger/changes',
      '/signers/system/changes',
    ]) {
      const reply = await home.get(`${path}?${query}`);
      expect([path, reply.status, reply.reason]).toEqual([path, 400, 'api.query-malformed']);
      expect(reply.detail).toContain(query.slice(0, 10));
    }
  });

  test('filters that are not supported are all named', async () => {
    const reply = await home.get('/wallets?data.color=red&page.limit=5&meta.mood.$ne=good');
    expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
    expect(reply.detail).toBe("Unsupported filters: 'data.color', 'meta.mood'");
    expect(reply.custom).toMatchObject({ filters: ['data.color', 'meta.mood'] });
  });

  test('a path that is nearly supported is answered with the nearest', async () => {
    const { detail, custom } = await home.get('/wallets?data.handel=x');
    expect(detail).toBe("Unsupported filters: 'data.handel'; the nearest one is 'data.handle'");
    expect(custom).toEqual({ filters: ['data.handel'], nearest: 'data.handle' });
  });

  test.each([
    ['', 2],
    ['data.custom.note.$exists=true', 1],
    ['data.custom.note.$exists=false', 1],
    ['data.handle.$exists=false', 0],
  ])('a list asks whether a member is there: %s', async (query, count) => {
    const ledger = await newLedger(home, key);
    await ledger.make('wallets', { handle: 'plain' }, key);
    await ledger.make('wallets', { handle: 'noted', custom: { note: '' } }, key);
    expect((await ledger.get(`/wallets?${query}`)).items).toHaveLength(count);
  });

  test('a member is there or not', async () => {
    const reply = await home.get('/wallets?data.custom.note.$exists=1');
    expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
  });
});

describe('two ledgers', () => {
  test('they share no handle, no luid and no money', async () => {
    const [one, two] = [await newLedger(home, key), await newLedger(home, key)];
    const [wallet, usd] = [unique('wallet'), unique('usd')];
    const made = [];
    for (const ledger of [one, two]) {
      const signer = await ledger.make('signers', { handle: 'teller' }, key);
      const symbol = await ledger.make('symbols', { handle: usd, factor: 1 }, key);
      const record = await ledger.make('wallets', { handle: wallet }, key);
      const amount = ledger === one ? 5 : 7;
      const data = {
        handle: 'first',
        claims: [{ action: 'issue', target: wallet, symbol: usd, amount }],
      };
      const intent = await ledger.make('intents', data, key);
      expect(intent.meta.status).toBe('completed');
      made.push({ signers: signer, symbols: symbol, wallets: record, intents: intent });
    }
    expect([await one.balances(wallet), await two.balances(wallet)]).toEqual([
      { [usd]: '5' },
      { [usd]: '7' },
    ]);
    const [own, other] = made as [(typeof made)[0], (typeof made)[0]];
    for (const group of ['signers', 'symbols', 'wallets', 'intents'] as const) {
      const { items } = await one.get(`/${group}`);
      const luids = items.map(({ luid }) => luid);
      expect([group, luids.includes(own[group].luid), luids.includes(other[group].luid)]).toEqual([
        group,
        true,
        false,
      ]);
      const path = `/${group}/${other[group].luid}`;
      for (const tail of ['', '/changes', '/changes/1']) {
        const reply = await one.get(`${path}${tail}`);
        expect([tail, reply.status, reply.reason]).toEqual([tail, 404, 'record.not-found']);
      }
      const proof = proofOf(other[group].hash, key, { moment: now() });
      expect((await one.post(`${path}/proofs`, proof)).reason).toBe('record.not-found');
    }
    expect((await one.get(`/wallets/${other.wallets.luid}/balances`)).reason).toBe(
      'record.not-found',
    );
  });

  test('money does not move from one to the other', async () => {
    const [one, two] = [await newLedger(home, key), await newLedger(home, key)];
    await one.make('symbols', { handle: 'usd', factor: 1 }, key);
    await one.make('wallets', { handle: 'alice' }, key);
    await two.make('wallets', { handle: 'bob' }, key);
    await one.settle(key, 'issue alice 5 usd');
    const moved = await one.settle(key, 'transfer alice bob 5 usd');
    expect(moved.meta.proofs.find((proof) => proof.custom?.['reason'])?.custom).toMatchObject({
      status: 'failed',
      reason: 'core.target-invalid',
    });
    expect(await one.balances('alice')).toEqual({ usd: '5' });
  });

  test('a recorded create of one is taken by the other, once', async () => {
    const [one, two] = [await newLedger(home, key), await newLedger(home, key)];
    const body = signed({ handle: 'alice' }, key);
    expect((await one.post('/wallets', body)).status).toBe(201);
    expect((await two.post('/wallets', body)).status).toBe(201);
    expect((await two.post('/wallets', body)).status).toBe(409);
  });

  test('a ledger is found under its name and as the one addressed', async () => {
    const ledger = await newLedger(home, key);
    const { body } = await home.get(`/ledgers/${ledger.ledger}`);
    expect((await ledger.get('/ledger')).body).toEqual(body);
    expect((await ledger.get('/ledgers/main', { signer: home.key })).body.data).toEqual({
      handle: 'main',
    });
    expect(handlesIn((await home.get('/ledgers')).items)).toContain(ledger.ledger);
    const change = revision(body, { custom: { city: 'Split' } }, key);
    const { body: next } = await ledger.put('/ledger', change);
    expect((await ledger.get(`/ledgers/${body.luid}`)).body).toEqual(next);
    expect((await ledger.get('/ledger/changes')).page.total).toBe(2);
    expect((await ledger.get('/ledger/changes/1')).body).toMatchObject({ hash: body.hash });
    const publics = body.meta.proofs.map((proof) => proof.public);
    expect(publics).toEqual([key.public, ledger.key, home.key]);
  });

  // Ruling 8: the ledger that was asked signs, or its own clients do not believe the answer.
  test('the record of a ledger is signed by whichever ledger answers', async () => {
    const ledger = await newLedger(home, key);
    expect((await ledger.get('/ledgers/main')).body.data).toEqual({ handle: 'main' });
    const { body } = await ledger.get('/ledger');
    await ledger.put('/ledger', revision(body, { custom: { city: 'Split' } }, key));
    expect((await home.get(`/ledgers/${ledger.ledger}`)).body.luid).toBe(body.luid);
  });

  test('two ledgers are never made of one handle', async () => {
    const handle = unique('ledger');
    const posts = Array.from({ length: 5 }, () => home.post('/ledgers', signed({ handle }, key)));
    const statuses = (await Promise.all(posts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });
});
