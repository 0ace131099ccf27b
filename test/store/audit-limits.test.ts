/** Limits of balances against the intents that set them. Rulings 41 and 45. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { noteLimits } from '../../shared/audit/limits.ts';
import { newReport, newRun } from '../../shared/audit/run.ts';
import { balanceKeyOf, loggedKeyOf, textOf } from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { bridged } from '../fixture/bridged.ts';

let ground: Ground;
let world: World;
const usd = { symbol: 'usd' };
const at = balanceKeyOf(main, 'alice', 'usd');
const limit = (metric: string, amount: number, wallet = 'alice') => ({
  ...{ action: 'limit', wallet, metric, amount, ...usd },
});

beforeAll(async () => {
  ground = await startGround();
  world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'alice' });
  await world.settle('in', { action: 'issue', target: 'alice', amount: 100, ...usd });
  await world.settle('first', limit('dailyAmount', 900), limit('maxBalance', 500));
  await world.settle('second', limit('dailyAmount', 800));
});
afterAll(() => ground.stop());

/** Lets something happen while the clock of the ledger is so far ahead, in milliseconds. */
async function ahead<Result>(ms: number, run: () => Promise<Result>): Promise<Result> {
  const services = world.services as { clock: () => number };
  services.clock = () => Date.now() + ms;
  try {
    return await run();
  } finally {
    services.clock = Date.now;
  }
}

type Limits = Readonly<Record<string, Item>>;

/** What the audit says while the limits of alice are others. */
async function auditedWith(change: (limits: Limits) => Item): Promise<string[]> {
  const item = await world.item(at);
  await world.put({ ...item, limits: change(item['limits'] as Limits) });
  const found = await world.audited();
  await world.put(item);
  return found;
}

describe('the audit', () => {
  test('finds nothing where limits are as they were set last', async () => {
    expect(await world.audited()).toEqual([]);
  });

  test.each([
    ['amount', 900],
    ['intent', '$int.another'],
    ['moment', '2026-01-01T00:00:00.000Z'],
  ])('finds another %s of a limit', async (name, value) => {
    const found = await auditedWith((limits) => ({
      ...limits,
      dailyAmount: { ...limits['dailyAmount'], [name]: value },
    }));
    expect(found).toEqual([
      expect.stringMatching(
        /^Invariant 2 .*alice.*: The limit dailyAmount of usd is not the one that an intent set last\./,
      ),
    ]);
  });

  test('finds a limit that nobody set, and one that is gone', async () => {
    const more = await auditedWith((limits) => ({ ...limits, dailyCount: limits['dailyAmount'] }));
    expect(more).toEqual([expect.stringContaining('The limit dailyCount of usd is not the one')]);
    const fewer = await auditedWith(({ maxBalance: _, ...limits }) => limits);
    expect(fewer).toEqual([expect.stringContaining('The limit maxBalance of usd is missing.')]);
  });

  test('does not expect the limits of an earlier wallet with the same handle', async () => {
    const { hash } = await world.make(create('wallet'), { handle: 'bob' });
    const refused = await world.settle('of-bob', limit('dailyAmount', 7, 'bob'));
    expect(refused.meta.status).toBe('completed');
    const words = { moment: momentNow(), status: 'dropped' };
    const farewell = signed({ parent: hash }, world.key, words);
    await world.call(drop('wallet'), farewell, 'bob');
    await world.make(create('wallet'), { handle: 'bob' });
    const given = { action: 'issue', target: 'bob', amount: 1, ...usd };
    expect((await world.settle('to-bob', given)).meta.status).toBe('completed');
    expect(await world.audited()).toEqual([]);
  });

  test('finds nothing after a clock that was set back, also of an earlier wallet', async () => {
    await world.make(create('wallet'), { handle: 'carol' });
    const { hash } = await world.make(create('wallet'), { handle: 'dora' });
    const day = 86_400_000;
    await ahead(day, async () => {
      await world.settle('carol-1', limit('maxBalance', 250, 'carol'));
      await world.settle('dora-1', limit('maxBalance', 250, 'dora'));
      const words = { moment: new Date(Date.now() + day).toISOString(), status: 'dropped' };
      await world.call(drop('wallet'), signed({ parent: hash }, world.key, words), 'dora');
    });
    await world.settle('carol-2', limit('maxBalance', 470, 'carol'));
    const custom = { again: true };
    await world.make(create('wallet'), { handle: 'dora', custom });
    await world.settle('to-dora', { action: 'issue', target: 'dora', amount: 1, ...usd });
    const { limits } = await world.item(balanceKeyOf(main, 'carol', 'usd'));
    const { amount, moment } = (limits as Limits)['maxBalance'] as Item;
    expect(Number(amount)).toBe(470);
    expect(Date.parse(String(moment))).toBeGreaterThan(Date.now() + day / 2);
    expect(await world.audited()).toEqual([]);
  });

  test.each([
    [
      'of the last moment',
      [
        [1, 1],
        [2, 2],
      ],
      [2],
    ],
    [
      'of the last moment where the log does not have one',
      [
        [2, 2],
        [1, undefined],
      ],
      [2],
    ],
    [
      'of each where moments and the log tell two orders',
      [
        [2, 1],
        [1, 2],
      ],
      [2, 1],
    ],
    [
      'of each where the later one is in the future and not in the log',
      [
        [7, undefined],
        [2, undefined],
      ],
      [7, 2],
    ],
    [
      'of each that has the same moment',
      [
        [1, 1],
        [1, 2],
      ],
      [1, 1],
    ],
  ] as const)('takes the setting %s for the last', (_, settings, expected) => {
    const nowMs = Date.parse('2026-01-01T00:00:05.000Z');
    const run = newRun({} as never, { isLive: false, nowMs: () => nowMs }, newReport());
    for (const [second, index] of settings) {
      const moment = `2026-01-01T00:00:0${second}.000Z`;
      const claims = [limit('maxBalance', second)];
      const words = [{ status: 'committed', moment }];
      const version = bridged({ status: 'completed', claims, words });
      const key = loggedKeyOf(main, version.record.luid, 1);
      const items = new Map(index === undefined ? [] : [[textOf(key), { index }]]);
      noteLimits(run, { scope: main, items, pasts: [], head: { version } } as never);
    }
    const { set } = [...run.limited.values()][0] ?? { set: new Map() };
    expect(set.get('maxBalance').map(({ amount }: { amount: number }) => amount)).toEqual(expected);
  });
});
