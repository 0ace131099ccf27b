/**
 * Goal: what a filter matches is found, all of it, in its order, wherever the mentions are on their way.
 * Method: versions go into a store in memory, some are mentioned and some still wait; what is found is
 * compared with all that is there, and what it takes is counted.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Kind } from '../../shared/ledger/kind.ts';
import { parseKindFilters, type Query } from '../../shared/ledger/query.ts';
import { isDropped, type Version } from '../../shared/ledger/record.ts';
import { wordsIn } from '../../shared/ledger/term.ts';
import type { Call } from '../../shared/port/action.ts';
import type { Catalog, EntryVersion } from '../../shared/port/catalog.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { search } from '../../shared/query/search.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { memoryStore } from '../fixture/memory.ts';
import { toldBy } from '../fixture/told.ts';
import {
  commitOf,
  created,
  dropped,
  proved,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';

/** A store in memory, and what is asked of it. */
function shelf() {
  const store = memoryStore();
  const asked: string[] = [];
  const noted = <Result>(name: string, does: () => Result): Result => {
    asked.push(name);
    return does();
  };
  const { catalog } = store;
  const watched: Catalog = {
    ...catalog,
    listed: (...of) => noted('listed', () => catalog.listed(...of)),
    indexEntriesOf: (...of) => noted('mentioned', () => catalog.indexEntriesOf(...of)),
    tail: (scope) => noted('tail', () => catalog.tail(scope)),
  };
  let nowMs = 0;
  const services = {
    store: {
      ...store,
      load: (wants: Parameters<typeof store.load>[0]) =>
        noted(`load ${wants.length}`, () => store.load(wants)),
    },
    catalog: watched,
    patternMaker,
    clock: () => nowMs,
  };
  return {
    asked,
    catalog,
    pass: (ms: number) => {
      nowMs += ms;
    },
    services,
    save: async (next: Version, previous?: Version, scope = 'main') => {
      expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
      return next;
    },
    /** Mentions some of what waits, the oldest first, as the relay does. */
    relay: async (count = Number.POSITIVE_INFINITY, scope = 'main') => {
      const entries = (await catalog.tail(scope))
        .sort((one, other) => (one.place < other.place ? -1 : 1))
        .slice(0, count);
      const told = await toldBy(store.outbox, entries);
      await catalog.keep(told);
      await store.outbox.markPublished(entries);
    },
    find: async (
      kind: Kind,
      query: Query,
      options: { text?: string; page?: object; within?: string; scope?: string } = {},
    ) => {
      const { text = '', page = {}, within, scope = 'main' } = options;
      const filters = parseKindFilters(kind, query, patternMaker);
      const listing = { scope, kind, ...(within !== undefined && { within }) };
      const call = { services, work: newWork(services) } as unknown as Call;
      const whole = { index: 0, limit: 100, ...page };
      return search(call, { listing, filters, words: wordsIn(text) }, whole);
    },
  };
}

const handlesOf = (versions: readonly Version[]) =>
  versions.map(({ record }) => record.data.handle);

