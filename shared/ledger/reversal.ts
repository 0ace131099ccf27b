/**
 * Reversals: an intent that names another one in `reverses` undoes what its claims have moved, as a whole or in part.
 * The ledger states each reversal on the intent that it undoes, so what is left to undo follows from that record alone.
 * Ruling 92, Decision 104.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import { movedClaimsOf } from './capture.ts';
import type { FailureReason } from './errors.ts';
import { isLimit } from './limit.ts';
import type { LedgerRecord } from './record.ts';

/** A part of one claim of the undone intent. */
export interface UndoneClaim {
  /** The index of the claim, from 0. */
  readonly claim: number;
  /** In the smallest unit of its symbol. */
  readonly amount: number;
}

/** `reversing` while the reversal waits, `reversed` once it is committed, `reinstated` when it failed. */
export const reversalStatuses = ['reversing', 'reversed', 'reinstated'] as const;
export type ReversalStatus = (typeof reversalStatuses)[number];

/** One reversal of an intent, as the ledger stated it last. */
export interface ReversalShare {
  /** The handle of the reversal. */
  readonly by: string;
  readonly status: ReversalStatus;
  readonly claims: readonly UndoneClaim[];
}

/** The claims that a reversal undoes, or the reason why it fails. */
export type Undoing =
  | { readonly undoes: true; readonly claims: readonly UndoneClaim[] }
  | { readonly undoes: false; readonly reason: FailureReason; readonly detail: string };

type ReversalStated = Pick<ReversalShare, 'by' | 'status'>;

const moved: ReadonlySet<string> = new Set(['committed', 'completed']);

/** True for a statement of the ledger on a reversal, which is no status of the intent itself. */
export function isReversalStatement({ status, by }: Readonly<Record<string, unknown>>): boolean {
  return typeof by === 'string' && (reversalStatuses as readonly unknown[]).includes(status);
}

/** The statement on a reversal; `claims` with the first one, and with one that changes them. */
export function reversalStatementOf(
  { by, status, claims }: ReversalStated & Partial<ReversalShare>,
  moment: string,
): Readonly<Record<string, unknown>> {
  return { status, by, ...(claims && { claims }), moment };
}

/** The reversals of an intent, each once. */
export function sharesIn({ meta }: Pick<LedgerRecord, 'meta'>): ReversalShare[] {
  const shares = new Map<string, ReversalShare>();
  for (const { origin, custom = {} } of meta.proofs) {
    if (origin !== undefined || !isReversalStatement(custom)) continue;
    const { by, status, claims } = custom as unknown as Partial<ReversalShare> & ReversalStated;
    shares.set(by, { by, status, claims: claims ?? shares.get(by)?.claims ?? [] });
  }
  return [...shares.values()];
}

/** The intent as if this reversal had no share. */
export function withoutShare(record: LedgerRecord, by: string): LedgerRecord {
  const proofs = record.meta.proofs.filter(
    ({ origin, custom = {} }) =>
      origin !== undefined || !isReversalStatement(custom) || custom['by'] !== by,
  );
  return { ...record, meta: { ...record.meta, proofs } };
}

/** The amounts that are left to undo of each claim; nothing of a limit. Below zero where more was undone than was moved. */
export function leftOf(record: LedgerRecord): number[] {
  const left = movedClaimsOf(record).map((claim) => (isLimit(claim) ? 0 : claim.amount));
  for (const { status, claims } of sharesIn(record))
    if (status !== 'reinstated')
      for (const { claim, amount } of claims) left[claim] = (left[claim] ?? 0) - amount;
  return left;
}

/** The claims of an intent that these claims undo, as far as they are left. */
export function undoingOf(record: LedgerRecord, claims: readonly Claim[]): Undoing {
  const { handle } = record.data;
  // The author of a reversal need not be allowed to read the intent, so its status is not said.
  if (!moved.has(record.meta.status))
    return invalid(`Intent ${handle} has moved nothing: nothing of it can be reversed.`);
  const left = leftOf(record);
  const rests = movedClaimsOf(record).map((claim, index) => {
    const amount = left[index] as number;
    return { claim: index, text: textOf(claim), before: amount, amount };
  });
  for (const [index, claim] of claims.entries()) {
    const opposite = textOfOpposite(claim);
    const meant = rests.filter(({ text }) => text === opposite);
    if (meant.length === 0) return invalid(`Claim ${index} undoes no claim of intent ${handle}.`);
    let missing = claim.amount;
    for (const rest of meant) {
      const part = Math.max(0, Math.min(missing, rest.amount));
      rest.amount -= part;
      missing -= part;
    }
    if (missing > 0) return exceeded(index, handle);
  }
  const undone = rests.map((one) => ({ claim: one.claim, amount: one.before - one.amount }));
  return { undoes: true, claims: undone.filter(({ amount }) => amount > 0) };
}

/** The names in a claim, as they were signed. */
function textOf(claim: Claim): string | undefined {
  if (isLimit(claim)) return undefined;
  const source = 'source' in claim ? handleOf(claim.source) : '';
  const target = 'target' in claim ? handleOf(claim.target) : '';
  return `${handleOf(claim.symbol)} ${source} ${target}`;
}

/** The names in the claim that this one undoes: a transfer back, an issue for a destroy, a destroy for an issue. */
function textOfOpposite(claim: Claim): string | undefined {
  if (isLimit(claim)) return '';
  const source = 'source' in claim ? handleOf(claim.source) : '';
  const target = 'target' in claim ? handleOf(claim.target) : '';
  return `${handleOf(claim.symbol)} ${target} ${source}`;
}

function invalid(detail: string): Undoing {
  return { undoes: false, reason: 'core.reversal-invalid', detail };
}

function exceeded(index: number, handle: string): Undoing {
  const detail = `Claim ${index} takes back more than is left of intent ${handle}.`;
  return { undoes: false, reason: 'core.reversal-exceeded', detail };
}
