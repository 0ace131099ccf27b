/**
 * Goal: a search finds the intents that hold every word as a whole, and nothing else. Method: the rules of
 * the interface one by one, and then intents made at random, searched for words drawn from them, beside
 * a naive matcher that reads all of them. Ruling 23.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  handlesIn,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();

const pathOf = (text: string, more = '') =>
  `/intents?$plainTextQuery=${encodeURIComponent(text)}${more}`;

async function found(client: Client, text: string, more = ''): Promise<unknown[]> {
  const { status, items, detail } = await client.get(pathOf(text, more));
  expect([status, detail]).toEqual([200, undefined]);
  return handlesIn(items);
}

describe('an intent', () => {
  let ledger: Client;
  let intent: Item;

  beforeAll(async () => {
    ledger = await newLedger(home, key);
    const claims = [
      claimOf('transfer svgs:alice@bank.com.co tin:Bob@acme.org 5 usd'),
      claimOf('issue carol 7 eur'),
    ];
    const data = { handle: 'Rent-2026', schema: 'Monthly rent', claims };
    intent = await ledger.make('intents', data, key);
    await ledger.make('intents', { handle: 'other', claims: [claimOf('issue dave 1 gbp')] }, key);
  });

  // Rules 1, 3 and 4.
  test.each([
    ...['Rent-2026', 'rent-2026', 'Monthly', 'RENT', 'rejected', 'usd', 'eur', 'transfer', 'issue'],
    ...['alice', 'alice@bank.com.co', 'bank.com.co', 'svgs:alice@bank.com.co', 'BOB', 'acme.org'],
    ...['carol', 'alice bob carol', ' monthly  RENT '],
  ])('is found by %j', async (text) => {
    expect(await found(ledger, text)).toContain(intent.data.handle);
  });

  test('is found by its ledger, as all of them are, and by no word at all', async () => {
    const all = ['other', 'Rent-2026'];
    expect(await found(ledger, String(ledger.ledger))).toEqual(all);
    expect(await found(ledger, `${String(ledger.ledger).toUpperCase()} alice`)).toEqual([
      'Rent-2026',
    ]);
    expect(await found(ledger, '')).toEqual(all);
    expect(await found(ledger, ' ')).toEqual(all);
  });

  // Rules 2 and 3.
  test.each([
    ...[
      'Rent',
      'rent-',
      '2026',
      'month',
      'rejecte',
      'us',
      'alic',
      'lice',
      'bank',
      'bank.com',
      'com',
    ],
    ...[
      'svgs',
      'svgs:alice',
      'alice@bank.com',
      '@bank.com.co',
      'alice@',
      'main',
      '5',
      '7',
      'carol.',
      '\u0000',
    ],
  ])('is not found by the fragment %j', async (text) => {
    // `Rent` alone is a word of the schema.
    if (text !== 'Rent') expect(await found(ledger, text)).toEqual([]);
  });

  test('is found by all of the words only', async () => {
    expect(await found(ledger, 'alice dave')).toEqual([]);
    expect(await found(ledger, 'alice usd nothing')).toEqual([]);
  });

  // Rule 5.
  test('is found by words and filters together', async () => {
    expect(await found(ledger, 'alice', '&data.claims.amount.$gt=6')).toEqual(['Rent-2026']);
    expect(await found(ledger, 'alice', '&data.claims.amount.$gt=7')).toEqual([]);
    expect(await found(ledger, 'issue', '&data.handle=other')).toEqual(['other']);
    expect(await found(ledger, 'alice', '&data.handle=other')).toEqual([]);
    expect(await found(ledger, 'issue', '&meta.status=rejected&page.limit=1')).toEqual(['other']);
    expect(await found(ledger, 'issue', '&page.limit=1&page.index=1')).toEqual(['Rent-2026']);
  });

  test('is found by no other ledger', async () => {
    const rival = await newLedger(home, key);
    expect(await found(rival, 'alice')).toEqual([]);
    expect(await found(rival, String(ledger.ledger))).toEqual([]);
    expect((await rival.get(`/intents?meta.status=rejected`)).items).toEqual([]);
  });

  test('is what it holds, signed as it is read', async () => {
    const { items } = await ledger.get(pathOf('carol'));
    expect(items).toEqual([(await ledger.get(`/intents/${intent.luid}`)).body]);
  });
});

test.each(['/wallets', '/signers', '/intents/x/changes', '/ledgers'])(
  '%s cannot be searched',
  async (path) => {
    const reply = await home.get(`${path}?$plainTextQuery=x`);
    expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
  },
);

test.each([
  '$plainTextQuery=a&$plainTextQuery=b',
  `$plainTextQuery=${Array.from({ length: 17 }, (_, i) => i).join('+')}`,
])('a search is one text of at most sixteen words: %s', async (query) => {
  const reply = await home.get(`/intents?${query}`);
  expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
  expect(reply.detail).toContain('one text of at most 16 words');
});

// A list reads its own writes: what was answered is found by the next request.
test('an intent is found as soon as it is answered, and as what it has become', async () => {
  const ledger = await newLedger(home, key);
  for (let round = 0; round < 20; round += 1) {
    const handle = unique('intent');
    const claims = [claimOf(`issue w${round} 1 usd`)];
    const { hash } = await ledger.make('intents', { handle, claims, custom: { round } }, key);
    expect(await found(ledger, `w${round}`)).toEqual([handle]);
    expect(await found(ledger, handle.toUpperCase())).toEqual([handle]);
    const byFilter = await ledger.get(`/intents?data.custom.round=${round}&meta.status=rejected`);
    expect(handlesIn(byFilter.items)).toEqual([handle]);
    const proof = proofOf(hash, key, { moment: now(), labels: [`l${round}`] });
    await ledger.post(`/intents/${handle}/proofs`, proof);
    expect(handlesIn((await ledger.get(`/intents?meta.labels=l${round}`)).items)).toEqual([handle]);
  }
});

const names = ['ana', 'ben', 'svgs:ana@bank.com', 'ana@bank.com', 'ben@acme.org', 'cho'];
const name = fc.constantFrom(...names);
const symbol = fc.constantFrom('usd', 'eur', 'pts@acme.org');
const claim = fc.oneof(
  fc.record({ action: fc.constant('issue'), target: name, symbol, amount: fc.constant(1) }),
  fc
    .tuple(name, name, symbol)
    .filter(([source, target]) => source !== target)
    .map(([source, target, unit]) => ({
      action: 'transfer',
      source,
      target,
      symbol: unit,
      amount: 1,
    })),
);
const schema = fc.constantFrom(undefined, 'rent', 'Monthly Rent', 'ANA');
const intents = fc.array(fc.tuple(fc.array(claim, { minLength: 1, maxLength: 3 }), schema), {
  minLength: 60,
  maxLength: 60,
});

/** Whether an intent holds a word, by reading it once more for each word. */
function holds({ data, meta }: Item, word: string): boolean {
  const isWordOf = (text: unknown) =>
    String(text ?? '')
      .toLowerCase()
      .split(/\s+/)
      .includes(word.toLowerCase());
  const isPartOf = (address: unknown) => {
    const [, local = '', domain] = /^(?:\w+:)?(\w+)(?:@(.+))?$/.exec(String(address ?? '')) ?? [];
    const both = domain === undefined ? local : `${local}@${domain}`;
    return [address, local, domain, both].some(isWordOf);
  };
  const claims = data['claims'] as readonly Json[];
  return (
    [data.handle, data['schema'], meta.status].some(isWordOf) ||
    claims.some(
      ({ source, target, symbol: unit, action }) =>
        [unit, action].some(isWordOf) || [source, target].some(isPartOf),
    )
  );
}