describe('what was written last', () => {
  test('is found before anybody mentioned it, and after', async () => {
    const { save, find, relay } = shelf();
    const alice = await save(created('wallet', 'alice', { custom: { city: 'Split' } }));
    const query = { 'data.custom.city': ['Split'] };
    expect(await find('wallet', query)).toEqual([alice]);
    await relay();
    expect(await find('wallet', query)).toEqual([alice]);
    const next = await save(revised(alice, { custom: { city: 'Zadar' }, handle: 'alicia' }), alice);
    expect(await find('wallet', query)).toEqual([]);
    expect(await find('wallet', { 'data.custom.city': ['Zadar'] })).toEqual([next]);
    await relay();
    expect(await find('wallet', query)).toEqual([]);
    expect(await find('wallet', { 'data.custom.city': ['Zadar'] })).toEqual([next]);
    await save(dropped(next), next);
    expect(await find('wallet', { 'data.custom.city': ['Zadar'] })).toEqual([]);
  });

  test('is found in the order of the list, wherever the others are mentioned', async () => {
    const { save, find, relay } = shelf();
    const wallets = [];
    for (const handle of ['a', 'b', 'c', 'd']) wallets.push(await save(created('wallet', handle)));
    await relay();
    const [a, b] = wallets as [Version, Version];
    // A proof leaves a record where it is; new data brings it to the top.
    const proven = await save(proved(b, 1, 'created'), b);
    const revisedA = await save(revised(a), a);
    await save(created('wallet', 'e'));
    const found = await find('wallet', { 'meta.status': ['created'] });
    expect(handlesOf(found)).toEqual(['e', 'a', 'd', 'c', 'b']);
    expect(found).toContainEqual(proven);
    expect(found).toContainEqual(revisedA);
    const pages = [0, 1, 2].map((index) =>
      find('wallet', { 'meta.status': ['created'] }, { page: { index, limit: 2 } }),
    );
    expect((await Promise.all(pages)).map(handlesOf)).toEqual([['e', 'a'], ['d', 'c'], ['b']]);
  });
});

describe('where it looks', () => {
  async function filled(count = 60) {
    const all = shelf();
    for (let index = 0; index < count; index += 1) {
      const custom = { n: index, even: index % 2 === 0 };
      await all.save(created('wallet', `w${index}`, { custom }));
      await all.save(transferred(`i${index}`, `w${index}`, 'shop'));
    }
    await all.relay();
    all.asked.length = 0;
    return all;
  }

  test('for a handle: at the record', async () => {
    const { find, asked } = await filled();
    const query = { 'data.handle': ['w7'], 'data.custom.n': ['7'] };
    expect(handlesOf(await find('wallet', query))).toEqual(['w7']);
    expect(
      handlesOf(await find('wallet', { 'data.handle.$in': ['w7', 'w9', 'no body', ''] })),
    ).toEqual(['w9', 'w7']);
    expect(await find('wallet', { 'data.handle': ['w7'], 'data.custom.n': ['8'] })).toEqual([]);
    expect(asked).toEqual(['load 1', 'load 2', 'load 1']);
  });

  test('for a value: under its term, and what else may be there', async () => {
    const { find, asked } = await filled();
    expect(handlesOf(await find('wallet', { 'data.custom.n': ['7'] }))).toEqual(['w7']);
    expect(asked).toEqual(['tail', 'mentioned', 'mentioned', 'load 1']);
  });

  test('for a page: at as many records as it shows', async () => {
    const { find, asked } = await filled();
    const page = { limit: 5 };
    const found = await find('wallet', { 'meta.status': ['created'] }, { page });
    expect(handlesOf(found)).toEqual(['w59', 'w58', 'w57', 'w56', 'w55']);
    expect(asked).toEqual(['tail', 'mentioned', 'load 5']);
  });

  test('for words: from the rarest', async () => {
    const { find, asked } = await filled(130);
    expect(handlesOf(await find('intent', {}, { text: 'shop W7 completed' }))).toEqual(['i7']);
    const terms = ['mentioned', 'mentioned', 'mentioned'];
    // Each word may be a handle.
    expect(asked).toEqual(['tail', ...terms, 'load 3', 'load 1']);
    expect(await find('intent', {}, { text: 'shop nobody' })).toEqual([]);
  });

  test('for all else: in the list, from the newest, as far as it has to', async () => {
    const { find, asked } = await filled();
    const even = { 'data.custom.even.$ne': ['false'] };
    expect(handlesOf(await find('wallet', even, { page: { limit: 3 } }))).toEqual([
      'w58',
      'w56',
      'w54',
    ]);
    expect(asked).toEqual(['listed', 'load 3', 'listed', 'load 6']);
  });

  test('for a time: no further', async () => {
    const { find, asked, save } = await filled(20);
    const last = await save(created('wallet', 'last'));
    const since = { 'meta.moment.$gte': [last.record.meta.moment] };
    expect(await find('wallet', since)).toEqual([last]);
    expect(asked).toEqual(['listed', 'load 1']);
    const ms = Date.parse(last.record.meta.moment);
    for (const [operator, moment, count] of [
      ['$lt', last.record.meta.moment, 20],
      ['$lte', last.record.meta.moment, 21],
      ['$eq', last.record.meta.moment, 1],
      ['$gt', last.record.meta.moment, 0],
      ['$gt', new Date(ms - 1).toISOString().replace('Z', '+00:00'), 1],
      ['$gt', '1900-01-01', 21],
      ['$lt', '1900-01-01', 0],
      ['$lt', '9999-12-31', 21],
      ['$gt', 'x', 0],
    ] as const)
      expect([
        moment,
        (await find('wallet', { [`meta.moment.${operator}`]: [moment] })).length,
      ]).toEqual([moment, count]);
    expect(await find('intent', { 'meta.moment.$lt': [last.record.meta.moment] })).toHaveLength(20);
  });
});

