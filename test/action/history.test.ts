/** Goal: a page of a history beside a writer shows each of its changes once. Ruling 15. */
import { expect, test } from 'vitest';
import { change, history } from '../../shared/action/history.ts';
import { prove } from '../../shared/action/prove.ts';
import { type Item, proofOf, unique } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

/** A wallet of so many changes, and a writer that adds more of them while its past is read. */
async function opened(changeCount: number, meanwhileCount: number) {
  let meanwhile = async (): Promise<unknown> => undefined;
  const desk = await openDesk(({ past }) => ({
    past: async (...range) => {
      await meanwhile();
      return past(...range);
    },
  }));
  const { luid, hash } = await desk.make('wallet', { handle: unique('wallet') });
  const path = { id: luid };
  let count = 0;
  const write = async (until: number) => {
    for (; count < until; count += 1)
      await desk.run(prove('wallet'), { path, body: proofOf(hash, desk.key, { count }) });
  };
  await write(changeCount - 1);
  meanwhile = () => write(changeCount - 1 + meanwhileCount);
  return {
    pageOf: async (limit: number, index = 0) => {
      const query = { 'page.limit': [String(limit)], 'page.index': [String(index)] };
      const { data } = await desk.run(history('wallet'), { path, query });
      return (data as unknown as Item[]).map(({ meta }) => meta.change);
    },
    changeOf: async (number: number) => {
      const { meta } = await desk.run(change('wallet'), {
        path: { ...path, change: String(number) },
      });
      return (meta as Item['meta']).change;
    },
  };
}

const countdown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

test.each([0, 1, 3])(
  'while %i changes are added, a page has none twice and misses none',
  async (count) => {
    expect(await (await opened(5, count)).pageOf(100)).toEqual(countdown(5, 1));
    expect(await (await opened(5, count)).pageOf(2)).toEqual(countdown(5, 4));
    expect(await (await opened(5, count)).pageOf(2, 1)).toEqual(countdown(3, 2));
    expect(await (await opened(5, count)).pageOf(2, 2)).toEqual(countdown(1, 1));
  },
);

test.each([0, 1, 3])(
  'while %i changes are added, each change is read by its number',
  async (count) => {
    for (const number of countdown(5, 1))
      expect(await (await opened(5, count)).changeOf(number)).toBe(number);
  },
);
