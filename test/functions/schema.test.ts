/**
 * Goal: once a ledger has a schema for a kind, everything that is written of that kind is as one of its
 * schemas says, and nothing that a schema says can hold the service up. Ruling 65, Decisions 26 and 27.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();

const anything = { type: 'object' };
const ofCity = {
  type: 'object',
  required: ['custom'],
  properties: {
    custom: {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
    },
  },
};
const named = (record: string, schema: Json = anything, more: Json = {}): Json => ({
  handle: unique(`${record}-schema`),
  record,
  format: 'json-schema',
  schema,
  ...more,
});

/** Makes a schema and returns its handle. */
async function newSchema(ledger: Client, ...rest: Parameters<typeof named>): Promise<string> {
  const { data } = await ledger.make('schemas', named(...rest), key);
  return String(data['handle']);
}
const post = (ledger: Client, path: string, data: Json) => ledger.post(path, signed(data, key));
const wallet = (more: Json = {}): Json => ({ handle: unique('wallet'), ...more });

/** `status reason` of a reply, and the violations as `instancePath keyword`. */
async function told(reply: Promise<{ status: number; reason: unknown; custom: Json }>) {
  const { status, reason, custom } = await reply;
  const errors = (custom['errors'] ?? []) as { instancePath: string; keyword: string }[];
  const violations = errors.map((one) => `${one.instancePath} ${one.keyword}`).sort();
  return [reason === undefined ? String(status) : `${status} ${reason}`, ...violations];
}
const invalid = '422 record.schema-invalid';
const notFound = '422 record.relation-not-found';
const unnamed = [invalid, '/data required'];

describe('what a record names', () => {
  test('is any text while no schema is for its kind', async () => {
    const ledger = await newLedger(home, key);
    await newSchema(ledger, 'symbol');
    for (const schema of [undefined, 'bank', 'bank account!'])
      expect(await told(post(ledger, '/wallets', wallet(schema ? { schema } : {})))).toEqual([
        '201',
      ]);
  });

  test('must be there, be for its kind, and be named, as soon as one is', async () => {
    const ledger = await newLedger(home, key);
    const schema = await newSchema(ledger, 'wallet');
    const other = await newSchema(ledger, 'symbol');
    const make = (more: Json) => told(post(ledger, '/wallets', wallet(more)));
    expect(await make({ schema })).toEqual(['201']);
    expect(await make({})).toEqual(unnamed);
    expect(await make({ schema: 'nobody' })).toEqual([notFound]);
    expect(await make({ schema: 'what is no handle!' })).toEqual([notFound]);
    expect(await make({ schema: other })).toEqual([notFound]);
    const reply = await post(ledger, '/wallets', wallet({ schema: 'nobody' }));
    expect([reply.detail, reply.custom]).toEqual(['Schema nobody not found', { schema: 'nobody' }]);
  });

  test('is nothing to another ledger', async () => {
    const [one, other] = [await newLedger(home, key), await newLedger(home, key)];
    const schema = await newSchema(one, 'wallet');
    expect(await told(post(other, '/wallets', wallet()))).toEqual(['201']);
    await newSchema(other, 'wallet');
    expect(await told(post(other, '/wallets', wallet({ schema })))).toEqual([notFound]);
  });

  test('may be built in', async () => {
    const ledger = await newLedger(home, key);
    await ledger.make('signers', { handle: 'ann' }, key);
    for (const record of ['bridge', 'signer-factor', 'policy', 'report'])
      await newSchema(ledger, record);
    const config = { server: 'https://a.example' };
    const factor = { signer: 'ann', public: newKey().public, format: 'ed25519-raw' };
    const interval = {
      start_timestamp: '2024-01-01T00:00:00.000Z',
      end_timestamp: '2024-01-02T00:00:00.000Z',
    };
    const made: [string, Json][] = [
      ['/bridges', { config }],
      ['/bridges', { config, schema: 'rest' }],
      ['/signers/ann/factors', { ...factor, schema: 'key-pair' }],
      ['/policies', { schema: 'labels', record: 'wallet', values: [] }],
      ['/reports', { schema: 'trans_details_rep', custom: interval }],
    ];
    for (const [path, data] of made)
      expect(await told(post(ledger, path, { handle: unique('built'), ...data }))).toEqual(['201']);
    expect(await told(post(ledger, '/reports', { handle: unique('report') }))).toEqual(unnamed);
  });

  test('is asked of also when its name is one that is built in', async () => {
    const ledger = await newLedger(home, key);
    await newSchema(ledger, 'bridge', ofCity, { handle: 'rest' });
    const data = { config: { server: 'https://a.example' }, schema: 'rest' };
    const make = (more: Json) =>
      told(post(ledger, '/bridges', { handle: unique('bridge'), ...data, ...more }));
    expect(await make({})).toEqual([invalid, '/data required']);
    expect(await make({ custom: { city: 'Bern' } })).toEqual(['201']);
  });
});

