/**
 * Goal: a bridge over HTTP: where it may be, what its security rules may say, and that a secret goes in
 * and never comes out. Rulings 53 and 62, Decisions 22 and 36.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  titled,
  unique,
} from '../fixture/client.ts';
import { filesHolding } from '../fixture/plaintext.ts';
import { type Receiver, startReceiver, until } from '../fixture/receiver.ts';
import { newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { startTokenServer } from '../fixture/token-server.ts';
import vectors from '../vectors/outgoing.json' with { type: 'json' };

const data = newDataFolder();
let runtime: Runtime;
let receiver: Receiver;
let ledger: Client;
const key = newKey();

beforeAll(async () => {
  // Every line of the log is wanted: none of them may hold a secret.
  runtime = await start({ data, env: { LEDGER_LOG: 'info' } });
  receiver = await startReceiver();
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  rmSync(data, { recursive: true });
  expect(runtime.complaints.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const config = { server: 'https://core.bank.example/countersign' };
const header = (value: string, name = 'authorization') => ({ schema: 'header', key: name, value });
const oauth2 = (more: Json = {}) => ({
  schema: 'oauth2',
  clientId: 'ledger',
  clientSecret: '{{ secret.oauth }}',
  tokenUrl: 'https://login.bank.example/token',
  ...more,
});

/** The body of a new bridge with security rules and what comes beside them. */
function bodyOf(secure: readonly Json[], secret?: unknown, more: Json = {}) {
  const body = signed({ handle: unique('bridge'), config, secure, ...more }, key);
  return secret === undefined ? body : { ...body, meta: { ...body.meta, secret } };
}

/** An update of a bridge with what comes beside it. */
function updateOf(record: Item, change: Json, secret?: Json) {
  const body = revision(record, change, key);
  return secret ? { ...body, meta: { ...body.meta, secret } } : body;
}

async function refusalOf(secure: readonly Json[], secret?: unknown, more: Json = {}) {
  const body = bodyOf(secure, secret, more);
  const reply = await ledger.post('/bridges', body);
  const { handle } = body.data;
  expect((await ledger.get(`/bridges/${handle}`)).status).toBe(404);
  const errors = (reply.custom['errors'] ?? []) as { instancePath: string; keyword: string }[];
  return {
    status: reply.status,
    reason: reply.reason,
    text: reply.text,
    errors: errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).sort(),
  };
}

