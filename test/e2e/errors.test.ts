/** Goal: a wrong request gets a signed API error of the ledger, with the same status on every target. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, newKey, revision, signed, unique } from '../fixture/client.ts';
import { bearing } from '../fixture/token.ts';
import { asOwner, challengeIn, home, newLedger, owner } from './target.ts';

const mebibyte = 1024 * 1024;
let ledger: Client;

beforeAll(async () => {
  ledger = await newLedger();
});

const wallet = () => signed({ handle: unique('wallet') }, owner);
/** Sends a body as it is; returns status and reason. */
async function refused(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const reply = await ledger.send('POST', '/wallets', body, { headers });
  expect(reply.body.meta.proofs[0]).toMatchObject({ signer: 'system', public: ledger.key });
  return [reply.status, reply.reason, reply.custom['fault']];
}

describe('a body', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['half of an object', '{"hash":', 'not-json'],
    ['a key twice', '{"a":1,"a":1}', 'duplicate-key'],
    ['an integer that no double holds', '{"a":9007199254740992}', 'unsafe-integer'],
    ['a byte order mark', '\uFEFF{}', 'byte-order-mark'],
  ])('of %s is malformed', async (_, text, fault) => {
    expect(await refused(text)).toEqual([400, 'api.body-malformed', fault]);
  });

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['a slash in two bytes', [0x22, 0xc0, 0xaf, 0x22]],
    ['half of a character', [0x22, 0xe2, 0x82, 0x22]],
  ])('with %s reaches the ledger as it was sent, and is not UTF-8', async (_, bytes) => {
    expect(await refused(Uint8Array.from(bytes))).toEqual([400, 'api.body-malformed', 'not-utf8']);
  });

  test('of characters beyond ASCII is hashed as it was signed', async () => {
    const custom = { city: 'Čakovec', note: '💰 naïve' };
    const item = await ledger.make('wallets', { handle: unique('wallet'), custom }, owner);
    expect((await ledger.get(`/wallets/${item.luid}`)).body.data['custom']).toEqual(custom);
  });

  test('of 1 MiB is let in, and of one byte more is not', async () => {
    const text = JSON.stringify(wallet());
    const whole = await ledger.send('POST', '/wallets', text.padEnd(mebibyte, ' '));
    expect([whole.status, whole.reason]).toEqual([201, undefined]);
    const more = JSON.stringify(wallet()).padEnd(mebibyte + 1, ' ');
    expect(await refused(more)).toEqual([413, 'api.body-malformed', 'too-large']);
  });

  test('of another type is not JSON', async () => {
    const text = JSON.stringify(wallet());
    const answer = [415, 'api.body-malformed', 'not-json-type'];
    expect(await refused(text, { 'content-type': 'text/plain' })).toEqual(answer);
  });

  test('of another shape, hash or signature is refused', async () => {
    const body = wallet();
    const [proof] = body.meta.proofs;
    const all = [
      { hash: body.hash },
      { ...body, hash: '0'.repeat(64) },
      { ...body, meta: { proofs: [{ ...proof, result: btoa('x'.repeat(64)) }] } },
    ];
    const replies = await Promise.all(all.map((wrong) => ledger.post('/wallets', wrong)));
    expect(replies.map(({ status, reason }) => [status, reason])).toEqual([
      [422, 'record.schema-invalid'],
      [422, 'crypto.hash-invalid'],
      [422, 'crypto.signature-invalid'],
    ]);
  });
});

