/**
 * Goal: who looks at much leaves others their turn. What is asserted is order and number, never time. Ruling 22,
 * Decision 84.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { list } from '../../shared/action/list.ts';
import { read } from '../../shared/action/read.ts';
import { unitsFor } from '../../shared/ledger/budget.ts';
import type { Call } from '../../shared/port/action.ts';
import type { Store } from '../../shared/port/ports.ts';
import { fairQueueOf, inFairOrder } from '../../shared/query/fair-queue.ts';
import { openDesk } from '../fixture/desk.ts';
import { runs } from '../fixture/runs.ts';

/** Turns of which a test says when each one ends; it knows which are taken, in order. */
function watched(places: number) {
  const turns = fairQueueOf(places);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (ledger: string) =>
    turns(
      ledger,
      () =>
        new Promise<string>((resolve) => {
          begun.push(ledger);
          ends.push(() => resolve(ledger));
        }),
    );
  return { begun, ends, ask };
}

const breath = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('turns', () => {
  test('are as many at once as there are places, and one for each ledger', async () => {
    const { begun, ends, ask } = watched(2);
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(ask);
    await breath();
    expect(begun).toEqual(['a', 'b']);
    for (let n = 0; n < 6; n += 1) {
      ends[n]?.();
      await breath();
    }
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
    expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  test('end when they fail, too', async () => {
    const turns = fairQueueOf(1);
    const failing = turns('a', async () => {
      throw new Error('lost');
    });
    await expect(failing).rejects.toThrow('lost');
    expect(await turns('a', async () => 'next')).toBe('next');
  });

  test('come to everybody, and in order for each ledger', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        async (asked, places) => {
          const turns = fairQueueOf(places);
          const taking: string[] = [];
          const done: string[] = [];
          await Promise.all(
            asked.map((ledger, index) =>
              turns(ledger, async () => {
                taking.push(ledger);
                expect(taking.length).toBeLessThanOrEqual(places);
                expect(new Set(taking).size).toBe(taking.length);
                await breath();
                taking.splice(taking.indexOf(ledger), 1);
                done.push(`${ledger} ${index}`);
              }),
            ),
          );
          for (const ledger of ['a', 'b', 'c', 'd']) {
            const own = asked.flatMap((one, index) => (one === ledger ? [`${one} ${index}`] : []));
            expect(done.filter((one) => one.startsWith(ledger))).toEqual(own);
          }
        },
      ),
      { numRuns: runs(12) },
    );
  });
});

/** A ledger of so many wallets, and what was asked of its store, in order. */
async function shelf(count: number, essay: string) {
  const asked: number[] = [];
  const desk = await openDesk((store) => ({
    load: (async (wants: readonly unknown[]) => {
      asked.push(wants.length);
      await breath();
      return store.load(wants as never);
    }) as Store['load'],
  }));
  for (let n = 0; n < count; n += 1)
    await desk.make('wallet', { handle: `w${n}`, custom: { essay } });
  asked.splice(0);
  return { desk, asked };
}

const nothing: Call['query'] = { 'data.custom.essay.$regex': ['^nothing$'] };

describe('twelve broad filters at once', () => {
  test('let a read by name through between their parts', async () => {
    const { desk } = await shelf(300, 'x'.repeat(50_000));
    const ended: string[] = [];
    const filters = Array.from({ length: 12 }, () =>
      desk.run(list('wallet'), { query: nothing }).then(
        () => ended.push('filter'),
        () => ended.push('filter'),
      ),
    );
    for (let n = 0; n < 5; n += 1) {
      await desk.run(read('wallet'), { path: { id: 'w7' } });
      ended.push('read');
    }
    await Promise.all(filters);
    expect(ended.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'read'));
  });

  test('read less at a time the longer the records are', async () => {
    const { desk, asked } = await shelf(120, 'x'.repeat(200_000));
    await desk.run(list('wallet'), { query: nothing }).catch(() => undefined);
    // What is known of the ledger is read first.
    const [, first = 0, ...others] = asked;
    expect(first).toBe(20);
    expect(others.length).toBeGreaterThan(5);
    expect(Math.max(...others)).toBeLessThanOrEqual(2);
  });
});

test('a filter that looks at too much is given up, at the same row each time', async () => {
  const essay = 'x'.repeat(330_000);
  const { desk, asked } = await shelf(400, essay);
  const rows: number[] = [];
  for (const _again of [1, 2]) {
    asked.splice(0);
    await expect(desk.run(list('wallet'), { query: nothing })).rejects.toMatchObject({
      reason: 'api.request-timeout',
      detail: expect.stringContaining('takes too much work'),
    });
    rows.push(asked.reduce((sum, count) => sum + count, 0));
  }
  expect(rows[0]).toBe(rows[1]);
  expect(rows[0]).toBeLessThanOrEqual((unitsFor.request * 128) / essay.length + 40);
  await expect(inFairOrder('main', async () => 'still in turn')).resolves.toBe('still in turn');
});
