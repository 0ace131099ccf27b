/**
 * The audit of what lies between records: who names whom, what counts it, who has which key, and where
 * records that belong to others are listed. Nothing is wrong with what the actions made, and whatever
 * somebody wrote into it is named.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { update } from '../../shared/action/update.ts';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { sign } from '../../shared/crypto/proof.ts';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import {
  headKeyOf,
  holderKeyOf,
  indexKeyOf,
  type Key,
  listKeyOf,
  listPartitionOf,
  refersKeyOf,
  refersKeysOf,
  rulebookKeyOf,
} from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { newKey } from '../fixture/client.ts';
import { bytesNamed } from '../fixture/version.ts';

let ground: Ground;
let original: World;

beforeAll(async () => {
  ground = await startGround();
  original = await livedIn();
});

afterAll(() => ground.stop());

/** The path of a record: its name, and that of whom it belongs to. */
function pathOf(kind: Kind, data: Json): Readonly<Record<string, string>> {
  if (kind === 'signer-factor') return { signer: `${data['signer']}`, id: `${data['handle']}` };
  if (kind === 'circle-signer') return { id: `${data['circle']}`, link: `${data['signer']}` };
  return { id: `${data['handle']}` };
}

async function made(world: World, kind: Kind, data: Json): Promise<LedgerRecord> {
  return world.call(create(kind), signed(data, world.key), pathOf(kind, data));
}

async function revised(world: World, kind: Kind, record: LedgerRecord, change: Json) {
  const data = { ...record.data, ...change, parent: record.hash };
  return world.call(update(kind), signed(data, world.key), pathOf(kind, record.data));
}

async function ended(world: World, kind: Kind, { hash, data }: LedgerRecord): Promise<void> {
  const body = signed({ parent: hash }, world.key, { moment: momentNow(), status: 'dropped' });
  await world.call(drop(kind), body, pathOf(kind, data));
}

const server = { server: 'https://a.example' };
const pair = (name: string) => ({ public: keys[name]?.public, format: 'ed25519-raw' });
const keys: Record<string, ReturnType<typeof newKey>> = {
  ann: newKey(),
  phone: newKey(),
  tablet: newKey(),
  bob: newKey(),
};

/** A ledger with records of all kinds, which were renamed, changed and dropped. */
const manyKinds = (): Promise<World> => ground.copyOf(original);