test('a record with more values of its own than are mentioned is found by each of them', async () => {
  const { save, find, relay } = shelf();
  const custom = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`n${index}`, index]),
  );
  const large = await save(created('wallet', 'large', { custom }));
  await save(created('wallet', 'small', { custom: { n149: 149 } }));
  await relay();
  expect(await find('wallet', { 'data.custom.n99': ['99'] })).toEqual([large]);
  expect(handlesOf(await find('wallet', { 'data.custom.n149': ['149'] }))).toEqual([
    'small',
    'large',
  ]);
});

test('what is mentioned wrongly is not found', async () => {
  const { catalog, save, find, relay } = shelf();
  const alice = await save(created('wallet', 'alice', { custom: { n: 1 } }));
  const old = await save(revised(alice, { custom: { n: 2 } }), alice);
  await relay();
  // Somebody who came too late puts it back.
  const entry = { scope: 'main', luid: alice.record.luid } as EntryVersion['entry'];
  await catalog.keep([{ entry, version: alice }]);
  expect(await find('wallet', { 'data.custom.n': ['1'] })).toEqual([]);
  expect(await find('wallet', { 'data.custom.n': ['2'] })).toEqual([old]);
  expect(await find('wallet', { 'meta.status': ['created'] })).toEqual([old]);
});

test('nothing of another ledger or another parent is found', async () => {
  const { save, find, relay } = shelf();
  await save(created('wallet', 'alice', { schema: 'x' }), undefined, 'other');
  await save(transferred('pay'), undefined, 'other');
  for (const signer of ['ann', 'ben']) {
    await save(created('signer', signer));
    await save(created('signer-factor', 'phone', { signer, schema: 'x' }));
  }
  for (const count of [0, Number.POSITIVE_INFINITY]) {
    await relay(count);
    await relay(count, 'other');
    expect(await find('wallet', { 'data.schema': ['x'] })).toEqual([]);
    expect(await find('wallet', { 'data.handle': ['alice'] })).toEqual([]);
    expect(await find('intent', {}, { text: 'alice' })).toEqual([]);
    expect(await find('intent', {}, { text: 'alice', scope: 'other' })).toHaveLength(1);
    for (const query of [{ 'data.schema': ['x'] }, { 'data.handle': ['phone'] }]) {
      const found = await find('signer-factor', query, { within: 'ann' });
      expect(found.map(({ record }) => record.data['signer'])).toEqual(['ann']);
    }
  }
});

describe('a search', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Finds what few have, while each reading takes as long as this. */
  async function findSlowly(slowed: (ledger: ReturnType<typeof shelf>) => void) {
    const ledger = shelf();
    for (let index = 0; index < 20; index += 1) await ledger.save(created('wallet', `w${index}`));
    const { load } = ledger.services.store;
    ledger.services.store.load = (wants) => {
      slowed(ledger);
      return load(wants);
    };
    const query = { 'data.custom.n.$gt': ['5'] };
    return { ...ledger, found: ledger.find('wallet', query, { page: { limit: 2 } }) };
  }

  test('that takes too long is given up, and says so', async () => {
    let lateMs = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => lateMs);
    const { find, found } = await findSlowly(() => {
      lateMs += 10_001;
    });
    await expect(found).rejects.toMatchObject({ reason: 'api.request-timeout' });
    lateMs += 100_000;
    await expect(find('wallet', { 'data.handle': ['w5'] })).resolves.toHaveLength(1);
  });

  test('goes on when the clock is set ahead', async () => {
    const { found } = await findSlowly(({ pass }) => pass(3_600_000));
    await expect(found).resolves.toEqual([]);
  });
});

