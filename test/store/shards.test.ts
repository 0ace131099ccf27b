/**
 * Shards of busy balances. Goal: many may pay into a wallet and out of it at once, it never gives more than it has, and what
 * it has is exact, whoever asks. Method: the actions of a ledger over the embedded database, with audits; transactions that
 * meet are played by the client. Counts are asserted, never times. Decision 125.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balances } from '../../shared/action/balances.ts';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { previewIntent } from '../../shared/action/preview-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { shardKeyOf } from '../../shared/store/keys.ts';
import { dynamoLayouts, dynamoStore } from '../../shared/store/store.ts';
import { auditedFile, loaded, newFolder, saved } from '../fixture/archived.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import {
  actionsIn,
  at,
  committing,
  crowded,
  evenly,
  heldBy,
  hotWorld,
  isHot,
  moveOf,
  others,
  shardAt,
  shardCount,
  spread,
  storeOf,
  usd,
  walletIn,
} from '../fixture/hot.ts';
import { between } from '../fixture/trouble.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const transfer = (source: string, target: string, amount: number): Json => ({
  ...{ action: 'transfer', source, target, amount, ...usd },
});
const limit = (metric: string, amount: number): Json => ({
  ...{ action: 'limit', wallet: 'hot', metric, amount, ...usd },
});

const worldWith = (amount: number, shards = {}) => hotWorld(ground, amount, shards);

/** Settles all at once; returns the statuses, counted, with the reasons of those that failed. */
async function settledAtOnce(world: World, claims: readonly Json[], name = 'pay') {
  const all = await Promise.all(claims.map((one, index) => world.settle(`${name}-${index}`, one)));
  const counts: Record<string, number> = {};
  for (const one of all) {
    const outcome = outcomeOf(one);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function outcomeOf({ meta }: LedgerRecord): string {
  const reasons = meta.proofs.flatMap(({ custom }) => custom?.['reason'] ?? []);
  return String(reasons[0] ?? meta.status);
}

describe('a balance with shards', () => {
  test('takes many credits, gives many debits, and both at once', async () => {
    const world = await worldWith(100, { first: 8 });
    const into = others.flatMap((one) => Array.from({ length: 5 }, () => transfer(one, 'hot', 3)));
    const out = others.flatMap((one) => Array.from({ length: 5 }, () => transfer('hot', one, 2)));
    expect(await settledAtOnce(world, into, 'into')).toEqual({ completed: 40 });
    expect(await settledAtOnce(world, out, 'out')).toEqual({ completed: 40 });
    expect(await settledAtOnce(world, [...into, ...out], 'both')).toEqual({ completed: 80 });
    expect((await heldBy(world))?.available).toBe(100n + 80n * 3n - 80n * 2n);
    expect(await shardCount(world)).toBe(8);
    expect(await world.audited()).toEqual([]);
  });

  test('gives all that it has, and not a unit more', async () => {
    const world = await worldWith(60, { first: 8 });
    const out = Array.from({ length: 100 }, (_, index) =>
      transfer('hot', others[index % 8] as string, 1),
    );
    expect(await settledAtOnce(world, out)).toEqual({
      completed: 60,
      'core.insufficient-balance': 40,
    });
    expect((await heldBy(world))?.available).toBe(0n);
    expect(await world.audited()).toEqual([]);
  });

  test('gives at once what no shard has alone, and refuses what all have not', async () => {
    const world = await worldWith(100, { first: 8 });
    await spread(world, evenly(100n, 8));
    expect(outcomeOf(await world.settle('most', transfer('hot', 'w0', 95)))).toBe('completed');
    expect(outcomeOf(await world.settle('more', transfer('hot', 'w0', 6)))).toBe(
      'core.insufficient-balance',
    );
    expect(outcomeOf(await world.settle('rest', transfer('hot', 'w0', 5)))).toBe('completed');
    expect(await world.audited()).toEqual([]);
  });

  test('is one item again before it gets a limit, and stays one', async () => {
    const beganMs = Date.now();
    const world = await worldWith(100, { first: 8 });
    await world.settle('limit', limit('minBalance', -50));
    expect(await shardCount(world)).toBe(1);
    const { undivided } = await world.item(at);
    expect(Number(undivided)).toBeGreaterThanOrEqual(beganMs + 5 * 60_000);
    expect(outcomeOf(await world.settle('low', transfer('hot', 'w0', 150)))).toBe('completed');
    expect(outcomeOf(await world.settle('lower', transfer('hot', 'w0', 1)))).toBe(
      'core.limit-exceeded',
    );
    expect(await world.audited()).toEqual([]);
  });

  test('does not move while its wallet is frozen', async () => {
    const world = await worldWith(100, { first: 8 });
    const { hash } = await walletIn(world);
    const words = { moment: momentNow(), status: 'inactive' };
    await world.call(prove('wallet'), sign(hash, words, world.key), 'hot');
    expect(outcomeOf(await world.settle('late', transfer('w0', 'hot', 1)))).toBe(
      'core.target-inactive',
    );
    expect(await shardCount(world)).toBe(1);
    expect(await world.audited()).toEqual([]);
  });

  test('gets shards again some minutes after its wallet was frozen', async () => {
    const world = await worldWith(100, { first: 8 });
    for (const status of ['inactive', 'active']) {
      const { hash } = await walletIn(world);
      const words = { moment: momentNow(), nonce: status, status };
      await world.call(prove('wallet'), sign(hash, words, world.key), 'hot');
    }
    const item = await world.item(at);
    expect(item).not.toHaveProperty('watched');
    const nowMs = () => Number(item['undivided']) + 1;
    const options = { growAfter: 1, step: 8 };
    const early = storeOf(world, crowded(world.client, 1).client, options);
    await committing(early, await moveOf(early, 1n, { limitsChange: 1 }));
    expect(await shardCount(world)).toBe(1);
    const late = storeOf(world, crowded(world.client, 1).client, { ...options, nowMs });
    await committing(late, await moveOf(late, 1n, { limitsChange: 1 }));
    expect(await shardCount(world)).toBe(8);
    expect((await heldBy(world))?.available).toBe(102n);
    await spread(world, evenly(102n, 8));
    expect(outcomeOf(await world.settle('all', transfer('hot', 'w0', 102)))).toBe('completed');
    expect((await heldBy(world))?.available).toBe(0n);
  });

  test('ends with its wallet', async () => {
    const world = await worldWith(100, { first: 8 });
    const { hash } = await walletIn(world);
    const words = () => ({ moment: momentNow(), status: 'dropped' });
    const end = () =>
      world.call(drop('wallet'), signed({ parent: hash }, world.key, words()), 'hot');
    await expect(end()).rejects.toMatchObject({ reason: 'record.drop-rejected' });
    await world.settle('all', transfer('hot', 'w0', 100));
    await end();
    expect(await world.services.store.balances(main, 'hot')).toEqual([]);
    await expect(world.item(shardAt(1))).rejects.toThrow('nothing');
    expect(await world.audited()).toEqual([]);
  });

  test('is shown with the sum of its shards', async () => {
    const world = await worldWith(100, { first: 8 });
    await world.settle('some', transfer('hot', 'w0', 30), transfer('w1', 'hot', 5));
    const { data } = (await world.call(balances, undefined, 'hot')) as unknown as {
      readonly data: readonly { readonly data: Json }[];
    };
    expect(data.map((one) => one.data['amount'])).toEqual([75n]);
  });

  test('is previewed with the sum of its shards', async () => {
    const world = await worldWith(800, { first: 8 });
    await spread(world, evenly(800n, 8));
    const config = { commit: 'manual' };
    const body = signed({ handle: 'ahead', claims: [transfer('hot', 'w0', 5)], config }, world.key);
    const { data } = await world.call(previewIntent, body);
    const rows = (data as unknown as { readonly balances: readonly Json[] }).balances;
    expect(rows.filter(({ wallet }) => wallet === 'hot')).toMatchObject([
      { schema: 'available', amount: 795n },
      { schema: 'reserved', amount: 5n },
    ]);
  });

  test('gets no limit that all that it has exceeds, though a few shards would not', async () => {
    const world = await worldWith(800, { first: 8 });
    await spread(world, evenly(800n, 8));
    const claims = [limit('maxBalance', 700), transfer('w0', 'w1', 1)];
    const manual = { handle: 'held', claims, config: { commit: 'manual' } };
    const alone = signed({ handle: 'alone', claims }, world.key);
    const batch = signed({ handle: 'batch', claims }, world.key);
    const data = { status: 'rejected', reason: 'core.limit-exceeded' };
    expect(await world.call(previewIntent, alone)).toMatchObject({ data });
    expect(outcomeOf(await world.make(createIntent, manual))).toBe(data.reason);
    expect(outcomeOf(await world.call(createIntent, alone))).toBe(data.reason);
    await expect(world.call(batchIntents, { mode: 'atomic', data: [batch] })).rejects.toMatchObject(
      { custom: { errors: [{ index: 0, reason: data.reason }] } },
    );
    // It still has what a limit would take from it.
    expect(await shardCount(world)).toBe(8);
    expect(outcomeOf(await world.settle('fit', limit('maxBalance', 800)))).toBe('completed');
    expect(await shardCount(world)).toBe(1);
    expect(await world.audited()).toEqual([]);
  });

  test('moves to another table as it is, without a mark by which others wait', async () => {
    const world = await worldWith(100, { first: 4 });
    await world.settle('some', transfer('hot', 'w0', 30));
    await world.alter(at, { growing: 1n });
    // As of a wallet that was frozen before it got shards.
    for (let number = 0; number < 4; number += 1)
      await world.alter(shardAt(number), { limitsChange: 1n });
    const folder = newFolder();
    const path = await saved(ground.client, world.tableName, folder.path('ledger'));
    expect(await auditedFile(path)).toEqual([]);
    await ground.database.createTable('moved');
    await loaded(ground.client, 'moved', path);
    const there = dynamoStore({ client: ground.client, tableName: 'moved' });
    const [balance] = await there.balances(main, 'hot');
    expect(balance).toMatchObject({ available: 70n, shards: { count: 4 } });
    const itemAt = async (Key: typeof at) =>
      (await ground.client.send(new GetCommand({ TableName: 'moved', Key }))).Item;
    expect(await itemAt(at)).not.toHaveProperty('growing');
    expect(await itemAt(shardAt(3))).toMatchObject({ limitsChange: 1n });
    folder.remove();
  });
});

function layoutOf({ client, tableName }: World) {
  return dynamoLayouts({ client, tableName }).read(main);
}

/** Meetings are forgotten after some seconds; by this clock none passes, however slow the machine is. */
function atOnce(): { nowMs: () => number } {
  const nowMs = Date.now();
  return { nowMs: () => nowMs };
}

describe('shards', () => {
  test('come when transactions have met on a balance several times in a row', async () => {
    const world = await worldWith(100);
    const { client, left } = crowded(world.client, 3);
    const store = storeOf(world, client, { growAfter: 3, step: 8, ...atOnce() });
    expect(await committing(store, await moveOf(store, -10n))).toEqual([]);
    expect(left()).toBe(0);
    expect(await shardCount(world)).toBe(8);
    expect((await layoutOf(world)).count).toBe(1);
    expect((await store.balances(main, 'hot'))[0]?.available).toBe(90n);
  });

  test('do not come when they have met less often, or the balance has limits', async () => {
    const world = await worldWith(100);
    const seldom = storeOf(world, crowded(world.client, 2).client, { growAfter: 3 });
    expect(await committing(seldom, await moveOf(seldom, 1n))).toEqual([]);
    expect(await shardCount(world)).toBe(1);
    await world.settle('limit', limit('maxBalance', 500));
    const often = storeOf(world, crowded(world.client, 4).client, { growAfter: 1 });
    const limited = await moveOf(often, 1n, { limitsChange: 1 });
    expect(await committing(often, limited)).toEqual([]);
    expect(await shardCount(world)).toBe(1);
  });

  test('become eight times as many, up to the most, and share what all of them have', async () => {
    const world = await worldWith(1_000);
    for (const count of [2, 16, 20, 20]) {
      const store = storeOf(world, crowded(world.client, 1).client, {
        growAfter: 1,
        step: 2,
        most: 20,
      });
      await committing(store, await moveOf(store, 1n));
      expect(await shardCount(world)).toBe(count);
    }
    const all = (await heldBy(world))?.shards?.seen ?? [];
    expect(all.filter(({ available }) => available >= 40n)).toHaveLength(20);
    expect((await heldBy(world))?.available).toBe(1_004n);
  });

  test('come as many as the meetings of a moment ask for', async () => {
    const world = await worldWith(100);
    // Others are on the balance, so that only the third try to claim it is heard.
    let claimCount = 0;
    const client = between(crowded(world.client, 5).client, async (command, send) => {
      if (command instanceof UpdateCommand) claimCount += 1;
      if (command instanceof UpdateCommand && claimCount < 3)
        throw Object.assign(new Error('met'), { name: 'TransactionConflictException' });
      return send(command);
    });
    const store = storeOf(world, client, { growAfter: 3, step: 8, ...atOnce() });
    await committing(store, await moveOf(store, 1n));
    expect(await shardCount(world)).toBe(64);
    // A wallet that takes so many fills the one list of its ledger.
    expect(await layoutOf(world)).toMatchObject({ count: 4 });
  });

  test('are made by one process, for which the others wait', async () => {
    const world = await worldWith(100);
    const untilMs = Date.now() + 200;
    await world.alter(at, { growing: BigInt(untilMs) });
    const store = storeOf(world);
    expect(await committing(store, await moveOf(store, -1n))).toEqual([]);
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
    expect((await heldBy(world))?.available).toBe(99n);
  });

  test('give debits that a process makes without knowing of them, and spare the first', async () => {
    const world = await worldWith(799);
    const growing = storeOf(world, crowded(world.client, 1).client, { growAfter: 1, step: 8 });
    await committing(growing, await moveOf(growing, 1n));
    const before = (await world.item(at))['available'];
    for (let count = 0; count < 20; count += 1) {
      const store = storeOf(world, ground.client, { random: () => 0.5 });
      expect(await committing(store, await moveOf(store, -1n))).toEqual([]);
    }
    expect((await world.item(at))['available']).toBe(before);
    expect((await heldBy(world))?.available).toBe(780n);
  });

  test('are kept apart: a process stays at one, and takes another where it meets somebody', async () => {
    const world = await worldWith(800, { first: 8 });
    const meeting = crowded(world.client, 0);
    let taken: string[] = [];
    let drawn = 0.2;
    const client = between(meeting.client, (command, send) => {
      const keys = actionsIn(command).map(({ Update }) => Update?.Key);
      taken = [...taken, ...keys.flatMap((key) => (isHot(key) ? String(key?.['pk']) : []))];
      return send(command);
    });
    const store = storeOf(world, client, { random: () => drawn });
    const tell = async (amount: bigint): Promise<string[]> => {
      taken = [];
      await committing(store, await moveOf(store, amount));
      return taken;
    };
    const [own] = await tell(1n);
    for (const amount of [1n, -1n, 1n, -1n, -1n, 1n]) expect(await tell(amount)).toEqual([own]);
    meeting.meet(1);
    drawn = 0.5;
    const [before, other] = await tell(1n);
    expect(before).toBe(own);
    expect(other).not.toBe(own);
    for (const amount of [-1n, 1n, -1n]) expect(await tell(amount)).toEqual([other]);
    // Commits that are under way at a time are on different ones.
    const moves = [await moveOf(store, 1n), await moveOf(store, 1n)];
    [taken, drawn] = [[], 0.7];
    await Promise.all(moves.map((move) => committing(store, move)));
    expect(taken).toHaveLength(2);
    expect(new Set(taken).size).toBe(2);
    expect(taken).toContain(other);
  });

  test('that never stand still for a decision are asked to, and show what they have at one moment', async () => {
    const world = await worldWith(100, { first: 8 });
    const shard = shardAt(3);
    let moveCount = 0;
    // A request takes so long, however slow the machine is.
    let nowMs = Date.now();
    const client = between(ground.client, async (command, send) => {
      const answer = await send(command);
      nowMs += 10;
      const { growing = 0n } = await world.item(at);
      // Others move it after each reading, and wait once they are told to.
      if (Number(growing) > nowMs) return answer;
      moveCount += 1;
      await world.alter(shard, { available: BigInt(moveCount), moves: BigInt(moveCount) });
      return answer;
    });
    const store = storeOf(world, client, { nowMs: () => nowMs });
    const name = { what: 'balance', scope: main, wallet: 'hot', ...usd } as const;
    const [balance] = await store.load([{ ...name, whole: 'exact' }]);
    expect(balance?.shards?.seen[3]?.available).toBe(BigInt(moveCount));
    expect(balance?.shards?.seen).toHaveLength(8);
    // Who only looks asks nobody to wait.
    await world.alter(at, { growing: 0n });
    const looking = store.balances(main, 'hot').catch(() => undefined);
    const marks = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, 100 * index));
        return (await world.item(at))['growing'];
      }),
    );
    expect(new Set(marks)).toEqual(new Set([0n]));
    await world.alter(at, { growing: BigInt(nowMs + 60_000) });
    expect(await looking).toHaveLength(1);
  });

  test('are found by a process that does not know of them', async () => {
    const world = await worldWith(100, { first: 8 });
    const store = storeOf(world);
    const most = await moveOf(store, -90n);
    expect(most.shards).toMatchObject({ count: 8, seen: [{ number: 0 }] });
    expect(await committing(store, most)).toEqual([]);
    expect(await committing(storeOf(world), { ...most, needs: 11n, amount: -11n })).toEqual([
      { what: 'balance', move: 0 },
    ]);
    expect((await heldBy(world))?.available).toBe(10n);
  });

  test('hold reservations, which a decision finds that has read nothing', async () => {
    const world = await worldWith(100, { first: 8 });
    const store = storeOf(world);
    for (let count = 0; count < 4; count += 1)
      await committing(store, await moveOf(store, -25n, { reserve: 25n, hold: 1 }));
    expect(await heldBy(world)).toMatchObject({ available: 0n, reserved: 100n, holds: 4 });
    const { walletLuid: _luid, shards: _shards, ...unread } = await moveOf(store, 30n);
    for (const amount of [30n, 70n])
      expect(await committing(store, { ...unread, amount, reserve: -amount, hold: -1 })).toEqual(
        [],
      );
    expect(await heldBy(world)).toMatchObject({ available: 100n, reserved: 0n, holds: 2 });
  });

  test('are all fenced, also those that come later', async () => {
    const world = await worldWith(100, { first: 4 });
    const { luid } = await walletIn(world);
    const atMs = Date.now() + 1_000;
    await world.services.store.fence(main, { handle: 'hot', luid }, atMs);
    const store = storeOf(world, crowded(world.client, 1).client, { growAfter: 1, most: 8 });
    const early = await moveOf(store, 1n, { statedMs: atMs });
    expect(await committing(store, early)).toEqual([{ what: 'balance', move: 0 }]);
    expect(await shardCount(world)).toBe(8);
    for (let shard = 0; shard < 8; shard += 1)
      expect((await world.item(shardAt(shard)))['fenced']).toBe(BigInt(atMs));
    expect(await committing(store, { ...early, statedMs: atMs + 1 })).toEqual([]);
  });

  test('are folded by the first move after a quiet time, and not in a busy one', async () => {
    const world = await worldWith(100);
    let nowMs = 1_000_000;
    const options = { growAfter: 1, lookEveryMs: 60_000, nowMs: () => nowMs };
    const store = storeOf(world, crowded(world.client, 1).client, options);
    await committing(store, await moveOf(store, 1n));
    const busy = Number((await world.item(at))['moves']);
    // So many moves as there may be without shards.
    await world.alter(at, { moves: BigInt(busy + 60 * 10) });
    nowMs += 60_000;
    await committing(store, await moveOf(store, 1n));
    expect(await shardCount(world)).toBe(8);
    expect((await world.item(at))['looked']).toBe(BigInt(nowMs));
    await committing(store, await moveOf(store, 1n));
    expect(await shardCount(world)).toBe(8);
    nowMs += 60_000;
    await committing(store, await moveOf(store, 1n));
    expect(await shardCount(world)).toBe(1);
    expect(await heldBy(world)).toMatchObject({ available: 104n, isActive: true });
    expect((await world.item(at))['looked']).toBeUndefined();
  });

  test('stay where several look at once whether they are busy', async () => {
    const world = await worldWith(100);
    let nowMs = 1_000_000;
    const options = { growAfter: 1, lookEveryMs: 60_000, nowMs: () => nowMs };
    const store = storeOf(world, crowded(world.client, 1).client, options);
    await committing(store, await moveOf(store, 1n));
    const moves = [await moveOf(store, 1n), await moveOf(store, 1n)];
    const busy = Number((await world.item(at))['moves']);
    await world.alter(at, { moves: BigInt(busy + 60 * 10) });
    nowMs += 60_000;
    // The second one has read the shards before the first one has looked.
    for (const move of moves) expect(await committing(store, move)).toEqual([]);
    expect(await shardCount(world)).toBe(8);
  });

  test('are not waited for until a time that lies further ahead than anybody waits', async () => {
    const world = await worldWith(100);
    await world.alter(at, { growing: BigInt(Date.now() + 3_600_000) });
    const store = storeOf(world, crowded(world.client, 3).client, { growAfter: 3, ...atOnce() });
    expect(await committing(store, await moveOf(store, -1n))).toEqual([]);
    expect(await shardCount(world)).toBe(8);
    expect((await heldBy(world))?.available).toBe(99n);
  });

  test('are folded before a debit that nothing covers', async () => {
    const world = await worldWith(100, { first: 8 });
    const store = storeOf(world);
    const { needs: _needs, ...free } = await moveOf(store, -150n);
    expect(await committing(store, free)).toEqual([]);
    const item = await world.item(at);
    expect(item).toMatchObject({ available: -50n });
    expect(Number(item['undivided'])).toBeGreaterThan(Date.now() + 3_600_000);
  });

  test('are folded one by one while others move them, and nothing is lost', async () => {
    const world = await worldWith(800, { first: 8 });
    const store = storeOf(world);
    let moved = 0n;
    let begin = () => {};
    const firstMove = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const pay = async () => {
      for (let count = 0; count < 20; count += 1) {
        const amount = count % 2 === 0 ? -7n : -3n;
        // One that meets the fold is decided anew by whoever asked for it.
        const conflicts = await committing(store, await moveOf(store, amount));
        if (conflicts.length > 0) continue;
        moved += amount;
        begin();
      }
    };
    const fold = firstMove.then(() =>
      world.services.store.watch(main, [{ wallet: 'hot', ...usd }]),
    );
    await Promise.all([fold, pay(), pay(), pay()]);
    expect(await shardCount(world)).toBe(1);
    expect(moved).not.toBe(0n);
    expect(await world.item(at)).toMatchObject({ watched: 1n, available: 800n + moved });
  });
});