async function livedIn(): Promise<World> {
  const world = await ground.newWorld();
  const make = (kind: Kind, data: Json) => made(world, kind, data);
  await make('signer', { handle: 'ann', ...pair('ann') });
  const bob = await make('signer', { handle: 'bob', ...pair('bob') });
  await revised(world, 'signer', bob, { handle: 'robert' });
  const factorOf = { signer: 'ann', schema: 'key-pair' };
  const phone = await make('signer-factor', { ...factorOf, handle: 'phone', ...pair('phone') });
  await revised(world, 'signer-factor', phone, { handle: 'mobile' });
  const tablet = await make('signer-factor', { ...factorOf, handle: 'tablet', ...pair('tablet') });
  await ended(world, 'signer-factor', tablet);
  const rsa = { public: bytesNamed('rsa', 64), format: 'rsa-2048' };
  await make('signer-factor', { ...factorOf, handle: 'rsa', ...rsa });
  const crew = await make('circle', { handle: 'crew' });
  await revised(world, 'circle', crew, { handle: 'staff' });
  await make('circle-signer', { circle: 'staff', signer: 'ann' });
  await ended(
    world,
    'circle-signer',
    await make('circle-signer', { circle: 'staff', signer: 'robert' }),
  );
  await make('circle-signer', { circle: 'staff', signer: 'robert' });
  await make('symbol', { handle: 'usd', factor: 100 });
  await make('bridge', { handle: 'bank', config: server });
  const shop = await make('bridge', { handle: 'shop', config: server });
  const alice = await make('wallet', { handle: 'alice', bridge: 'shop' });
  await revised(world, 'wallet', alice, { bridge: 'bank' });
  for (const handle of ['w1', 'w2', 'w3', 'w4', 'w5'])
    await make('wallet', { handle, bridge: 'bank' });
  const draw = (target: string) => ({ action: 'debit', target });
  const w6 = await make('wallet', { handle: 'w6', routes: [draw('w1'), draw('w2')] });
  await revised(world, 'wallet', w6, { routes: [draw('w2'), draw('w3'), { action: 'accept' }] });
  await revised(world, 'bridge', shop, { handle: 'store' });
  const action = { schema: 'bridge', bridge: 'bank' };
  const claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 5 };
  await world.settle('five', claim);
  const hook = await make('effect', { handle: 'hook', signal: 'wallet-created', action });
  await revised(world, 'effect', hook, { handle: 'call', signal: 'wallet-dropped' });
  await make('domain', { handle: 'bank' });
  await make('domain', { handle: 'bank.north', domain: 'bank' });
  const anchor = await make('anchor', { handle: '555', target: 'alice@bank', wallet: 'alice' });
  await revised(world, 'anchor', anchor, { handle: '556', wallet: 'w1' });
  const lost = await make('wallet', { handle: 'lost' });
  await make('anchor', { handle: 'left', target: 'lost@bank', wallet: 'lost' });
  await ended(world, 'wallet', lost);
  const schema = { format: 'json-schema', schema: { type: 'object' } };
  await make('schema', { handle: 'base', record: 'report', ...schema });
  const fine = await make('schema', {
    handle: 'fine',
    record: 'report',
    ...schema,
    extend: 'base',
  });
  await revised(world, 'schema', fine, { custom: { note: 2 } });
  const plain = await make('schema', { handle: 'plain', record: 'report', ...schema });
  await revised(world, 'schema', plain, { record: 'symbol' });
  const policy = { schema: 'labels', values: [] };
  await make('policy', { handle: 'one', record: 'report', ...policy });
  const two = await make('policy', { handle: 'two', record: 'report', ...policy, extend: 'one' });
  await make('policy', { handle: 'three', record: 'symbol', ...policy, extend: ['one', 'two'] });
  await revised(world, 'policy', two, { record: 'anchor' });
  const four = await make('policy', { handle: 'four', record: 'effect', ...policy });
  await ended(world, 'policy', await revised(world, 'policy', four, { handle: 'five' }));
  const report = await make('report', { handle: 'march', schema: 'base' });
  const pending = sign(report.hash, { moment: momentNow(), status: 'pending' }, world.key);
  await world.call(prove('report'), pending, 'march');
  await ended(world, 'report', await make('report', { handle: 'april', schema: 'base' }));
  return world;
}

async function versionOf(world: World, kind: Kind, name: string): Promise<Version> {
  return unpack(await world.item(headKeyOf(main, kind, name)));
}

/** Where it is counted that one record names another. */
async function counterOf(world: World, by: [Kind, string], named: [Kind, string]): Promise<Key> {
  const { record } = await versionOf(world, ...by);
  const [kind, handle] = named;
  return refersKeyOf(main, { kind, handle }, record.luid);
}

const aliceAtBank = (world: World) => counterOf(world, ['wallet', 'alice'], ['bridge', 'bank']);

/** What a count says, and another shard than its own. */
async function shardsAt(world: World, key: Key) {
  const { refers } = await world.item(key);
  const all = refersKeysOf(main, { kind: 'bridge', handle: 'bank' });
  const other = all.find(({ sk }) => sk !== key.sk) as Key;
  return { refers: refers as bigint, other };
}

