/**
 * Goal: the OpenAPI document declares no error of a record that an operation cannot answer; that none is missing is held
 * against every answer of every test (`declared.ts`). Method: each declared reason of an operation is met once. The
 * reasons of the steps before an action, of permissions and of missing records have tests of their own.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { operationInfoOf } from '../../shared/reference/operation.ts';
import {
  active,
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
import { outcome } from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const owner = newKey();
const ledger = await newLedger(home, owner);
const config = { server: 'https://a.example' };
const broken = [{ action: 'read', filter: { 'a..b': 1 } }];
const parent = '0'.repeat(64);

beforeAll(async () => {
  await make('domains');
  const values = [{ status: 'frozen' }];
  await make('policies', { schema: 'status', record: 'bridge', values });
  await make('policies', { schema: 'status', record: 'effect', values: [{ status: 'inactive' }] });
  const filter = { 'custom.costly': { $regex: '[a-y]{1,40}z' } };
  await make('policies', { schema: 'status', record: 'intent', values: [], filter });
  await make('policies', { schema: 'labels', record: 'bridge', values: [{ labels: ['good'] }] });
});

const make = (group: string, data: Json = {}): Promise<Item> =>
  ledger.make(group, { handle: unique(group), ...data }, owner);
const wallet = () => make('wallets');
const bridge = () => make('bridges', { config });

const create = (group: string, data: Json, custom?: Json, signer?: string) =>
  ledger.post(
    `/${group}`,
    signed({ handle: unique('new'), ...data }, owner, custom),
    signer === undefined ? {} : { signer },
  );
const intent = (handle: string, data: Json = {}) => {
  const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 1 }];
  return signed({ handle, claims, ...data }, owner);
};
const update = async (change: Json, path = '/wallets', item?: Item) => {
  const record = item ?? (await wallet());
  const to = path === '/ledger' ? path : `${path}/${record.luid}`;
  return ledger.put(to, revision(record, change, owner));
};
const drop = async (change: Json = {}, item?: Item) => {
  const record = item ?? (await wallet());
  return ledger.send('DELETE', `/wallets/${record.luid}`, {
    ...farewell(record, owner),
    ...change,
  });
};
const prove = async (path: string, item: Item, custom: Json) =>
  ledger.post(`${path}/${item.luid}/proofs`, proofOf(item.hash, owner, custom));
const proveBridge = async (custom: Json) =>
  prove('/bridges', await bridge(), { moment: now(), ...custom });
const own = async () => (await ledger.get('/ledger')).body;

/** Adds the very proof that made a circle of the same data. */
async function proveAgain(): Promise<Reply> {
  const data = { handle: unique('twin') };
  const twin = await ledger.make('wallets', data, owner);
  const body = signed(data, owner, { moment: now(), status: 'created' });
  await ledger.post('/circles', body);
  return ledger.post(`/wallets/${twin.luid}/proofs`, body.meta.proofs[0] as object);
}

async function dropHolding(): Promise<Reply> {
  const [{ data }, holding] = [await make('symbols', { factor: 1 }), await wallet()];
  await ledger.settle(owner, `issue ${holding.data['handle']} 5 ${data['handle']}`);
  return drop({}, holding);
}

const taken = async (group: string) => ({ handle: (await make(group)).data['handle'] });

const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 5 }];
/** Takes too much work to judge by the policy about intents. */
const costlyTexts = Array.from({ length: 50 }, (_, n) => 'a'.repeat(4_000 + n));

const proofs = {
  'record.duplicated': proveAgain,
  'record.invalid': () => proveBridge({ labels: { $nothing: ['x'] } }),
  'record.labels-policy-violation': () => proveBridge({ labels: ['bad'] }),
  'record.status-policy-violation': () => proveBridge({ status: 'odd' }),
  'record.update-rejected': async () =>
    prove('/signers', (await ledger.get('/signers/system')).body, { moment: now() }),
};

