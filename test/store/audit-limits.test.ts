/** Limits of balances against the intents that set them. Rulings 41 and 45. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { balanceKeyOf } from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  type Ground,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

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
});
