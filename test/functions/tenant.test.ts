/**
 * Goal: nothing of one ledger is seen or changed through another one, by whatever endpoint. Every operation
 * of the interface is asked, with what is known of the other ledger. Ruling 25.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  type Reply,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { ask, basicOf, type Factor, newFactor } from '../fixture/oauth.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

/** A word that is in every record of the far ledger, and nowhere else. */
const word = unique('faraway');
const [resident, stranger] = [newKey(), newKey()];

/** Whose records are looked for. Everyone may do anything in it, so that nothing but its borders protects it. */
let far: Client;
/** Through which they are looked for, by somebody who may do anything there. */
let near: Client;
/** The records of the far ledger, by the group in which they are. */
let records: Readonly<Record<string, Item>>;
let link: Item;
let factor: Item;
let client: Factor;
let pictured: string;

const named = (more: Json): Json => ({ handle: word, custom: { word }, ...more });
const data: Readonly<Record<string, Json>> = {
  signers: named({ public: resident.public, format: 'ed25519-raw' }),
  symbols: named({ factor: 1 }),
  bridges: named({ config: { server: 'https://a.example' } }),
  wallets: named({ bridge: word }),
  circles: named({}),
  domains: named({}),
  anchors: named({ target: 'a@b', wallet: word }),
  effects: named({ signal: 'wallet-created', action: { schema: 'bridge', bridge: word } }),
  policies: named({ schema: 'labels', record: 'symbol', values: [] }),
  reports: named({ schema: 'monthly' }),
  schemas: named({ record: 'policy', format: 'json-schema', schema: {} }),
  intents: named({ claims: [{ action: 'issue', target: word, symbol: word, amount: 5 }] }),
};

const home = await sharedHome();

beforeAll(async () => {
  far = await newLedger(home, resident);
  near = await newLedger(home, stranger);
  const made: Record<string, Item> = {};
  for (const [group, value] of Object.entries(data).filter(([group]) => group !== 'schemas'))
    made[group] = await far.make(group, value, resident);
  made['schemas'] = await far.make('schemas', data['schemas'] ?? {}, resident);
  records = made;
  const wish = signed({ circle: word, signer: word }, resident);
  link = (await far.post(`/circles/${word}/signers`, wish)).body;
  client = await newFactor(far, resident, word, word);
  factor = client.item;
  pictured = await picture();
});

/** All that the far ledger has, less who says so now. */
async function picture(): Promise<string> {
  const paths = Object.entries(records).flatMap(([group, { luid }]) => [
    `/${group}?page.limit=100`,
    `/${group}/${luid}/changes`,
  ]);
  paths.push(`/circles/${word}/signers`, `/signers/${word}/factors`, `/wallets/${word}/balances`);
  const replies = await Promise.all(paths.map((path) => far.get(path)));
  return JSON.stringify(replies.map(({ items }) => items.map(({ hash, data: of }) => [hash, of])));
}

interface Operation {
  readonly method: string;
  readonly path: string;
}