describe('the audit', () => {
  let world: World;
  beforeAll(async () => {
    world = await worldWith(800, { first: 8 });
    for (let number = 0; number < 8; number += 1)
      await world.alter(shardAt(number), { available: 100n });
  });

  /** What the audit says while a shard is another one. */
  async function auditedWith(number: number, change: Json): Promise<string[]> {
    const item = await world.item(shardAt(number));
    await world.put({ ...item, ...change });
    const [still, live] = [await world.audited(), await world.audited({ isLive: true })];
    await world.put(item);
    expect(live).toEqual(still);
    return still;
  }

  test('finds nothing in shards that are in order', async () => {
    expect(await world.audited()).toEqual([]);
    expect(await world.audited({ isLive: true })).toEqual([]);
  });

  test('finds a shard with another amount', async () => {
    expect(await auditedWith(3, { available: 101n })).toEqual([
      expect.stringContaining('is not the sum of the entries on it'),
    ]);
  });

  test('finds a shard below zero, though the sum is right', async () => {
    const other = await world.item(shardAt(5));
    await world.alter(shardAt(5), { available: 201n });
    const found = await auditedWith(4, { available: -1n });
    await world.put(other);
    expect(found).toEqual([expect.stringContaining('Shard 4 of the balance of usd is below zero')]);
  });

  test('finds a shard of another wallet', async () => {
    expect(await auditedWith(1, { wallet: '$wlt.another' })).toEqual([
      expect.stringContaining('Shard 1 of the balance of usd is of another wallet'),
    ]);
  });

  test('finds a shard that says of other limits than the balance', async () => {
    expect(await auditedWith(2, { limitsChange: 1n })).toEqual([
      expect.stringContaining('Shard 2 of the balance of usd says of another number of changes'),
    ]);
  });

  test('finds a missing shard, and its amount', async () => {
    const item = await world.item(shardAt(7));
    await world.remove(shardAt(7));
    const found = await world.audited();
    await world.put(item);
    expect(found.sort()).toEqual([
      expect.stringContaining('is not the sum of the entries on it'),
      expect.stringContaining('Shard 7 of the balance of usd is missing'),
    ]);
  });

  test('finds a shard beyond their number, and one of no balance', async () => {
    for (const key of [shardAt(9), shardKeyOf(main, 'nobody', 'usd', 2)]) {
      await world.put({ ...(await world.item(shardAt(1))), ...key, available: 0n });
      expect(await world.audited()).toEqual([expect.stringMatching(/is none of its [18]/)]);
      await world.remove(key);
    }
  });

  test('finds shards of a balance that has limits', async () => {
    const found = await auditedWith(0, { limits: {} });
    expect(found).toEqual([expect.stringContaining('has limits and 8 shards')]);
  });

  test('finds a key that no shard has', async () => {
    const item = await world.item(shardAt(1));
    for (const name of [
      '01#hot#usd#',
      '0#hot#usd#',
      '100#hot#usd#',
      'x#hot#usd#',
      '1#hot#usd',
      '1#hot#usd#2',
    ]) {
      const key = { pk: `${main}#shard#${name}`, sk: '#' };
      await world.put({ ...item, ...key });
      expect(await world.audited()).toEqual([expect.stringContaining("none of the ledger's")]);
      await world.remove(key);
    }
  });
});
