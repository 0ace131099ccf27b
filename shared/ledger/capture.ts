/**
 * Captures: the part of a hold that its decision takes. The deciding proof names claims with amounts, and the ledger
 * states with `committed` which claims it took in part. So what a decided intent moves follows from its record alone:
 * from the entries that were resolved and from this statement. A record without the statement moved everything. Ruling
 * 87, Decision 97.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import { LedgerError } from './errors.ts';
import { type ResolvedEntry, resolvedIn, type Statement } from './intent.ts';
import { isLimit } from './limit.ts';
import type { NetMove } from './net-move.ts';
import type { LedgerRecord, Version } from './record.ts';

/** The amount that is taken of one claim, which is named by its index. */
export interface Capture {
  readonly claim: number;
  /** In the symbol's smallest unit, 1 to the amount of the claim. */
  readonly amount: number;
}

const members: ReadonlySet<string> = new Set(['claim', 'amount']);
const form = 'a list of {claim, amount}, one for each claim that is taken in part';

/**
 * The claims that a decision takes in part, in the order of the claims; those that it names whole are left out. Refuses
 * with `record.invalid` a capture that is no such list, names no claim that holds an amount, names one twice, takes
 * nothing or more than is held, or takes a part of what a bridge has prepared or a route forwards.
 */
export function capturesOf(
  capture: unknown,
  { record, together = [] }: Pick<Version, 'record' | 'together'>,
): Capture[] {
  if (!Array.isArray(capture) || capture.length === 0)
    throw new LedgerError('record.invalid', `The capture of a decision is ${form}.`);
  const found = capture.map((one, index) => captureIn(one, index, record));
  for (const [index, { claim }] of found.entries())
    if (found.findIndex((one) => one.claim === claim) < index)
      throw refused(index, `names claim ${claim}, which another one names already.`, { claim });
  const parts = found.filter(({ amount, held }) => amount < held);
  for (const part of parts) assertDivisible(part, found.indexOf(part), record, together.length);
  return parts
    .map(({ claim, amount }) => ({ claim, amount }))
    .toSorted((one, other) => one.claim - other.claim);
}

/** Refuses with `record.invalid` a capture in the custom of a proof that commits nothing. */
export function assertNoCapture(custom: Readonly<Record<string, unknown>> = {}): void {
  if (custom['capture'] === undefined) return;
  const detail =
    'A capture belongs to the decision that commits a manual intent, and to no other proof.';
  throw new LedgerError('record.invalid', detail);
}

/** The claims that the decision of an intent took in part, as the ledger stated; none for one that is undecided. */
export function capturedIn({ meta }: Pick<LedgerRecord, 'meta'>): readonly Capture[] {
  const said = meta.proofs.find(
    ({ origin, custom }) => origin === undefined && custom?.['status'] === 'committed',
  )?.custom;
  const captured = said?.['captured'];
  return Array.isArray(captured) ? captured.filter(isCapture) : [];
}

/** The part of the ledger's `committed` statement that says what was captured; empty when everything was. */
export function captureStatementOf(captured: readonly Capture[]): Statement {
  return captured.length > 0 ? { captured } : {};
}

/**
 * The entries that an intent moves for good once it is committed, in the order in which they were resolved: of claims
 * that were captured in part, the part. Everything that is counted, published or booked after the decision is derived
 * from these.
 */
export function movedEntriesOf(record: LedgerRecord): ResolvedEntry[] {
  return capturedEntries(resolvedIn(record), capturedIn(record));
}

/** The claims of an intent with the amounts that they move for good once it is committed. */
export function movedClaimsOf(record: LedgerRecord): readonly Claim[] {
  const captured = capturedIn(record);
  return claimsOf(record).map((claim, index) => {
    const { amount = claim.amount } = captured.find((one) => one.claim === index) ?? {};
    return { ...claim, amount };
  });
}

/** Entries with the captured amounts. An entry of several claims lies at a bridge, and is never captured in part. */
export function capturedEntries(
  entries: readonly ResolvedEntry[],
  captured: readonly Capture[],
): ResolvedEntry[] {
  return entries.map((entry) => {
    const part = captured.find(({ claim }) => entry.inputs.includes(claim));
    return part ? { ...entry, amount: part.amount } : entry;
  });
}

/**
 * The moves of a decision that captures a part, from the moves that were reserved and those of the captured entries,
 * both for the same balances: they release everything that was reserved, and move what is captured.
 */
export function capturedMoves(held: readonly NetMove[], taken: readonly NetMove[]): NetMove[] {
  return taken.map((move, index) => {
    const { needs, transfers } = held[index] as NetMove;
    const uncaptured = { count: 0, amount: transfers.amount - move.transfers.amount };
    return { ...move, needs, ...(uncaptured.amount > 0n && { uncaptured }) };
  });
}

/** One element of a capture; refused unless it takes a part or the whole of a claim. */
function captureIn(
  one: unknown,
  index: number,
  record: LedgerRecord,
): Capture & { readonly held: number } {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw refused(index, `is none: a capture is ${form}.`);
  const unknown = Object.keys(one).find((name) => !members.has(name));
  if (unknown !== undefined) throw refused(index, `has the unknown member '${unknown}'.`);
  const { claim, amount } = one as Record<string, unknown>;
  const claims = claimsOf(record);
  const meant = typeof claim === 'number' ? claims[claim] : undefined;
  if (typeof claim !== 'number' || !meant)
    throw refused(index, `names no claim: the intent has the claims 0 to ${claims.length - 1}.`, {
      claim,
    });
  if (isLimit(meant))
    throw refused(index, `names claim ${claim}, which sets a limit and holds nothing.`, { claim });
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1)
    throw refused(index, `takes no amount of claim ${claim}: an amount is a whole number from 1.`, {
      claim,
    });
  if (amount > meant.amount)
    throw refused(index, `takes ${amount} of claim ${claim}, which holds ${meant.amount}.`, {
      ...{ claim, held: meant.amount },
    });
  return { claim, amount, held: meant.amount };
}

/** Refuses a part of a claim whose other side cannot be divided. */
function assertDivisible(
  { claim }: Capture,
  index: number,
  record: LedgerRecord,
  threadSize: number,
): void {
  const bridge = resolvedIn(record).find(({ inputs, bridge: at }) => at && inputs.includes(claim));
  if (bridge)
    throw refused(
      index,
      `takes a part of claim ${claim}, which bridge ${bridge.bridge} has prepared as a whole.`,
      { claim, entry: bridge.handle },
    );
  if (threadSize > 1)
    throw refused(
      index,
      `takes a part of claim ${claim}, and routes forward what the intent moves as a whole.`,
      {
        claim,
      },
    );
}

function refused(
  index: number,
  fault: string,
  custom: Readonly<Record<string, unknown>> = {},
): LedgerError {
  return new LedgerError('record.invalid', `Capture ${index} ${fault}`, {
    capture: index,
    ...custom,
  });
}

function isCapture(one: unknown): one is Capture {
  const { claim, amount } = Object(one) as Record<string, unknown>;
  return Number.isSafeInteger(claim) && Number.isSafeInteger(amount);
}

function claimsOf({ data }: LedgerRecord): readonly Claim[] {
  return (data as unknown as IntentData).claims;
}