const { paths } = JSON.parse(readFileSync('functions/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ['get', 'post', 'put', 'delete'].includes(method))
    .map((method) => ({ method: method.toUpperCase(), path })),
);
const groupOf = (path: string) => path.split('/')[1] ?? '';
const itemAt = (path: string): Item | undefined => {
  if (path.includes('/factors/{id}')) return factor;
  return path.includes('{link}') ? link : records[groupOf(path)];
};

/** The path, about the far record: by its handle, or by luids. */
function pathsOf({ path }: Operation): string[] {
  const own = itemAt(path)?.luid ?? '';
  const signer = records['signers']?.luid ?? '';
  const circle = records['circles']?.luid ?? '';
  const fill = (values: Json) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
  const more = { change: 1, delivery: 'evt_0', asset: word };
  const id = path.includes('{link}') || path.endsWith('/signers') ? circle : own;
  const query = path.endsWith('/entries') ? '?symbol=usd' : '';
  return [
    `${fill({ id: word, signer: word, link: word, ...more })}${query}`,
    `${fill({ id, signer, link: own, ...more })}${query}`,
  ];
}

/** Bodies with which the far record would be changed, or what it is could be learned. */
function bodiesOf({ method, path }: Operation): (object | undefined)[] {
  const item = itemAt(path);
  if (method === 'GET') return [undefined];
  if (!item || path.includes('/oauth/')) return [];
  const { luid, hash } = item;
  if (path.endsWith('/proofs') || path.endsWith('/sign'))
    return [stranger, resident].map((key) => proofOf(hash, key, { moment: now(), status: 'odd' }));
  if (path.endsWith('!check')) return [signed({ action: 'read' }, resident)];
  if (path.endsWith('!lookup') || path.endsWith('/activate')) return [signed({}, resident)];
  if (path.endsWith('/retry')) return [signed({ maxAge: 0 }, resident)];
  if (method === 'PUT') return [stranger, resident].map((key) => revision(item, {}, key));
  if (method === 'DELETE' || path.endsWith('/drop'))
    return [stranger, resident].map((key) => farewell({ luid, hash }, key));
  return makingWithin(path);
}

/** Bodies with which something would be made below a far record. */
function makingWithin(path: string): object[] {
  const pair = { public: newKey().public, format: 'ed25519-raw' };
  const below: Readonly<Record<string, Json>> = {
    signers: { circle: word, signer: word },
    factors: { handle: unique('f'), signer: word, schema: 'key-pair', ...pair },
  };
  const made = below[path.split('/').at(-1) ?? ''];
  return made ? [stranger, resident].map((key) => signed(made, key)) : [];
}

/** What is near tells nothing of what is far: but what it was told in the request itself. */
function assertNothingOf(reply: Reply, place: string): void {
  const { text, status } = reply;
  for (const item of [...Object.values(records), link, factor]) {
    expect([place, status, text.includes(item.luid)]).toEqual([place, status, false]);
    expect([place, status, text.includes(item.hash)]).toEqual([place, status, false]);
  }
  expect([place, text.includes(resident.public)]).toEqual([place, false]);
  expect([place, text.includes(word)]).toEqual([place, false]);
}

/** A page of the reference is the same for everybody. */
const isOfRecords = ({ path }: Operation) => !/^\/(ledger|docs)/.test(path);
const about = operations.filter((one) => one.path.includes('{') && isOfRecords(one));

describe('an endpoint of one ledger knows nothing of another', () => {
  test.each(about)('$method $path', async (operation) => {
    expect(bodiesOf(operation)).not.toEqual([]);
    for (const path of pathsOf(operation))
      for (const body of bodiesOf(operation)) {
        const reply = await near.send(operation.method, path, body);
        const place = `${operation.method} ${path}`;
        expect([place, reply.status, reply.reason]).toEqual([place, 404, 'record.not-found']);
        assertNothingOf(reply, place);
      }
  });

  test('lists, filters and searches', async () => {
    const groups = Object.keys(records);
    for (const group of groups)
      for (const query of [
        '?page.limit=100',
        `?data.handle=${word}`,
        `?data.custom.word=${word}`,
        `?meta.proofs.public=${encodeURIComponent(resident.public)}`,
        `?luid=${records[group]?.luid}`,
      ]) {
        const reply = await near.get(`/${group}${query}`);
        assertNothingOf(reply, `${group}${query}`);
      }
  });
});

test('what is far cannot be named by what is near', async () => {
  const effect = { signal: 'wallet-created', action: { schema: 'bridge', bridge: word } };
  const schema = { record: 'policy', format: 'json-schema', schema: {}, extend: word };
  const policy = { schema: 'labels', record: 'symbol', values: [], extend: word };
  const naming: [string, Json, string][] = [
    ['wallets', { bridge: word }, 'bridge'],
    ['anchors', { target: 'a@b', wallet: word }, 'wallet'],
    ['effects', effect, 'bridge'],
    ['policies', policy, 'policy'],
    ['schemas', schema, 'schema'],
  ];
  for (const [group, more, kind] of naming)
    expect([group, kind, await refusalOf(group, more)]).toEqual([
      group,
      kind,
      { reason: 'record.relation-not-found', custom: { [kind]: word } },
    ]);
  const claims = [{ action: 'issue', target: word, symbol: word, amount: 5 }];
  const body = signed({ handle: unique('x'), claims }, resident);
  const { body: intent } = await near.post('/intents', body);
  expect(intent.meta.status).toBe('rejected');
});

/** Why near does not take a new record. */
async function refusalOf(group: string, more: Json) {
  const { reason, custom } = await near.post(
    `/${group}`,
    signed({ handle: unique('x'), ...more }, stranger),
  );
  return { reason, custom };
}

test('no domain, schema, circle or signer of another ledger is one here', async () => {
  await far.make('domains', { handle: unique('d'), domain: word }, resident);
  for (const domain of ['own', 'other']) await near.make('domains', { handle: domain }, stranger);
  const record = { record: 'symbol', format: 'json-schema', schema: { required: ['factor'] } };
  await near.make('schemas', { handle: 'own', ...record }, stranger);
  await near.make('circles', { handle: 'own' }, stranger);
  await near.make('signers', { handle: 'own' }, stranger);
  for (const [group, more, kind] of [
    ['wallets', { domain: word }, 'domain'],
    ['domains', { domain: word }, 'domain'],
    ['symbols', { factor: 1, schema: word }, 'schema'],
  ] as const)
    expect([group, await refusalOf(group, more)]).toEqual([
      group,
      { reason: 'record.relation-not-found', custom: { [kind]: word } },
    ]);
  const inDomain = await near.post(
    '/wallets',
    signed({ handle: unique('w') }, stranger, { moment: now(), domain: word }),
  );
  expect(inDomain.reason).toBe('record.relation-not-found');
  const joining = signed({ circle: 'own', signer: word }, stranger);
  const joined = await near.post('/circles/own/signers', joining);
  expect([joined.reason, joined.custom]).toEqual(['record.relation-not-found', { signer: word }]);
});

test.each(Object.keys(data))(
  'to make one of the %s by luids of another ledger is refused, and tells nothing',
  async (group) => {
    const luidOf = (kind: string) => records[kind]?.luid ?? '';
    const naming: Readonly<Record<string, Json>> = {
      wallets: { bridge: luidOf('bridges') },
      anchors: { target: luidOf('wallets') },
      domains: { domain: luidOf('domains') },
      effects: {
        signal: 'wallet-created',
        action: { schema: 'bridge', bridge: luidOf('bridges') },
      },
      policies: { schema: 'labels', record: 'symbol', values: [], extend: luidOf('policies') },
      schemas: { record: 'policy', format: 'json-schema', schema: {}, extend: luidOf('schemas') },
      intents: {
        claims: [
          { action: 'issue', target: luidOf('wallets'), symbol: luidOf('symbols'), amount: 5 },
        ],
      },
    };
    const bodies = [
      { ...data[group], handle: records[group]?.luid ?? '' },
      ...(naming[group] ? [{ ...naming[group], handle: unique('x') }] : []),
    ];
    for (const body of bodies) {
      const { status, reason, text } = await near.post(`/${group}`, signed(body, stranger));
      expect([group, status, reason]).toEqual([group, 422, 'record.schema-invalid']);
      for (const { hash } of Object.values(records)) expect(text).not.toContain(hash);
    }
  },
);

test('a client of another ledger is none here', async () => {
  const form = { grant_type: 'client_credentials' };
  const headers = { authorization: basicOf(client) };
  expect((await ask(far, form, headers)).status).toBe(200);
  const { status, text } = await ask(near, form, headers);
  expect([status, text.includes('invalid_client'), text.includes(word)]).toEqual([
    401,
    true,
    false,
  ]);
});

test('who is a signer there is nobody here, by proofs and by tokens', async () => {
  const item = await near.make('wallets', { handle: unique('w') }, resident);
  expect(item.meta.proofs[0]).not.toHaveProperty('signer');
  const token = bearing(resident, {}, { kid: word });
  expect((await far.get('/wallets', token)).status).toBe(200);
  expect((await near.get('/wallets', token)).status).toBe(401);
});

test('what is signed for one ledger is not taken by another', async () => {
  const custom = { moment: now(), status: 'created', ledger: String(far.ledger) };
  const body = signed({ handle: unique('w') }, resident, custom);
  expect((await near.post('/wallets', body)).reason).toBe('crypto.signature-invalid');
  const item = await near.make('wallets', { handle: unique('w') }, resident);
  const proved = await near.prove('wallets', item, resident, { ...custom, moment: now() });
  expect([proved.reason, proved.custom['fault']]).toEqual(['crypto.signature-invalid', 'ledger']);
  expect((await far.post('/wallets', body)).status).toBe(201);
});

test('and after all of it the far ledger is as it was', async () => {
  const before = JSON.parse(pictured) as [string, Json][][];
  const after = JSON.parse(await picture()) as [string, Json][][];
  for (const [index, rows] of before.entries())
    expect(after[index]).toEqual(expect.arrayContaining(rows));
});
