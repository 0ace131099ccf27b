/**
 * Identities of the hosted ledgers. Their keys change by rotation alone, so each process reads them again after a
 * minute, and unwraps those that it does not have. Ruling 99, Decision 116.
 */
import { privateKeyOf } from '../crypto/key.ts';
import { isLuid } from '../crypto/luid.ts';
import type { SigningKey } from '../crypto/proof.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Identity } from '../port/action.ts';
import type { Clock, Keyring, Secret, Store } from '../port/ports.ts';

/** The size of each cache; the oldest entry is dropped first. */
const identityCountMax = 1_000;
/** The age at which a process reads a key again, in milliseconds. A rotated key counts for far longer. Decision 116. */
export const keyMsMax = 60_000;

interface KnownIdentity {
  readonly readMs: number;
  readonly own: SigningKey;
  readonly former?: SigningKey & { readonly untilMs: number };
}

/** Finds ledgers by handle. A handle without a ledger is not cached. */
export function identities(
  store: Store,
  keyring: Keyring,
  clock: Clock = Date.now,
): (handle: string) => Promise<Identity | undefined> {
  const known = new Map<string, KnownIdentity>();
  const readAgain = async (
    handle: string,
    remembered: KnownIdentity | undefined,
  ): Promise<KnownIdentity | undefined> => {
    const readMs = clock();
    const [secret] = await store.load([{ what: 'secret', scope: handle }]);
    return secret && { readMs, ...(await unwrapped(keyring, handle, secret, remembered)) };
  };
  return async function identityOf(handle) {
    const remembered = known.get(handle);
    const ageMs = remembered ? Math.abs(clock() - remembered.readMs) : keyMsMax;
    if (remembered && ageMs < keyMsMax) return identityIn(handle, remembered, clock());
    const found = await readAgain(handle, remembered).catch((error: unknown) => {
      // Without a database nothing is stored, and what is answered says so under the key that was last known.
      if (remembered) return remembered;
      throw error;
    });
    if (!found) return undefined;
    if (!remembered && known.size >= identityCountMax)
      known.delete(known.keys().next().value ?? '');
    known.set(handle, found);
    return identityIn(handle, found, clock());
  };
}

function identityIn(handle: string, { own, former }: KnownIdentity, nowMs: number): Identity {
  return { handle, key: own, ...(former && nowMs <= former.untilMs && { former }) };
}

/** The keys of a secret. Those that are known are not unwrapped again. */
async function unwrapped(
  keyring: Keyring,
  handle: string,
  { former, ...own }: Secret,
  remembered: KnownIdentity | undefined,
): Promise<Omit<KnownIdentity, 'readMs'>> {
  const keyOf = async ({ public: key, wrapped }: Secret): Promise<SigningKey> => {
    const same = [remembered?.own, remembered?.former].find((one) => one?.public === key);
    if (same) return { public: key, privateKey: same.privateKey };
    return { public: key, privateKey: privateKeyOf(await keyring.unwrap(wrapped, handle)) };
  };
  return {
    own: await keyOf(own),
    ...(former && { former: { ...(await keyOf(former)), untilMs: former.untilMs } }),
  };
}

/** Finds the handles of ledgers by luid. Ruling 76. */
export function handlesByLuid(store: Store): (luid: string) => Promise<string | undefined> {
  const known = new Map<string, string>();
  return async function handleOf(luid) {
    const remembered = known.get(luid);
    if (remembered !== undefined) return remembered;
    if (!isLuid(luid, lineOf('ledger').prefix)) return undefined;
    const [pointer] = await store.load([{ what: 'pointer', scope: '', kind: 'ledger', luid }]);
    if (pointer?.kind !== 'ledger') return undefined;
    if (known.size >= identityCountMax) known.delete(known.keys().next().value ?? '');
    known.set(luid, pointer.handle);
    return pointer.handle;
  };
}
