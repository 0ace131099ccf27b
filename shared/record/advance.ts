/** Status changes that the ledger makes by itself, each recorded as a proof of the ledger. */
import { type Kind, nameOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { inactive } from '../ledger/vouching.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Write } from '../port/ports.ts';
import { commitDecided, laterMoment, newToken } from './commit.ts';
import { countersign } from './sign.ts';

/** A status, the statement with it in the ledger's proof, and the statuses that it may follow; absent for any. */
export interface Advance {
  readonly status: string;
  readonly statement?: Readonly<Record<string, unknown>>;
  readonly after?: readonly string[];
}

/**
 * Changes the status of a record on the ledger's own behalf. It does nothing when the record is gone, has the
 * status already, or may not change to it from its current one.
 */
export async function advance(
  services: Services,
  ledger: Identity,
  kind: Kind,
  { luid, data }: LedgerRecord,
  to: Advance,
): Promise<void> {
  const handle = nameOf(kind, data);
  const want = { what: 'record', scope: ledger.handle, kind, handle } as const;
  await commitDecided(services, async () => {
    const [previous] = await services.store.load([want]);
    const isThere = previous?.record.luid === luid && isDue(previous, to);
    const writes = isThere ? [writeOf(services, ledger, previous, to)] : [];
    return { commit: { token: newToken(), writes }, result: undefined };
  });
}

function isDue({ record }: Version, { status, after }: Advance): boolean {
  const before = record.meta.status;
  return before !== status && (after?.includes(before) ?? true);
}

function writeOf(
  services: Services,
  ledger: Identity,
  previous: Version,
  { status, statement }: Advance,
): Write {
  const { kind, record } = previous;
  const { luid, hash, meta } = record;
  const moment = laterMoment(services.clock(), previous);
  const proof = countersign(ledger, hash, { ...statement, luid, moment, status });
  const proofs = [...meta.proofs, proof];
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  const changed = { ...record, meta: { ...meta, proofs, status } };
  const next = versionOf(kind, changed, [step], previous);
  const signals = [{ signal: `${kind}-proofs-added`, change: next.change }];
  return { scope: ledger.handle, next, previous, signals };
}

/** Makes an effect inactive on the ledger's own behalf; does nothing when it is gone. */
export function deactivateEffect(
  services: Services,
  ledger: Identity,
  effect: LedgerRecord,
): Promise<void> {
  return advance(services, ledger, 'effect', effect, { status: inactive });
}
