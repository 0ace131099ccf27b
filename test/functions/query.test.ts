/**
 * Goal: a list shows exactly what its filters match, in its order, in every spelling. Method: records of
 * many shapes are made, and only then filters are drawn at random from what they hold; each answer is
 * compared with all records, filtered naively in memory. Rulings 19 to 22.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  type Json as Data,
  farewell,
  type Item,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';
import { type Json, meets, placesOf } from '../ledger/naive-match.ts';

let ledger: Client;
const key = newKey();

/** All records of each list, newest first. */
const held = new Map<string, Item[]>();
const groups = ['wallets', 'signers', 'symbols', 'intents', 'effects'] as const;

const home = await sharedHome();

beforeAll(async () => {
  ledger = await newLedger(home, key);
  await fill(ledger);
  for (const group of groups) held.set(group, await allOf(ledger, `/${group}?`));
});

/** Every page of a list. */
async function allOf(client: Client, path: string, limit = 100): Promise<Item[]> {
  const items: Item[] = [];
  for (let index = 0; ; index += 1) {
    const reply = await client.get(`${path}&page.index=${index}&page.limit=${limit}`);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    items.push(...reply.items);
    if (reply.items.length < limit) return items;
  }
}

const customs: Data[] = [
  { age: 5, city: 'Split', tags: ['a', 'b'] },
  {
    age: '5',
    city: 'Zadar',
    tags: ['b', 'c'],
    deep: { list: [{ n: 1 }, { n: 2, at: ['x', ['y']] }] },
  },
  { age: 5.5, city: 'split', vip: true, since: '2026-01-02T03:04:05Z' },
  { age: '5.0', since: '2026-01-02T04:04:05.000+01:00', tags: [], none: null },
  { age: 1e21, note: 'with space and # é', '0': 'zero', deep: { '1': { n: '2' } } },
  { age: -1, big: '123456789012345678901234567890', city: '', tags: [['a'], 'a'] },
  { 'odd name': 1, deep: { list: [3, '4'] }, vip: false, since: '2026-01-02' },
];

/** Makes records of many shapes, and changes, renames and drops some of them. */
async function fill(client: Client): Promise<void> {
  const wallets: Item[] = [];
  for (const [index, custom] of [...customs, ...customs, ...customs].entries())
    wallets.push(
      await client.make(
        'wallets',
        { handle: `w${index}@bank.com`, custom, ...(index % 3 === 0 && { schema: 'person' }) },
        key,
      ),
    );
  const [first, second, third, fourth] = wallets as [Item, Item, Item, Item];
  const labelled = { moment: now(), labels: ['red', 'blue'], status: 'active' };
  const replies = [
    await client.put(`/wallets/${first.luid}`, revision(first, { handle: 'renamed' }, key)),
    await client.put(
      `/wallets/${second.luid}`,
      revision(second, { custom: { city: 'Split' } }, key),
    ),
    await client.post(`/wallets/${third.luid}/drop`, farewell(third, key)),
    await client.post(`/wallets/${fourth.luid}/proofs`, proofOf(fourth.hash, key, labelled)),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 204, 200]);
  for (const name of ['usd', 'eur'])
    await client.make('symbols', { handle: name, factor: 100, custom: { name } }, key);
  await client.make('signers', { handle: 'me', format: 'ed25519-raw', public: key.public }, key);
  for (const signal of ['wallet-created', 'intent-updated']) {
    const action = { schema: 'webhook', endpoint: 'https://hooks.example.com/' };
    await client.make('effects', { handle: unique('effect'), signal, action }, key);
  }
  await fillIntents(client);
}

async function fillIntents(client: Client): Promise<void> {
  const alice = { handle: 'w5@bank.com', custom: { note: 'rich' } };
  const issue = { ...claimOf('issue w5@bank.com 100 usd'), target: alice };
  const texts = [
    'transfer w5@bank.com w6@bank.com 5 usd',
    'transfer w7@bank.com w5@bank.com 7 usd',
  ];
  const all = [
    [issue],
    ...texts.map((text) => [claimOf(text)]),
    [claimOf('issue w8@bank.com 5 eur'), claimOf('destroy w5@bank.com 1 usd')],
    [
      {
        ...claimOf('transfer w5@bank.com renamed 2 usd'),
        source: alice,
        symbol: { handle: 'usd' },
      },
    ],
    [claimOf('transfer nobody w5@bank.com 2 usd')],
  ];
  for (const [index, claims] of [...all, ...all].entries()) {
    const more = index % 2 === 0 ? { schema: 'Monthly rent' } : { custom: { index } };
    await client.make('intents', { handle: unique('intent'), claims, ...more }, key);
  }
}

