/** The status of an effect as the ledger sets it: told nothing, or told again. Ruling 61. */
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { RequestBody } from '../shape/effect.ts';
import type { Action, Identity, Services } from './action.ts';
import { commitDecided, laterMoment, newToken } from './commit.ts';
import { findRecord, parameterOf } from './find.ts';
import type { Write } from './ports.ts';
import { countersign } from './sign.ts';

/** Status of an effect that is told nothing. */
export const inactive = 'inactive';
const active = 'active';

/** Lets an effect be told again. Ruling 18. */
export const activate: Action = {
  body: RequestBody,
  signed: 'record',
  run: async (call) => {
    const { record } = await findRecord(call, 'effect', parameterOf(call, 'id'));
    if (record.meta.status === inactive)
      await setEffectStatus(call.services, call.ledger, record, active);
    return { status: 202 };
  },
};

/** Gives an effect another status, by the ledger's word; nothing happens when it is gone. */
export async function setEffectStatus(
  services: Services,
  ledger: Identity,
  effect: LedgerRecord,
  status: string,
): Promise<void> {
  const scope = ledger.handle;
  const { handle } = effect.data;
  await commitDecided(services, async () => {
    const [previous] = await services.store.load([
      { what: 'record', scope, kind: 'effect', handle },
    ]);
    const isThere = previous?.record.luid === effect.luid && previous.record.meta.status !== status;
    const writes = isThere ? [writeOf(services, ledger, previous, status)] : [];
    return { commit: { token: newToken(), writes }, result: undefined };
  });
}

function writeOf(services: Services, ledger: Identity, previous: Version, status: string): Write {
  const { record } = previous;
  const moment = laterMoment(services.clock(), previous);
  const proof = countersign(ledger, record.hash, { luid: record.luid, moment, status });
  const proofs = [...record.meta.proofs, proof];
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  const changed = { ...record, meta: { ...record.meta, proofs, status } };
  const next = versionOf(previous.kind, changed, [step], previous);
  const signals = [{ signal: 'effect-proofs-added', change: next.change }];
  return { scope: ledger.handle, next, previous, signals };
}