async function made(secure: readonly Json[], secret: Json): Promise<Item> {
  const reply = await ledger.post('/bridges', bodyOf(secure, secret));
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const bearer = header('Bearer {{ secret.token }}');

describe('a secret', () => {
  test('goes in beside the data and is shown nowhere, from the first answer to the last file', async () => {
    const secrets = ['t0p-s3cret/one', 'an0ther "s3cret" two', 'r3newed s3cret three'];
    const [first = '', second = '', third = ''] = secrets;
    const path = `/${unique('events')}`;
    for (const signal of ['created', 'updated', 'proofs-added', 'dropped'])
      await ledger.make(
        'effects',
        {
          handle: unique('effect'),
          signal: `bridge-${signal}`,
          action: { schema: 'webhook', endpoint: receiver.at(path) },
        },
        key,
      );
    const seen: string[] = [];
    const body = bodyOf([bearer, oauth2({ scope: 'payments' })], { token: first, oauth: second });
    const created = await ledger.post('/bridges', body);
    expect(created.status, created.text).toBe(201);
    const { luid, data: shown } = created.body;
    expect(shown).toEqual(body.data);
    const updated = await ledger.put(
      `/bridges/${luid}`,
      updateOf(created.body, { custom: { note: 2 } }, { token: third }),
    );
    expect(updated.status, updated.text).toBe(200);
    const proof = proofOf(updated.body.hash, key, { moment: now(), status: 'active' });
    seen.push((await ledger.post(`/bridges/${luid}/proofs`, proof)).text);
    for (const at of [`/${luid}`, '', `/${luid}/changes`, `/${luid}/changes/1`])
      seen.push((await ledger.get(`/bridges${at}`)).text);
    const current = await ledger.get(`/bridges/${luid}`);
    const dropped = await ledger.send('DELETE', `/bridges/${luid}`, farewell(current.body, key));
    expect(dropped.status).toBe(204);
    seen.push(created.text, updated.text, (await ledger.get(`/bridges/${luid}/changes`)).text);
    const events = await receiver.until(path, 4);
    seen.push(...events.map(({ text, headers }) => text + JSON.stringify(headers)));
    seen.push(...runtime.complaints);
    expect(seen.some((text) => text.includes(String(shown['handle'])))).toBe(true);
    for (const secret of secrets) {
      const quoted = JSON.stringify(secret).slice(1, -1);
      expect(seen.filter((text) => text.includes(secret) || text.includes(quoted))).toEqual([]);
      expect(filesHolding(data, secret)).toEqual([]);
      expect(filesHolding(data, Buffer.from(secret).toString('base64').slice(0, -4))).toEqual([]);
    }
    expect(filesHolding(data, String(shown['handle']))).not.toEqual([]);
  });

  test.each([
    ['a value is missing', [bearer], undefined, ['/meta/secret required']],
    ['two values are missing', [bearer, oauth2()], {}, Array(2).fill('/meta/secret required')],
    [
      'a name is unknown, and another one is missing',
      [bearer],
      { tokn: 'x' },
      ['/meta/secret additionalProperties', '/meta/secret required'],
    ],
    ['a name has no place', [], { token: 'x' }, ['/meta/secret additionalProperties']],
    [
      'what is no name is not repeated',
      [bearer],
      { token: 'x', 'hunter2 hunter2': 'password' },
      ['/meta/secret propertyNames'],
    ],
    ['a value is empty', [bearer], { token: '' }, ['/meta/secret/token minLength']],
    ['a value is long', [bearer], { token: 'x'.repeat(4097) }, ['/meta/secret/token maxLength']],
    ['a value has a line end', [bearer], { token: 'x\r\ny: z' }, ['/meta/secret/token pattern']],
    ['a value is not ASCII', [bearer], { token: 'pässword' }, ['/meta/secret/token pattern']],
    ['a value is no text', [bearer], { token: 5 }, ['/meta/secret/token type']],
    ['secrets are no object', [bearer], 'token', ['/meta/secret type']],
  ])('is refused when %s', async (_, secure, secret, errors) => {
    const refusal = await refusalOf(secure, secret);
    expect([refusal.status, refusal.reason]).toEqual([422, 'record.schema-invalid']);
    expect(refusal.errors).toEqual(errors);
    expect(refusal.text).not.toContain('hunter2');
    expect(refusal.text).not.toContain('pässword');
  });

  test('of 4096 characters is taken, and 32 names are, and no more', async () => {
    await made([bearer], { token: '~'.repeat(4096) });
    const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    const value = (count: number) =>
      names(count)
        .map((name) => `{{ secret.${name} }}`)
        .join(' ');
    const valuesOf = (count: number) => Object.fromEntries(names(count).map((name) => [name, 'x']));
    await made([header(value(32))], valuesOf(32));
    const { errors } = await refusalOf([header(value(33))], valuesOf(33));
    expect(errors).toEqual(['/data/secure maxProperties']);
  });

  test('may be left out of an update that names it still, and not of one that names another', async () => {
    const record = await made([bearer], { token: 'one' });
    const path = `/bridges/${record.luid}`;
    const kept = await ledger.put(path, updateOf(record, { custom: { note: 1 } }));
    expect(kept.status, kept.text).toBe(200);
    const both = { secure: [bearer, oauth2()] };
    const lacking = await ledger.put(path, updateOf(kept.body, both));
    expect([lacking.status, lacking.reason]).toEqual([422, 'record.schema-invalid']);
    expect(lacking.detail).toBe("/meta/secret must have required property 'oauth'");
    const added = await ledger.put(path, updateOf(kept.body, both, { oauth: 'two' }));
    expect(added.status, added.text).toBe(200);
    const strange = updateOf(added.body, {}, { other: 'three' });
    expect((await ledger.put(path, strange)).reason).toBe('record.schema-invalid');
  });

  test('that is not named any more is forgotten', async () => {
    const record = await made([bearer, oauth2()], { token: 'one', oauth: 'two' });
    const path = `/bridges/${record.luid}`;
    const without = await ledger.put(path, updateOf(record, { secure: [bearer] }));
    expect(without.status, without.text).toBe(200);
    const again = await ledger.put(path, updateOf(without.body, { secure: [bearer, oauth2()] }));
    expect(again.detail).toBe("/meta/secret must have required property 'oauth'");
    const none = await ledger.put(path, updateOf(without.body, { secure: [] }));
    expect(none.status, none.text).toBe(200);
    const back = await ledger.put(path, updateOf(none.body, { secure: [bearer] }));
    expect(back.detail).toBe("/meta/secret must have required property 'token'");
  });

  test('is not taken over by a bridge of the same name', async () => {
    const record = await made([bearer], { token: 'one' });
    await ledger.send('DELETE', `/bridges/${record.luid}`, farewell(record, key));
    const { status, detail } = await ledger.post('/bridges', signed(record.data, key));
    expect(status).toBe(422);
    expect(detail).toBe("/meta/secret must have required property 'token'");
  });

  test('beside a record of another kind is ignored', async () => {
    const body = signed({ handle: unique('wallet') }, key);
    const meta = { ...body.meta, secret: { token: 'x' } };
    const reply = await ledger.post('/wallets', { ...body, meta });
    expect(reply.status).toBe(201);
    expect(reply.text).not.toContain('token');
  });
});

describe('a security rule', () => {
  test.each([
    ['a plain header value', [header('Bearer plain-token')], '/data/secure/0/value pattern'],
    ['a name in other braces', [header('Bearer {{secret.token}}')], '/data/secure/0/value pattern'],
    ['a brace beside a name', [header('{ {{ secret.token }} }')], '/data/secure/0/value pattern'],
    [
      'a line end in a header',
      [header('{{ secret.token }}\r\nx: y')],
      '/data/secure/0/value pattern',
    ],
    [
      'a key that is no header',
      [header('{{ secret.token }}', 'x y')],
      '/data/secure/0/key pattern',
    ],
    [
      'a plain client secret',
      [oauth2({ clientSecret: 'plain' })],
      '/data/secure/0/clientSecret pattern',
    ],
    [
      'a client secret with more than its name',
      [oauth2({ clientSecret: 'a{{ secret.oauth }}' })],
      '/data/secure/0/clientSecret pattern',
    ],
    ['no client secret', [oauth2({ clientSecret: undefined })], '/data/secure/0 required'],
    ['another schema', [{ schema: 'basic', user: 'a' }], '/data/secure/0/schema enum'],
    ['a member too much', [oauth2({ typo: 1 })], '/data/secure/0 additionalProperties'],
  ])('is refused with %s', async (_, secure, error) => {
    const refusal = await refusalOf(JSON.parse(JSON.stringify(secure)), {});
    expect([refusal.status, refusal.reason]).toEqual([422, 'record.schema-invalid']);
    expect(refusal.errors).toEqual([error]);
    expect(refusal.text).not.toContain('plain');
  });
});

test.each(['Host', 'content-length', 'Content-Type'])(
  'a security rule may not set the header %s',
  async (name) => {
    const { status, reason, errors } = await refusalOf([header('{{ secret.token }}', name)], {
      token: 'x',
    });
    expect([status, reason]).toEqual([422, 'record.schema-invalid']);
    expect(errors).toEqual(['/data/secure/0/key not']);
  },
);

test('two security rules may not set the same header', async () => {
  const secure = [header('{{ secret.a }}', 'X-Key'), header('{{ secret.b }}', 'x-key')];
  const { status, reason, errors, text } = await refusalOf(secure, { a: '1', b: '2' });
  expect([status, reason]).toEqual([422, 'record.schema-invalid']);
  expect(errors).toEqual(['/data/secure/1/key not']);
  expect(text).toContain('must NOT be x-key, which another rule sets');
});

describe('an address', () => {
  const refused = vectors.endpoints.inside.refused.map(([url = '']) => url);

  test.each(titled(refused.filter((url) => url.length > 0 && url.length <= 2048)))(
    '%s is refused as a server',
    async (_, server) => {
      const refusal = await refusalOf([], undefined, { config: { server } });
      expect([refusal.status, refusal.reason]).toEqual([422, 'record.invalid']);
    },
  );

  test('is checked of a token too, and in an update', async () => {
    const tokenUrl = 'https://169.254.169.254/token';
    const refusal = await refusalOf([oauth2({ tokenUrl })], { oauth: 'x' });
    expect([refusal.status, refusal.reason]).toEqual([422, 'record.invalid']);
    const record = await made([], {});
    const moved = updateOf(record, { config: { server: 'https://10.0.0.1/' } });
    const reply = await ledger.put(`/bridges/${record.luid}`, moved);
    expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
  });

  test('of this machine may be called offline, as nowhere else', async () => {
    const local = { config: { server: 'http://127.0.0.1:8080/core' } };
    expect((await ledger.post('/bridges', bodyOf([], undefined, local))).status).toBe(201);
  });
});

describe('a trait', () => {
  test('is a name, or a name with conditions', async () => {
    const filter = { amount: { $gt: 100 }, schema: 'transfer' };
    const traits = ['debits', { method: 'credits', filter }, { method: 'statuses' }];
    const reply = await ledger.post('/bridges', bodyOf([], undefined, { traits }));
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data['traits']).toEqual(traits);
  });

  test('that nobody knows is refused, and so are conditions that cannot be judged', async () => {
    const unknown = await refusalOf([], undefined, { traits: ['loans'] });
    expect(unknown.reason).toBe('record.schema-invalid');
    for (const filter of [
      { a: { $near: 1 } },
      { a: { $regex: '(' } },
      { 'a.$gt': 1 },
      { $or: [{ a: 1 }] },
    ]) {
      const refusal = await refusalOf([], undefined, { traits: [{ method: 'debits', filter }] });
      expect([refusal.status, refusal.reason]).toEqual([422, 'record.invalid']);
    }
  });

  test.each([
    ['debits', 'claims.amount', "a claim; the nearest is 'amount'."],
    ['credits', 'symbols', "a claim; the nearest is 'symbol'."],
    ['statuses', 'amounts.usd', 'an intent, only luid, hash, data, meta,'],
    ['effects', 'walet.data.handle', "an event; the nearest is 'wallet'."],
  ])('of %s is refused with a condition on %s', async (method, path, why) => {
    const filter = { signal: 'wallet-created', [path]: { $exists: false } };
    const traits = [{ method, filter: method === 'effects' ? filter : { [path]: 1 } }];
    const { status, reason, text } = await refusalOf([], undefined, { traits });
    expect([status, reason]).toEqual([422, 'record.invalid']);
    expect(text).toContain(`Filter '${path}' begins with no member of ${why}`);
  });
});

