/**
 * Goal: no item that a table must hold because of a record is forgotten. The writer and the audit share the projection
 * of a record, so neither would miss what it forgets. Method: one history over all kinds of records is played to a table
 * and to the store in memory, which knows no projection; both answer alike. Then, for each kind of item, one is taken
 * away and one too many is put: the audit finds both, and the answers of the table differ from those of the memory.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { createLedger } from '../../shared/action/create-ledger.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { update } from '../../shared/action/update.ts';
import { sign } from '../../shared/crypto/proof.ts';
import { indexedValueOf, type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import {
  isDropped,
  type LedgerRecord,
  nameOfVersion,
  type Version,
} from '../../shared/ledger/record.ts';
import { termsOf } from '../../shared/ledger/term.ts';
import type { Action } from '../../shared/port/action.ts';
import type { Books } from '../../shared/port/books.ts';
import type { Catalog } from '../../shared/port/catalog.ts';
import type { Expiries } from '../../shared/port/expiries.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Commit, Store } from '../../shared/port/ports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import {
  changeKeyOf,
  clientKeyOf,
  expiryKeyOf,
  headKeyOf,
  holderKeyOf,
  type ItemName,
  indexKeyOf,
  indexKeysOf,
  itemOf,
  type Key,
  listKeyOf,
  outboxKeyOf,
  outboxShardCount,
  pointerKeyOf,
  refersKeyOf,
  replayGuardKeyOf,
  rulebookKeyOf,
  secretKeyOf,
  secretsKeyOf,
} from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoExpiries,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import {
  type Ground,
  type Json,
  momentNow,
  newSigningKey,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { memoryStore } from '../fixture/memory.ts';
import { toldBy } from '../fixture/told.ts';
import { commitOf, created, proofBy, revised, writeOf } from '../fixture/version.ts';

const scope = 'twin';
/** All kinds whose lists belong to one ledger. */
const listedKinds = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'ledger');
const scopeOf = (kind: Kind) => (kind === 'ledger' ? '' : scope);

interface Ports {
  readonly store: Store;
  readonly books: Books;
  readonly catalog: Catalog;
  readonly expiries: Expiries;
  readonly outbox: Outbox;
}

/** A table and the store in memory, with every version that both were given. */
interface Twins {
  readonly world: World;
  readonly table: Ports;
  readonly memory: Ports;
  readonly known: readonly Version[];
  /** The public keys of all who sign. */
  readonly keys: readonly string[];
}

let ground: Ground;
let twins: Twins;

beforeAll(async () => {
  ground = await startGround();
  twins = await played();
});
afterAll(() => ground.stop());

/** Every kind of record: made, changed, renamed, dropped, waiting; all but the last change is published. */
async function played(): Promise<Twins> {
  const world = await ground.newWorld();
  const options = { client: ground.client, tableName: world.tableName };
  const table = {
    store: dynamoStore(options),
    catalog: dynamoCatalog(options),
    books: dynamoBooks(options),
    expiries: dynamoExpiries(options),
    outbox: dynamoOutbox(options),
  };
  const store = memoryStore();
  const memory = { store, ...store };
  const known: Version[] = [];
  const both: Store = {
    ...table.store,
    commit: async (commit) => {
      const conflicts = await table.store.commit(commit);
      expect(await store.commit(commit)).toEqual(conflicts);
      if (conflicts.length === 0) known.push(...commit.writes.map(({ next }) => next));
      return conflicts;
    },
    open: async (openings) => {
      expect(await store.open(openings)).toBe(true);
      return table.store.open(openings);
    },
  };
  const keys = await history({ ...world, services: { ...world.services, store: both } }, () =>
    Promise.all([publish(table), publish(memory)]),
  );
  return { world, table, memory, known, keys };
}

