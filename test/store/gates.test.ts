/**
 * Gates of busy records. Goal: intents through one bridge do not meet at its record, and none relies on a version that was
 * replaced, whoever knew of gates and whoever has ended in the middle. Method: the actions of a ledger over the embedded
 * database, with audits; transactions that meet, and processes that end, are played by the client. Decision 134.
 */
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import { gateKeyOf, headKeyOf } from '../../shared/store/keys.ts';
import type { TableClient } from '../../shared/store/request.ts';
import type { ShardOptions } from '../../shared/store/shard-book.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { auditedFile, loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  newWorld,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { between, cancelled } from '../fixture/trouble.ts';
import { commitOf, created, proved, writeOf } from '../fixture/version.ts';

const bank = headKeyOf(main, 'bridge', 'bank');
const gateAt = (gate: number) => gateKeyOf(main, 'bridge', 'bank', gate);
const first = 8;
let ground: Ground;
let count = 0;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** A world with a bridge, and a wallet at it from which may be paid. */
async function newBank(): Promise<World> {
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 1 });
  await world.make(create('bridge'), { handle: 'bank', config: { server: 'https://a.example' } });
  await world.make(create('wallet'), { handle: 'till', bridge: 'bank' });
  for (const handle of ['shop', 'well']) await world.make(create('wallet'), { handle });
  return world;
}

/** Another process at the table of a world. */
function processOf(
  { tableName, key }: World,
  client: TableClient = ground.client,
  shards: ShardOptions = {},
) {
  const own = { random: () => 0.5, ...shards };
  return newWorld(client as Ground['client'], tableName, ground.folder, key, own);
}

const claim = (source: string, target: string, amount: number): Json => ({
  ...{ action: 'transfer', source, target, amount, symbol: 'usd' },
});

/** Pays through the bridge; returns what became of it. */
async function paid(world: World, claimed = claim('till', 'shop', 5)): Promise<string> {
  count += 1;
  const { meta } = await world.settle(`pay-${count}`, claimed);
  const reasons = meta.proofs.flatMap(({ custom }) => custom?.['reason'] ?? []);
  return String(reasons[0] ?? meta.status);
}

async function recordOf(world: World, kind: Kind, handle: string): Promise<LedgerRecord> {
  const [found] = await world.services.store.load([{ what: 'record', scope: main, kind, handle }]);
  if (!found) throw new Error(`There is no ${kind} ${handle}.`);
  return (found as Version).record;
}

async function say(world: World, status: string): Promise<LedgerRecord> {
  const { hash } = await recordOf(world, 'bridge', 'bank');
  return world.call(
    prove('bridge'),
    sign(hash, { moment: momentNow(), status }, world.key),
    'bank',
  );
}

/** A client whose transactions meet others on an item, so many times; `checked` are the items of their checks. */
function crowdedAt(isCrowded: (pk: string) => boolean, times: number) {
  const checked: string[] = [];
  let left = times;
  const client = between(ground.client, async (command, send) => {
    if (!(command instanceof TransactWriteCommand)) return send(command);
    const all = command.input.TransactItems ?? [];
    const places = all.map(({ ConditionCheck: one }) => String(one?.Key?.['pk'] ?? ''));
    checked.push(...places.filter((pk) => pk.includes('bank') || pk.includes('till')));
    if (left === 0 || !places.some(isCrowded)) return send(command);
    left -= 1;
    throw cancelled(...places.map((pk) => (isCrowded(pk) ? 'TransactionConflict' : 'None')));
  });
  return { client, checked, left: () => left };
}

/** Gives the bridge its first gates, by intents that meet at its head. */
async function makeGates(world: World, times = 3, clock = atOnce()): Promise<void> {
  const { client } = crowdedAt((pk) => pk === bank.pk || pk.includes('#gate#'), times);
  await paid(await processOf(world, client, { nowMs: clock }));
}

/** Meetings are forgotten after some seconds; by this clock none passes, however slow the machine is. */
function atOnce(): () => number {
  const nowMs = Date.now();
  return () => nowMs;
}

async function gatesOf(world: World): Promise<number[]> {
  const all = await Promise.all(
    Array.from({ length: 64 }, async (_, gate) => {
      const item = await world.item(gateAt(gate)).catch(() => undefined);
      return item ? [gate] : [];
    }),
  );
  return all.flat();
}

const numbersTo = (length: number) => Array.from({ length }, (_, gate) => gate);

