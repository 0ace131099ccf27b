/** Goal: the provider has a key that is young enough, and each key verifies until it is dropped. Decision 34. */
import { beforeEach, expect, test } from 'vitest';
import type { Identity, Services } from '../../shared/port/action.ts';
import type { Commit } from '../../shared/port/ports.ts';
import { privateKeyOf, providerKeys, signingKey } from '../../shared/record/provider.ts';
import { openDesk } from '../fixture/desk.ts';

const dayMs = 24 * 60 * 60 * 1000;
const provider = 'oauth-provider';

let services: Services;
let ledger: Identity;
let aheadMs = 0;
/** What the ledger was told to store. */
let commits: Commit[] = [];

beforeEach(async () => {
  aheadMs = 0;
  commits = [];
  const desk = await openDesk((store) => ({
    commit: async (commit) => {
      commits.push(commit);
      return store.commit(commit);
    },
  }));
  services = { ...desk.services, clock: () => Date.now() + aheadMs };
  ledger = (await services.identityOf('main')) as Identity;
});

const handleNow = async () => (await signingKey(services, ledger, provider)).record.data.handle;
const handles = async () =>
  (await providerKeys(services, 'main', provider)).map(({ record }) => record.data.handle);

test('a key signs for 90 days, and then the next one', async () => {
  const first = await handleNow();
  aheadMs = 89 * dayMs;
  expect(await handleNow()).toBe(first);
  aheadMs = 91 * dayMs;
  const second = await handleNow();
  expect(second).not.toBe(first);
  expect(await handleNow()).toBe(second);
  expect(await handles()).toEqual([second, first]);
});

test('those who need the first key at the same moment all get one, and one provider', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, handleNow));
  expect(await handles()).toEqual(expect.arrayContaining(all));
  const [made, ...others] = await services.store.list('main', 'signer', { index: 0, limit: 10 });
  expect([made, ...others].map((one) => one?.record.data.handle).sort()).toEqual([
    'log',
    provider,
    'system',
  ]);
});

test('the private half is kept wrapped, bound to ledger and factor, and nowhere else', async () => {
  const wrapped: string[] = [];
  const wrap = async (secret: Uint8Array, context: string) => {
    wrapped.push(context);
    return Uint8Array.from(secret, (byte) => byte ^ 1);
  };
  const key = await signingKey(
    { ...services, keyring: { ...services.keyring, wrap } },
    ledger,
    provider,
  );
  expect(wrapped).toEqual([`main ${key.record.luid} private`]);
  const kept = commits.flatMap(({ writes }) => writes).find(({ secrets }) => secrets);
  expect(Object.keys(kept?.secrets ?? {})).toEqual(['private']);
  // As it is kept, it is no key.
  await expect(privateKeyOf(services, 'main', key)).rejects.toThrow();
});

test('a key whose private half is gone signs nothing', async () => {
  const key = await signingKey(services, ledger, provider);
  const store = { ...services.store, load: async () => [undefined] as never };
  await expect(privateKeyOf({ ...services, store }, 'main', key)).rejects.toThrow('gone');
  expect((await privateKeyOf(services, 'main', key)).asymmetricKeyType).toBe('rsa');
});