// Goal: however far the mentions are, a filter finds what a naive filter finds, page by page.
test('beside any relay, a filter finds exactly what matches', async () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('create' as const), n: fc.nat(3) }),
    fc.record({ what: fc.constant('revise' as const), of: fc.nat(9), n: fc.nat(3) }),
    fc.record({
      what: fc.constant('prove' as const),
      of: fc.nat(9),
      status: fc.constantFrom('created', 'active'),
    }),
    fc.record({ what: fc.constant('drop' as const), of: fc.nat(9) }),
    fc.record({ what: fc.constant('relay' as const), count: fc.nat(6) }),
  );
  const query: fc.Arbitrary<Query> = fc.oneof(
    fc.nat(3).map((n) => ({ 'data.custom.n': [String(n)] })),
    fc.constantFrom('created', 'active').map((status) => ({ 'meta.status': [status] })),
    fc.tuple(fc.nat(3), fc.constantFrom('created', 'active')).map(([n, status]) => ({
      'data.custom.n': [String(n)],
      'meta.status': [status],
    })),
    fc.array(fc.nat(3)).map((all) => ({ 'data.custom.n.$in': [JSON.stringify(all)] })),
    fc.nat(3).map((n) => ({ 'data.custom.n.$gt': [String(n)] })),
  );
  const steps = fc.array(step, { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, query, fc.integer({ min: 1, max: 5 }), async (all, asked, limit) => {
      const { find, catalog, ...rest } = shelf();
      const versions: Version[] = [];
      for (const one of all) await play(rest, versions, one);
      const { matches } = parseKindFilters('wallet', asked, patternMaker);
      const wanted = versions
        .filter((version) => !isDropped(version) && matches(version.record))
        .sort((one, other) => (catalog.placeOf(one) < catalog.placeOf(other) ? 1 : -1));
      const found: Version[] = [];
      for (let index = 0; index * limit <= wanted.length; index += 1)
        found.push(...(await find('wallet', asked, { page: { index, limit } })));
      expect(found).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});

type Turn =
  | { readonly what: 'relay'; readonly count: number }
  | { readonly what: 'create'; readonly n: number }
  | { readonly what: 'revise'; readonly of: number; readonly n: number }
  | { readonly what: 'prove'; readonly of: number; readonly status: string }
  | { readonly what: 'drop'; readonly of: number };

/** Plays one turn; `versions` is what is there of each record. */
async function play(
  { save, relay }: Pick<ReturnType<typeof shelf>, 'save' | 'relay'>,
  versions: Version[],
  turn: Turn,
): Promise<void> {
  if (turn.what === 'relay') return relay(turn.count);
  if (turn.what === 'create') {
    const handle = `w${versions.length}`;
    versions.push(await save(created('wallet', handle, { custom: { n: turn.n } })));
    return;
  }
  const index = turn.of % Math.max(1, versions.length);
  const version = versions[index];
  // Somebody else takes the handle of a record that has ended.
  const takeOver = async ({ record }: Version) => {
    const { handle } = record.data;
    const isTaken = versions.some((one) => one.record.data.handle === handle && !isDropped(one));
    if (!isTaken) versions.push(await save(created('wallet', handle, record.data)));
  };
  if (version && isDropped(version) && turn.what === 'revise') await takeOver(version);
  if (version && !isDropped(version)) versions[index] = await save(nextOf(version, turn), version);
}

function nextOf(version: Version, turn: Turn): Version {
  if (turn.what === 'drop') return dropped(version);
  return turn.what === 'prove'
    ? proved(version, 1, turn.status)
    : revised(version, { custom: { n: turn.what === 'revise' ? turn.n : 0 } });
}
