/** Identities of the hosted ledgers. Their keys never change, so each is read and unwrapped once per process. */
import { privateKeyOf } from '../crypto/key.ts';
import { isLuid } from '../crypto/luid.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Identity } from '../port/action.ts';
import type { Keyring, Store } from '../port/ports.ts';

/** The size of each cache; the oldest entry is dropped first. */
const identityCountMax = 1_000;

/** Finds ledgers by handle. A handle without a ledger is not cached. */
export function identities(
  store: Store,
  keyring: Keyring,
): (handle: string) => Promise<Identity | undefined> {
  const known = new Map<string, Identity>();
  return async function identityOf(handle) {
    const remembered = known.get(handle);
    if (remembered) return remembered;
    const [secret] = await store.load([{ what: 'secret', scope: handle }]);
    if (!secret) return undefined;
    const privateKey = privateKeyOf(await keyring.unwrap(secret.wrapped, handle));
    const identity = { handle, key: { public: secret.public, privateKey } };
    if (known.size >= identityCountMax) known.delete(known.keys().next().value ?? '');
    known.set(handle, identity);
    return identity;
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
