/**
 * Goal: `countersign/client` makes and reads what the reference promises, trusts no answer that the ledger did not sign,
 * and a request that got no answer is made once.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import {
  connect,
  issue,
  LedgerRefused,
  LedgerUnreachable,
  LedgerUntrusted,
  money,
  newKey,
  transfer,
  verifyWebhook,
  WebhookRefused,
} from '../../shared/client/client.ts';
import { newLedger, newKey as plainKey, unique } from '../fixture/client.ts';
import { startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const signer = newKey();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
const usd = money('usd', 100);

/** A client of a new ledger with two wallets, of which alice has a hundred dollars. */
async function newClient() {
  const { ledger: handle = '' } = await newLedger(home, plainKey());
  const ledger = await connect(home.url, { signer, ledger: handle });
  await ledger.create('/symbols', { handle: 'usd', factor: 100 });
  for (const name of ['alice', 'bob']) await ledger.create('/wallets', { handle: name });
  expect((await ledger.pay(issue('alice', usd('100')))).meta.status).toBe('completed');
  return ledger;
}

describe('a client', () => {
  test('creates, pays, and reads what came of it', async () => {
    const ledger = await newClient();
    const intent = await ledger.pay(transfer('alice', 'bob', usd('25.50')), {
      custom: { note: 'rent' },
    });
    expect(intent).toMatchObject({
      data: { custom: { note: 'rent' } },
      meta: { status: 'completed' },
    });
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: 'bob' } });
    expect(data.map((row) => row.data)).toMatchObject([{ symbol: 'usd', amount: 2550 }]);
    const refused = await ledger.pay(transfer('bob', 'alice', usd('26')));
    expect(refused.meta.status).toBe('rejected');
  });

  test('updates, says a status, and drops', async () => {
    const ledger = await newClient();
    const wallet = await ledger.create('/wallets', { handle: 'carol' });
    const updated = await ledger.update('/wallets/{id}', wallet, { schema: 'savings' });
    expect(updated.data.schema).toBe('savings');
    const frozen = await ledger.prove('/wallets/{id}/proofs', updated, { status: 'inactive' });
    expect(frozen.meta.status).toBe('inactive');
    await ledger.drop('/wallets/{id}/drop', frozen);
    const gone = ledger.get('/wallets/{id}', { path: { id: 'carol' } });
    await expect(gone).rejects.toMatchObject({
      name: 'LedgerRefused',
      status: 404,
      reason: 'record.not-found',
    });
  });

  test('holds, captures a part, and waits for the end', async () => {
    const ledger = await newClient();
    const held = await ledger.pay(transfer('alice', 'bob', usd('10')), {
      config: { commit: 'manual' },
    });
    expect(held.meta.status).toBe('prepared');
    const custom = { status: 'committed', capture: [{ claim: 0, amount: 400 }] };
    await ledger.prove('/intents/{id}/proofs', held, custom);
    expect((await ledger.settled(held)).meta.status).toBe('completed');
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: 'bob' } });
    expect(data[0]?.data.amount).toBe(400);
  });

  test('hands over what its key owns to another key, and stands by it when the answer is lost', async () => {
    const ledger = await newClient();
    const [ann, next] = [newKey(), newKey()];
    const data = { format: 'ed25519-raw', public: ann.public } as const;
    const own = await connect(home.url, {
      signer: ann,
      ledger: (await ledger.get('/ledger')).data.handle,
    });
    const made = await own.create('/signers', { handle: 'ann', ...data });
    const change = { public: next.public };
    const after = await own.update('/signers/{id}', made, change, { handsOver: true });
    expect(after.meta.predecessors).toEqual([ann.public]);
    expect(await own.update('/signers/{id}', made, change, { handsOver: true })).toEqual(after);
    const further = own.update('/signers/{id}', after, { custom: { n: 1 } }, { handsOver: true });
    await expect(further).rejects.toThrow('Nothing is handed over without a new key');
    const same = own.update('/signers/{id}', after, change, { handsOver: true });
    await expect(same).rejects.toThrow('record.invalid');
  });

  test('shows each version of an intent until its end', async () => {
    const ledger = await newClient();
    const held = await ledger.pay(transfer('alice', 'bob', usd('10')), {
      config: { commit: 'manual' },
    });
    const seen: string[] = [];
    const end = ledger.settled(held, 60_000, ({ meta }) => seen.push(meta.status));
    await ledger.prove('/intents/{id}/proofs', held, { status: 'aborted' });
    expect([(await end).meta.status, seen.at(-1)]).toEqual(['rejected', 'rejected']);
  });

  test('posts where no record is made: a preview, and an instruction without an answer', async () => {
    const ledger = await newClient();
    const data = { handle: 'later', claims: [transfer('alice', 'bob', usd('10'))] };
    const preview = await ledger.post('/intents/!preview', data);
    expect(preview?.data).toMatchObject({ handle: 'later', status: 'completed' });
    await expect(ledger.get('/intents/{id}', { path: { id: 'later' } })).rejects.toThrow(
      LedgerRefused,
    );
    const server = 'https://bank.example';
    const bridge = await ledger.create('/bridges', { handle: 'blue', config: { server } });
    expect(bridge.meta.status).not.toBe('active');
    const path = { id: 'blue' };
    expect(await ledger.post('/bridges/{id}/activate', {}, { path })).toBeUndefined();
    expect((await ledger.get('/bridges/{id}', { path })).meta.status).toBe('active');
  });

  test('reads a list to its end, page by page, with filters', async () => {
    const ledger = await newClient();
    const names = Array.from({ length: 25 }, (_, index) => `w${index}`);
    await Promise.all(names.map((handle) => ledger.create('/wallets', { handle, schema: 'many' })));
    const found: string[] = [];
    const query = { 'data.schema': 'many', 'page.limit': 10 };
    for await (const { data } of ledger.all('/wallets', { query })) found.push(data.handle);
    expect(found.sort()).toEqual(names.sort());
  });

  test('shows amounts that JavaScript cannot hold as bigints', async () => {
    const ledger = await newClient();
    await ledger.create('/symbols', { handle: 'wei', factor: 1 });
    const most = { symbol: 'wei', amount: Number.MAX_SAFE_INTEGER };
    await ledger.pay(Array.from({ length: 3 }, () => issue('alice', most)));
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: 'alice' } });
    const amounts = data.map((row) => row.data.amount as unknown);
    expect(amounts).toContain(3n * BigInt(Number.MAX_SAFE_INTEGER));
  });

  test('says by name why the ledger refused', async () => {
    const ledger = await newClient();
    const error = await ledger.create('/wallets', { handle: '' }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LedgerRefused);
    expect(error).toMatchObject({ status: 422, reason: 'record.schema-invalid' });
    expect((error as LedgerRefused).requestId).toMatch(/\S/);
  });

  test('without a signer reads, and says what a change needs', async () => {
    const ledger = await connect(home.url);
    expect((await ledger.get('/ledger')).data.handle).toBe('main');
    await expect(ledger.create('/wallets', { handle: unique('x') })).rejects.toThrow(
      'needs a signer',
    );
  });

  test('needs the members of a path', async () => {
    const ledger = await connect(home.url);
    for (const query of [{}, { path: { id: '' } }])
      await expect(ledger.get('/wallets/{id}', query)).rejects.toThrow("needs 'id'");
  });

  test.each(['.', '..'])('asks for no other path where a member of it is %s', async (id) => {
    const ledger = await newClient();
    const [path, no] = [{ id }, 'No URL can carry'];
    await expect(ledger.get('/wallets/{id}', { path })).rejects.toThrow(no);
    await expect(ledger.all('/wallets/{id}/balances', { path }).next()).rejects.toThrow(no);
    const record = { hash: '', data: { handle: id } };
    await expect(ledger.prove('/intents/{id}/proofs', record, {})).rejects.toThrow(no);
  });

  test('makes again what it made before, and nothing of another author', async () => {
    const ledger = await newClient();
    const data = { handle: 'twice', custom: { city: 'Bern' } };
    const first = await ledger.create('/wallets', data);
    expect((await ledger.create('/wallets', data)).luid).toBe(first.luid);
    const duplicated = { reason: 'record.duplicated' };
    await expect(ledger.create('/wallets', { handle: 'twice' })).rejects.toMatchObject(duplicated);
    const { handle } = (await ledger.get('/ledger')).data;
    const other = await connect(home.url, { signer: newKey(), ledger: String(handle) });
    await expect(other.create('/wallets', data)).rejects.toMatchObject(duplicated);
  });
});