const plants: readonly (readonly [
  what: string,
  plant: (world: World) => Promise<void>,
  said: readonly RegExp[],
])[] = [
  [
    'a count that is too high',
    async (world) => {
      const key = await aliceAtBank(world);
      const { refers } = await shardsAt(world, key);
      await world.alter(key, { refers: refers + 1n });
    },
    [
      /^Invariant 3 · ledger main · bridge bank: It is counted wrongly at 'main#bridge#bank refers#\d' how many records refer to this one\. Expected (\d), found \d\.$/,
    ],
  ],
  [
    'a count that is too low',
    async (world) => {
      const key = await aliceAtBank(world);
      const { refers } = await shardsAt(world, key);
      await world.alter(key, { refers: refers - 1n });
    },
    [/^Invariant 3 · ledger main · bridge bank: It is counted wrongly at .*found \d\.$/],
  ],
  [
    'a count below nothing',
    async (world) => world.alter(await aliceAtBank(world), { refers: -1n }),
    [/^Invariant 3 · ledger main · bridge bank: It is counted wrongly at .*found -1\.$/],
  ],
  [
    'a count taken away',
    async (world) => world.remove(await aliceAtBank(world)),
    [
      /^Invariant 3 · ledger main · bridge bank: Nothing counts at 'main#bridge#bank refers#\d' that other records refer to this one\.$/,
    ],
  ],
  [
    'a count of one in another shard',
    async (world) => {
      const key = await counterOf(world, ['circle-signer', 'staff/ann'], ['circle', 'staff']);
      const { other } = await shardsAt(world, key);
      const place = { ...other, pk: key.pk };
      const found = await world.item(place).catch(() => ({ refers: 0n }));
      await world.put({ ...place, refers: (found['refers'] as bigint) + 1n });
      const { refers } = await world.item(key);
      await world.alter(key, { refers: (refers as bigint) - 1n });
    },
    [
      /^Invariant 3 · ledger main · circle staff: It is counted wrongly at 'main#circle#staff refers#\d'/,
      /^Invariant 3 · ledger main · circle staff: It is counted wrongly at 'main#circle#staff refers#\d'/,
    ],
  ],
  [
    'a wallet that is drawn on, counted among its anchors',
    async (world) => {
      const key = await counterOf(world, ['wallet', 'w6'], ['wallet', 'w2']);
      const [anchors] = refersKeysOf(main, { kind: 'wallet', handle: 'w2' });
      await world.remove(key);
      await world.put({ ...anchors, refers: 1n });
    },
    [
      /^Invariant 3 · ledger main · wallet w2: It is counted wrongly at 'main#wallet#w2 refers#0' .* Expected 0, found 1\.$/,
      /^Invariant 3 · ledger main · wallet w2: Nothing counts at 'main#wallet#w2 refers#4' that other records refer to this one\.$/,
    ],
  ],
  [
    'a count without anybody who refers',
    (world) => {
      const [key] = refersKeysOf(main, { kind: 'bridge', handle: 'store' });
      return world.put({ ...key, refers: 2n });
    },
    [/^Invariant 3 · ledger main · bridge store: It is counted wrongly .* Expected 0, found 2\.$/],
  ],
  [
    'a count for a record that nobody made',
    (world) => {
      const [key] = refersKeysOf(main, { kind: 'policy', handle: 'nobody' });
      return world.put({ ...key, refers: 1n });
    },
    [/^Invariant 3 · ledger main · policy nobody: It is counted wrongly .* Expected 0, found 1\.$/],
  ],
  [
    'a count in a shard that there is not',
    (world) => world.put({ pk: 'main#signer#ann', sk: 'refers#77', refers: 1n }),
    [
      /^Invariant 3 · ledger main · signer ann: It is counted wrongly at 'main#signer#ann refers#77'/,
    ],
  ],
  [
    'a record in a domain that nobody said',
    (world) =>
      world.edit(headKeyOf(main, 'wallet', 'w5'), (version) => {
        const meta = { ...version.record.meta, domain: 'bank' };
        return { ...version, record: { ...version.record, meta } };
      }),
    [
      /wallet w5 · .*: The record lies in a domain that its authors did not say\. Expected \[\], found bank\.$/,
    ],
  ],
  [
    'a rule that the rulebook does not count',
    (world) => world.alter(rulebookKeyOf(main), { domain: 1n }),
    [/^Invariant 3 · ledger main: The rulebook counts wrongly: domain\. Expected 2, found 1\.$/],
  ],
  [
    'a rule that the rulebook counts and nobody laid down',
    (world) => world.alter(rulebookKeyOf(main), { 'policy circle': 1n, 'schema report': 0n }),
    [
      /^Invariant 3 · ledger main: The rulebook counts wrongly: policy circle\. Expected 0, found 1\.$/,
      /^Invariant 3 · ledger main: The rulebook counts wrongly: schema report\. Expected 2, found 0\.$/,
    ],
  ],
  [
    'a governed ledger that is not marked so, and would be open to everyone',
    async (world) => {
      await made(world, 'circle', { handle: 'rulers', access: [{ action: 'any' }] });
      await world.alter(rulebookKeyOf(main), { access: 0n });
    },
    [/^Invariant 3 · ledger main: The ledger is governed, and not marked so\.$/],
  ],
  [
    'the rulebook taken away',
    (world) => world.remove(rulebookKeyOf(main)),
    [
      /counts wrongly: domain\. Expected 2, found 0\.$/,
      /counts wrongly: schema report\. Expected 2, found 0\.$/,
      /counts wrongly: schema symbol\. Expected 1, found 0\.$/,
      /counts wrongly: policy report\. Expected 1, found 0\.$/,
      /counts wrongly: policy anchor\. Expected 1, found 0\.$/,
      /counts wrongly: policy symbol\. Expected 1, found 0\.$/,
    ],
  ],
  [
    'an index entry taken away',
    async (world) => {
      const key = indexKeyOf(main, await versionOf(world, 'policy', 'three'));
      if (key) await world.remove(key);
    },
    [
      /^Invariant 3 · ledger main · policy three · \$plc.*: The index entry of the record is missing at 'main#index#policy#record#symbol \$plc/,
    ],
  ],
  [
    'an index entry at another value',
    async (world) => {
      const { record } = await versionOf(world, 'anchor', '556');
      await world.put({ pk: 'main#index#anchor#wallet#alice', sk: record.luid, handle: '556' });
    },
    [
      /^Invariant 3 · ledger main · anchor 556 · \$anc.*: An index entry shows no record, or shows it in the wrong place: 'main#index#anchor#wallet#alice \$anc/,
    ],
  ],
  [
    'an index entry of another handle',
    async (world) => {
      const key = indexKeyOf(main, await versionOf(world, 'effect', 'call'));
      if (key) await world.alter(key, { handle: 'hook' });
    },
    [
      /^Invariant 3 · ledger main · effect call · \$eff.*: The index entry of the record names another handle\. Expected call, found hook\.$/,
    ],
  ],
  [
    'a factor in the list of another signer',
    async (world) => {
      const key = listKeyOf(main, await versionOf(world, 'signer-factor', 'ann/mobile'));
      const pk = listPartitionOf(main, 'signer-factor', 'robert');
      await world.put({ ...(await world.item(key)), pk });
    },
    [
      /^Invariant 3 · ledger main · signer-factor ann\/mobile · \$snf.*: A list entry shows no record, or shows it in the wrong place: 'main#list#signer-factor#robert /,
    ],
  ],
  [
    'a link that is not in the list of its circle',
    async (world) =>
      world.remove(listKeyOf(main, await versionOf(world, 'circle-signer', 'staff/ann'))),
    [
      /^Invariant 3 · ledger main · circle-signer staff\/ann · \$csn.*: The list entry of the record is missing at 'main#list#circle-signer#staff /,
    ],
  ],
  [
    'a key that a signer does not have',
    (world) => world.put({ ...holderKeyOf(main, newKey().public), signer: 'ann' }),
    [
      /^Invariant 3 · ledger main · signer ann · \$snr.*: A key is held by a signer that does not have it/,
    ],
  ],
  [
    'a key of a factor that is held by another signer',
    (world) => world.alter(holderKeyOf(main, keys['phone']?.public ?? ''), { signer: 'robert' }),
    [
      /^Invariant 3 · ledger main · signer-factor ann\/mobile .*: A key is held by a signer that does not have it/,
    ],
  ],
  [
    'a key of a factor that another record of its signer is to have',
    async (world) => {
      const { luid } = await world.item(headKeyOf(main, 'signer', 'ann'));
      await world.alter(holderKeyOf(main, keys['phone']?.public ?? ''), { luid });
    },
    [/^Invariant 3 · ledger main · signer ann .*: A key is held by a signer that does not have it/],
  ],
  [
    'a key of a factor that has ended',
    (world) => world.put({ ...holderKeyOf(main, keys['tablet']?.public ?? ''), signer: 'ann' }),
    [/^Invariant 3 · ledger main · signer ann .*: A key is held by a signer that does not have it/],
  ],
  [
    'a key that only signs tokens',
    (world) => world.put({ ...holderKeyOf(main, bytesNamed('rsa', 64)), signer: 'ann' }),
    [/^Invariant 3 · ledger main · signer ann .*: A key is held by a signer that does not have it/],
  ],
  [
    'a bridge that vanished under those who name it',
    (world) => world.remove(headKeyOf(main, 'bridge', 'bank')),
    [
      /^Invariant 3 · ledger main · bridge bank · \$brg.*: There is no current version at its handle/,
      /^Invariant 3 · ledger main · bridge bank · .*: A list entry shows no record/,
      /^Invariant 4 · ledger main · bridge bank · /,
      /bridge bank · .*: A remembered proof made or ended no record/,
      ...['alice', 'w1', 'w2', 'w3', 'w4', 'w5'].map(
        (handle) =>
          new RegExp(
            `wallet ${handle} .*: The record names the bridge bank, which is not there\\.$`,
          ),
      ),
      /effect call · .*: The record names the bridge bank, which is not there\.$/,
    ],
  ],
  [
    'a circle that vanished under its links',
    (world) => world.remove(headKeyOf(main, 'circle', 'staff')),
    [
      /circle staff · \$crc.*: There is no current version at its handle/,
      /circle staff · .*: A list entry shows no record/,
      /Invariant 4 · ledger main · circle staff/,
      /circle-signer staff\/ann · .*: The record names the circle staff, which is not there\.$/,
      /circle-signer staff\/robert · .*: The record names the circle staff, which is not there\.$/,
    ],
  ],
  [
    'a schema that vanished under one that extends it',
    (world) => world.remove(headKeyOf(main, 'schema', 'base')),
    [
      /schema base · \$sch.*: There is no current version at its handle/,
      /schema base · .*: A list entry shows no record/,
      /schema base · .*: An index entry shows no record/,
      /schema base · .*: A remembered proof made or ended no record/,
      /Invariant 4 · ledger main · schema base/,
      /schema fine · .*: The record names the schema base, which is not there\.$/,
      /^Invariant 3 · ledger main: The rulebook counts wrongly: schema report\. Expected 1, found 2\.$/,
    ],
  ],
  [
    'data that names nothing that can be named',
    (world) =>
      world.edit(headKeyOf(main, 'wallet', 'alice'), (version) => {
        const data = { ...version.record.data, bridge: null };
        return { ...version, record: { ...version.record, data, hash: hashOf(data) } };
      }),
    [
      /wallet alice · \$wlt.*cannot be read/,
      /bridge bank: It is counted wrongly/,
      /wallet alice .*: A list entry shows no record/,
      /Invariant 4 · ledger main · wallet alice /,
    ],
  ],
];

