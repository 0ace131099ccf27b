/**
 * Goal: the factors of a signer over HTTP: keys that prove, keys that sign tokens alone, and clients for
 * tokens whose secret is told once. Rulings 28 and 63, Decisions 20 and 23.
 */
import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { filesHolding } from '../fixture/plaintext.ts';
import { type Receiver, startReceiver } from '../fixture/receiver.ts';
import { audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import vectors from '../vectors/wire.json' with { type: 'json' };

const data = newDataFolder();
let runtime: Runtime;
let receiver: Receiver;
let ledger: Client;
const key = newKey();
const factors = '/signers/ann/factors';

beforeAll(async () => {
  runtime = await start({ data, env: { LEDGER_LOG: 'info' } });
  receiver = await startReceiver();
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  await ledger.make('signers', { handle: 'ann' }, key);
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  rmSync(data, { recursive: true });
  expect(runtime.complaints.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const credentials = (more: Json = {}) => ({
  handle: unique('client'),
  signer: 'ann',
  schema: 'oauth-client-credentials',
  ...more,
});
const keyPair = (more: Json = {}) => ({
  handle: unique('key'),
  signer: 'ann',
  schema: 'key-pair',
  public: newKey().public,
  format: 'ed25519-raw',
  ...more,
});
const rsa = (modulusLength = 2048) =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');

async function made(body: Json): Promise<Item> {
  const reply = await ledger.post(factors, signed(body, key));
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function refusalOf(body: Json) {
  const reply = await ledger.post(factors, signed(body, key));
  expect((await ledger.get(`${factors}/${body['handle']}`)).status).toBe(404);
  const [error] = (reply.custom['errors'] ?? []) as { instancePath: string; keyword: string }[];
  return [reply.status, reply.reason, `${error?.instancePath} ${error?.keyword}`];
}

interface Told {
  readonly clientId?: string;
  readonly secret?: { readonly clientSecret: string };
}
const toldIn = ({ meta }: Item) => meta as unknown as Told;
const secretIn = (record: Item) => toldIn(record).secret?.clientSecret;
const clientIdIn = (record: Item) => toldIn(record).clientId;

describe('a key pair', () => {
  test.each(vectors.mustReject.smallOrderPublicKeys)(
    'with the key %s, which anyone could sign for, is refused',
    async (publicKey) => {
      const refusal = await refusalOf(keyPair({ public: publicKey }));
      expect(refusal).toEqual([422, 'record.schema-invalid', '/data/public format']);
    },
  );

  test.each([
    ['a key of 1024 bits', rsa(1024)],
    ['a key of 4096 bits', rsa(4096).slice(0, 1024)],
    ['an ed25519 key', newKey().public],
    ['something else', 'abcd'],
  ])('for RSA with %s is refused', async (_, publicKey) => {
    const refusal = await refusalOf(keyPair({ public: publicKey, format: 'rsa-2048' }));
    expect(refusal).toEqual([422, 'record.schema-invalid', '/data/public format']);
  });

  test.each([
    ['no key', { public: undefined }, '/data required'],
    ['no format', { format: undefined }, '/data required'],
    ['another format', { format: 'secp256k1' }, '/data/format enum'],
    ['an RSA key that is said to be ed25519', { public: rsa() }, '/data/public format'],
    [
      'a plain private key',
      { secret: Buffer.alloc(32, 7).toString('base64') },
      '/data/secret format',
    ],
    ['a clientId', { clientId: 'x' }, '/data additionalProperties'],
  ])('with %s is refused', async (_, change, error) => {
    const body = JSON.parse(JSON.stringify(keyPair(change)));
    expect(await refusalOf(body)).toEqual([422, 'record.schema-invalid', error]);
  });

  test('need not say that it is one: its key does', async () => {
    const { schema: _schema, ...plain } = keyPair();
    const factor = await made(plain);
    expect(factor.data).toEqual(plain);
    const said = revision(factor, { schema: 'key-pair' }, key);
    expect((await ledger.put(`${factors}/${factor.luid}`, said)).status).toBe(200);
    const other = newKey();
    const { body } = await ledger.get(`${factors}/${factor.luid}`);
    const next: Json = { ...body.data, public: other.public, parent: body.hash };
    const { schema: _said, ...bare } = next;
    expect((await ledger.put(`${factors}/${factor.luid}`, signed(bare, key))).status).toBe(200);
    const { body: proven } = await ledger.post(
      '/wallets',
      signed({ handle: unique('wallet') }, other),
    );
    expect(proven.meta.proofs[0]?.signer).toBe('ann');
    const { public: _public, format: _format, ...nothing } = { ...plain, handle: unique('factor') };
    expect(await refusalOf(nothing)).toEqual([422, 'record.schema-invalid', '/data required']);
  });

  test('for RSA is stored and shown, holds no key of the signer and proves nothing', async () => {
    const publicKey = rsa();
    const { body } = await ledger.get(
      `${factors}/${(await made(keyPair({ public: publicKey, format: 'rsa-2048' }))).luid}`,
    );
    expect(body.data['public']).toBe(publicKey);
    expect(clientIdIn(body)).toBeUndefined();
    const other = await ledger.make('signers', { handle: unique('signer') }, key);
    const twin = keyPair({ public: publicKey, format: 'rsa-2048', signer: other.data.handle });
    const reply = await ledger.post(`/signers/${other.data.handle}/factors`, signed(twin, key));
    expect(reply.status, reply.text).toBe(201);
    const proof = { ...proofOf(body.hash, key, { moment: now() }), public: publicKey };
    const proved = await ledger.post(`${factors}/${body.luid}/proofs`, proof);
    expect(proved.reason).toBe('record.schema-invalid');
    const short = { ...proof, public: publicKey.slice(0, 44) };
    expect((await ledger.post(`${factors}/${body.luid}/proofs`, short)).reason).toBe(
      'crypto.signature-invalid',
    );
  });
});

describe('a client for tokens', () => {
  test('is told its secret once, and shows its clientId ever after', async () => {
    const record = await made(credentials({ custom: { note: 1 } }));
    const clientId = clientIdIn(record);
    const secret = secretIn(record);
    expect(clientId).toMatch(/^[-\w]{22}$/);
    expect(secret).toMatch(/^[-\w]{43}$/);
    expect(record.data['clientId']).toBeUndefined();
    const read = await ledger.get(`${factors}/${record.luid}`);
    expect(clientIdIn(read.body)).toBe(clientId);
    expect(secretIn(read.body)).toBeUndefined();
    const updated = await ledger.put(
      `${factors}/${record.luid}`,
      revision(record, { handle: unique('renamed') }, key),
    );
    expect(clientIdIn(updated.body)).toBe(clientId);
    expect(secretIn(updated.body)).toBeUndefined();
    const proof = proofOf(updated.body.hash, key, { moment: now(), status: 'active' });
    const proved = await ledger.post(`${factors}/${record.luid}/proofs`, proof);
    expect(clientIdIn(proved.body)).toBe(clientId);
  });

  test('differs from every other one', async () => {
    const records = await Promise.all(Array.from({ length: 8 }, () => made(credentials())));
    expect(new Set(records.map(clientIdIn)).size).toBe(8);
    expect(new Set(records.map(secretIn)).size).toBe(8);
  });

  test.each([
    ['include=meta.secret', true],
    ['include=data.x&include=meta.secret', true],
    ['include[]=meta.secret', true],
    ['include=data.x,meta.secret', true],
    ['include=meta.secrets', false],
    ['include=', false],
  ])('gets a new secret by an update with ?%s: %s', async (query, isNew) => {
    const record = await made(credentials());
    const body = revision(record, { custom: { at: now() } }, key);
    const reply = await ledger.put(`${factors}/${record.luid}?${encodeURI(query)}`, body);
    expect(reply.status, reply.text).toBe(200);
    expect(clientIdIn(reply.body)).toBe(clientIdIn(record));
    const secret = secretIn(reply.body);
    expect(secret !== undefined).toBe(isNew);
    if (isNew) expect(secret).not.toBe(secretIn(record));
  });

  test('asks for nothing where there is no secret: reading and keys ignore include', async () => {
    const record = await made(keyPair());
    const path = `${factors}/${record.luid}?include=meta.secret`;
    expect(secretIn((await ledger.get(path)).body)).toBeUndefined();
    const reply = await ledger.put(path, revision(record, { custom: {} }, key));
    expect([reply.status, secretIn(reply.body)]).toEqual([200, undefined]);
  });

  test.each([
    ['a key', { public: newKey().public }, '/data additionalProperties'],
    ['a format', { format: 'ed25519-raw' }, '/data additionalProperties'],
    ['a clientId of its own', { clientId: 'mine' }, '/data additionalProperties'],
    ['a clientSecret of its own', { clientSecret: 'mine' }, '/data additionalProperties'],
  ])('with %s is refused', async (_, change, error) => {
    expect(await refusalOf(credentials(change))).toEqual([422, 'record.schema-invalid', error]);
  });

  test('stays one, and a key stays a key', async () => {
    const client = await made(credentials());
    const { public: publicKey, format } = keyPair();
    const asKey = revision(client, { schema: 'key-pair', public: publicKey, format }, key);
    expect((await ledger.put(`${factors}/${client.luid}`, asKey)).reason).toBe(
      'record.update-rejected',
    );
    const pair = await made(keyPair());
    const { public: _public, format: _format, ...rest } = pair.data;
    const asClient = signed(
      { ...rest, schema: 'oauth-client-credentials', parent: pair.hash },
      key,
    );
    expect((await ledger.put(`${factors}/${pair.luid}`, asClient)).reason).toBe(
      'record.update-rejected',
    );
  });

  test('ends with its factor, and one of the same name is another client', async () => {
    const body = credentials();
    const first = await made(body);
    const reply = await ledger.send('DELETE', `${factors}/${first.luid}`, farewell(first, key));
    expect(reply.status).toBe(204);
    const second = await made(body);
    expect(clientIdIn(second)).not.toBe(clientIdIn(first));
    const { code, said } = await audit(data);
    expect(code, said).toBe(0);
  });
});

describe('a key that two records of a signer show', () => {
  /** A signer, and the paths of two records of it that show a key: the second one has it. */
  async function shownTwice(isSigner: boolean) {
    const [shown, eve] = [newKey(), newKey()];
    const [signer, other] = [unique('signer'), unique('eve')];
    const showing = { public: shown.public, format: 'ed25519-raw' };
    const bare = { handle: signer, public: newKey().public, format: 'ed25519-raw' };
    await ledger.make('signers', bare, key);
    const held = await ledger.make('signers', { handle: other, ...showing }, key);
    // The factor shows the key while it belongs to another signer, which gives it up.
    const idle = await added(signer, showing);
    const away = revision(held, { public: eve.public }, key);
    expect((await ledger.put(`/signers/${other}`, away)).status).toBe(200);
    const having = isSigner ? await taken(signer, showing) : await added(signer, showing);
    expect(await nameOf(shown)).toBe(signer);
    return { shown, signer, idle, having };
  }

  async function added(signer: string, showing: Json): Promise<string> {
    const path = `/signers/${signer}/factors`;
    const data = { handle: unique('key'), signer, schema: 'key-pair', ...showing };
    const reply = await ledger.post(path, signed(data, key));
    expect(reply.status, reply.text).toBe(201);
    return `${path}/${reply.body.luid}`;
  }

  async function taken(signer: string, showing: Json): Promise<string> {
    const path = `/signers/${signer}`;
    const { body } = await ledger.get(path);
    expect((await ledger.put(path, revision(body, showing, key))).status).toBe(200);
    return path;
  }

  /** The signer as which a key proves. */
  async function nameOf(by: Key): Promise<string | undefined> {
    const { body } = await ledger.post('/wallets', signed({ handle: unique('wallet') }, by));
    return body.meta.proofs[0]?.signer;
  }

  const ended = async (path: string) => {
    const { body } = await ledger.get(path);
    expect((await ledger.send('DELETE', path, farewell(body, key))).status).toBe(204);
  };
  const replaced = async (path: string) => {
    const { body } = await ledger.get(path);
    const next = revision(body, { public: newKey().public }, key);
    expect((await ledger.put(path, next)).status).toBe(200);
  };
  const noted = async (path: string) => {
    const { body } = await ledger.get(path);
    expect((await ledger.put(path, revision(body, { custom: { n: 1 } }, key))).status).toBe(200);
  };

  test.each([
    ['the record of the signer', true],
    ['another factor', false],
  ])('stays with %s when the factor that only shows it gives it up', async (_, isSigner) => {
    for (const giveUp of [ended, replaced]) {
      const { shown, signer, idle } = await shownTwice(isSigner);
      await noted(idle);
      await giveUp(idle);
      const thief = unique('thief');
      await ledger.make(
        'signers',
        { handle: thief, public: shown.public, format: 'ed25519-raw' },
        key,
      );
      expect(await nameOf(shown)).toBe(signer);
    }
    const { code, said } = await audit(data);
    expect(code, said).toBe(0);
  });

  test('is free when the record that has it gives it up', async () => {
    const { shown, having } = await shownTwice(true);
    await replaced(having);
    expect(await nameOf(shown)).toBeUndefined();
    const next = unique('next');
    await ledger.make(
      'signers',
      { handle: next, public: shown.public, format: 'ed25519-raw' },
      key,
    );
    expect(await nameOf(shown)).toBe(next);
  });
});

test('a path that names another signer than the data is refused', async () => {
  await ledger.make('signers', { handle: 'bob' }, key);
  const reply = await ledger.post('/signers/bob/factors', signed(credentials(), key));
  expect([reply.status, reply.reason]).toEqual([422, 'record.invalid']);
});

test('its history is read by its luid also once its signer was renamed', async () => {
  const [signer, other] = [newKey(), newKey()];
  const [before, after, another] = [unique('signer'), unique('signer'), unique('signer')];
  const made = await ledger.make('signers', { handle: before }, signer);
  await ledger.make('signers', { handle: another }, other);
  const held = await ledger.make(`signers/${before}/factors`, keyPair({ signer: before }), signer);
  const at = `/signers/${made.luid}`;
  await ledger.send('DELETE', `${at}/factors/${held.luid}`, farewell(held, signer));
  await ledger.put(at, revision(made, { handle: after }, signer));
  const historyAt = async (name: string) => {
    const path = `/signers/${name}/factors/${held.luid}`;
    const { status, body } = await ledger.get(`${path}/changes`);
    const one = await ledger.get(`${path}/changes/1`);
    expect(one.status).toBe(status);
    return status === 200 ? body['data']['length'] : status;
  };
  const found = await Promise.all([after, made.luid, before, another].map(historyAt));
  expect(found).toEqual([2, 2, 404, 404]);
  expect((await ledger.get(`/signers/${after}/factors/${held.luid}`)).status).toBe(404);
});

test('a secret is in no history, event, log or file', async () => {
  const path = `/${unique('events')}`;
  for (const signal of ['created', 'updated', 'proofs-added', 'dropped'])
    await ledger.make(
      'effects',
      {
        handle: unique('effect'),
        signal: `signer-factor-${signal}`,
        action: { schema: 'webhook', endpoint: receiver.at(path) },
      },
      key,
    );
  const created = await made(credentials());
  const renewed = await ledger.put(
    `${factors}/${created.luid}?include=meta.secret`,
    revision(created, { custom: { note: 1 } }, key),
  );
  const secrets = [secretIn(created) ?? '', secretIn(renewed.body) ?? ''];
  const at = `${factors}/${created.luid}`;
  const proof = proofOf(renewed.body.hash, key, { moment: now(), status: 'active' });
  const seen = [(await ledger.post(`${at}/proofs`, proof)).text];
  const { body: current, text } = await ledger.get(at);
  seen.push(text, (await ledger.get(factors)).text, (await ledger.get(`${at}/changes/1`)).text);
  expect((await ledger.send('DELETE', at, farewell(current, key))).status).toBe(204);
  seen.push((await ledger.get(`${at}/changes`)).text);
  seen.push(...(await receiver.until(path, 4)).map((event) => event.text), ...runtime.complaints);
  for (const secret of secrets) {
    expect(secret).toHaveLength(43);
    expect(seen.filter((one) => one.includes(secret))).toEqual([]);
    expect(filesHolding(data, secret)).toEqual([]);
  }
  expect(seen.join()).toContain(clientIdIn(created));
});