describe.each([
  ['signer', '/signers', { public: newKey().public, format: 'ed25519-raw' }],
  ['symbol', '/symbols', { factor: 100 }],
  ['wallet', '/wallets', {}],
  ['intent', '/intents', { claims: [claimOf('issue alice 5 usd')] }],
  [
    'effect',
    '/effects',
    { signal: 'wallet-created', action: { schema: 'webhook', endpoint: 'https://a.example/e' } },
  ],
  ['circle', '/circles', {}],
  ['circle-signer', '/circles/staff/signers', { circle: 'staff', signer: 'ann' }],
  ['domain', '/domains', {}],
  ['anchor', '/anchors', { target: 'alice@bank' }],
] as const)('a %s', (record, path, data) => {
  test('is asked for its schema, and judged by it', async () => {
    const ledger = await newLedger(home, key);
    await ledger.make('signers', { handle: 'ann' }, key);
    await ledger.make('circles', { handle: 'staff' }, key);
    const schema = await newSchema(ledger, record, ofCity);
    const handle = record === 'circle-signer' ? {} : { handle: unique(record) };
    const make = (more: Json) => told(post(ledger, path, { ...handle, ...data, ...more }));
    expect(await make({})).toEqual(unnamed);
    expect(await make({ schema })).toEqual([invalid, '/data required']);
    expect(await make({ schema, custom: { city: 'B', age: 'old' } })).toEqual([
      invalid,
      '/data/custom/age type',
      '/data/custom/city minLength',
    ]);
    const expected = record === 'circle-signer' ? '200' : '201';
    expect(await make({ schema, custom: { city: 'Bern' } })).toEqual([expected]);
  });
});

test('an intent that is not as its schema moves nothing and leaves its handle free', async () => {
  const ledger = await newLedger(home, key);
  await ledger.make('wallets', { handle: 'alice' }, key);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  const small = { properties: { claims: { items: { properties: { amount: { maximum: 10 } } } } } };
  const schema = await newSchema(ledger, 'intent', small);
  const intent = (amount: number) => ({
    handle: 'rent',
    schema,
    claims: [claimOf(`issue alice ${amount} usd`)],
  });
  expect(await told(post(ledger, '/intents', intent(11)))).toEqual([
    invalid,
    '/data/claims/0/amount maximum',
  ]);
  expect(await ledger.balances('alice')).toEqual({});
  expect(await told(post(ledger, '/intents', intent(10)))).toEqual(['201']);
  expect(await ledger.balances('alice')).toEqual({ usd: '10' });
});

describe('what a schema says', () => {
  test('is judged pattern by pattern, and never later', async () => {
    const ledger = await newLedger(home, key);
    const custom = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    const schema = await newSchema(ledger, 'wallet', { properties: { custom } });
    const made = (a: string, b: string) =>
      told(post(ledger, '/wallets', wallet({ schema, custom: { a, b } })));
    expect(await made('a', 'b')).toEqual(['201']);
    expect(await made('a', 'a')).toEqual([invalid, '/data/custom/b pattern']);
    expect(await made('b', 'b')).toEqual([invalid, '/data/custom/a pattern']);
  });

  test('may be told to people in words of their own', async () => {
    const ledger = await newLedger(home, key);
    const city = { type: 'string', format: 'city', example: 'Bern', 'x-order': 1 };
    const schema = await newSchema(ledger, 'wallet', {
      properties: { custom: { properties: { city } } },
    });
    const made = (city: unknown) =>
      told(post(ledger, '/wallets', wallet({ schema, custom: { city } })));
    expect(await made('Basel')).toEqual(['201']);
    expect(await made(5)).toEqual([invalid, '/data/custom/city type']);
    const { body } = await ledger.get(`/schemas/${schema}`);
    expect(body.data['schema']).toMatchObject({ properties: { custom: { properties: { city } } } });
  });
});

