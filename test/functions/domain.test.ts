/**
 * Goal: who has every right in one domain has it for every kind of record that lies there, and for none that lies
 * elsewhere. Method: each operation on each kind of the table of kinds, in the own domain, in a foreign one and in
 * none. Rulings 37, 38 and 70, Decision 81.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  now,
  proofOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { ann, byKey, byToken, forbidden, houseOf, outcome, owner } from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

/** What is answered about a record that the caller may not read, whatever is asked. */
const hidden = forbidden;

/** The domain of the caller, another one, and none. */
const places = { own: 'a', foreign: 'b', none: undefined } as const;
type Place = keyof typeof places;

const server = 'https://bank.example';
const pair = () => ({ public: newKey().public, format: 'ed25519-raw' });

/**
 * The data of a record at a place, beside its handle and its domain. What hangs on others hangs on those of the same
 * place, and says no domain.
 */
const dataOf: Readonly<Record<Kind, (place: Place, name: string) => Json>> = {
  ledger: () => ({}),
  domain: () => ({}),
  signer: pair,
  symbol: () => ({ factor: 1 }),
  wallet: () => ({}),
  circle: () => ({ access: [] }),
  bridge: () => ({ config: { server } }),
  schema: () => ({ record: 'report', format: 'json-schema', schema: {} }),
  policy: () => ({ schema: 'labels', record: 'circle', values: [] }),
  effect: () => ({ signal: 'ledger-created', action: { schema: 'webhook', endpoint: server } }),
  report: (place) => (place === 'none' ? { schema: 'schema-none' } : { schema: `schema-${place}` }),
  // It moves nothing, since there is nothing yet.
  intent: (place) => {
    const [source, target] = [`wallet-${place}`, `wallet-${place}`];
    return {
      claims: [{ action: 'transfer', source, target, symbol: `symbol-${place}`, amount: 1 }],
    };
  },
  anchor: (place) => ({ target: 'x', wallet: `wallet-${place}` }),
  'signer-factor': (place) => ({ signer: `signer-${place}`, schema: 'key-pair', ...pair() }),
  'circle-signer': (place, name) => ({ circle: `circle-${place}`, signer: `signer-${name}` }),
};

/** Those of which others are made of first. */
const order: readonly Kind[] = ['domain', 'schema', 'signer', 'circle', 'symbol', 'wallet'];
const names = Object.keys(kinds) as Kind[];
/** The record of the ledger lies with the server, in no domain; who makes ledgers is asked of another ledger. */
const all = names.filter((kind) => kind !== 'ledger');
const hanging: readonly Kind[] = ['signer-factor', 'circle-signer', 'anchor'];

const baseOf = (kind: Kind, place: Place) => {
  const { within, group } = lineOf(kind);
  return within ? `/${lineOf(within).group}/${within}-${place}/${group}` : `/${group}`;
};

function newData(kind: Kind, place: Place, name: string): Json {
  const domain = places[place];
  const isNamed = lineOf(kind).naming === undefined;
  return {
    ...(isNamed && { handle: `${kind}-${name}` }),
    ...dataOf[kind](place, name),
    ...(domain !== undefined && !hanging.includes(kind) && { domain }),
  };
}

let ledger: Client;
const records = new Map<string, Item>();
const recordOf = (kind: Kind, place: Place): Item => {
  const found = records.get(`${kind} ${place}`);
  if (!found) throw new Error(`There is no ${kind} at ${place}.`);
  return found;
};

beforeAll(async () => {
  ledger = await houseOf(await sharedHome());
  const access = [byKey(ann), byToken(ann)].map((whom) => ({
    action: 'any',
    record: 'any',
    ...whom,
  }));
  await ledger.make('domains', { handle: 'a', access }, owner);
  await ledger.make('domains', { handle: 'b' }, owner);
  // Who is to become a member yet.
  for (const place of Object.keys(places))
    await ledger.make('signers', { handle: `signer-member-${place}` }, owner);
  const sorted = [...order, ...all.filter((kind) => !order.includes(kind))];
  for (const kind of sorted)
    for (const place of Object.keys(places) as Place[]) {
      const body = signed(newData(kind, place, place), owner);
      const reply = await ledger.post(baseOf(kind, place), body);
      expect([kind, place, outcome(reply)[1]]).toEqual([kind, place, undefined]);
      records.set(`${kind} ${place}`, reply.body);
    }
});

