/** Goal: what is known of a record over time, and after its end. Rulings 12, 15, 16 and 44. */
import { describe, expect, test } from 'vitest';
import {
  farewell,
  type Item,
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
const ledger = await newLedger(home, key);

const newWallet = (custom = {}) =>
  ledger.make('wallets', { handle: unique('wallet'), custom }, key);

async function updated(item: Item, custom: object): Promise<Item> {
  return (await ledger.put(`/wallets/${item.luid}`, revision(item, { custom }, key))).body;
}

/** A wallet with a create, an update, a proof and an update, each as it was answered. */
async function wallet(): Promise<readonly [Item, Item, Item, Item]> {
  const first = await newWallet({ n: 1 });
  const second = await updated(first, { n: 2 });
  const proof = proofOf(second.hash, key, { moment: now(), status: 'active', labels: ['vip'] });
  const { body: third } = await ledger.post(`/wallets/${first.luid}/proofs`, proof);
  return [first, second, third, await updated(third, { n: 4 })];
}

describe('changes', () => {
  test('each is a snapshot, newest first, numbered without gaps', async () => {
    const versions = await wallet();
    const { status, items, page, body } = await ledger.get(`/wallets/${versions[0].luid}/changes`);
    expect([status, page]).toEqual([200, { index: 0, limit: 20, total: 4 }]);
    expect(body.meta.moment).toBe(body.meta.proofs[0]?.custom?.['moment']);
    const oldestFirst = [...items].reverse();
    expect(oldestFirst.map(({ meta }) => [meta.change, meta.action])).toEqual([
      [1, 'create'],
      [2, 'update'],
      [3, 'update'],
      [4, 'update'],
    ]);
    for (const [index, { luid, hash, data, meta }] of versions.entries()) {
      const { action: _, change: __, moment, ...rest } = oldestFirst[index]?.meta ?? meta;
      expect({ ...oldestFirst[index], meta: { ...rest, moment: meta.moment } }).toEqual({
        luid,
        hash,
        data,
        meta,
      });
      if (index !== 2) expect(moment).toBe(meta.moment);
    }
    const moments = oldestFirst.map(({ meta }) => meta.moment);
    expect([...moments].sort()).toEqual(moments);
  });

  test('one is read by its number', async () => {
    const [{ luid, data }] = await wallet();
    const { items } = await ledger.get(`/wallets/${luid}/changes`);
    for (const item of items) {
      const { body } = await ledger.get(`/wallets/${data.handle}/changes/${item.meta.change}`);
      expect(body).toEqual(item);
    }
    for (const number of ['0', '5', '-1', '01', '1.5', 'x', '1e0', '99999999999999999999']) {
      const reply = await ledger.get(`/wallets/${luid}/changes/${number}`);
      expect([number, reply.status, reply.reason]).toEqual([number, 404, 'record.not-found']);
    }
  });

  test('they come in pages, however they are stored', async () => {
    let item = await newWallet();
    for (let n = 0; n < 6; n += 1) item = await updated(item, { n });
    const numbers = async (query: string) => {
      const { items, page } = await ledger.get(`/wallets/${item.luid}/changes?${query}`);
      expect(page.total).toBe(7);
      return items.map(({ meta }) => meta.change);
    };
    expect(await numbers('page.limit=3')).toEqual([7, 6, 5]);
    expect(await numbers('page.limit=3&page.index=1')).toEqual([4, 3, 2]);
    expect(await numbers('page.limit=3&page.index=2')).toEqual([1]);
    expect(await numbers('page.limit=3&page.index=3')).toEqual([]);
    expect(await numbers('page.limit=1&page.index=6')).toEqual([1]);
  });

  test('each kind has them', async () => {
    const symbol = await ledger.make('symbols', { handle: unique('usd'), factor: 1 }, key);
    const signer = await ledger.make('signers', { handle: unique('signer') }, key);
    for (const path of [
      `/symbols/${symbol.luid}`,
      `/signers/${signer.luid}`,
      '/ledger',
      '/signers/system',
    ]) {
      const { items, page } = await ledger.get(`${path}/changes`);
      expect([path, page.total, items[0]?.meta.action]).toEqual([path, 1, 'create']);
      expect((await ledger.get(`${path}/changes/1`)).body).toEqual(items[0]);
    }
  });
});

describe('the end of a wallet', () => {
  test.each(['DELETE', 'POST'])('%s ends it', async (method) => {
    const versions = await wallet();
    const last = versions[3];
    const path = `/wallets/${last.data.handle}`;
    const tail = method === 'POST' ? '/drop' : '';
    const body = farewell(last, key);
    const reply = await ledger.send(method, `${path}${tail}`, body);
    expect([reply.status, reply.type, reply.text]).toEqual([204, 'text/plain', '']);

    for (const id of [last.data.handle, last.luid])
      for (const place of ['', '/balances'])
        expect((await ledger.get(`/wallets/${id}${place}`)).reason).toBe('record.not-found');
    expect((await ledger.get(`${path}/changes`)).reason).toBe('record.not-found');
    expect((await ledger.get(`${path}/changes/1`)).reason).toBe('record.not-found');

    const { items, page } = await ledger.get(`/wallets/${last.luid}/changes`);
    expect(page.total).toBe(5);
    expect(items.map(({ meta }) => meta.action)).toEqual([
      'drop',
      'update',
      'update',
      'update',
      'create',
    ]);
    expect(items[0]).toMatchObject({ luid: last.luid, hash: last.hash, data: last.data });
    expect(items[0]?.meta).toMatchObject({ change: 5, status: 'dropped' });
    expect((await ledger.get(`/wallets/${last.luid}/changes/2`)).body).toEqual(items[3]);
    // The author's own words are kept: the drop can be proved.
    expect(JSON.stringify(items[0]?.meta)).toContain(body.meta.proofs[0]?.result);
    const again = await ledger.send(method, `/wallets/${last.luid}${tail}`, body);
    expect([again.status, again.reason]).toEqual([404, 'record.not-found']);
    const { items: living } = await ledger.get('/wallets?page.limit=100');
    expect(living.map(({ luid }) => luid)).not.toContain(last.luid);
  });

  test('a drop may leave out the luid, and says dropped in every proof', async () => {
    const item = await newWallet();
    const path = `/wallets/${item.luid}`;
    const { luid: _, ...body } = farewell(item, key);
    const dropping = body.meta.proofs[0];
    const mute = proofOf(body.hash, key, { moment: now() });
    for (const proofs of [[mute], [dropping, mute], [proofOf(body.hash, key)]])
      expect((await ledger.send('DELETE', path, { ...body, meta: { proofs } })).reason).toBe(
        'record.schema-invalid',
      );
    const unsigned = await ledger.send('DELETE', path, { ...body, meta: { proofs: [] } });
    expect(unsigned.reason).toBe('crypto.signature-missing');
    const other = await ledger.send('DELETE', path, { ...body, luid: `$wlt.${'0'.repeat(17)}` });
    expect(other.reason).toBe('record.invalid');
    expect((await ledger.send('DELETE', path, body)).status).toBe(204);
  });

  test('a stale drop is refused', async () => {
    const item = await newWallet();
    await updated(item, { n: 2 });
    const reply = await ledger.send('DELETE', `/wallets/${item.luid}`, farewell(item, key));
    expect([reply.status, reply.reason, reply.detail]).toEqual([
      422,
      'crypto.parent-hash-invalid',
      item.hash,
    ]);
  });

  test('a wallet that holds anything stays', async () => {
    const item = await newWallet();
    const [eur, usd] = [unique('eur'), unique('usd')];
    for (const handle of [eur, usd]) await ledger.make('symbols', { handle, factor: 1 }, key);
    const { handle } = item.data;
    await ledger.settle(key, `issue ${handle} 5 ${usd}`, `issue ${handle} 1 ${eur}`);
    await ledger.settle(key, `destroy ${handle} 1 ${eur}`);
    const drop = () => ledger.send('DELETE', `/wallets/${item.luid}`, farewell(item, key));
    const reply = await drop();
    expect([reply.status, reply.reason, reply.custom]).toEqual([
      422,
      'record.drop-rejected',
      { symbols: [usd] },
    ]);
    await ledger.settle(key, `destroy ${handle} 5 ${usd}`);
    expect((await drop()).status).toBe(204);
  });

  test('the handle is free, but a recorded create is not taken twice', async () => {
    const handle = unique('phoenix');
    const body = signed({ handle }, key);
    const { body: first } = await ledger.post('/wallets', body);
    expect((await ledger.post('/wallets', body)).status).toBe(409);
    await ledger.send('DELETE', `/wallets/${handle}`, farewell(first, key));

    const replayed = await ledger.post('/wallets', body);
    expect([replayed.status, replayed.reason]).toEqual([409, 'record.duplicated']);
    expect(replayed.custom).toMatchObject({ luid: first.luid, hash: first.hash });
    const echoed = { ...body, meta: { proofs: body.meta.proofs, note: 'again' }, luid: first.luid };
    expect((await ledger.post('/wallets', echoed)).status).toBe(409);

    const anew = await ledger.post(
      '/wallets',
      signed({ handle }, key, { moment: '2026-01-01T00:00:00.000Z' }),
    );
    expect(anew.status).toBe(201);
    expect(anew.body.luid).not.toBe(first.luid);
    const { page } = await ledger.get(`/wallets/${handle}/changes`);
    expect(page.total).toBe(1);
    expect((await ledger.get(`/wallets/${first.luid}/changes`)).page.total).toBe(2);
  });

  test('a new wallet of an old handle holds nothing of the old one', async () => {
    const first = await newWallet();
    const { handle } = first.data;
    const usd = unique('usd');
    await ledger.make('symbols', { handle: usd, factor: 1 }, key);
    await ledger.settle(key, `issue ${handle} 5 ${usd}`);
    await ledger.settle(key, `destroy ${handle} 5 ${usd}`);
    await ledger.send('DELETE', `/wallets/${handle}`, farewell(first, key));
    await ledger.make('wallets', { handle }, key);
    expect(await ledger.balances(handle)).toEqual({});
    await ledger.settle(key, `issue ${handle} 7 ${usd}`);
    expect(await ledger.balances(handle)).toEqual({ [usd]: '7' });
  });

  test('only one of twenty drops ends it, and each answer is true', async () => {
    const item = await newWallet();
    const drops = Array.from({ length: 20 }, () =>
      ledger.send('DELETE', `/wallets/${item.luid}`, farewell(item, key)),
    );
    const statuses = (await Promise.all(drops)).map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    expect((await ledger.get(`/wallets/${item.luid}/changes`)).page.total).toBe(2);
  });
});
