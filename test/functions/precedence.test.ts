/**
 * Goal: the order of checks, which is the precedence of errors: ledger, route, doors, token, shape, hash,
 * proofs, record found, rules, parent. Method: a request that breaks everything, mended one by one.
 */
import { describe, expect, test } from 'vitest';
import {
  hashOf,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { otherLuid } from '../fixture/other-luid.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const ledger = await newLedger(home, key);

/** What is still wrong with a request. */
interface Wrongs {
  readonly ledger: boolean;
  readonly route: boolean;
  readonly type: boolean;
  readonly doors: boolean;
  readonly token: boolean;
  readonly shape: boolean;
  readonly hash: boolean;
  readonly proofs: boolean;
}

const allWrong: Wrongs = {
  ledger: true,
  route: true,
  type: true,
  doors: true,
  token: true,
  shape: true,
  hash: true,
  proofs: true,
};

/** The body of some data with these wrongs, as text. */
function textOf(data: Json, wrongs: Wrongs, custom: Json): string {
  const hash = wrongs.hash ? '0'.repeat(64) : hashOf(data);
  const proof = proofOf(wrongs.proofs ? '1'.repeat(64) : hash, key, custom);
  const sent = wrongs.shape ? { ...data, unknown: true } : data;
  const text = JSON.stringify({ hash, data: sent, meta: { proofs: [proof] } });
  return wrongs.doors ? `${text.slice(0, -1)},"hash":1}` : text;
}

async function reasonOf(method: string, path: string, data: Json, wrongs: Wrongs, custom: Json) {
  const headers = {
    ...(wrongs.ledger && { 'x-ledger': 'nowhere' }),
    ...(wrongs.type && { 'content-type': 'text/plain' }),
    ...(wrongs.token && { authorization: 'Bearer garbage' }),
  };
  const place = wrongs.route ? `${path}/no/such/path` : path;
  const options = { headers, ...(wrongs.ledger && { signer: home.key }) };
  const { status, reason } = await ledger.send(
    method,
    place,
    textOf(data, wrongs, custom),
    options,
  );
  return `${status} ${reason}`;
}

/** The refusals met while the wrongs are mended in order, and the one that is left in the end. */
async function refusalsOf(
  method: string,
  path: string,
  data: Json,
  custom: Json = { moment: now() },
) {
  let wrongs = allWrong;
  const met = [await reasonOf(method, path, data, wrongs, custom)];
  for (const wrong of Object.keys(allWrong)) {
    wrongs = { ...wrongs, [wrong]: false };
    met.push(await reasonOf(method, path, data, wrongs, custom));
  }
  return met;
}

const early = [
  '404 api.route-not-found',
  '404 api.route-not-found',
  '415 api.body-malformed',
  '400 api.body-malformed',
  '401 auth.unauthorized',
  '422 record.schema-invalid',
  '422 crypto.hash-invalid',
  '422 crypto.signature-invalid',
];
const dropped = { moment: now(), status: 'dropped' };

describe('the first thing wrong is told first', () => {
  test('on a create', async () => {
    const { data } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const met = await refusalsOf('POST', '/wallets', data);
    expect(met).toEqual([...early, '409 record.duplicated']);
  });

  test('on a create of an intent', async () => {
    const data = {
      handle: unique('intent'),
      claims: [{ action: 'issue', target: 'a', symbol: 'b', amount: 1 }],
    };
    await ledger.make('intents', data, key);
    const met = await refusalsOf('POST', '/intents', data);
    expect(met).toEqual([...early, '409 record.duplicated']);
  });

  test('on an update', async () => {
    const data = { handle: unique('nobody'), parent: '2'.repeat(64) };
    const met = await refusalsOf('PUT', `/wallets/${data.handle}`, data);
    expect(met).toEqual([...early, '404 record.not-found']);
  });

  test('on a drop, by either method', async () => {
    const data = { parent: '2'.repeat(64) };
    const path = `/wallets/${unique('nobody')}`;
    const wanted = [...early, '404 record.not-found'];
    expect(await refusalsOf('DELETE', path, data, dropped)).toEqual(wanted);
    expect(await refusalsOf('POST', `${path}/drop`, data, dropped)).toEqual(wanted);
  });

  test('on a proof', async () => {
    const path = `/wallets/${unique('nobody')}/proofs`;
    const proof = proofOf('3'.repeat(64), key, { moment: now() });
    const send = (body: object | string, headers: Record<string, string> = {}) =>
      ledger.send('POST', path, body, { headers });
    const authorization = 'Bearer garbage';
    const met = [
      await send('{', { authorization }),
      await send({ method: 'none' }, { authorization }),
      await send({ method: 'none' }),
      await send(proof),
    ];
    expect(met.map(({ reason }) => reason)).toEqual([
      'api.body-malformed',
      'auth.unauthorized',
      'record.schema-invalid',
      'record.not-found',
    ]);
  });

  test('a token is checked on reads too, before the record is looked for', async () => {
    const headers = { authorization: 'Bearer garbage' };
    for (const path of ['/wallets/nobody', '/wallets?page.limit=0', '/', '/ledger'])
      expect((await ledger.get(path, { headers })).reason).toBe('auth.unauthorized');
  });
});

describe('once a record is found', () => {
  test('a record that is named and missing comes before the rules of the kind', async () => {
    const routes = [{ action: 'accept', filter: { amount: { $odd: 1 } } }];
    const faulty = { handle: unique('wallet'), routes };
    const nowhere = { ...faulty, bridge: 'nowhere' };
    const create = async (data: Json) => (await ledger.post('/wallets', signed(data, key))).reason;
    expect(await create(nowhere)).toBe('record.relation-not-found');
    expect(await create(faulty)).toBe('record.invalid');
    const values = [{ labels: 'late' }];
    const policy = { handle: unique('policy'), schema: 'labels', record: 'wallet', values };
    const { luid, data, hash } = await ledger.make('policies', policy, key);
    const update = async (extend: readonly string[]) => {
      const body = { luid, ...signed({ ...data, extend, parent: hash }, key) };
      return (await ledger.put(`/policies/${luid}`, body)).reason;
    };
    expect(await update(['nowhere', policy.handle])).toBe('record.relation-not-found');
    expect(await update([policy.handle])).toBe('record.invalid');
  });

  const stale = '4'.repeat(64);

  test('a wrong luid comes before a stale parent', async () => {
    const { luid, data } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const body = signed({ ...data, parent: stale }, key);
    const other = otherLuid(luid);
    const path = `/wallets/${luid}`;
    const wrong = await ledger.put(path, { ...body, luid: other });
    expect([wrong.status, wrong.reason]).toEqual([422, 'record.invalid']);
    const right = await ledger.put(path, { ...body, luid });
    expect([right.status, right.reason]).toEqual([422, 'crypto.parent-hash-invalid']);
    expect(right.detail).toBe(stale);
  });

  test('a rule of the kind comes before a stale parent', async () => {
    const body = signed({ handle: 'system', parent: stale }, key);
    expect((await ledger.put('/signers/system', body)).reason).toBe('record.update-rejected');
    const wallet = unique('wallet');
    const usd = unique('usd');
    await ledger.make('symbols', { handle: usd, factor: 1 }, key);
    await ledger.make('wallets', { handle: wallet }, key);
    await ledger.settle(key, `issue ${wallet} 1 ${usd}`);
    const drop = signed({ parent: stale }, key, dropped);
    expect((await ledger.send('DELETE', `/wallets/${wallet}`, drop)).reason).toBe(
      'record.drop-rejected',
    );
  });

  test('a stale parent comes before a taken handle', async () => {
    const { data } = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const taken = await ledger.make('wallets', { handle: unique('wallet') }, key);
    const body = signed({ handle: taken.data.handle, parent: stale }, key);
    const reply = await ledger.put(`/wallets/${data.handle}`, body);
    expect(reply.reason).toBe('crypto.parent-hash-invalid');
  });
});
