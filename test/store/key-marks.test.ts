/**
 * Goal: what a table says of keys that were taken away follows from the histories of their signers, also after an export
 * and an import, and for a table of a release that said nothing of them. Whatever somebody wrote into it is named.
 * Decision 157.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { update } from '../../shared/action/update.ts';
import { tableSource } from '../../shared/audit/table.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { holderKeyOf, type Key as ItemKey } from '../../shared/store/keys.ts';
import { reindex } from '../../shared/store/reindex.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { type Key, newKey } from '../fixture/client.ts';

let ground: Ground;
let original: World;
const luids = new Map<string, string>();
const folder = newFolder();

const [ann, later, phone, named, eve, clerk, newClerk, card] = [
  newKey(),
  newKey(),
  newKey(),
  newKey(),
  newKey(),
  newKey(),
  newKey(),
  newKey(),
];
const keyData = ({ public: key }: Key) => ({ public: key, format: 'ed25519-raw' });

function pathOf(kind: Kind, data: Json) {
  return kind === 'signer-factor'
    ? { signer: `${data['signer']}`, id: `${data['handle']}` }
    : { id: `${data['handle']}` };
}

async function made(world: World, kind: Kind, data: Json, by: Key): Promise<LedgerRecord> {
  const body = signed(data, by, { ledger: main });
  const record = await world.call(create(kind), body, pathOf(kind, data));
  luids.set(`${data['handle']}`, record.luid);
  return record;
}

const revised = (world: World, kind: Kind, record: LedgerRecord, change: Json, by: Key) => {
  const data = { ...record.data, ...change, parent: record.hash };
  return world.call(update(kind), signed(data, by, { ledger: main }), pathOf(kind, record.data));
};

const ended = async (world: World, kind: Kind, { hash, data }: LedgerRecord, by: Key) => {
  const body = signed({ parent: hash }, by, { moment: momentNow(), status: 'dropped' });
  await world.call(drop(kind), body, pathOf(kind, data));
};

/** Signers that have given up keys by updates and with factors, some of them proven, and one that got it back. */
async function livedIn(): Promise<World> {
  const world = await ground.newWorld();
  const first = await made(world, 'signer', { handle: 'ann', ...keyData(ann) }, ann);
  const of = { signer: 'ann', schema: 'key-pair' };
  const proven = { ...of, handle: 'phone', ...keyData(phone) };
  await ended(world, 'signer-factor', await made(world, 'signer-factor', proven, phone), ann);
  const other = { ...of, handle: 'named', ...keyData(named) };
  await ended(world, 'signer-factor', await made(world, 'signer-factor', other, ann), ann);
  await revised(world, 'signer', first, { handle: 'anna', ...keyData(later) }, ann);
  await made(world, 'signer', { handle: 'eve', ...keyData(eve) }, eve);
  const ofEve = { signer: 'eve', schema: 'key-pair', handle: 'card', ...keyData(card) };
  await ended(world, 'signer-factor', await made(world, 'signer-factor', ofEve, card), card);
  const till = await made(world, 'signer', { handle: 'clerk', ...keyData(clerk) }, clerk);
  const without = await revised(world, 'signer', till, keyData(newClerk), clerk);
  await revised(world, 'signer', without, keyData(clerk), newClerk);
  return world;
}

const at = ({ public: key }: Key): ItemKey => holderKeyOf(main, key);
const luidOf = (handle: string): string => luids.get(handle) ?? '';

const itemOf = async (world: World, key: Key): Promise<Json> => {
  const { Item = {} } = await ground.client.send(
    new GetCommand({ TableName: world.tableName, Key: at(key) }),
  );
  const { pk: _pk, sk: _sk, ...item } = Item;
  return item;
};

const marks = async (world: World) =>
  Promise.all([ann, phone, named, later, newClerk, clerk, card].map((key) => itemOf(world, key)));