/** Brings all signals to the bus, as the relay does: versions are mentioned, and entries forgotten. */
async function publish({ outbox, catalog, books }: Ports): Promise<void> {
  for (const of of ['', scope])
    for (let shard = 0; shard < outboxShardCount; shard += 1) {
      const entries = await outbox.oldest(of, shard, 1_000);
      const told = await toldBy(outbox, entries);
      expect(await catalog.keep(told)).toEqual([]);
      expect(await books.keep(told, Date.now())).toEqual([]);
      await outbox.markPublished(told.map(({ entry }) => entry));
    }
}

async function history(world: World, published: () => Promise<unknown>): Promise<string[]> {
  const { services, key } = world;
  const run = async (action: Action, body: unknown, path: Record<string, string>, at = scope) => {
    const ledger = await services.identityOf(at);
    if (!ledger) throw new Error(`There is no ledger ${at}.`);
    const work = newWork(services);
    return (await action.run({ services, ledger, path, query: {}, body, work }))
      .body as LedgerRecord;
  };
  const pathOf = (kind: Kind, data: Json): Record<string, string> => {
    const { within } = lineOf(kind);
    const link = { id: `${data['circle']}`, link: `${data['signer']}` };
    if (kind === 'circle-signer') return link;
    return { id: `${data['handle']}`, ...(within && { [within]: `${data[within]}` }) };
  };
  const make = (kind: Kind, data: Json, secret?: Json) => {
    const body = signed(data, key);
    const sent = secret ? { ...body, meta: { ...body.meta, secret } } : body;
    return run(kind === 'intent' ? createIntent : create(kind), sent, pathOf(kind, data));
  };
  const change = (kind: Kind, { data, hash }: LedgerRecord, changes: Json) =>
    run(update(kind), signed({ ...data, ...changes, parent: hash }, key), pathOf(kind, data));
  const end = (kind: Kind, { data, hash }: LedgerRecord) => {
    const custom = { moment: momentNow(), status: 'dropped' };
    return run(drop(kind), signed({ parent: hash }, key, custom), pathOf(kind, data));
  };
  const addProof = (kind: Kind, { data, hash }: LedgerRecord, custom: Json) =>
    run(prove(kind), sign(hash, { moment: momentNow(), ...custom }, key), pathOf(kind, data));

  await run(createLedger, signed({ handle: scope }, key), { id: '' }, 'main');
  const [ann, phone, other] = [newSigningKey(), newSigningKey(), newSigningKey()];
  const pair = (of: typeof ann) => ({ public: of.public, format: 'ed25519-raw' });
  const signer = await make('signer', { handle: 'ann', ...pair(ann) });
  await change('signer', signer, { handle: 'anna' });
  const factor = { signer: 'anna', schema: 'key-pair' };
  const mobile = await make('signer-factor', { ...factor, handle: 'phone', ...pair(phone) });
  await change('signer-factor', mobile, { handle: 'mobile' });
  const oauth = { signer: 'anna', schema: 'oauth-client-credentials' };
  await make('signer-factor', { ...oauth, handle: 'shop' });
  await end('signer-factor', await make('signer-factor', { ...oauth, handle: 'old' }));
  await make('circle-signer', {
    circle: (await make('circle', { handle: 'staff' })).data.handle,
    signer: 'anna',
  });
  const header = { schema: 'header', key: 'authorization', value: '{{ secret.token }}' };
  const bank = { config: { server: 'https://a.example' }, secure: [header] };
  await make('bridge', { handle: 'bank', ...bank }, { token: 'x' });
  await end('bridge', await make('bridge', { handle: 'gone', ...bank }, { token: 'y' }));
  const symbol = await make('symbol', { handle: 'usd', factor: 1 });
  await addProof('symbol', symbol, { labels: ['money'] });
  const wallet = await make('wallet', { handle: 'alice', bridge: 'bank' });
  await change('wallet', wallet, { handle: 'alina' });
  await make('wallet', { handle: 'bob' });
  await end('wallet', await make('wallet', { handle: 'carol' }));
  const action = { schema: 'bridge', bridge: 'bank' };
  const effect = await make('effect', { handle: 'call', signal: 'wallet-created', action });
  await change('effect', effect, { signal: 'wallet-dropped' });
  await make('domain', {
    handle: 'bank.north',
    domain: (await make('domain', { handle: 'bank' })).data.handle,
  });
  await make('anchor', { handle: '555', target: 'alina@bank', wallet: 'alina' });
  const schema = { format: 'json-schema', schema: { type: 'object' } };
  await make('schema', { handle: 'base', record: 'report', ...schema });
  const policy = { schema: 'labels', values: [], record: 'report' };
  await end('policy', await make('policy', { handle: 'one', ...policy }));
  await make('policy', { handle: 'two', ...policy });
  await end('report', await make('report', { handle: 'march', schema: 'base' }));
  await make('report', { handle: 'april', schema: 'base' });
  const issue = { action: 'issue', target: 'bob', symbol: 'usd', amount: 9 };
  await make('intent', { handle: 'first', claims: [issue] });
  const rule = { action: 'create', record: 'intent', signer: { public: other.public } };
  await make('circle', { handle: 'guests', access: [rule] });
  const claims = [{ action: 'transfer', source: 'bob', target: 'alina', symbol: 'usd', amount: 1 }];
  const waiting = signed({ handle: 'second', claims }, other);
  expect((await run(createIntent, waiting, { id: 'second' })).meta.status).toBe('pending');
  await published();
  await make('domain', { handle: 'south' });
  return [key, ann, phone, other].map((one) => one.public);
}

