import { expect, test } from 'vitest';
import { turns } from '../../shared/delivery/turns.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('so many of a name are done at a time, in their order, whatever becomes of them', async () => {
  const run = turns(2);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const doing = (name: string, one: string) =>
    run(name, () => {
      begun.push(one);
      return new Promise<string>((resolve, reject) => {
        ends.set(one, (error) => (error ? reject(error) : resolve(one)));
      });
    }).catch(() => 'failed');
  const all = ['a', 'b', 'c', 'd'].map((one) => doing('host', one));
  const other = doing('other', 'x');
  await settled();
  expect(begun).toEqual(['a', 'b', 'x']);
  ends.get('b')?.(new Error('no'));
  await settled();
  expect(begun).toEqual(['a', 'b', 'x', 'c']);
  for (const one of ['a', 'c', 'x']) ends.get(one)?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'd']);
  ends.get('d')?.();
  expect(await Promise.all([...all, other])).toEqual(['a', 'failed', 'c', 'd', 'x']);
  expect(await run('host', async () => 'again')).toBe('again');
});
