/** The keys of ledgers in the memory of a process: they are read again after a minute, and what is known is not waited for. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeed, publicOf } from '../../shared/crypto/key.ts';
import type { Secret, Store } from '../../shared/port/ports.ts';
import { identities, keyMsMax } from '../../shared/record/identity.ts';

const keyring = {
  wrap: async (seed: Uint8Array) => seed,
  unwrap: vi.fn(async (seed: Uint8Array) => seed),
};
const newSecret = (): Secret => {
  const wrapped = createSeed();
  return { public: publicOf(wrapped), wrapped };
};

let nowMs: number;
let secret: Secret | undefined;
let load: (() => Promise<[Secret | undefined]>) | undefined;
let loads: number;
const store = {
  load: async () => {
    loads += 1;
    return load ? load() : [secret];
  },
} as unknown as Store;
const find = () => identities(store, keyring, () => nowMs);

beforeEach(() => {
  [nowMs, loads, load, secret] = [Date.now(), 0, undefined, newSecret()];
  keyring.unwrap.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a key is read once a minute, and unwrapped once', async () => {
  const identityOf = find();
  const first = await identityOf('main');
  nowMs += keyMsMax - 1;
  expect(await identityOf('main')).toEqual(first);
  expect(loads).toBe(1);
  nowMs += 1;
  expect(await identityOf('main')).toEqual(first);
  expect([loads, keyring.unwrap.mock.calls.length]).toEqual([2, 1]);
});

test('a rotated key is there a minute later, with the one before until its end', async () => {
  const identityOf = find();
  const before = secret as Secret;
  await identityOf('main');
  secret = { ...newSecret(), former: { ...before, untilMs: nowMs + 2 * keyMsMax } };
  expect((await identityOf('main'))?.key.public).toBe(before.public);
  nowMs += keyMsMax;
  const rotated = await identityOf('main');
  expect([rotated?.key.public, rotated?.former?.public]).toEqual([secret.public, before.public]);
  nowMs += keyMsMax + 1;
  expect(await identityOf('main')).not.toHaveProperty('former');
});

test('a ledger that is not there is asked for again', async () => {
  secret = undefined;
  const identityOf = find();
  expect(await identityOf('main')).toBeUndefined();
  secret = newSecret();
  expect((await identityOf('main'))?.key.public).toBe(secret.public);
});

test('a database that fails or hangs leaves the key that is known, and an unknown one is an error', async () => {
  const identityOf = find();
  const known = await identityOf('main');
  nowMs += keyMsMax;
  load = () => Promise.reject(new Error('no database'));
  expect(await identityOf('main')).toEqual(known);
  await expect(identityOf('other')).rejects.toThrow('no database');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  load = () => new Promise(() => {});
  const asked = identityOf('main');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await asked).toEqual(known);
});
