/** The moment that a signature of the ledger states over something that happened before. Ruling 99, Decision 136. */
import { clockToleranceMs, keyFor, keysOf } from '../log/key-table.ts';
import type { Identity, Services } from '../port/action.ts';
import { systemSigner } from './sign.ts';

/** A moment in milliseconds; the time of now for one from before the ledger had its key, which verifiers refuse. */
export async function statedMs(
  { clock, store }: Pick<Services, 'clock' | 'store'>,
  { handle: scope, key }: Identity,
  moment: string,
): Promise<number> {
  const [nowMs, atMs] = [clock(), Date.parse(moment)];
  // A key that signs now counts for so long before.
  if (nowMs - atMs <= clockToleranceMs) return atMs;
  const want = { what: 'record', scope, kind: 'signer', handle: systemSigner } as const;
  const [system] = await store.load([{ ...want, mayBeRecent: true }]);
  const keys = system ? keysOf(system.record) : [];
  return keyFor(keys, { public: key.public, custom: { moment } }) ? atMs : nowMs;
}