test('a search finds what a naive matcher finds', async () => {
  const ledger = await newLedger(home, key);
  for (const handle of ['usd', 'eur']) await ledger.make('symbols', { handle, factor: 1 }, key);
  for (const handle of ['ana', 'ben', 'cho']) await ledger.make('wallets', { handle }, key);
  for (const [claims, named] of fc.sample(intents, 1)[0] ?? [])
    await ledger.make(
      'intents',
      { handle: unique('i'), claims, ...(named && { schema: named }) },
      key,
    );
  const all = (await ledger.get('/intents?page.limit=100')).items;
  expect(all).toHaveLength(60);
  const words = fc.constantFrom(
    ...[...names, 'bank.com', 'acme.org', 'bank', 'usd', 'eur', 'pts', 'pts@acme.org', 'svgs'],
    ...[
      'issue',
      'transfer',
      'completed',
      'rejected',
      'rent',
      'monthly',
      'Month',
      String(all[7]?.data.handle),
    ],
  );
  const hits = { some: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 4 }), async (text) => {
      const wanted = all.filter((item) => text.every((word) => holds(item, word)));
      hits.some += wanted.length > 0 ? 1 : 0;
      expect([text, await found(ledger, text.join(' '), '&page.limit=100')]).toEqual([
        text,
        handlesIn(wanted),
      ]);
    }),
    { numRuns: 200 },
  );
  expect(hits.some).toBeGreaterThan(30);
});