describe('an effect that tells a bridge', () => {
  const tell = async (bridge: string) =>
    ledger.make(
      'effects',
      { handle: unique('hook'), signal: 'wallet-created', action: { schema: 'bridge', bridge } },
      key,
    );
  /** The deliveries of an effect, once each of them is over. */
  /** The deliveries of an effect, once there are so many and all are over: each is listed when its first attempt has ended. */
  async function overOf(effect: Item, count = 1): Promise<readonly Item[]> {
    let items: readonly Item[] = [];
    const isOver = ({ meta }: Item) => ['delivered', 'cancelled'].includes(meta.status);
    await until('all deliveries are over', async () => {
      ({ items } = await ledger.get(`/effects/${effect.luid}/events`));
      return items.length >= count && items.every(isOver);
    });
    return items;
  }

  test('comes with a token where it asks for one, and waits while there is none', async () => {
    const login = await startTokenServer('ledger', 's3cret');
    login.manner = 'nobody';
    const server = receiver.at(`/${unique('core')}`);
    const secure = [oauth2({ tokenUrl: login.url })];
    const body = bodyOf(secure, { oauth: 's3cret' }, { config: { server } });
    const { body: bridge } = await ledger.post('/bridges', body);
    const effect = await tell(String(bridge.data['handle']));
    await ledger.make('wallets', { handle: unique('wallet') }, key);
    await until('it has failed', async () => {
      const { items } = await ledger.get(`/effects/${effect.luid}/events`);
      return items[0]?.meta.status === 'failed';
    });
    login.manner = 'form';
    const path = new URL(`${server}/effects/${effect.data['handle']}`).pathname;
    const [arrival] = await receiver.until(path, 1);
    expect(arrival?.headers.authorization).toBe(`Bearer ${login.given[0]}`);
    await overOf(effect);
    await ledger.send('DELETE', `/effects/${effect.luid}`, farewell(effect, key));
    await login.stop();
  });

  test('posts the event below its address, with its headers and no one else', async () => {
    const server = receiver.at(`/${unique('core')}/`);
    const secure = [bearer, header('{{ secret.token }}/2', 'X-Key')];
    const body = bodyOf(secure, { token: 't0ken' }, { config: { server } });
    const { body: bridge } = await ledger.post('/bridges', body);
    const effect = await tell(String(bridge.data['handle']));
    await ledger.make('wallets', { handle: unique('wallet') }, key);
    const path = new URL(`${server}effects/${effect.data['handle']}`).pathname;
    const [arrival] = await receiver.until(path, 1);
    expect(arrival?.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'x-key': 't0ken/2',
      'content-type': 'application/json',
    });
    expect(arrival?.signal).toBe('wallet-created');
    const [delivery] = await overOf(effect);
    expect(delivery?.meta.status).toBe('delivered');
    expect(delivery?.data).toMatchObject({
      bridge: bridge.data['handle'],
      effect: effect.data['handle'],
    });
    expect(JSON.stringify(delivery)).not.toContain('t0ken');
    await ledger.send('DELETE', `/effects/${effect.luid}`, farewell(effect, key));
  });

  test('tells it only what its traits want to hear', async () => {
    const server = receiver.at(`/${unique('core')}`);
    const filter = { 'wallet.data.custom.vip': true };
    const traits = ['debits', { method: 'effects', filter }];
    const { body: bridge } = await ledger.post(
      '/bridges',
      bodyOf([], undefined, { config: { server }, traits }),
    );
    const effect = await tell(String(bridge.data['handle']));
    await ledger.make('wallets', { handle: unique('wallet') }, key);
    const heard = await ledger.make('wallets', { handle: unique('w'), custom: { vip: true } }, key);
    await receiver.until(new URL(`${server}/effects/${effect.data['handle']}`).pathname, 1);
    const over = await overOf(effect, 2);
    const told = over.map(({ data, meta }) => [data['linked'] === heard.luid, meta.status]);
    expect(told).toEqual([
      [true, 'delivered'],
      [false, 'cancelled'],
    ]);
    expect(over[1]?.meta.proofs.at(-1)?.custom?.['detail']).toBe(
      'The bridge does not do effects of this kind.',
    );
    await ledger.send('DELETE', `/effects/${effect.luid}`, farewell(effect, key));
  });

  test('says so when the bridge cannot be called, and goes on when it can be again', async () => {
    const server = receiver.at(`/${unique('core')}`);
    const created = await ledger.post('/bridges', bodyOf([], undefined, { config: { server } }));
    const { body: plain } = created;
    await ledger.prove('bridges', plain, key, { status: 'inactive' });
    const effect = await tell(String(plain.data['handle']));
    await ledger.make('wallets', { handle: unique('wallet') }, key);
    const [delivery] = await overOf(effect);
    expect(delivery?.meta.status).toBe('cancelled');
    expect(delivery?.meta.proofs.at(-1)?.custom).toMatchObject({
      reason: 'delivery.permanent-failure',
      detail: 'The bridge is inactive.',
    });
    const wish = signed({}, key);
    expect((await ledger.post(`/bridges/${plain.luid}/activate`, wish)).status).toBe(202);
    expect((await ledger.get(`/bridges/${plain.luid}`)).body.meta.status).toBe('active');
    const again = signed({ maxAge: 0 }, key);
    expect((await ledger.post(`/effects/${effect.luid}/events/retry`, again)).status).toBe(202);
    await receiver.until(new URL(`${server}/effects/${effect.data['handle']}`).pathname, 1);
    await ledger.send('DELETE', `/effects/${effect.luid}`, farewell(effect, key));
  });
});

describe('the deliveries of a bridge', () => {
  test('are listed, read and sent again as those of an effect', async () => {
    const path = `/bridges/${(await made([], {})).luid}`;
    expect((await ledger.get(`${path}/events?data.bridge=x&meta.status=failed`)).items).toEqual([]);
    expect((await ledger.get(`${path}/events?data.typo=x`)).reason).toBe('api.query-malformed');
    expect((await ledger.get(`${path}/events/$evd.00000000000000000`)).reason).toBe(
      'record.not-found',
    );
    const retry = (data: Json) => ledger.post(`${path}/events/retry`, signed(data, key));
    expect((await retry({ maxAge: 0 })).status).toBe(202);
    expect((await retry({ handle: 'evt_00000000000000000' })).reason).toBe('record.not-found');
    expect((await retry({ maxAge: 2881 })).reason).toBe('record.schema-invalid');
    expect((await ledger.get('/bridges/nobody/events')).reason).toBe('record.not-found');
    const wish = signed({}, key);
    expect((await ledger.post('/bridges/nobody/activate', wish)).reason).toBe('record.not-found');
    expect((await ledger.post(`${path}/activate`, wish)).status).toBe(202);
    expect((await ledger.get(path)).body.meta.status).toBe('active');
  });
});