/** Every operation, as ann asks for it. */
const operations = {
  create: (kind: Kind, place: Place) => {
    const name = kind === 'circle-signer' ? `member-${place}` : `new-${place}`;
    return ledger.post(baseOf(kind, place), signed(newData(kind, place, name), ann));
  },
  read: (kind: Kind, place: Place) => ledger.get(pathOf(kind, place), bearing(ann)),
  history: (kind: Kind, place: Place) => ledger.get(`${pathOf(kind, place)}/changes`, bearing(ann)),
  prove: (kind: Kind, place: Place) =>
    ledger.post(
      `${pathOf(kind, place)}/proofs`,
      proofOf(recordOf(kind, place).hash, ann, { moment: now() }),
    ),
  update: (kind: Kind, place: Place) =>
    ledger.put(
      pathOf(kind, place),
      revision(recordOf(kind, place), { custom: { note: 'mine' } }, ann),
    ),
  drop: async (kind: Kind, place: Place) => {
    const { body, status } = await ledger.get(pathOf(kind, place), bearing(owner));
    expect(status).toBe(200);
    return ledger.send('DELETE', pathOf(kind, place), farewell(body, ann));
  },
} as const;
type Operation = keyof typeof operations;

const pathOf = (kind: Kind, place: Place) =>
  `${baseOf(kind, place)}/${kind === 'circle-signer' ? `signer-${place}` : recordOf(kind, place).luid}`;

/** The operations that the table of kinds says there are. */
function operationsOf(kind: Kind): Operation[] {
  const { updates, drops } = lineOf(kind);
  const some = Object.keys(operations) as Operation[];
  // Links have neither histories nor proofs of their own paths.
  const has = (one: Operation) => kind !== 'circle-signer' || !['history', 'prove'].includes(one);
  return some.filter(
    (one) => has(one) && (one !== 'update' || updates) && (one !== 'drop' || drops),
  );
}

/** The expected answer: of what lies in the own domain as of what is one's own, of the rest as of what is not there. */
function expected(operation: Operation, kind: Kind, place: Place): unknown[] {
  if (place !== 'own') return operation === 'create' ? forbidden : hidden;
  const created = kind === 'circle-signer' ? 200 : 201;
  return [
    { create: created, read: 200, history: 200, prove: 200, update: 200, drop: 204 }[operation],
  ];
}

const rows = all
  // What others hang on is ended after them.
  .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
  .flatMap((kind) => (Object.keys(places) as Place[]).map((place) => ({ kind, place })));

describe('with all rights in a domain', () => {
  test.each(rows)(
    'one may do with a $kind in $place what is granted there',
    async ({ kind, place }) => {
      for (const operation of operationsOf(kind)) {
        const reply = await operations[operation](kind, place);
        expect([operation, ...outcome(reply)], reply.text).toEqual([
          operation,
          ...expected(operation, kind, place),
        ]);
        const lies = reply.body?.meta?.['domain'];
        if (operation === 'create' && place === 'own') expect(lies).toBe('a');
      }
    },
  );

  test('one may do nothing with the record of the ledger', async () => {
    const { body } = await ledger.get('/ledger', bearing(owner));
    const change = revision(body, { custom: { note: 'mine' } }, ann);
    const proof = proofOf(body.hash, ann, { moment: now() });
    for (const reply of [
      await ledger.get('/ledger', bearing(ann)),
      await ledger.put('/ledger', change),
      await ledger.post('/ledger/proofs', proof),
    ])
      expect(outcome(reply)).toEqual(hidden);
  });

  test('the record of the ledger stays in no domain, whatever its authors say', async () => {
    const { body } = await ledger.get('/ledger', bearing(owner));
    const { luid, hash: parent, data } = body;
    const said = signed({ ...data, parent, domain: 'a' }, owner, { moment: now(), domain: 'b' });
    const reply = await ledger.put('/ledger', { luid, ...said });
    expect([...outcome(reply), reply.body.meta['domain']]).toEqual([200, undefined]);
  });

  test.each(all)('a list of %s shows what lies there, and nothing else', async (kind) => {
    for (const place of Object.keys(places) as Place[]) {
      const reply = await ledger.get(`${baseOf(kind, place)}?page.limit=100`, bearing(ann));
      const others = reply.items.filter(({ meta }) => meta['domain'] !== 'a');
      // A domain's rules are also about the domain itself, and the key of a ledger is everyone's to know.
      const known = ['a', 'system'];
      expect(others.map(({ data }) => data.handle).filter((one) => !known.includes(one))).toEqual(
        [],
      );
    }
  });
});