/** The record as the naive filter sees it: a party is its handle. */
function seen({ data, meta }: Item): Json {
  const { proofs: _proofs, owners: _owners, ...rest } = meta as unknown as Record<string, Json>;
  const plain = (party: Json | undefined) =>
    party && typeof party === 'object' && 'handle' in party ? (party['handle'] as Json) : party;
  const claims = (data['claims'] as Record<string, Json>[] | undefined)?.map((claim) => ({
    ...claim,
    ...(claim['source'] !== undefined && { source: plain(claim['source']) }),
    ...(claim['target'] !== undefined && { target: plain(claim['target']) }),
    symbol: plain(claim['symbol']),
  }));
  return { data: { ...data, ...(claims && { claims }) }, meta: rest } as unknown as Json;
}

const own: Readonly<Record<string, RegExp>> = {
  signers: /^data\.(public|format)$/,
  intents: /^data\.claims(\.\d+)?\.(action|source|target|symbol|amount)$/,
  effects: /^data\.signal$/,
};
const common = /^(data\.(handle|schema|custom\..+)|meta\.(status|labels(\.\d+)?|moment))$/;

interface Filter {
  readonly path: string;
  readonly operator: string;
  readonly operand: Json;
}

/** The same, as a naive filter sees it. */
function isMet(item: Item, { path, operator, operand }: Filter): boolean {
  if (operator !== '$regex') return meets(seen(item), path, operator, operand);
  const values = placesOf(seen(item)).flatMap((place) =>
    place.path === path ? [place.value] : [],
  );
  const pattern = new RegExp(String(operand));
  return values.some(
    (value) => !(value instanceof Object) && value !== null && pattern.test(String(value)),
  );
}

/** Query parameters of a filter, in one of the spellings of Ruling 20. */
function spelled({ path, operator, operand }: Filter, spelling: number): string {
  const name = `${encodeURIComponent(path)}.${spelling % 2 === 0 ? '$' : '%24'}${operator.slice(1)}`;
  const parameter = (mark: string, value: Json) =>
    `${name}${mark}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`;
  if (operator === '$eq' && spelling % 3 === 0)
    return parameter('', operand).replace(/\.(\$|%24)eq(?==)/, '');
  if (!Array.isArray(operand) || operator === '$eq' || operator === '$ne')
    return parameter('', operand);
  const values = operand as readonly Json[];
  const areTexts = values.every((value) => typeof value === 'string' && !value.startsWith('['));
  if (!areTexts || values.length === 0 || spelling < 2) return parameter('', values);
  if (spelling < 4) return values.map((value) => parameter('', value)).join('&');
  return values
    .map((value, index) => parameter(['[]', `[${index}]`, `.${index}`][spelling - 4] ?? '', value))
    .join('&');
}

