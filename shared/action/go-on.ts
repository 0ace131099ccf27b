/**
 * A pending intent that goes on: with the proof that it was waiting for it settles in that very request, and
 * after its time it is rejected. Whoever is first ends it, since each write is of the version that was read;
 * who comes later decides anew, and is kept as audit data. Rulings 48 to 50.
 */
import { endingOf, expired, expiryOf, stepsOf } from '../ledger/intent.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import type { Outcome } from '../ledger/settle.ts';
import type { Call, Identity, Services } from './action.ts';
import { commitDecided, type Decided, laterMoment, newToken } from './commit.ts';
import type { WaitingIntent } from './expiries.ts';
import type { Move, Write } from './ports.ts';
import { haveRights } from './rights.ts';
import { claimsOf, movesOf, readScene } from './scene.ts';
import {
  advanceSignals,
  entryHandles,
  receiptSignals,
  settlementOf,
  spokenOf,
} from './settlement.ts';

/** What is to be written of a pending intent; `next` holds what the request adds to it, if it adds anything. */
interface Revision extends Pick<Write, 'scope' | 'signals'> {
  readonly previous: Version;
  readonly next?: Version;
}

/** Goes as far as it can with the proof that the write adds; undefined when it has to be decided anew. */
export async function goOn(
  call: Call,
  write: Revision & { readonly next: Version },
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { record, steps } = write.next;
  const moment = steps.at(-1)?.moment ?? record.meta.moment;
  if (isOver(record, moment)) return decidedOf(ended(services, ledger, write, expired, moment));
  const claims = claimsOf(record.data);
  const scene = await readScene(call, claims);
  if (!(await haveRights(call, scene, claims, record.meta.proofs))) return decidedOf(write);
  const settlement = await settlementOf(call, scene, claims);
  if (!settlement) return undefined;
  const last = ended(services, ledger, write, settlement.outcome, moment);
  return decidedOf(last, movesOf(ledger.handle, scene, settlement.moves));
}

/** Rejects an intent that has waited for too long; nothing happens when it does not wait any more. */
export async function expire(
  services: Services,
  ledger: Identity,
  { scope, luid, handle }: WaitingIntent,
): Promise<void> {
  await commitDecided(services, async () => {
    const want = { what: 'record', scope, kind: 'intent', handle } as const;
    const [previous] = await services.store.load([want]);
    const nothing = { commit: { token: newToken(), writes: [] }, result: undefined };
    if (previous?.record.luid !== luid) return nothing;
    const moment = laterMoment(services.clock(), previous);
    if (!isOver(previous.record, moment)) return nothing;
    const write = ended(services, ledger, { scope, previous, signals: [] }, expired, moment);
    return { commit: { token: newToken(), writes: [write] }, result: undefined };
  });
}

/** The write that ends an intent on top of what the request adds. */
function ended(
  services: Services,
  ledger: Identity,
  { scope, previous, next, signals }: Revision,
  outcome: Outcome,
  moment: string,
): Write & { readonly previous: Version } {
  const { record, steps } = next ?? { record: previous.record, steps: [] };
  const advances = endingOf(outcome, moment, entryHandles(services));
  const more = stepsOf(advances, record.meta.proofs.length, moment, 'update');
  const spoken = spokenOf(ledger, record, advances);
  const last = versionOf('intent', spoken, [...steps, ...more], previous);
  const told = [...advanceSignals(last, steps.length), ...receiptSignals(last, outcome)];
  return { scope, next: last, previous, signals: [...signals, ...told] };
}

/** Whether an intent waits that should not at this moment. Texts of moments sort as the times they name. */
function isOver(record: LedgerRecord, moment: string): boolean {
  const expiry = expiryOf(record);
  return expiry !== undefined && moment >= expiry;
}

function decidedOf(write: Write, moves: readonly Move[] = []): Decided<Version> {
  return { commit: { token: newToken(), writes: [write], moves }, result: write.next };
}