/** Bytes and numbers as text, so that what two stores read compares. */
function plainOf(value: unknown): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`;
    const { type, data } = (one ?? {}) as { readonly type?: string; readonly data?: number[] };
    if (type === 'Buffer' && data) return Buffer.from(data).toString('base64');
    return one instanceof Uint8Array ? Buffer.from(one).toString('base64') : one;
  });
  return JSON.parse(text ?? 'null');
}

/** Everything that can be asked of a store about what was ever stored there. */
async function answersOf({ store, catalog, expiries, outbox }: Ports) {
  const { known, keys } = twins;
  const luids = [...new Map(known.map((one) => [one.record.luid, one.kind]))];
  const parentsOf = (kind: Kind): (string | undefined)[] => {
    const { within } = lineOf(kind);
    return within ? known.filter((one) => one.kind === within).map(nameOfVersion) : [undefined];
  };
  const listings = listedKinds.flatMap((kind) =>
    [...new Set(parentsOf(kind))].map((within) => ({
      scope: scopeOf(kind),
      kind,
      ...(within !== undefined && { within }),
    })),
  );
  const due = (await expiries.due(Date.parse('2100-01-01'))).due;
  return plainOf({
    records: await store.load(
      known.map(
        (one) =>
          ({
            what: 'record',
            scope: scopeOf(one.kind),
            kind: one.kind,
            handle: nameOfVersion(one),
          }) as const,
      ),
    ),
    pointers: await store.load(
      luids.map(([luid, kind]) => ({ what: 'pointer', scope: scopeOf(kind), kind, luid }) as const),
    ),
    pasts: await Promise.all(
      luids.map(([luid, kind]) => store.past(scopeOf(kind), luid, 1, 1_000)),
    ),
    lists: await Promise.all(
      listings.map((one) => store.list(one.scope, one.kind, { index: 0, limit: 100 }, one.within)),
    ),
    indexed: await Promise.all(
      known.map(async (one) => {
        const value = indexedValueOf(one.kind, one.record.data);
        return value === undefined ? [] : store.indexed(scopeOf(one.kind), one.kind, value);
      }),
    ),
    mentioned: await Promise.all(
      known.flatMap(({ kind, record }) =>
        termsOf(kind, record).flatMap((term) =>
          listings
            .filter((one) => one.kind === kind)
            .map((listing) => catalog.indexEntriesOf(listing, term, { limit: 100 })),
        ),
      ),
    ),
    holders: await store.load(keys.map((key) => ({ what: 'holder', scope, public: key }) as const)),
    secret: await store.load([{ what: 'secret', scope }]),
    secrets: await store.load(luids.map(([luid]) => ({ what: 'secrets', scope, luid }) as const)),
    clients: await store.load(
      known.map(
        ({ record }) => ({ what: 'client', scope, id: record.meta.clientId ?? '?' }) as const,
      ),
    ),
    rulebook: await store.load([{ what: 'rulebook', scope }]),
    due: due.filter((one) => one.scope === scope).map(({ luid, handle }) => [luid, handle]),
    outbox: await Promise.all(
      Array.from({ length: outboxShardCount }, (_, shard) => outbox.oldest(scope, shard, 100)),
    ),
    conflicts: await conflictsOf(store),
  });
}

/** The conflicts of giving up each name, and of making each record once more; none of it is stored. */
async function conflictsOf(store: Store) {
  const never = [{ scope, version: created('wallet', 'never') }];
  const commits = twins.known
    .filter(({ kind }) => kind !== 'ledger')
    .flatMap((version): Commit[] => {
      const { kind, record, drop: ended } = version;
      const naming = lineOf(kind).naming ?? 'handle';
      const proofs = ended ? ended.meta.proofs : record.meta.proofs.slice(0, 1);
      const again = created(kind, `again-${record.luid.slice(5)}`, {
        ...without(record.data, naming),
      });
      const replay = { ...writeOf(scope, again), replayGuards: proofs };
      const renamed = lineOf(kind).renames && !isDropped(version);
      const rename = renamed && writeOf(scope, revised(version, { handle: 'probe' }), version);
      return [replay, ...(rename ? [rename] : [])].map((write) => ({
        ...commitOf(write),
        unchanged: never,
      }));
    });
  return Promise.all(commits.map((commit) => store.commit(commit)));
}

function without(data: Json, name: string): Json {
  const { [name]: _name, ...rest } = data;
  return rest;
}

/** The last version of the record of that kind and name. */
function last(kind: Kind, name: string): Version {
  const found = twins.known.findLast((one) => one.kind === kind && nameOfVersion(one) === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

const luidOf = (kind: Kind, name: string) => last(kind, name).record.luid;
const keyOf = (key: Key | undefined): Key => {
  if (!key) throw new Error('There is no such key.');
  return key;
};
/** A luid of no record. */
const nowhere = (prefix: string) => `$${prefix}.-0000000000000000`;

/** The proof that made a record. */
function proofOf({ record }: Version) {
  const [proof] = record.meta.proofs;
  if (!proof) throw new Error('A record has proofs.');
  return proof;
}

interface Row {
  readonly item: ItemName['item'];
  /** An item that must be there, and what the audit says without it; absent where it may be missing. */
  readonly there: () => Key;
  readonly missed?: RegExp;
  /** An item that is too much, and what the audit says of it; absent where it does no harm. */
  readonly extra: (item: Item) => Item;
  readonly found?: RegExp;
}

const counting = (name: string) => (item: Item) => ({
  ...item,
  [name]: BigInt(item[name] as bigint) + 1n,
});

/** The partition of a term that one wallet has and another does not. */
function termOfOther(name: string, other: string): string {
  const [its, others] = [name, other].map((one) =>
    indexKeysOf(scope, last('wallet', one)).map(({ pk }) => pk),
  );
  return its?.find((pk) => !others?.includes(pk)) ?? '?';
}

const movedTo = (place: () => Key) => (item: Item) => ({ ...item, ...place() });

const rows: readonly Row[] = [
  {
    item: 'head',
    there: () => headKeyOf(scope, 'wallet', 'bob'),
    missed: /wallet bob .*: There is no current version at its handle/,
    extra: movedTo(() => headKeyOf(scope, 'wallet', 'bobby')),
    found: /wallet bobby .*: The record lies at a handle that its pointer does not name/,
  },
  {
    item: 'pointer',
    there: () => pointerKeyOf(scope, 'wallet', luidOf('wallet', 'bob')),
    missed: /wallet bob .*: The pointer of the record is missing/,
    extra: movedTo(() => pointerKeyOf(scope, 'wallet', nowhere('wlt'))),
    found: /wallet bob .*-0000000000000000: There is no current version at its handle/,
  },
  {
    item: 'change',
    there: () => changeKeyOf(scope, luidOf('wallet', 'alina'), 1),
    missed: /wallet alina .*: Change 1 is missing/,
    extra: movedTo(() => changeKeyOf(scope, luidOf('wallet', 'alina'), 7)),
    found: /wallet alina .*: A version lies at the place of another change/,
  },
  {
    item: 'list',
    there: () => listKeyOf(scope, last('wallet', 'bob')),
    missed: /wallet bob .*: The list entry of the record is missing at/,
    extra: (item) => ({ ...item, sk: `-0000000${luidOf('wallet', 'bob')}` }),
    found: /wallet bob .*: A list entry shows no record, or shows it in the wrong place/,
  },
  {
    item: 'index',
    there: () => keyOf(indexKeyOf(scope, last('effect', 'call'))),
    missed: /effect call .*: The index entry of the record is missing at/,
    extra: movedTo(() => ({
      ...keyOf(indexKeyOf(scope, twins.known.find(({ kind }) => kind === 'effect') as Version)),
    })),
    found: /effect call .*: An index entry shows no record, or shows it in the wrong place/,
  },
  {
    item: 'mention',
    there: () => keyOf(indexKeysOf(scope, last('wallet', 'bob'))[0]),
    missed: /wallet bob .*: The index entry is missing at/,
    // A second entry at a term that the record has says nothing new.
    extra: (item) => ({ ...item, pk: termOfOther('alina', 'bob') }),
  },
  {
    // A record may go on showing a key that another signer held and gave up.
    item: 'holder',
    there: () => holderKeyOf(scope, twins.keys[1] ?? ''),
    extra: movedTo(() => holderKeyOf(scope, twins.keys[3] ?? '')),
    found: /signer anna .*: A key is held by a signer that does not have it/,
  },
  {
    item: 'seal',
    there: () => replayGuardKeyOf(scope, 'wallet', proofOf(last('wallet', 'bob'))),
    missed: /wallet bob .*: A proof that made or ended the record is not remembered/,
    extra: movedTo(() => replayGuardKeyOf(scope, 'wallet', proofBy('nobody', 'a'.repeat(64)))),
    found: /wallet bob .*: A remembered proof made or ended no record/,
  },
  {
    item: 'secret',
    there: () => secretKeyOf(scope),
    missed: /ledger twin .*: The ledger has no key/,
    extra: movedTo(() => secretKeyOf('ghost')),
    found: /ledger ghost: A key is of no ledger/,
  },
  {
    item: 'secrets',
    there: () => secretsKeyOf(scope, luidOf('bridge', 'bank')),
    missed: /bridge bank .*: The secrets of the bridge are missing/,
    extra: movedTo(() => secretsKeyOf(scope, luidOf('bridge', 'gone'))),
    found: /bridge gone .*: Secrets are kept of no bridge, no provider and no log/,
  },
  {
    item: 'client',
    there: () => clientKeyOf(scope, last('signer-factor', 'anna/shop').record.meta.clientId ?? ''),
    missed: /signer-factor anna\/shop .*: The client of the factor is missing/,
    extra: movedTo(() =>
      clientKeyOf(scope, last('signer-factor', 'anna/old').record.meta.clientId ?? ''),
    ),
    found: /A client is of no factor/,
  },
  {
    item: 'expiry',
    there: () => keyOf(expiryKeyOf(scope, last('intent', 'second'))),
    missed: /intent second .*: Nothing marks that the intent has yet to end/,
    extra: (item) => {
      const [first, second] = [luidOf('intent', 'first'), luidOf('intent', 'second')];
      return { ...item, sk: String(item['sk']).replace(second, first), handle: 'first' };
    },
    found: /intent first .*: An intent is marked that has ended/,
  },
  {
    item: 'refers',
    there: () =>
      refersKeyOf(
        scope,
        { kind: 'circle', handle: 'staff' },
        luidOf('circle-signer', 'staff/anna'),
      ),
    missed: /circle staff: Nothing counts at .* that other records refer to this one/,
    extra: counting('refers'),
    found: /circle staff: It is counted wrongly at .* how many records refer to this one/,
  },
  {
    item: 'rulebook',
    there: () => rulebookKeyOf(scope),
    missed: /The rulebook counts wrongly: domain/,
    extra: counting('domain'),
    found: /The rulebook counts wrongly: domain/,
  },
  {
    item: 'outbox',
    there: () => outboxKeyOf(scope, last('domain', 'south')),
    missed: /domain south .*: The outbox entry is missing at/,
    extra: (item) => ({ ...item, sk: String(item['sk']).replace(/.$/, '9') }),
    found: /domain south .* change 9: An outbox entry tells of a change that does not exist/,
  },
];

test('a table and the memory that knows no projection answer alike, and the audit finds nothing', async () => {
  expect(await answersOf(twins.table)).toEqual(await answersOf(twins.memory));
  expect(await twins.world.audited()).toEqual([]);
});

test('the store in memory knows no projection', () => {
  const folder = new URL('../fixture/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.startsWith('memory'));
  expect(files).toContain('memory.ts');
  const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  expect(texts.filter((text) => /from '.*(projection|plan)\.ts'/.test(text))).toEqual([]);
});

test('every kind of item that records have is planted below', async () => {
  const { Items = [] } = await ground.client.send(
    new ScanCommand({ TableName: twins.world.tableName }),
  );
  const names = Items.map((item) => itemOf(String(item['pk']), String(item['sk']))?.item ?? '?');
  // These follow from balances, from what was published, and from work to be done.
  const others = new Set([
    ...['balance', 'usage', 'told', 'work'],
    // What is derived has an audit of its own.
    ...['book', 'books', 'entry', 'listed-book'],
    // Intents of one moment share index entries, which the tests of the audit plant.
    'mentions',
  ]);
  const ofRecords = new Set(names.filter((name) => !others.has(name)));
  expect([...ofRecords].sort()).toEqual(rows.map(({ item }) => item).sort());
});

describe.each(rows.map((row) => [row.item, row] as const))('an item %s', (_, row) => {
  const said = async () => (await twins.world.audited()).join('\n');
  const isAlike = async () => {
    const [table, memory] = [await answersOf(twins.table), await answersOf(twins.memory)];
    return isDeepStrictEqual(table, memory);
  };

  test('is missed by the audit, and by a comparison with the memory', async () => {
    const { world } = twins;
    const key = row.there();
    const item = await world.item(key);
    await world.remove(key);
    try {
      expect(await said()).toMatch(row.missed ?? /^$/);
      expect(await isAlike()).toBe(false);
    } finally {
      await world.put(item);
    }
    expect(await isAlike()).toBe(true);
  });

  test('that is too much is found', async () => {
    const { world } = twins;
    const item = await world.item(row.there());
    const extra = row.extra(item);
    await world.put(extra);
    try {
      if (row.found) expect(await said()).toMatch(row.found);
      else expect(await isAlike()).toBe(false);
    } finally {
      await world.remove({ pk: String(extra['pk']), sk: String(extra['sk']) });
      await world.put(item);
    }
    expect(await said()).toBe('');
  });
});
