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

/** The time for which a process that has a key waits for a newer one, in milliseconds. */
const waitMsMax = 1_000;

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
  const readAgain = async (handle: string): Promise<KnownIdentity | undefined> => {
    const [readMs, remembered] = [clock(), known.get(handle)];
    const [secret] = await store.load([{ what: 'secret', scope: handle }]);
    if (!secret) return undefined;
    const found = { readMs, ...(await unwrapped(keyring, handle, secret, remembered)) };
    if (!remembered && known.size >= identityCountMax)
      known.delete(known.keys().next().value ?? '');
    known.set(handle, found);
    return found;
  };
  return async function identityOf(handle) {
    const remembered = known.get(handle);
    const ageMs = remembered ? Math.abs(clock() - remembered.readMs) : keyMsMax;
    if (remembered && ageMs < keyMsMax) return identityIn(handle, remembered, clock());
    const reading = readAgain(handle);
    const found = await (remembered ? inTime(reading, remembered) : reading);
    return found && identityIn(handle, found, clock());
  };
}

/**
 * The keys that are read, or those that are remembered when the database fails, or takes its time: without it nothing is
 * stored, and what is answered says so under the key that was last known.
 */
async function inTime(
  reading: Promise<KnownIdentity | undefined>,
  remembered: KnownIdentity,
): Promise<KnownIdentity | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<KnownIdentity>((resolve) => {
    timer = setTimeout(resolve, waitMsMax, remembered);
  });
  const read = reading.catch(() => remembered);
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
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