describe('a record', () => {
  test('of a handle that is taken is refused', async () => {
    const { data } = await ledger.make('wallets', { handle: unique('wallet') }, owner);
    const reply = await ledger.post('/wallets', signed({ handle: data.handle }, newKey()));
    expect([reply.status, reply.reason]).toEqual([409, 'record.duplicated']);
  });

  test('is not changed in place of a version that it has no more', async () => {
    const first = await ledger.make('wallets', { handle: unique('wallet') }, owner);
    const path = `/wallets/${first.luid}`;
    const change = (note: string) => revision(first, { custom: { note } }, owner);
    expect((await ledger.put(path, change('one'))).status).toBe(200);
    const reply = await ledger.put(path, change('two'));
    expect([reply.status, reply.reason]).toEqual([422, 'crypto.parent-hash-invalid']);
  });

  test.each([
    'nobody',
    '%25',
    '100%25',
    '%20',
    '%F0%9F%92%B0',
    'a%2Fb',
    'a+b',
    'a%2Bb',
    '__proto__',
  ])('of the handle %j is not there', async (handle) => {
    for (const path of [`/wallets/${handle}`, `/wallets/${handle}/balances`]) {
      const reply = await ledger.get(path);
      expect([reply.status, reply.reason]).toEqual([404, 'record.not-found']);
    }
  });

  test('is found by a handle that has to be encoded in a path', async () => {
    const handle = `svgs:${unique('1001')}+x@bank.io`;
    const { luid } = await ledger.make('wallets', { handle }, owner);
    for (const name of [encodeURIComponent(handle), handle, encodeURIComponent(luid)])
      expect((await ledger.get(`/wallets/${name}`)).body.luid).toBe(luid);
  });
});

describe('a route', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/wallets/a/b/c'],
    ['POST', '/nothing'],
  ])('%s %s is no endpoint', async (method, path) => {
    const reply = await ledger.send(method, path, method === 'GET' ? undefined : {});
    expect([reply.status, reply.reason]).toEqual([404, 'api.route-not-found']);
  });

  test.each([
    ['PATCH', '/wallets', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/wallets/a', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['DELETE', '/intents/a', 'GET, HEAD, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
  ])('%s %s is another method than %s', async (method, path, allow) => {
    const reply = await ledger.send(method, path, {});
    expect([reply.status, reply.reason]).toEqual([405, 'api.method-not-allowed']);
    expect(reply.headers.get('allow')).toBe(allow);
    const asked = await fetch(`${ledger.url}${path}`, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, allow]);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('is asked by HEAD as by GET', async () => {
    const { status, headers } = await fetch(`${ledger.url}/signers/system`, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  test('to a ledger that is not here is refused by the server', async () => {
    const server = await home();
    const reply = await server.get('/wallets', { headers: { 'X-Ledger': unique('nowhere') } });
    expect([reply.status, reply.reason]).toEqual([404, 'api.route-not-found']);
  });

  test('names the ledger without regard to the case of the header', async () => {
    const server = await home();
    const headers = { 'X-LEDGER': ledger.ledger ?? '' };
    expect((await server.get('/wallets', { headers, signer: ledger.key })).status).toBe(200);
  });
});

describe('a closed ledger', () => {
  let closed: Client;

  beforeAll(async () => {
    closed = await newLedger({});
    await closed.make('wallets', { handle: 'vault' }, owner);
  });

  test('lets its owner read, with a token', async () => {
    expect((await closed.get('/wallets/vault', asOwner())).status).toBe(200);
    const { items } = await closed.get('/wallets', asOwner());
    expect(items.map(({ data }) => data.handle)).toEqual(['vault']);
  });

  test('refuses who is nobody, and tells strangers nothing', async () => {
    const nobody = await closed.get('/wallets/vault');
    expect([nobody.status, nobody.reason]).toEqual([401, 'auth.unauthorized']);
    const stranger = await closed.get('/wallets/vault', bearing(newKey()));
    expect([stranger.status, stranger.reason]).toEqual([403, 'auth.forbidden']);
    const none = await closed.get('/wallets/nobody', bearing(newKey()));
    expect([none.status, none.detail]).toEqual([403, stranger.detail]);
    const made = await closed.post('/wallets', signed({ handle: 'theirs' }, newKey()));
    expect([made.status, made.reason]).toEqual([403, 'auth.forbidden']);
  });

  test('challenges who comes with a token that does not hold', async () => {
    const reply = await closed.get('/wallets', bearing(owner, { exp: 1 }));
    expect([reply.status, reply.reason]).toEqual([401, 'auth.unauthorized']);
    expect(challengeIn(reply.headers)).toBe('Bearer error="invalid_token"');
  });

  test('shows its key to everyone', async () => {
    const { status, body } = await closed.get('/signers/system');
    expect([status, body.data['public']]).toEqual([200, closed.key]);
  });
});