describe('an update', () => {
  const put = (ledger: Client, item: Item, change: Json) =>
    told(ledger.put(`/wallets/${item.luid}`, revision(item, change, key)));

  test('is judged by the schemas of now; what stands is left alone', async () => {
    const ledger = await newLedger(home, key);
    const item = await ledger.make('wallets', wallet(), key);
    const schema = await newSchema(ledger, 'wallet', ofCity);
    expect((await ledger.get(`/wallets/${item.luid}`)).body).toEqual(item);
    expect(await told(ledger.prove('wallets', item, key, { status: 'active' }))).toEqual(['200']);
    expect(await put(ledger, item, { custom: { a: 1 } })).toEqual(unnamed);
    expect(await put(ledger, item, { schema, custom: { city: 5 } })).toEqual([
      invalid,
      '/data/custom/city type',
    ]);
    expect(await put(ledger, item, { schema, custom: { city: 'Bern' } })).toEqual(['200']);
  });

  test('may have its parent, which no schema describes', async () => {
    const ledger = await newLedger(home, key);
    const closed = { properties: { handle: true, schema: true }, additionalProperties: false };
    const schema = await newSchema(ledger, 'wallet', closed);
    const item = await ledger.make('wallets', wallet({ schema }), key);
    expect(await put(ledger, item, { handle: unique('wallet') })).toEqual(['200']);
    expect(await told(post(ledger, '/wallets', wallet({ schema, custom: {} })))).toEqual([
      invalid,
      '/data additionalProperties',
    ]);
  });

  test('of a schema counts from the next write on', async () => {
    const ledger = await newLedger(home, key);
    const made = await ledger.make('schemas', named('wallet'), key);
    const { handle: schema } = made.data;
    const make = () => told(post(ledger, '/wallets', wallet({ schema, custom: { city: 5 } })));
    expect(await make()).toEqual(['201']);
    const next = revision(made, { schema: ofCity }, key);
    expect(await told(ledger.put(`/schemas/${schema}`, next))).toEqual(['200']);
    expect(await make()).toEqual([invalid, '/data/custom/city type']);
  });

  test('of a schema is refused as its creation would be', async () => {
    const ledger = await newLedger(home, key);
    const made = await ledger.make('schemas', named('wallet'), key);
    const next = revision(made, { schema: { type: 'text' } }, key);
    const [refusal] = await told(ledger.put(`/schemas/${made.luid}`, next));
    expect(refusal).toBe(invalid);
    expect((await ledger.get(`/schemas/${made.luid}`)).body.hash).toBe(made.hash);
  });
});

test('the status of a schema means nothing to records', async () => {
  const ledger = await newLedger(home, key);
  const made = await ledger.make('schemas', named('wallet'), key);
  await ledger.prove('schemas', made, key, { status: 'inactive' });
  const { handle: schema } = made.data;
  expect(await told(post(ledger, '/wallets', wallet({ schema })))).toEqual(['201']);
  expect(await told(post(ledger, '/wallets', wallet()))).toEqual(unnamed);
});

describe('a schema that extends another', () => {
  const withAge = {
    properties: { custom: { required: ['age'], properties: { age: { type: 'integer' } } } },
  };

  test('asks for both, and says whose rule is broken', async () => {
    const ledger = await newLedger(home, key);
    const base = await newSchema(ledger, 'wallet', ofCity);
    const schema = await newSchema(ledger, 'wallet', withAge, { extend: base });
    const further = await newSchema(ledger, 'wallet', {}, { extend: schema });
    const make = (custom: Json) => post(ledger, '/wallets', wallet({ schema: further, custom }));
    expect((await make({ city: 'Bern', age: 3 })).status).toBe(201);
    const { custom } = await make({});
    const errors = custom['errors'] as { schemaPath: string }[];
    expect(errors.map(({ schemaPath }) => schemaPath)).toEqual([
      `${schema}#/properties/custom/required`,
      `${base}#/properties/custom/required`,
    ]);
  });

  test('needs it to be there, and for the same kind', async () => {
    const ledger = await newLedger(home, key);
    const other = await newSchema(ledger, 'symbol');
    const make = (extend: string) =>
      told(post(ledger, '/schemas', named('wallet', {}, { extend })));
    expect(await make('nobody')).toEqual([notFound]);
    expect(await make(other)).toEqual(['422 record.invalid']);
  });

  test('is refused without naming what the one that it extends stands on', async () => {
    const ledger = await newLedger(home, key);
    const base = await ledger.make('schemas', named('wallet'), key);
    const schema = await newSchema(ledger, 'wallet', {}, { extend: base.data['handle'] });
    const moved = revision(base, { record: 'symbol' }, key);
    expect((await ledger.put(`/schemas/${base.luid}`, moved)).status).toBe(200);
    const data = named('wallet', {}, { extend: schema });
    const { status, text } = await post(ledger, '/schemas', data);
    expect([status, text.includes(String(base.data['handle']))]).toEqual([422, false]);
    expect(text).toContain('one behind those it extends');
  });

  test('never extends itself, directly or over others', async () => {
    const ledger = await newLedger(home, key);
    const self = named('wallet');
    expect(await told(post(ledger, '/schemas', { ...self, extend: self['handle'] }))).toEqual([
      notFound,
    ]);
    const first = await ledger.make('schemas', named('wallet'), key);
    const second = await newSchema(ledger, 'wallet', {}, { extend: first.data['handle'] });
    const third = await newSchema(ledger, 'wallet', {}, { extend: second });
    for (const extend of [first.data['handle'], second, third])
      expect(
        await told(ledger.put(`/schemas/${first.luid}`, revision(first, { extend }, key))),
      ).toEqual(['422 record.invalid']);
  });

  test('reaches sixteen others, and no further', async () => {
    const ledger = await newLedger(home, key);
    let extend = await newSchema(ledger, 'wallet');
    for (let length = 1; length <= 16; length += 1)
      extend = await newSchema(ledger, 'wallet', {}, { extend });
    expect(await told(post(ledger, '/wallets', wallet({ schema: extend })))).toEqual(['201']);
    expect(await told(post(ledger, '/schemas', named('wallet', {}, { extend })))).toEqual([
      '422 record.invalid',
    ]);
  });
});

