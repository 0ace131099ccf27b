import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remembering, resolveName } from '../../shared/outgoing/resolve.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('localhost is loopback, whatever a resolver says', async () => {
  expect(await resolveName('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await resolveName('hooks.localhost')).toEqual(['127.0.0.1', '::1']);
});

test('a name is asked for once in 5 s, for all who wait', async () => {
  const ask = vi.fn(async (name: string) => [name === 'a.example' ? '192.0.2.1' : '192.0.2.2']);
  const resolve = remembering(ask);
  const both = await Promise.all([resolve('a.example'), resolve('a.example')]);
  expect(both).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  expect(await resolve('b.example')).toEqual(['192.0.2.2']);
  expect(ask).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(4999);
  await resolve('a.example');
  expect(ask).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  await resolve('a.example');
  expect(ask).toHaveBeenCalledTimes(3);
});

test('a name without an address is asked for again', async () => {
  const answers = [
    async () => [],
    () => Promise.reject(new Error('no')),
    async () => ['192.0.2.1'],
  ];
  const resolve = remembering(async () => (await answers.shift()?.()) ?? []);
  expect(await resolve('a.example')).toEqual([]);
  await expect(resolve('a.example')).rejects.toThrow('no');
  expect(await resolve('a.example')).toEqual(['192.0.2.1']);
  expect(await resolve('a.example')).toEqual(['192.0.2.1']);
});

test('a thousand names are remembered, and the oldest is forgotten first', async () => {
  const ask = vi.fn(async () => ['192.0.2.1']);
  const resolve = remembering(ask);
  for (let index = 0; index <= 1000; index += 1) await resolve(`${index}.example`);
  await resolve('1.example');
  expect(ask).toHaveBeenCalledTimes(1001);
  await resolve('0.example');
  expect(ask).toHaveBeenCalledTimes(1002);
});