type Manner = (forward: () => Promise<Response>, out: ServerResponse) => Promise<unknown>;

/** A server between client and ledger, which treats the next requests in these manners, and forwards all others. */
async function between(...manners: Manner[]) {
  const pass = async (request: IncomingMessage, out: ServerResponse) => {
    const body = await textOf(request);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const url = new URL(home.url).origin + (request.url ?? '');
    const init = { method: request.method ?? 'GET', headers: headers as Record<string, string> };
    const forward = () => fetch(url, body === '' ? init : { ...init, body });
    const manner = manners.shift();
    if (manner) return manner(forward, out);
    const answer = await forward();
    return out
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(await answer.text());
  };
  const server = createServer((request, out) => void pass(request, out)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v2`, stop: () => server.close() };
}

const lost: Manner = async (forward, out) => {
  await forward();
  out.destroy();
};
const busy: Manner = async (_, out) => out.writeHead(503, { 'retry-after': '0' }).end('{}');
const forged =
  (change: (text: string) => string): Manner =>
  async (forward, out) => {
    const answer = await forward();
    out.writeHead(answer.status).end(change(await answer.text()));
  };

describe('what got no answer', () => {
  test.each([
    ['the answer was lost', [lost]],
    ['the answer was lost twice', [lost, lost]],
    ['the ledger was busy', [busy]],
  ])('is made once when %s', async (_, manners) => {
    const ledger = await newClient();
    const { handle } = (await ledger.get('/ledger')).data;
    const way = await between(...manners);
    const options = { signer, ledger: String(handle), trust: ledger.key };
    const shaky = await connect(way.url, options);
    const intent = await shaky.pay(transfer('alice', 'bob', usd('1')));
    expect(intent.meta.status).toBe('completed');
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: 'bob' } });
    expect(data[0]?.data.amount).toBe(100);
    way.stop();
  });

  test('is made once when a record is updated, proved, or dropped', async () => {
    const ledger = await newClient();
    const { handle } = (await ledger.get('/ledger')).data;
    const overLoss = async () => {
      const way = await between(lost);
      afterAll(way.stop);
      return connect(way.url, { signer, ledger: String(handle), trust: ledger.key });
    };
    const wallet = await ledger.create('/wallets', { handle: 'carol' });
    const shaky = await overLoss();
    const updated = await shaky.update('/wallets/{id}', wallet, { schema: 'savings' });
    expect(updated.data.schema).toBe('savings');
    const proving = await overLoss();
    const frozen = await proving.prove('/wallets/{id}/proofs', updated, { status: 'inactive' });
    expect(frozen.meta.status).toBe('inactive');
    const dropping = await overLoss();
    await dropping.drop('/wallets/{id}/drop', frozen);
    const notFound = { reason: 'record.not-found' };
    await expect(ledger.drop('/wallets/{id}/drop', frozen)).rejects.toMatchObject(notFound);
  });

  test('is refused when another changed the record meanwhile, or made the same change', async () => {
    const ledger = await newClient();
    const wallet = await ledger.create('/wallets', { handle: 'carol' });
    await ledger.update('/wallets/{id}', wallet, { schema: 'savings' });
    const { handle } = (await ledger.get('/ledger')).data;
    const other = await connect(home.url, { signer: newKey(), ledger: String(handle) });
    const stale = { reason: 'crypto.parent-hash-invalid' };
    const current = ledger.update('/wallets/{id}', wallet, { schema: 'current' });
    await expect(current).rejects.toMatchObject(stale);
    const same = other.update('/wallets/{id}', wallet, { schema: 'savings' });
    await expect(same).rejects.toMatchObject(stale);
  });

  test('is an error in the end, and so is a server that is no ledger', async () => {
    const trust = (await connect(home.url)).key;
    const nobody = await connect('http://127.0.0.1:9/v2', { trust, attempts: 1 });
    await expect(nobody.get('/ledger')).rejects.toThrow(LedgerUnreachable);
    const page: Manner = async (_, out) => out.writeHead(200).end('<html>');
    const way = await between(page);
    const other = await connect(way.url, { trust, attempts: 1 });
    await expect(other.get('/ledger')).rejects.toThrow('is no ledger');
    way.stop();
  });
});

test('an answer that does not end is given up, and its connection is left', async () => {
  let left = 0;
  const endless = () =>
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"data":')),
      cancel() {
        left += 1;
      },
    });
  const slow = connect(home.url, {
    fetch: async () => new Response(endless()), // as in Node 20 and 22, the signal is forgotten
    ...{ timeoutMs: 20, attempts: 2 },
  });
  await expect(slow).rejects.toThrow(LedgerUnreachable);
  expect(left).toBe(2);
});

describe('an answer', () => {
  test.each([
    [
      'with other data',
      (text: string) => text.replace('"handle":"main"', '"handle":"evil"'),
      'hash',
    ],
    [
      'without proofs',
      (text: string) => text.replace(/"proofs":\[.*?\]/, '"proofs":[]'),
      'not signed by the ledger',
    ],
    ['that is not signed at all', () => '{"data":{"handle":"main"}}', 'not signed'],
    [
      'with a proof that is none',
      (text: string) => text.replace('"proofs":[', '"proofs":[null,{"public":1},'),
      'does not verify',
    ],
    [
      'with proofs that are no list',
      (text: string) => text.replace('"proofs":[', '"proofs":1,"other":['),
      'not signed',
    ],
    ['that is null', () => 'null', 'not signed'],
    [
      'with another signature',
      (text: string) => text.replace(/(?<="result":")./, (first) => (first === 'z' ? 'y' : 'z')),
      'does not verify',
    ],
  ])('%s is not believed', async (_, change, why) => {
    const { key: trust } = await connect(home.url);
    const way = await between(forged(change));
    const ledger = await connect(way.url, { trust });
    const error = await ledger.get('/ledger').catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LedgerUntrusted);
    expect(String(error)).toContain(why);
    way.stop();
  });

  test.each([
    // Members are sorted: the luid comes before the proofs, and the status after them.
    ['luid', /"luid":"\$int\./, '"luid":"$$int.x', 'luid'],
    [
      'status',
      /"status":"rejected"(?!.*"status":"rejected")/,
      '"status":"completed"',
      'which is rejected',
    ],
  ])('with another %s than the signed one is not believed', async (_, from, to, why) => {
    const ledger = await newClient();
    const { handle } = (await ledger.get('/ledger')).data;
    const way = await between(forged((text) => text.replace(from, to)));
    const options = { signer, ledger: String(handle), trust: ledger.key };
    const shaky = await connect(way.url, options);
    const error = await shaky.pay(transfer('alice', 'bob', usd('101'))).catch((one) => one);
    expect(error).toBeInstanceOf(LedgerUntrusted);
    expect(String(error)).toContain(why);
    way.stop();
  });

  test('of another ledger than the trusted one is not believed', async () => {
    const ledger = await connect(home.url, { trust: newKey().public });
    await expect(ledger.get('/ledger')).rejects.toThrow(LedgerUntrusted);
  });
});

describe('a webhook', () => {
  const sent = async () => {
    const ledger = await newClient();
    const path = `/${unique('hook')}`;
    const action = { schema: 'webhook', endpoint: receiver.at(path) } as const;
    // The issue before may be published after the effect was made.
    const filter = { amount: 100 };
    await ledger.create('/effects', { handle: 'hook', signal: 'balance-received', filter, action });
    await ledger.pay(transfer('alice', 'bob', usd('1')));
    const [arrival] = await receiver.until(path, 1);
    if (!arrival) throw new Error('nothing arrived');
    return { ...arrival, key: ledger.key };
  };

  test('of the ledger is its event, by headers of Node and of fetch', async () => {
    const { headers, text, key, handle } = await sent();
    const event = verifyWebhook(headers, text, { key });
    expect(event.data).toMatchObject({ handle, signal: 'balance-received', amount: 100 });
    const fetched = new Headers(headers as Record<string, string>);
    expect(verifyWebhook(fetched, text, { key })).toEqual(event);
  });

  test('that was changed, is old, or is of another is refused', async () => {
    const { headers, text, key } = await sent();
    const refused = (
      ...[changed, body = text, options = { key }]: [
        object,
        string?,
        { key: string; toleranceSeconds?: number }?,
      ]
    ) =>
      expect(() => verifyWebhook({ ...headers, ...changed }, body, options)).toThrow(
        WebhookRefused,
      );
    refused({}, text.replace('100', '900'));
    refused({ 'webhook-id': 'evt_other' });
    refused({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) });
    refused({ 'webhook-timestamp': '' });
    refused({ 'webhook-signature': '' });
    refused({}, text, { key: newKey().public });
    refused({}, text, { key, toleranceSeconds: -1 });
  });
});