describe('what is no schema is refused', () => {
  test.each<[string, Json, string[]]>([
    ['for a kind that there is not', { record: 'car' }, ['/data/record enum']],
    ['for schemas, which name none', { record: 'schema' }, ['/data/record enum']],
    ['for ledgers, which name none', { record: 'ledger' }, ['/data/record enum']],
    ['of another format', { format: 'xml' }, ['/data/format const']],
    ['without a schema', { schema: undefined }, ['/data required']],
    ['that is a text', { schema: 'text' }, ['/data/schema type']],
    [
      'with a keyword that nobody knows',
      { schema: { requierd: [] } },
      ['/data/schema/requierd not'],
    ],
    [
      'under which all would be judged too late',
      { schema: { $async: true, required: ['custom'] } },
      ['/data/schema/$async not'],
    ],
    [
      'with every fault',
      { schema: { minLength: 'a', required: 5 } },
      ['/data/schema/minLength type', '/data/schema/required type'],
    ],
    [
      'with a pattern that backtracks',
      { schema: { pattern: '(a)\\1' } },
      ['/data/schema/pattern format'],
    ],
    [
      'that refers to elsewhere',
      { schema: { $ref: 'https://a.example/s' } },
      ['/data/schema/$ref format'],
    ],
    ['that is huge', { schema: { enum: [...Array(20_000).keys()] } }, ['/data/schema maxLength']],
  ])('%s', async (_, more, errors) => {
    const { schema, ...data } = { ...named('wallet'), ...more };
    const body = schema === undefined ? data : { ...data, schema };
    expect(await told(post(home, '/schemas', body))).toEqual([invalid, ...errors]);
  });

  test('and asks nothing of anybody', async () => {
    const ledger = await newLedger(home, key);
    await post(ledger, '/schemas', { ...named('wallet'), schema: { type: 'text' } });
    expect(await told(post(ledger, '/wallets', wallet()))).toEqual(['201']);
  });
});

describe('a schema that asks for endless work', () => {
  const twice = (to: string) => ({ allOf: [{ $ref: to }, { $ref: to }] });
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`d${index}`, twice(`#/definitions/d${index + 1}`)]),
  );
  test.each<[string, Json, Json, string]>([
    [
      'of a pattern',
      { properties: { custom: { properties: { a: { pattern: '^(a+)+$' } } } } },
      { a: `${'a'.repeat(50_000)}!` },
      invalid,
    ],
    ['of itself', { $ref: '#' }, {}, '422 record.invalid'],
    [
      'of parts that double',
      { definitions: { ...doubling, d40: {} }, $ref: '#/definitions/d0' },
      {},
      '422 record.invalid',
    ],
  ])('%s gets an answer', async (_, schema, custom, expected) => {
    const ledger = await newLedger(home, key);
    const handle = await newSchema(ledger, 'wallet', schema);
    const [answer] = await told(post(ledger, '/wallets', wallet({ schema: handle, custom })));
    expect(answer).toBe(expected);
    expect((await ledger.get('/wallets')).items).toEqual([]);
  });
});