describe('a ledger with records of all kinds', () => {
  test('is in order, as a whole, alone, and as a running one', async () => {
    const world = await manyKinds();
    const { store } = world.services;
    for (const kind of Object.keys(kinds) as Kind[]) {
      const { within } = lineOf(kind);
      const scope = kind === 'ledger' ? '' : main;
      const parent = within && { signer: 'ann', circle: 'staff' }[within];
      const listed = await store.list(scope, kind, { index: 0, limit: 1 }, parent);
      expect([kind, listed.length]).toEqual([kind, 1]);
    }
    expect(await world.audited()).toEqual([]);
    expect(await world.audited({ ledger: main })).toEqual([]);
    expect(await world.audited({ isLive: true })).toEqual([]);
  });
});

describe('the audit names', () => {
  test.concurrent.each(plants)('%s', async (_, plant, said) => {
    const world = await manyKinds();
    await plant(world);
    const lines = await world.audited();
    for (const pattern of said) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(lines, lines.join('\n')).toHaveLength(said.length);
    expect((await world.audited({ isLive: true })).toSorted()).toEqual(lines.toSorted());
  });
});

test('a ledger is marked as governed that nobody governs', async () => {
  const world = await manyKinds();
  await world.alter(rulebookKeyOf(main), { access: 1n });
  for (const options of [{}, { ledger: main }, { isLive: true }])
    expect(await world.audited(options)).toEqual([
      'Invariant 3 · ledger main: The ledger is marked as governed, and nobody ever laid down a rule. Expected 0, found 1.',
    ]);
});

