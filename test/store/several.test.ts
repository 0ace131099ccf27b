/** Goal: works of a list are done several at a time, and none begins after an error. */
import { expect, test } from 'vitest';
import { severalOf } from '../../shared/store/several.ts';

const numbers = Array.from({ length: 10 }, (_, number) => number);

test.each([1, 3, 10, 50])('each is done once, at most %i at a time', async (most) => {
  const done: number[] = [];
  let [running, greatest] = [0, 0];
  await severalOf(numbers, most, async (number) => {
    running += 1;
    greatest = Math.max(greatest, running);
    await new Promise((resolve) => setTimeout(resolve, (7 * number) % 5));
    running -= 1;
    done.push(number);
  });
  expect(done.toSorted((one, other) => one - other)).toEqual(numbers);
  expect(greatest).toBe(Math.min(most, numbers.length));
});

test('of nothing there is nothing to do', async () => {
  await severalOf([], 3, () => Promise.reject(new Error('nothing')));
});

test('after an error none begins', async () => {
  const begun: number[] = [];
  const work = async (number: number): Promise<void> => {
    begun.push(number);
    await Promise.resolve();
    if (number === 1) throw new Error('no table');
  };
  await expect(severalOf(numbers, 2, work)).rejects.toThrow('no table');
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(begun.length).toBeLessThanOrEqual(4);
});