/** A filter that has something to do with what the records hold. */
function filterIn(group: string): fc.Arbitrary<Filter> {
  const places = (held.get(group) ?? []).flatMap((item) => placesOf(seen(item)));
  const asked = places.filter(({ path }) => common.test(path) || own[group]?.test(path));
  const scalars = asked.filter(({ value }) => value !== null && typeof value !== 'object');
  const pick = fc.constantFrom(...asked);
  const scalar = fc.constantFrom(...scalars).map(({ value }) => value);
  const near = (value: Json): fc.Arbitrary<Json> => {
    if (value === null || typeof value === 'object') return fc.constant(value);
    const text = String(value);
    if (typeof value === 'number')
      return fc.constantFrom<Json>(value, text, `${text}.0`, `${text}0`);
    // Another spelling of the same moment.
    if (!Number.isNaN(Date.parse(text)) && /T.*(Z|\+\d\d:\d\d)$/.test(text))
      return fc.constantFrom<Json>(text, inZone(text), new Date(Date.parse(text)).toISOString());
    const ways = [value, text, text.toUpperCase(), text.slice(1), `${text}.0`];
    // The naive filter takes `.5` for a number.
    return fc.constantFrom<Json>(...ways.filter((way) => !String(way).startsWith('.')));
  };
  const text = (value: Json) => (typeof value === 'object' ? value : String(value));
  return pick.chain(({ path, value }) => {
    const one = fc.oneof({ weight: 3, arbitrary: near(value) }, scalar);
    const order = fc.constantFrom('$gt', '$gte', '$lt', '$lte');
    const plain = one.filter((each) => each === null || typeof each !== 'object').map(text);
    return fc.oneof(
      one.map((operand) => ({ path, operator: '$eq', operand: equalOf(operand) })),
      one.map((operand) => ({ path, operator: '$ne', operand: equalOf(operand) })),
      fc.tuple(order, plain).map(([operator, operand]) => ({ path, operator, operand })),
      fc
        .tuple(fc.constantFrom('$in', '$nin'), fc.array(one, { maxLength: 3 }))
        .map(([operator, operand]) => ({ path, operator, operand })),
      plain.map((operand) => ({ path, operator: '$regex', operand: patternOf(String(operand)) })),
    );
  });
}

function inZone(moment: string): string {
  return new Date(Date.parse(moment) + 3_600_000).toISOString().replace('Z', '+01:00');
}

/** What a query can ask for: a text, or an array. */
function equalOf(operand: Json): Json {
  return Array.isArray(operand) ? operand : typeof operand === 'object' ? '' : String(operand);
}

function patternOf(text: string): string {
  const plain = text.slice(0, 5).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.length % 2 === 0 ? `^${plain}` : `${plain}.*`;
}

const spelling = fc.nat({ max: 6 });
const hits = { some: 0, none: 0 };

describe.each(groups)('%s', (group) => {
  test('are listed as a naive filter lists them', async () => {
    const all = held.get(group) ?? [];
    const filter = filterIn(group);
    const filters = fc.array(fc.tuple(filter, spelling), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 40 }), async (some, limit) => {
        const names = some.map(([{ path, operator }]) => `${path} ${operator}`);
        const distinct = some.filter((_, index) => names.indexOf(names[index] ?? '') === index);
        const query = distinct.map(([one, how]) => spelled(one, how)).join('&');
        const wanted = all.filter((item) => distinct.every(([one]) => isMet(item, one)));
        hits[wanted.length > 0 ? 'some' : 'none'] += 1;
        const found = await allOf(ledger, `/${group}?${query}`, limit);
        expect([query, found.map(({ data }) => data.handle)]).toEqual([
          query,
          wanted.map(({ data }) => data.handle),
        ]);
      }),
      { numRuns: 150 },
    );
  });
});

test('the filters that were drawn found something, and nothing', () => {
  expect(Math.min(hits.some, hits.none)).toBeGreaterThan(50);
});