test('a ledger that is governed while an audit reads it is in order', async () => {
  const world = await manyKinds();
  const source = tableSource(ground.client, world.tableName);
  const outlines = async function* () {
    yield* source.outlines();
    await made(world, 'circle', { handle: 'rulers', access: [{ action: 'any' }] });
  };
  const options = { isLive: true, nowMs: Date.now };
  const found: string[] = [];
  for await (const one of audit({ ...source, outlines }, options, newReport()))
    found.push(lineOfViolation(one));
  expect(found).toEqual([]);
  expect(await world.audited()).toEqual([]);
});

test('a count of how often a ledger began or ceased to be governed is that of its records', async () => {
  const world = await manyKinds();
  const access = [{ action: 'any', record: 'any' }];
  const circle = await made(world, 'circle', { handle: 'rulers', access });
  await revised(world, 'circle', circle, { access: [] });
  for (const access of [1n, 3n]) {
    await world.alter(rulebookKeyOf(main), { access });
    for (const options of [{}, { ledger: main }, { isLive: true }])
      expect(await world.audited(options)).toEqual([
        `Invariant 3 · ledger main: The rulebook counts wrongly how often the ledger began or ceased to be governed. Expected 2, found ${access}.`,
      ]);
  }
  for (const access of [0n, 'x', -1n]) {
    await world.alter(rulebookKeyOf(main), { access });
    for (const options of [{}, { ledger: main }, { isLive: true }])
      expect(await world.audited(options)).toEqual([
        'Invariant 3 · ledger main: The ledger is governed, and not marked so.',
      ]);
  }
});