describe('gates', () => {
  test('come where transactions meet at a bridge again and again, and intents check one of them', async () => {
    const world = await newBank();
    await makeGates(world, 2);
    expect(await gatesOf(world)).toEqual([]);
    await makeGates(world);
    expect(await gatesOf(world)).toEqual(numbersTo(first));
    expect(await world.item(bank)).toMatchObject({ gates: BigInt(first) });
    const { client, checked } = crowdedAt(() => false, 0);
    expect(await paid(await processOf(world, client))).toBe('processing');
    expect(checked).toEqual([gateAt(first / 2).pk]);
    expect(await world.audited()).toEqual([]);
  });

  test('become more where transactions meet at them', async () => {
    const world = await newBank();
    await makeGates(world, 6);
    expect(await gatesOf(world)).toEqual(numbersTo(4 * first));
    expect(await world.audited({ isLive: true })).toEqual([]);
  });

  test.each(['inactive', 'active'])(
    'are gone once the bridge is %s, for who knew of them, too',
    async (status) => {
      const world = await newBank();
      await makeGates(world);
      const knowing = await processOf(world);
      expect(await paid(knowing)).toBe('processing');
      await say(await processOf(world), status);
      expect(await gatesOf(world)).toEqual([]);
      expect((await world.item(bank))['gates']).toBeUndefined();
      expect(await paid(knowing)).toBe(
        status === 'active' ? 'processing' : 'core.bridge-unreachable',
      );
      expect(await world.audited()).toEqual([]);
    },
  );

  test('are removed by an end of the bridge, too', async () => {
    const world = await newBank();
    await makeGates(world);
    const { luid, hash } = await recordOf(world, 'bridge', 'bank');
    const words = { moment: momentNow(), status: 'dropped' };
    const end = () =>
      world.call(drop('bridge'), { luid, ...signed({ parent: hash }, world.key, words) }, 'bank');
    await expect(end()).rejects.toMatchObject({ reason: 'record.drop-rejected' });
    expect(await world.audited()).toEqual([]);
  });

  test('come at a wallet with routes as well, and go when it changes', async () => {
    const world = await newBank();
    await world.settle('own', { action: 'issue', target: 'shop', amount: 100, symbol: 'usd' });
    const routes = [{ action: 'forward', target: 'well' }];
    await world.make(create('wallet'), { handle: 'till-2', routes });
    const at = headKeyOf(main, 'wallet', 'till-2');
    // Balances are opened once, which depends on the wallet as well.
    expect(await paid(world, claim('shop', 'till-2', 1))).toBe('completed');
    const { client } = crowdedAt((pk) => pk === at.pk, 3);
    const met = await processOf(world, client, { nowMs: atOnce() });
    expect(await paid(met, claim('shop', 'till-2', 1))).toBe('completed');
    expect(await world.item(at)).toMatchObject({ gates: BigInt(first) });
    expect(await paid(world, claim('shop', 'till-2', 1))).toBe('completed');
    const { hash } = await recordOf(world, 'wallet', 'till-2');
    const proof = sign(hash, { moment: momentNow(), status: 'inactive' }, world.key);
    await world.call(prove('wallet'), proof, 'till-2');
    expect((await world.item(at))['gates']).toBeUndefined();
    expect(await paid(world, claim('shop', 'till-2', 1))).toBe('core.target-inactive');
    expect(await world.audited()).toEqual([]);
  });

  test('come at no record of a kind that has none', async () => {
    const world = await newBank();
    await paid(world);
    const head = headKeyOf(main, 'intent', `pay-${count}`);
    const want = { what: 'record', scope: main, kind: 'intent', handle: `pay-${count}` } as const;
    const [version] = await world.services.store.load([want]);
    if (!version) throw new Error('The payment is there.');
    const { client, left } = crowdedAt((pk) => pk === head.pk, 6);
    const met = await processOf(world, client, { nowMs: atOnce() });
    const made = commitOf(writeOf(main, created('intent', 'other')));
    const unchanged = [{ scope: main, version }];
    expect(await met.services.store.commit({ ...made, unchanged })).toEqual([]);
    expect(left()).toBe(0);
    expect(await world.item(head)).not.toHaveProperty('gates');
  });

  test('are not looked for where the record has ended meanwhile', async () => {
    const world = await newBank();
    const find = { what: 'record', scope: main, kind: 'wallet', handle: 'well' } as const;
    const [well] = await world.services.store.load([find]);
    if (!well) throw new Error('The wallet is there.');
    const words = { moment: momentNow(), status: 'dropped' };
    const body = {
      luid: well.record.luid,
      ...signed({ parent: well.record.hash }, world.key, words),
    };
    await world.call(drop('wallet'), body, 'well');
    const late = commitOf(writeOf(main, proved(well), well));
    expect(await world.services.store.commit(late)).toEqual([{ what: 'stale', write: 0 }]);
  });

  test('are not made while somebody removes them, for whom others wait', async () => {
    const world = await newBank();
    const untilMs = Date.now() + 200;
    await world.alter(bank, { closing: BigInt(untilMs) });
    await makeGates(world, 3, Date.now);
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
    expect(await world.audited()).toEqual([]);
  });

  test('are made, and not waited for, where that time lies further ahead than anybody waits', async () => {
    const world = await newBank();
    await world.alter(bank, { closing: BigInt(Date.now() + 3_600_000) });
    await makeGates(world);
    expect(await gatesOf(world)).toEqual(numbersTo(first));
    expect(await world.audited()).toEqual([]);
  });

  test('stay out of an archive', async () => {
    const world = await newBank();
    await makeGates(world);
    const folder = newFolder();
    const path = await saved(ground.client, world.tableName, folder.path('ledger'));
    expect(await auditedFile(path)).toEqual([]);
    await ground.database.createTable('moved');
    await loaded(ground.client, 'moved', path);
    const there = dynamoStore({ client: ground.client, tableName: 'moved' });
    const [moved] = await there.load([
      { what: 'record', scope: main, kind: 'bridge', handle: 'bank' },
    ]);
    expect(moved?.record).toEqual(await recordOf(world, 'bridge', 'bank'));
    folder.remove();
  });
});

