/**
 * Goal: patterns and rows cost what a request has, and nobody wears out more than their own. What is counted is work:
 * the characters that patterns are tried on, by their price. Decision 83.
 */
import { describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import type { PatternMaker } from '../../shared/ledger/budget.ts';
import { unitsFor } from '../../shared/ledger/budget.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { claimOf, type Json, newKey, now, outcomeOf, proofOf, signed } from '../fixture/client.ts';
import { bearerOf, type Desk, openDesk } from '../fixture/desk.ts';

/** Each of them, tried on a text of some kilobytes, takes the engine seconds or parts of one. */
const hopelessPatterns = [
  '(?:\\B[abcd]){1,900}\\bd',
  '(?:a[abc]{0,400}\\B){2}e',
  '((a{10}){10}){10}b',
  '(?i)(a|b|c|d|e){500}z',
];
/** Taken on, and too dear for a long text. */
const dear = '(a|b){0,30}c';
const dearest = '(a|b){0,120}c';
const text = 'ab'.repeat(2_000);
const ann = newKey();
const mallory = newKey();

const bearer = bearerOf(ann, 'ann');

/** A ledger where ann reads wallets and everybody may create them; it counts what its engine does. */
async function house() {
  const done = { units: 0 };
  const counting: PatternMaker = (pattern) => {
    const test = patternMaker(pattern);
    const { cost: price } = test;
    const counted = (one: string) => {
      done.units += one.length * (price?.perCharacter ?? 1);
      return test(one);
    };
    return Object.assign(counted, price && { cost: price });
  };
  const desk = await openDesk();
  const services = { ...desk.services, patternMaker: counting };
  const run: Desk['run'] = (action, call) => desk.run(action, { services, ...call });
  const make = (kind: Parameters<Desk['make']>[0], data: Json, key = mallory) =>
    run(create(kind), { body: signed(data, key) });
  return { desk, done, make, run };
}

async function governed() {
  const all = await house();
  await all.make('signer', { handle: 'ann', public: ann.public, format: 'ed25519-raw' }, ann);
  const access = [
    { action: 'any', record: 'any', signer: { public: all.desk.key.public } },
    { action: 'create', record: 'wallet', signer: {} },
    { action: 'create', record: 'intent', signer: {} },
    { action: 'read', record: 'wallet', bearer: { $signer: { handle: { $regex: '^an+$' } } } },
  ];
  await all.make('circle', { handle: 'rules', access }, all.desk.key);
  return all;
}

const ruleOf = (pattern: string): Json => ({
  action: 'read',
  filter: { 'custom.text': { $regex: pattern } },
});
const dataOf = (body: unknown) => (body as { data: readonly { data: Json }[] }).data;

describe('rules that a member lays down on records of their own', () => {
  test('cost every list no more than their share, and hide nothing of others', async () => {
    const { make, run, done, desk } = await governed();
    const rules = [ruleOf(dear), ruleOf(`${dear}d`), ruleOf(`${dear}e`)];
    for (let n = 0; n < 40; n += 1)
      await make('wallet', { handle: `bad-${n}`, custom: { text }, access: rules });
    for (let n = 0; n < 10; n += 1) await make('wallet', { handle: `good-${n}` }, desk.key);
    done.units = 0;
    const body = await run(list('wallet'), { query: { 'page.limit': ['100'] }, bearer });
    expect(dataOf(body)).toHaveLength(50);
    expect(done.units).toBeLessThanOrEqual(50 * unitsFor.ownRules);
    done.units = 0;
    await run(read('wallet'), { path: { id: 'bad-7' }, bearer });
    expect(done.units).toBeLessThanOrEqual(2 * unitsFor.ownRules);
  });

  test('cost nothing where a rule before them grants', async () => {
    const { make, run, done, desk } = await governed();
    await make('domain', { handle: 'a' }, desk.key);
    const access = [ruleOf(dear), ruleOf(`${dear}d`), ruleOf(`${dear}e`)];
    await make('circle', { handle: 'rules@a', access }, desk.key);
    for (let n = 0; n < 40; n += 1)
      await make(
        'wallet',
        { handle: `w-${n}@a`, custom: { text: `${text.slice(0, 60)}${n}` }, access },
        desk.key,
      );
    done.units = 0;
    expect(
      dataOf(await run(list('wallet'), { query: { 'page.limit': ['100'] }, bearer })),
    ).toHaveLength(40);
    expect(done.units).toBeLessThanOrEqual(unitsFor.rules);
  });

  test('grant nothing when nobody can say whether they do, the same each time', async () => {
    const { make, run } = await governed();
    await make('wallet', { handle: 'short', custom: { text: 'abc' }, access: [ruleOf(dear)] });
    await make('wallet', { handle: 'long', custom: { text: `${text}c` }, access: [ruleOf(dear)] });
    const bob = { ...bearer, public: newKey().public, signer: 'bob' };
    const readable = (id: string) =>
      run(read('wallet'), { path: { id }, bearer: bob }).then(
        () => true,
        () => false,
      );
    for (let n = 0; n < 2; n += 1)
      expect([await readable('short'), await readable('long')]).toEqual([true, false]);
  });

  test('of an intent are no dearer', async () => {
    const { make, run, done, desk } = await governed();
    await make('symbol', { handle: 'usd', factor: 1 }, desk.key);
    await make('wallet', { handle: 'w' });
    const claims = [claimOf('issue w 1 usd')];
    const access = [ruleOf(dear), ruleOf(`${dear}d`)];
    for (let n = 0; n < 10; n += 1)
      await run(createIntent, {
        body: signed({ handle: `i${n}`, claims, custom: { text }, access }, mallory),
      });
    done.units = 0;
    await run(list('intent'), { bearer }).catch(() => undefined);
    expect(done.units).toBeLessThanOrEqual(10 * unitsFor.ownRules);
  });
});

describe('a list of what lies in any domain', () => {
  /** As dear to make as the rules of one domain may be. */
  const dearRules = Array.from({ length: 50 }, (_, n) => ({
    ...{ action: 'read', record: 'wallet' },
    bearer: { $signer: { handle: { $regex: `a{200}${n}` } } },
  }));
  const query = { 'page.limit': ['100'] };

  test('is shown to whom a rule of one domain grants it, whatever others lay down in theirs', async () => {
    const { make, run, desk } = await governed();
    const whom = { bearer: { $signer: { handle: { $regex: '^(bob|bill)$' } } } };
    const access = [{ action: 'read', record: 'wallet', ...whom }];
    await make('domain', { handle: 'b', access }, desk.key);
    await make('wallet', { handle: 'w@b' }, desk.key);
    await make('domain', { handle: 'a' }, desk.key);
    for (let n = 0; n < 30; n += 1)
      await make('domain', { handle: `a${n}`, domain: 'a', access: dearRules }, desk.key);
    const bob = { ...bearer, public: newKey().public, signer: 'bob' };
    const body = await run(list('wallet'), { query, bearer: bob });
    expect(dataOf(body).map(({ data }) => data['handle'])).toEqual(['w@b']);
  });

  test('is not dearer with many domains, nor by what they say of records', async () => {
    const { make, run, desk, done } = await governed();
    const dearWhom = Array.from({ length: 10 }, (_, n) => ({
      ...{ action: 'read', record: 'wallet', filter: { 'custom.text': { $regex: 'a{100}' } } },
      bearer: { $signer: { custom: { text: { $regex: `^(a|b){0,30}c${n}` } } } },
    }));
    const custom = { text: 'ab'.repeat(1_500) };
    const bob = newKey();
    const signer = { handle: 'bob', public: bob.public, format: 'ed25519-raw', custom };
    await make('signer', signer, desk.key);
    for (let n = 0; n < 40; n += 1)
      await make('domain', { handle: `a${n}`, access: dearWhom }, desk.key);
    done.units = 0;
    const asking = run(list('wallet'), {
      query,
      bearer: { ...bearer, public: bob.public, signer: 'bob' },
    });
    await expect(asking).rejects.toMatchObject({ reason: 'auth.forbidden' });
    // It is asked in two ways: to query, and to read.
    expect(done.units).toBeLessThanOrEqual(2 * unitsFor.domains);
  });
});

describe('a request pays from one budget', () => {
  /** An intent that waits: bob may spend from one of its wallets, and it is dear to say whether from the others. */
  async function dearIntent(walletCount: number) {
    const all = await house();
    const { make, run, desk, done } = all;
    const bob = newKey();
    const { perCharacter = 1 } = patternMaker(dear).cost ?? {};
    const long = 'a'.repeat(Math.floor((unitsFor.rules - 1_000) / perCharacter));
    await make('symbol', { handle: 'usd', factor: 1 }, desk.key);
    const handles = Array.from({ length: walletCount }, (_, n) => `w-${n}`);
    for (const handle of handles)
      await make('wallet', { handle, custom: { text: long } }, desk.key);
    await make('wallet', { handle: 'w-bob' }, bob);
    const spend = { ...ruleOf(dear), action: 'spend', record: 'wallet', signer: {} };
    const access = [{ action: 'any', record: 'any', signer: { public: desk.key.public } }, spend];
    const creators = { action: 'create', record: 'intent', signer: {} };
    await make('circle', { handle: 'rules', access: [...access, creators] }, desk.key);
    const claims = [...handles, 'w-bob'].map((handle) => claimOf(`transfer ${handle} out 1 usd`));
    await make('wallet', { handle: 'out' }, desk.key);
    const intent = await run(createIntent, { body: signed({ handle: 'i', claims }, mallory) });
    done.units = 0;
    const sign = () =>
      run(prove('intent'), { path: { id: 'i' }, body: proofOf(intent.hash, bob, {}) });
    return { ...all, sign };
  }

  test('when those who signed are asked about beside whoever sends it', async () => {
    const few = await dearIntent(10);
    expect((await few.sign()).meta.status).toBe('pending');
    expect(few.done.units).toBeGreaterThan(unitsFor.request / 3);
    const many = await dearIntent(30);
    await expect(many.sign()).rejects.toMatchObject({ reason: 'api.request-timeout' });
    expect(many.done.units).toBeLessThanOrEqual(unitsFor.request);
  });
});

describe('what is hopeless is refused when it is written:', () => {
  const webhook = { schema: 'webhook', endpoint: 'https://a.example' };
  const server = { server: 'https://a.example' };
  const at = (pattern: string) => ({ 'custom.text': { $regex: pattern } });
  const values = [{ status: 'active' }];
  const bodies = {
    rule: (pattern: string) => ['wallet', { access: [ruleOf(pattern)] }],
    signer: (pattern: string) => [
      'circle',
      { access: [{ action: 'any', signer: { handle: { $regex: pattern } } }] },
    ],
    route: (pattern: string) => ['wallet', { routes: [{ action: 'accept', filter: at(pattern) }] }],
    effect: (pattern: string) => [
      'effect',
      { signal: 'wallet-created', action: webhook, filter: at(pattern) },
    ],
    trait: (pattern: string) => [
      'bridge',
      { config: server, traits: [{ method: 'statuses', filter: at(pattern) }] },
    ],
    policy: (pattern: string) => [
      'policy',
      { schema: 'status', record: 'wallet', values, filter: at(pattern) },
    ],
    quorum: (pattern: string) => [
      'policy',
      {
        ...{ schema: 'status', record: 'wallet' },
        values: [{ status: 'active', quorum: [{ handle: { $regex: pattern } }] }],
      },
    ],
  } as const;
  const rows = Object.entries(bodies).flatMap(([what, bodyOf]) =>
    hopelessPatterns.map((pattern) => [what, pattern, bodyOf(pattern)] as const),
  );

  test.each(rows)('a %s with %s', async (_what, _pattern, [kind, data]) => {
    const { make } = await house();
    await expect(make(kind as 'wallet', { handle: 'x', ...(data as Json) })).rejects.toMatchObject({
      reason: 'record.invalid',
    });
  });

  test('rules that are too dear together', async () => {
    const { make } = await house();
    const rules = (count: number) => Array.from({ length: count }, (_, n) => ruleOf(`a{200}${n}`));
    await make('wallet', { handle: 'few', access: rules(5) });
    await expect(make('wallet', { handle: 'many', access: rules(7) })).rejects.toMatchObject({
      reason: 'record.invalid',
      detail: 'The patterns of the access rules take too much work to judge.',
    });
  });

  test.each(hopelessPatterns)('a filter of a list with %s', async (pattern) => {
    const { make, run } = await house();
    await make('wallet', { handle: 'long', custom: { text } });
    const query = { 'data.custom.text.$regex': [pattern] };
    for (const action of [list('wallet'), history('wallet')])
      await expect(run(action, { query, path: { id: 'long' } })).rejects.toMatchObject({
        reason: 'api.query-malformed',
      });
  });
});

test('a filter pays for each row, and a request that has nothing left is given up', async () => {
  const { make, run, done } = await house();
  for (let n = 0; n < 60; n += 1)
    await make('wallet', { handle: `w${n}`, custom: { text: `${text.slice(n)}${n}` } });
  const found = (pattern: string) =>
    run(list('wallet'), { query: { 'data.custom.text.$regex': [pattern] } });
  for (const _again of [1, 2])
    await expect(found(dearest)).rejects.toMatchObject({ reason: 'api.request-timeout' });
  expect(done.units).toBeLessThanOrEqual(2 * unitsFor.request);
  expect(dataOf(await found('7$'))).toHaveLength(6);
});

describe('a policy that takes too much work to judge', () => {
  const policy = (pattern: string) => ({
    ...{ handle: 'p', schema: 'status', record: 'wallet', values: [{ status: 'active' }] },
    filter: { 'custom.text': { $regex: pattern } },
  });

  test('lets no status through, and names itself', async () => {
    const { make, run } = await house();
    await make('policy', policy(dearest));
    const wallet = await make('wallet', { handle: 'w', custom: { text } });
    const asked = proofOf(wallet.hash, mallory, { moment: now(), status: 'closed' });
    await expect(run(prove('wallet'), { path: { id: 'w' }, body: asked })).rejects.toMatchObject({
      reason: 'record.status-policy-violation',
      detail: 'Policy p takes too much work to judge.',
    });
    const noted = proofOf(wallet.hash, mallory, { moment: now(), note: 'x' });
    expect((await run(prove('wallet'), { path: { id: 'w' }, body: noted })).meta.status).toBe(
      'created',
    );
  });
});

test('a wallet whose routes take too much work refuses what comes to it', async () => {
  const { make, run } = await house();
  await make('symbol', { handle: 'usd', factor: 1 });
  const filter = { 'custom.text': { $regex: dearest } };
  await make('wallet', { handle: 'w', routes: [{ action: 'accept', filter }] });
  const pay = async (handle: string, custom: Json) =>
    run(createIntent, {
      body: signed({ handle, claims: [claimOf('issue w 1 usd')], custom }, mallory),
    });
  const refused = await pay('long', { text });
  expect(outcomeOf(refused as never)).toBe('core.routing-failed');
  expect(refused.meta.proofs.find(({ custom }) => custom?.['reason'])?.custom?.['detail']).toBe(
    'The routes of wallet w take too much work to judge.',
  );
  expect(outcomeOf((await pay('short', { text: 'abcabc' })) as never)).toBe('completed');
});