test('a ledger that was governed is in order when no rule is left', async () => {
  const world = await manyKinds();
  const access = [{ action: 'any', record: 'any' }];
  const circle = await made(world, 'circle', { handle: 'rulers', access });
  await revised(world, 'circle', circle, { access: [] });
  for (const options of [{}, { ledger: main }, { isLive: true }])
    expect(await world.audited(options)).toEqual([]);
});

test('a key of a release that did not say which record of its signer has it is in order', async () => {
  const world = await manyKinds();
  const place = holderKeyOf(main, keys['phone']?.public ?? '');
  const { luid, ...before } = await world.item(place);
  expect(luid).toMatch(/^\$snf\./);
  await world.put({ ...before, ...place });
  for (const options of [{}, { ledger: main }, { isLive: true }])
    expect(await world.audited(options)).toEqual([]);
});

/** How long the audit of a running ledger is tried, in milliseconds. */
const loadMs = Number(process.env['AUDIT_LOAD_MS'] || 3_000);

describe('a ledger that is running', () => {
  // Goal: no false alarm. Wallets are made for a bridge, changed, given to another and dropped; policies
  // and factors come and go: all of it while one audit follows the other.
  test('is in order while records come to name others and cease to', async () => {
    const world = await manyKinds();
    let isOver = false;
    const live = async (client: number) => {
      for (let round = 0; !isOver; round += 1) {
        const handle = `short-${client}`;
        const wallet = await made(world, 'wallet', { handle, bridge: 'bank' });
        const moved = await revised(world, 'wallet', wallet, { bridge: 'store' });
        const back = await revised(world, 'wallet', moved, { bridge: 'bank' });
        await ended(world, 'wallet', back);
        await made(world, 'wallet', { handle: `long-${client}-${round}`, bridge: 'bank' });
        const data = { handle, schema: 'labels', values: [], extend: 'one' };
        const policy = await made(world, 'policy', { ...data, record: 'report' });
        await ended(world, 'policy', await revised(world, 'policy', policy, { record: 'anchor' }));
        const factorOf = { signer: 'ann', schema: 'key-pair', handle: `f${client}` };
        const key = { public: newKey().public, format: 'ed25519-raw' };
        await ended(
          world,
          'signer-factor',
          await made(world, 'signer-factor', { ...factorOf, ...key }),
        );
      }
    };
    const load = Promise.all([0, 1, 2, 3].map(live));
    const audits: string[][] = [];
    const startMs = Date.now();
    while (audits.length < 5 || Date.now() - startMs < loadMs)
      audits.push(await world.audited({ isLive: true }));
    isOver = true;
    await load;
    expect(audits.flat()).toEqual([]);
    expect(await world.audited()).toEqual([]);
  });
});
