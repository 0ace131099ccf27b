/**
 * Goal: whoever may make circles, links, policies or schemas in a domain makes the requests of others no larger than so
 * much, and takes no place of theirs. What is counted is what a request reads: rows and bytes. Decision 89.
 */
import { describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { update } from '../../shared/action/update.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Store } from '../../shared/port/ports.ts';
import { type Json, newKey, proofOf, signed } from '../fixture/client.ts';
import { bearerOf, openDesk } from '../fixture/desk.ts';

const ann = newKey();
const bearer = bearerOf(ann, 'ann');

/** Rules that mean somebody else than the members of a circle. */
const outward = [{ action: 'drop', record: 'symbol', signer: { handle: 'nobody' } }];
const naming = (first: number, count: number) => [
  { policy: { $in: Array.from({ length: count }, (_, n) => `p${first + n}@a`) } },
];

/** So that no domain has too many policies about one kind. */
const recordOf = (n: number) => (['any', 'symbol', 'bridge'] as const)[n % 3] ?? 'any';

/** A ledger that a circle governs, with the domains a, a.in and b; it counts what is read of it. */
async function house() {
  const done = { rows: 0, bytes: 0 };
  const counted = (found: readonly unknown[]) => {
    const rows = found.filter((one) => one !== undefined);
    done.rows += rows.length;
    done.bytes += rows.reduce((sum: number, row) => {
      const { record } = row as { record?: LedgerRecord };
      return sum + (record ? JSON.stringify(record).length : 0);
    }, 0);
  };
  const desk = await openDesk((store) => ({
    load: (async (wants: never) => {
      const found = await store.load(wants);
      counted(found as readonly unknown[]);
      return found;
    }) as Store['load'],
    indexed: async (...all) => {
      const found = await store.indexed(...all);
      counted(found);
      return found;
    },
  }));
  const make = (kind: Kind, data: Json, path = {}) =>
    desk.run(create(kind), { path, body: signed(data, desk.key) });
  await make('signer', { handle: 'ann', public: ann.public, format: 'ed25519-raw' });
  for (const data of [{ handle: 'a' }, { handle: 'a.in', domain: 'a' }, { handle: 'b' }])
    await make('domain', data);
  await make('wallet', { handle: 'w' });
  const access = [
    { action: 'any', record: 'any', signer: { public: desk.key.public } },
    { action: 'read', record: 'wallet', bearer: { $signer: { handle: 'ann' } } },
  ];
  await make('circle', { handle: 'rules', access });
  /** What it takes to do something. */
  const costOf = async (what: () => Promise<unknown>) => {
    Object.assign(done, { rows: 0, bytes: 0 });
    await what();
    return { ...done };
  };
  const reading = () => desk.run(read('wallet'), { path: { id: 'w' }, bearer });
  const listing = () => desk.run(list('wallet'), { bearer });
  const change = (kind: Kind, { hash, data }: LedgerRecord, after: Json) =>
    desk.run(update(kind), {
      path: { id: data.handle },
      body: signed({ ...data, ...after, parent: hash } as Json, desk.key),
    });
  return { ...desk, make, costOf, reading, listing, change };
}

const full = (detail: RegExp) => ({
  reason: 'record.invalid',
  detail: expect.stringMatching(detail),
});
const long = (length: number) => ({ text: 'x'.repeat(length) });

describe('circles whose rules mean others than their members', () => {
  test('are as many in a domain as may be read for everybody, and no others have fewer', async () => {
    const { make, change, costOf, reading } = await house();
    const before = await costOf(reading);
    const circle = (handle: string) => make('circle', { handle, access: outward });
    for (let n = 0; n < 60; n += 1) await circle(`c${n}@a`);
    for (let n = 60; n < 99; n += 1) await circle(`c${n}@a.in`);
    const last = await circle('last@a');
    const inward = await make('circle', { handle: 'inward@a' });
    for (const handle of ['more@a', 'more@a.in'])
      await expect(circle(handle)).rejects.toMatchObject({
        ...full(/^Circles whose rules .* at most 100, of 256000 bytes together, in the domain a:/),
        custom: { countMax: 100, bytesMax: 256_000, domain: 'a' },
      });
    await expect(change('circle', inward, { access: outward })).rejects.toMatchObject(
      full(/^Circl/),
    );
    await circle('other@b');
    await circle('other');
    const after = await costOf(reading);
    expect(after.rows - before.rows).toBe(102);
    expect(after.bytes - before.bytes).toBeLessThan(256_000);
    // One that means its members alone is none of them, and its place is free.
    await change('circle', last, { access: [] });
    await change('circle', inward, { access: outward });
    await expect(circle('more@a')).rejects.toMatchObject(full(/^Circles/));
  });

  test('take together no more bytes than may be read for everybody', async () => {
    const { make, run, key, change, costOf, reading } = await house();
    const before = await costOf(reading);
    const circle = (handle: string, length: number) =>
      make('circle', { handle, access: outward, custom: long(length) });
    await expect(circle('c@a', 32_000)).rejects.toMatchObject({
      reason: 'api.body-malformed',
      custom: { fault: 'too-large', bytesMax: 32_000 },
    });
    for (let n = 0; n < 8; n += 1) await circle(`c${n}@a`, 29_000);
    const small = await circle('small@a', 1);
    await expect(circle('c8@a', 29_000)).rejects.toMatchObject(full(/of 256000 bytes together/));
    await expect(change('circle', small, { custom: long(29_000) })).rejects.toMatchObject(
      full(/of 256000 bytes together/),
    );
    const proof = proofOf(small.hash, key, long(25_000));
    await expect(
      run(prove('circle'), { path: { id: 'small@a' }, body: proof }),
    ).rejects.toMatchObject(full(/of 256000 bytes together/));
    await circle('c8@b', 29_000);
    await change('circle', small, { custom: long(2) });
    const { bytes } = await costOf(reading);
    expect(bytes - before.bytes).toBeLessThan(256_000 + 32_000);
  });
});

test('a signer is a member of so many circles of a domain, and of others beside', async () => {
  const { make, costOf, reading } = await house();
  const before = await costOf(reading);
  const join = (circle: string) => make('circle-signer', { circle, signer: 'ann' }, { id: circle });
  for (let n = 0; n < 100; n += 1) {
    await make('circle', { handle: `c${n}@a` });
    await join(`c${n}@a`);
  }
  for (const handle of ['more@a.in', 'other@b', 'other']) await make('circle', { handle });
  await expect(join('more@a.in')).rejects.toMatchObject({
    ...full(/^Circles of which ann is a member are at most 100, in the domain a:/),
    custom: { countMax: 100, domain: 'a' },
  });
  await expect(join('c7@a')).rejects.toMatchObject({ reason: 'record.duplicated' });
  await join('other@b');
  await join('other');
  const { rows } = await costOf(reading);
  expect(rows - before.rows).toBe(2 * 102);
});

test.each([
  ['policy', 100, { schema: 'status', record: 'wallet', values: [] }],
  ['schema', 250, { record: 'wallet', format: 'json-schema', schema: {} }],
] as const)(
  'each %s that speaks of a kind is one of at most %d of a domain',
  async (kind, max, data) => {
    const { make } = await house();
    const one = (handle: string) => make(kind, { handle, ...data });
    for (let n = 0; n < max; n += 1) await one(`x${n}@a`);
    await expect(one('more@a')).rejects.toMatchObject({
      reason: 'record.invalid',
      custom: { countMax: max, domain: 'a' },
    });
    await make(kind, { handle: 'symbols@a', ...data, record: 'symbol' });
    await one('other@b');
  },
);

describe('policies that circles of a domain name', () => {
  /** Circles of a that name policies of a. */
  async function named() {
    const all = await house();
    const { make, costOf, reading, listing } = all;
    const before = [await costOf(reading), await costOf(listing)];
    const values = [{ action: 'drop', record: 'symbol' }];
    for (let n = 0; n < 50; n += 1)
      await make('policy', {
        ...{ handle: `p${n}@a`, schema: 'access', record: 'any', values },
        custom: long(10_000),
      });
    await make('circle', { handle: 'few@a', access: naming(0, 25) });
    await make('circle', { handle: 'others@a', access: naming(25, 25) });
    return { ...all, before };
  }

  test('are not read for what lies elsewhere, nor for a list that rules of the ledger grant', async () => {
    const { before, costOf, reading, listing } = await named();
    const after = [await costOf(reading), await costOf(listing)];
    expect(after.map(({ rows }, index) => rows - (before[index]?.rows ?? 0))).toEqual([2, 2]);
  });

  test('are so many of one domain where nobody knows where something lies, and hide none of another', async () => {
    const { make, run, costOf } = await house();
    const bob = newKey();
    await make('signer', { handle: 'bob', public: bob.public, format: 'ed25519-raw' });
    const whom = { $signer: { handle: 'bob' } };
    const values = [{ action: 'read', record: 'wallet', bearer: whom }];
    await make('policy', { handle: 'readers@b', schema: 'access', record: 'wallet', values });
    const none = [{ action: 'drop' }];
    for (let n = 0; n < 100; n += 1)
      for (const domain of ['a', 'a.in'])
        await make('policy', {
          ...{ handle: `p${n}@${domain}`, schema: 'access', record: recordOf(n), values: none },
        });
    const listing = () =>
      run(list('wallet'), { bearer: { ...bearer, public: bob.public, signer: 'bob' } });
    const before = await costOf(() => expect(listing()).rejects.toThrow());
    const all = Array.from({ length: 100 }, (_, n) => `p${n}@a`);
    for (let n = 0; n < 5; n += 1) {
      const names = all.slice(20 * n, 20 * n + 20);
      const inner = names.map((name) => `${name}.in`);
      await make('circle', { handle: `c${n}@a`, access: [{ policy: { $in: names } }] });
      await make('circle', { handle: `d${n}@a`, access: [{ policy: { $in: inner } }] });
    }
    const during = await costOf(() => expect(listing()).rejects.toThrow());
    expect(during.rows - before.rows).toBeLessThanOrEqual(100 + 2 * 10 + 4);
    await make('wallet', { handle: 'w@b' });
    await make('circle', { handle: 'c@b', access: [{ policy: 'readers@b' }] });
    const body = (await listing()) as unknown as { data: readonly LedgerRecord[] };
    expect(body.data.map(({ data }) => data.handle)).toEqual(['w@b']);
  });

  test('are read for what lies there', async () => {
    const { make, run, costOf } = await named();
    await make('wallet', { handle: 'w@a' });
    const { rows } = await costOf(() => run(read('wallet'), { path: { id: 'w@a' }, bearer }));
    expect(rows).toBeGreaterThan(50);
  });
});