describe('by the rules of the interface', () => {
  const handlesAt = async (path: string) => {
    const { status, items, detail } = await ledger.get(path);
    expect([path, status, detail]).toEqual([path, 200, undefined]);
    return items.map(({ data }) => data.handle);
  };
  const wallets = () => held.get('wallets') ?? [];

  test('what is unsupported is named together, on every list in its own way', async () => {
    for (const [group, wrong] of [
      ['wallets', ['data.public', 'meta.owners']],
      ['signers', ['data.signal', 'data.claims.amount']],
      ['intents', ['data.claims.custom', 'data.amount']],
    ] as const) {
      const query = wrong.map((path) => `${path}.$gt=1`).join('&');
      const reply = await ledger.get(`/${group}?${query}&meta.status=created`);
      expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
      expect(reply.detail).toBe(`Unsupported filters: '${wrong[0]}', '${wrong[1]}'`);
      expect(reply.custom['filters']).toEqual(wrong);
    }
  });

  test('a record is found by what was written with the request before', async () => {
    for (let round = 0; round < 15; round += 1) {
      const handle = unique('fresh');
      const made = await ledger.make('wallets', { handle, custom: { round: `r${round}` } }, key);
      expect(await handlesAt(`/wallets?data.custom.round=r${round}`)).toEqual([handle]);
      await ledger.put(`/wallets/${handle}`, revision(made, { custom: { round: 'none' } }, key));
      expect(await handlesAt(`/wallets?data.custom.round=r${round}`)).toEqual([]);
      const { items } = await ledger.get('/wallets?data.custom.round=none&page.limit=1');
      expect(items[0]?.luid).toBe(made.luid);
      const { body } = await ledger.get(`/wallets/${handle}`);
      await ledger.post(`/wallets/${handle}/drop`, farewell(body, key));
    }
    expect(await handlesAt('/wallets?data.custom.round=none')).toEqual([]);
  });

  test('nothing of another ledger is found', async () => {
    const rival = await newLedger(home, key);
    const custom = { city: 'Split', only: 'mine' };
    await rival.make('wallets', { handle: 'renamed', custom }, key);
    const { items } = await rival.get('/wallets?data.custom.city=Split');
    expect(items.map(({ data }) => data['custom'])).toEqual([custom]);
    expect(await handlesAt('/wallets?data.custom.only=mine')).toEqual([]);
    expect((await rival.get('/wallets?data.handle.$in=w5@bank.com')).items).toEqual([]);
    expect((await rival.get('/wallets?meta.moment.$gt=2020-01-01')).items).toHaveLength(1);
  });

  test('a moment bounds what is listed', async () => {
    const all = wallets();
    const moment = String(all[4]?.meta['moment']);
    const later = all.filter(({ meta }) => String(meta['moment']) > moment);
    const found = await handlesAt(`/wallets?meta.moment.$gt=${moment}&page.limit=100`);
    expect(found).toEqual(later.map(({ data }) => data.handle));
    expect(await handlesAt('/wallets?meta.moment.$lt=2000-01-01')).toEqual([]);
  });

  // Ruling 21: a party is its handle, however it was written.
  test('an element of an array is asked for with its index, any of them without', async () => {
    const of = (path: string) => handlesAt(`/intents?${path}&page.limit=100`);
    const both = await of('data.claims.action=destroy');
    expect(both).not.toEqual([]);
    expect(await of('data.claims.1.action=destroy')).toEqual(both);
    expect(await of('data.claims.0.action=destroy')).toEqual([]);
    const plain = await of('data.claims.source=w5@bank.com');
    expect(await of('data.claims.source.handle=w5@bank.com')).toEqual(plain);
    expect(plain.length).toBeGreaterThan(both.length);
    const [{ data } = { data: {} as Data }] = held.get('intents') ?? [];
    const whole = encodeURIComponent(JSON.stringify(data['claims']));
    expect(await of(`data.claims=${whole}`)).toContain(data['handle']);
  });

  test('a regular expression that cannot be read is refused, and one that explodes ends', async () => {
    expect((await ledger.get('/wallets?data.custom.city.$regex=(')).status).toBe(400);
    const text = 'a'.repeat(2_000);
    await ledger.make('wallets', { handle: unique('long'), custom: { text } }, key);
    expect(await handlesAt('/wallets?data.custom.text.$regex=^(a%2B)%2B$')).toHaveLength(1);
    expect(await handlesAt('/wallets?data.custom.text.$regex=^(a%2B)%2Bb$')).toEqual([]);
  });

  test('the changes of a record are filtered too, and counted', async () => {
    const made = await ledger.make('wallets', { handle: unique('old'), custom: { n: 1 } }, key);
    let latest = made;
    for (const n of [2, 3, 2])
      latest = (await ledger.put(`/wallets/${made.luid}`, revision(latest, { custom: { n } }, key)))
        .body;
    const changesAt = async (query: string) => {
      const { items, page } = await ledger.get(`/wallets/${made.luid}/changes?${query}`);
      return [page.total, items.map(({ meta }) => meta.change)];
    };
    expect(await changesAt('data.custom.n=2')).toEqual([2, [4, 2]]);
    expect(await changesAt('data.custom.n=2&page.limit=1&page.index=1')).toEqual([2, [2]]);
    expect(await changesAt('meta.action=create')).toEqual([1, [1]]);
    expect(await changesAt('meta.change.$lte=2&meta.action=update')).toEqual([1, [2]]);
    expect(await changesAt('data.custom.n=9')).toEqual([0, []]);
    const refused = await ledger.get(`/wallets/${made.luid}/changes?meta.mood=good`);
    expect(refused.detail).toBe("Unsupported filters: 'meta.mood'");
  });
});
