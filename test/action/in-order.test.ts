/** Goal: tasks that share a name run in their order, others at once, and not too many. Decision 102. */
import { expect, test } from 'vitest';
import { inOrder } from '../../shared/action/in-order.ts';

/** Tasks that take a turn of the event loop each, and a log of their beginnings and ends. */
function tasksOf(names: readonly (readonly string[])[]) {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const tasks = names.map((own, index) => ({
    names: own,
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      log.push(`${index} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${index} ends`);
      running -= 1;
      return index;
    },
  }));
  return { tasks, log, most: () => most };
}

test('tasks that share a name run one after the other, also through others', async () => {
  const { tasks, log } = tasksOf([['a'], ['a', 'b'], ['b']]);
  expect(await inOrder(tasks, 8)).toEqual([0, 1, 2]);
  expect(log).toEqual(['0 begins', '0 ends', '1 begins', '1 ends', '2 begins', '2 ends']);
});

test('others run at once, and no more than so many', async () => {
  const { tasks, most } = tasksOf([['a'], ['b'], ['c'], ['d'], ['e']]);
  expect(await inOrder(tasks, 3)).toEqual([0, 1, 2, 3, 4]);
  expect(most()).toBe(3);
});

test('an error is thrown when all others have ended', async () => {
  const { tasks, log } = tasksOf([['a'], ['b'], ['a']]);
  const failing = { names: ['a'], run: () => Promise.reject(new Error('no')) };
  await expect(inOrder([failing, ...tasks], 8)).rejects.toThrow('no');
  expect(log.filter((line) => line.endsWith('ends'))).toHaveLength(3);
});
