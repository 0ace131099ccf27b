/**
 * A reversal takes its share of the intent that it undoes in the commit that reserves or moves its amounts, and gives it
 * back in the commit that releases them. Both write the undone intent, so of two reversals one commits first and the
 * other decides anew. Ruling 92, Decision 104.
 */
import type { Capture } from '../ledger/capture.ts';
import { attachmentOf, type RecordData, type Version, versionOf } from '../ledger/record.ts';
import {
  reversalStatementOf,
  sharesIn,
  type UndoneClaim,
  undoingOf,
  withoutShare,
} from '../ledger/reversal.ts';
import type { BalanceEffect } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Scope, Write } from '../port/ports.ts';
import { readerOf } from '../record/reader.ts';
import { countersign } from '../record/sign.ts';
import { claimsOf, type Instruction, type IntentContext } from './context.ts';
import type { StepWrite, ThreadFailure, ThreadMember } from './thread.ts';

/** The intent that another one undoes, and the claims of it that are undone. */
export interface Reversal {
  readonly undone: Version;
  readonly claims: readonly UndoneClaim[];
}

type ReversalCheck =
  | { readonly is: 'refused'; readonly failure: ThreadFailure }
  | { readonly is: 'allowed'; readonly reversal?: Reversal };

/** The reversal that an instruction asks for, if any; refused when it would undo what the intent has not moved. */
export function reversalIn(
  { reversed }: IntentContext,
  { claims, reverses }: Instruction,
): ReversalCheck {
  const undone = reverses === undefined ? undefined : reversed.get(reverses);
  if (!undone) return { is: 'allowed' };
  const undoing = undoingOf(undone.record, claims);
  if (undoing.undoes) return { is: 'allowed', reversal: { undone, claims: undoing.claims } };
  const { reason, detail } = undoing;
  return { is: 'refused', failure: { reason, detail } };
}

/** The write of the undone intent when a reversal takes its share. Without effects on balances there is none. */
export function shareTaken(
  ledger: Identity,
  { data }: { readonly data: RecordData },
  { undone, claims }: Reversal,
  effects: readonly BalanceEffect[],
  moment: string,
): Write[] {
  if (effects.length === 0) return [];
  const status = effects.includes('move') ? 'reversed' : 'reversing';
  return [writeOf(ledger, undone, { by: data.handle, status, claims }, moment)];
}

/** The write of the undone intent when a thread that waited moves or releases its amounts. */
export async function shareEnded(
  services: Services,
  ledger: Identity,
  members: readonly ThreadMember[],
  { transition: { effects }, moment, captured = [] }: StepWrite,
): Promise<Write[]> {
  const { handle: by, reverses } = members[0]?.record.data ?? { handle: '' };
  if (typeof reverses !== 'string' || effects.length === 0) return [];
  const undone = await readerOf(services.store, ledger.handle).record('intent', reverses);
  const share = undone && sharesIn(undone.record).find((one) => one.by === by);
  if (!undone || share?.status !== 'reversing') return [];
  if (!effects.includes('move'))
    return [writeOf(ledger, undone, { by, status: 'reinstated' }, moment)];
  const claims = captured.length > 0 ? capturedShare(undone, members, captured) : undefined;
  return [writeOf(ledger, undone, { by, status: 'reversed', ...(claims && { claims }) }, moment)];
}

/** The share of a reversal that its decision captures in part; the rest can be reversed again. */
function capturedShare(
  { record }: Version,
  members: readonly ThreadMember[],
  captured: readonly Capture[],
): readonly UndoneClaim[] | undefined {
  const { data } = (members[0] as ThreadMember).record;
  const claims = claimsOf(data).map((claim, index) => {
    const { amount = claim.amount } = captured.find((one) => one.claim === index) ?? {};
    return { ...claim, amount };
  });
  const undoing = undoingOf(withoutShare(record, data.handle), claims);
  return undoing.undoes ? undoing.claims : undefined;
}

/** The undone intent with one more statement of the ledger. */
function writeOf(
  ledger: Identity,
  undone: Version,
  share: Parameters<typeof reversalStatementOf>[0],
  now: string,
): Write {
  const { record } = undone;
  const { status } = record.meta;
  const before = undone.steps.at(-1)?.moment ?? now;
  const moment = [before, now].sort().at(-1) ?? now;
  const said = countersign(ledger, record.hash, reversalStatementOf(share, moment));
  const proofs = [...record.meta.proofs, said];
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  const next = {
    ...versionOf('intent', { ...record, meta: { ...record.meta, proofs } }, [step], undone),
    ...attachmentOf(undone),
  };
  const scope: Scope = ledger.handle;
  const signals = [{ signal: 'intent-updated', change: next.change }];
  return { scope, next, previous: undone, signals };
}