describe('a process that ends while it removes gates', () => {
  // Another one is on a gate: so they are removed one by one.
  const isOnGate = (command: object) =>
    command instanceof TransactWriteCommand &&
    (command.input.TransactItems ?? []).length > 2 &&
    (command.input.TransactItems ?? []).every(({ Update, Delete }) => Update ?? Delete);

  /** A client of a process that ends after so many writes. */
  function dying(writes: number): TableClient {
    let left = writes;
    return between(ground.client, async (command, send) => {
      const isWrite = command instanceof TransactWriteCommand || command instanceof UpdateCommand;
      if (isOnGate(command))
        throw cancelled('None', 'TransactionConflict', ...numbersTo(first - 1).map(() => 'None'));
      if (!isWrite) return send(command);
      left -= 1;
      if (left < 0) throw new Error('The process has ended.');
      return send(command);
    });
  }

  test.each(numbersTo(first + 3))('after %d writes', async (writes) => {
    const world = await newBank();
    await makeGates(world);
    const knowing = await processOf(world);
    await paid(knowing);
    await say(await processOf(world, dying(writes)), 'inactive').then(
      () => expect.unreachable('It has not ended.'),
      (error: unknown) => expect(String(error)).toContain('The process has ended.'),
    );
    // Nothing has changed, and whoever needs a gate that is gone makes it again.
    for (const one of [knowing, await processOf(world)])
      for (let payment = 0; payment < 3; payment += 1) expect(await paid(one)).toBe('processing');
    expect(await world.audited()).toEqual([]);
    await say(world, 'inactive');
    expect(await gatesOf(world)).toEqual([]);
    for (const one of [knowing, world]) expect(await paid(one)).toBe('core.bridge-unreachable');
    expect(await world.audited()).toEqual([]);
  });
});

describe('the audit', () => {
  let world: World;
  beforeAll(async () => {
    world = await newBank();
    await makeGates(world);
  });

  test.each([
    ['of an earlier version', 3, { change: 0n }, 'Gate 3 is of no version that is current'],
    ['of another record', 3, { luid: '$brg.another' }, 'Gate 3 is of no version that is current'],
    ['beyond their number', first, {}, `Gate ${first} is none of those of the record`],
  ])('finds a gate %s', async (_, gate, change, fact) => {
    const before = await world.item(gateAt(3));
    await world.put({ ...before, ...gateAt(gate), ...change });
    for (const isLive of [false, true])
      expect(await world.audited({ isLive })).toEqual([expect.stringContaining(fact)]);
    if (gate === 3) await world.put(before);
    else await world.remove(gateAt(gate));
  });

  test('finds a gate of a record that is not there', async () => {
    const key = gateKeyOf(main, 'bridge', 'nobody', 0);
    await world.put({ ...(await world.item(gateAt(3))), ...key });
    expect(await world.audited()).toEqual([expect.stringContaining('of no version')]);
    await world.remove(key);
  });

  test('finds nothing in a gate that is missing', async () => {
    const before = await world.item(gateAt(5));
    await world.remove(gateAt(5));
    expect(await world.audited()).toEqual([]);
    await world.put(before);
  });

  test('finds a key that no gate has', async () => {
    const item = await world.item(gateAt(1));
    for (const name of ['01#bridge#bank#', 'x#bridge#bank#', '1#bank#bank#', '1#bridge#bank']) {
      const key = { pk: `${main}#gate#${name}`, sk: '#' };
      await world.put({ ...item, ...key });
      expect(await world.audited()).toEqual([expect.stringContaining("none of the ledger's")]);
      await world.remove(key);
    }
  });
});