/** By operation: a request for each of its reasons. The operation stands for those of other kinds. */
const ways: Readonly<Record<string, Readonly<Record<string, () => Promise<Reply>>>>> = {
  'POST /wallets': {
    'record.duplicated': async () => create('wallets', await taken('wallets')),
    'record.invalid': () => create('wallets', { access: broken }),
    'record.relation-not-found': () => create('wallets', { bridge: 'none' }),
  },
  'POST /bridges': {
    'record.duplicated': async () => {
      const { data } = await bridge();
      return create('bridges', { handle: data['handle'], config });
    },
    'record.invalid': () => create('bridges', { config, access: broken }),
    'record.relation-not-found': () => create('bridges', { config, domain: 'none' }),
    'record.status-policy-violation': () => create('bridges', { config }, active()),
  },
  'POST /intents/!batch': {
    'record.invalid': () =>
      ledger.post('/intents/!batch', { data: [intent('missing')], mode: 'atomic' }),
  },
  'POST /intents/!preview': {
    'record.duplicated': async () => {
      await ledger.post('/intents', intent('taken'));
      return ledger.post('/intents/!preview', intent('taken'));
    },
    'record.invalid': () => ledger.post('/intents/!preview', intent('new', { access: broken })),
    'record.relation-not-found': () =>
      ledger.post('/intents/!preview', intent('new', { domain: 'none' })),
  },
  'POST /intents': {
    'record.duplicated': async () => {
      const { data } = await make('intents', { claims });
      return create('intents', { handle: data.handle, claims });
    },
    'record.invalid': () => create('intents', { claims, access: broken }),
    'record.relation-not-found': () => create('intents', { claims, domain: 'none' }),
    'record.status-policy-violation': () =>
      create('intents', { claims, custom: { costly: costlyTexts } }),
  },
  'POST /ledgers': {
    'record.duplicated': () => create('ledgers', { handle: ledger.ledger }, undefined, home.key),
    'record.invalid': () => create('ledgers', { access: broken }, undefined, home.key),
  },
  'PUT /wallets/{id}': {
    'crypto.parent-hash-invalid': () => update({}).then(stale),
    'record.duplicated': async () => update(await taken('wallets')),
    'record.invalid': () => update({ access: broken }),
    'record.relation-not-found': () => update({ bridge: 'none' }),
    'record.update-rejected': () => update({ domain: 'elsewhere' }),
  },
  'PUT /ledger': {
    'crypto.parent-hash-invalid': async () => {
      const item = await own();
      return ledger.put('/ledger', signed({ ...item.data, parent }, owner, { moment: now() }));
    },
    'record.invalid': async () => update({ access: broken }, '/ledger', await own()),
    'record.update-rejected': async () =>
      update({ handle: unique('other') }, '/ledger', await own()),
  },
  'DELETE /wallets/{id}': {
    'crypto.parent-hash-invalid': async () => {
      const { luid } = await wallet();
      return drop({}, { luid, hash: parent } as Item);
    },
    'record.drop-rejected': dropHolding,
    'record.invalid': async () => drop({ luid: (await wallet()).luid }),
  },
  'POST /wallets/{id}/proofs': proofs,
  'POST /wallets/{id}/access/!check': {},
  'POST /wallets/{id}/anchors/!lookup': {
    'record.invalid': async () => {
      const { luid } = await wallet();
      return ledger.post(`/wallets/${luid}/anchors/!lookup`, signed({ 'a..b': 1 }, owner));
    },
  },
  'POST /effects/{id}/activate': {
    'record.status-policy-violation': async () => {
      const action = { schema: 'webhook', endpoint: 'https://a.example/' };
      const effect = await make('effects', { signal: 'wallet-created', action });
      await prove('/effects', effect, { moment: now(), status: 'inactive' });
      return ledger.post(`/effects/${effect.luid}/activate`, signed({}, owner));
    },
  },
  'POST /bridges/{id}/activate': {
    'record.status-policy-violation': async () => {
      const { luid } = await bridge();
      return ledger.post(`/bridges/${luid}/activate`, signed({}, owner));
    },
  },
  'POST /effects/{id}/events/retry': {},
  'GET /wallets': {},
  'GET /wallets/{id}': {},
  'GET /wallets/{id}/changes': {},
};

/** A second update from the version that the first one has replaced. */
async function stale({ body }: Reply): Promise<Reply> {
  const data = { ...body.data, parent };
  return ledger.put(`/wallets/${body.luid}`, signed(data, owner, { moment: now() }));
}

/** The reasons that the state of records decides. */
const isOfRecords = (reason: string) =>
  reason === 'crypto.parent-hash-invalid' ||
  (reason.startsWith('record.') && !['record.not-found', 'record.schema-invalid'].includes(reason));

describe.each(Object.entries(ways))('%s', (endpoint, requests) => {
  test('declares these reasons, and no others', () => {
    const { reasons } = operationInfoOf(endpoint);
    expect([...new Set(reasons)].filter(isOfRecords).sort()).toEqual(Object.keys(requests).sort());
  });

  const rows = Object.entries(requests);
  if (rows.length > 0)
    test.each(rows)('answers %s', async (reason, request) => {
      const reply = await request();
      expect(outcome(reply)[1], reply.text).toBe(reason);
    });
});