beforeAll(async () => {
  ground = await startGround();
  original = await livedIn();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const expected = () => {
  const snr = luidOf('ann');
  const till = luidOf('clerk');
  return [
    { former: snr, luid: snr },
    { former: snr, luid: luidOf('phone') },
    {},
    { signer: 'anna' },
    { former: till, luid: till },
    { signer: 'clerk', former: till, luid: till },
    { former: luidOf('eve'), luid: luidOf('card') },
  ];
};

test('keys are marked as the histories say, and the audit is content', async () => {
  expect(await marks(original)).toEqual(expected());
  for (const wish of [{}, { ledger: main }, { isLive: true }])
    expect(await original.audited(wish)).toEqual([]);
});

describe('the audit names', () => {
  test.each<[string, (world: World) => Promise<void>, RegExp[]]>([
    [
      'a mark that is missing',
      (world) => world.remove(at(ann)),
      [/signer anna .*: Nothing marks at 'main#public#.* that a key was taken away/],
    ],
    [
      'the mark of a factor that is missing',
      (world) => world.remove(at(phone)),
      [/signer-factor ann\/phone .*: Nothing marks at/],
    ],
    [
      'a mark that gives the key of a signer to another one',
      (world) => world.alter(at(ann), { former: luidOf('eve') }),
      [/\$snr.*: A key is marked as taken away from another signer than had it/],
    ],
    [
      'a mark that gives the key of a factor to another signer',
      (world) => world.alter(at(phone), { former: luidOf('eve') }),
      [/\$snf.*: A key is marked as taken away from another signer than had it/],
    ],
    [
      'a mark of a record that never had the key',
      (world) => world.alter(at(ann), { former: luidOf('eve'), luid: luidOf('eve') }),
      [/\$snr.*: A key is marked as taken away from a signer that never had it/],
    ],
    [
      'a mark of no record',
      (world) => world.put({ ...at(newKey()), former: '$snr.none', luid: '$snr.none' }),
      [/: A key is marked as taken away from a signer that never had it/],
    ],
    [
      'a mark of a key that nobody has proved',
      (world) => world.put({ ...at(named), former: luidOf('ann'), luid: luidOf('named') }),
      [/\$snf.*: A key is marked as taken away from a signer whose key nobody has proved it to be/],
    ],
    [
      'a mark of a key that its signer has',
      async (world) => {
        await world.remove(at(eve));
        await world.put({ ...at(eve), former: luidOf('eve'), luid: luidOf('eve') });
      },
      [/\$snr.*: A key is marked as taken away that its signer has/],
    ],
    [
      'an item that says nothing of a key',
      (world) => world.put({ ...at(newKey()) }),
      [/: A key is held by a signer that does not have it/],
    ],
    [
      'a key that is noted as proven and is not',
      (world) => world.alter(at(later), { proven: true }),
      [/signer anna .*: A key is noted as proven that nobody has proved/],
    ],
  ])('%s', async (_, plant, said) => {
    const world = await ground.copyOf(original);
    await plant(world);
    const lines = await world.audited();
    for (const pattern of said) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(lines, lines.join('\n')).toHaveLength(said.length);
    expect((await world.audited({ isLive: true })).toSorted()).toEqual(lines.toSorted());
  });
});

test('an export takes the marks along, and in the other table no other signer gets the key', async () => {
  const path = await saved(ground.client, original.tableName, folder.path('marks'));
  expect(await auditedFile(path)).toEqual([]);
  const tableName = 'imported-marks';
  await ground.database.createTable(tableName);
  await loaded(ground.client, tableName, path);
  expect(await auditedTable(ground.client, tableName)).toEqual([]);
  const world = await ground.copyOf({ ...original, tableName });
  expect(await marks(world)).toEqual(expected());
  const thief = { handle: 'thief', ...keyData(ann) };
  const { meta } = await made(world, 'signer', thief, ann);
  expect(meta.proofs[0]).not.toHaveProperty('signer');
  expect(await itemOf(world, ann)).toEqual(expected()[0]);
  expect(await world.audited()).toEqual([]);
});

test('a table of a release without marks gets them by reindexing, but for factors whose signer was renamed', async () => {
  const world = await ground.copyOf(original);
  for (const key of [ann, phone, newClerk, card]) await world.remove(at(key));
  await world.put({ ...at(clerk), signer: 'clerk' });
  expect(await world.audited()).toHaveLength(4);
  const { client } = ground;
  const { tableName } = world;
  const table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined };
  // Nobody can tell from the table whose the key of that factor was.
  const [own, , unproven, current, ofClerk, , ofFactor] = expected();
  const held = { signer: 'clerk', proven: true };
  for (let round = 0; round < 2; round += 1) {
    for await (const _ of reindex(
      table,
      tableSource(client, tableName).outlines([main]),
      Date.now,
    ));
    expect(await marks(world)).toEqual([own, {}, unproven, current, ofClerk, held, ofFactor]);
    expect(await world.audited()).toEqual([
      expect.stringMatching(/signer-factor ann\/phone .*: Nothing marks/),
    ]);
  }
});

test('reindexing leaves a key alone that another signer has by now', async () => {
  const world = await ground.copyOf(original);
  await world.remove(at(ann));
  await made(world, 'signer', { handle: 'next', ...keyData(ann) }, ann);
  const { client } = ground;
  const { tableName } = world;
  const table = { client, tableName, deadlineMs: 15_000, onConsumed: undefined };
  for await (const _ of reindex(table, tableSource(client, tableName).outlines([main]), Date.now));
  expect(await itemOf(world, ann)).toEqual({ signer: 'next', proven: true });
  expect(await world.audited()).toEqual([]);
});
