/**
 * Writes and reads the ledger's statements on an intent: each status change is a proof, and every later decision reads
 * these proofs. Also decides how long an intent waits, and which proofs count as consent. Rulings 46 to 50.
 */

import type { IntentData } from '../shape/intent.ts';
import type { Proof } from '../shape/proof.ts';
import { assert } from './assert.ts';
import type { Entry } from './balance.ts';
import type { ChangeAction, ChangeStep, LedgerRecord, Version } from './record.ts';
import type { IntentOutcome } from './settle.ts';
import type { BridgedEntry, BridgeReport, Status, Thread } from './thread.ts';

/** The final statuses. Every intent ends in exactly one of them, once. */
export const finalStatuses = ['completed', 'rejected'] as const;

const pending = 'pending';
const due = 'due';
const extended = 'extended';
const undecided: ReadonlySet<string> = new Set(['pending', 'processing', 'prepared']);
const decisions: ReadonlySet<unknown> = new Set(['committed', 'aborted']);
const ends: ReadonlySet<string> = new Set(finalStatuses);
/** The first statement with one of these statuses marks the moment of the reservation. */
const reserving: ReadonlySet<unknown> = new Set(['processing', 'prepared']);
const unsupported = 'core.bridge-unsupported-operation';
/** The statuses of proofs that are no consent: by which an author opposes the intent, or only gives it more time. */
const dissents: ReadonlySet<unknown> = new Set(['failed', 'aborted', 'rejected', extended]);

/** True for a status that no later version of an intent changes. */
export function isFinal(status: string): boolean {
  return ends.has(status);
}

/**
 * The number of proofs up to the last that states another status, of whoever: also `extended`, `due`, or that of a
 * reversal. Versions with the same number have the same status, and those of a later time with that status have a higher
 * one. Decision 126.
 */
export function statusSince({ meta }: LedgerRecord): number {
  const isOther = ({ custom = {} }: Proof) =>
    typeof custom['status'] === 'string' &&
    custom['handle'] === undefined &&
    custom['status'] !== meta.status;
  return meta.proofs.findLastIndex(isOther) + 1;
}

/** A statement of the ledger: the `custom` of a proof that it will sign. */
export type Statement = Readonly<Record<string, unknown>>;

/** One change by the ledger: the new status, and the statements of its proofs. */
export interface StatusAdvance {
  readonly status: string;
  readonly statements: readonly Statement[];
}

/** Gives an entry its handle, `deb_…` or `cre_…`. */
export type EntryHandles = (schema: Entry['schema']) => string;

/**
 * The first statement: the intent is stored. It names the expiry of an intent that has to wait, and the moment of one
 * that takes effect later. Decisions 39 and 99.
 */
export function pendingOf(
  luid: string,
  moment: string,
  expiry?: string,
  notBefore?: string,
): StatusAdvance {
  const times = {
    ...(expiry !== undefined && { expiry }),
    ...(notBefore !== undefined && { notBefore }),
  };
  return { status: pending, statements: [{ luid, ...times, ...statusAt(pending, moment) }] };
}

/** The statement that the moment of an intent has come while signatures are missing. Decision 99. */
export function dueOf(moment: string): StatusAdvance {
  return { status: pending, statements: [statusAt(due, moment)] };
}

/** The statement that an undecided intent has a later expiry. Ruling 88. */
export function extendedOf(status: string, expiry: string, moment: string): StatusAdvance {
  return { status, statements: [{ expiry, ...statusAt(extended, moment) }] };
}

/** True for a statement of the ledger on the times of an intent, which states no status. */
export function isOfTimes({ handle, status }: Statement): boolean {
  return handle === undefined && (status === due || status === extended);
}

/** The statuses that an intent passes in one commit, with the facts for the statements. */
export interface StatusCourse {
  readonly statuses: readonly string[];
  /** ISO 8601 UTC. */
  readonly moment: string;
  /** The entries to resolve with the first of the statuses. */
  readonly resolved?: readonly ResolvedEntry[];
  /** More for the statement of `committed`. */
  readonly decision?: Statement;
  /** The failure reason; required where `statuses` has `failed`. */
  readonly failure?: Pick<FailedOutcome, 'reason' | 'detail'>;
}

/** An outcome that fails. */
type FailedOutcome = IntentOutcome & { readonly settles: false };

/** The changes and statements for a sequence of statuses, one change for each. Rulings 46 to 48, Decision 2. */
export function advancesOf({
  statuses,
  moment,
  resolved = [],
  decision,
  failure,
}: StatusCourse): StatusAdvance[] {
  return statuses.map((status, index) => {
    const word = statusAt(status, moment);
    if (status === 'failed') {
      assert(failure, 'an intent fails for a reason');
      return { status, statements: [{ ...word, reason: failure.reason, detail: failure.detail }] };
    }
    const entries = index === 0 ? resolved : [];
    const more = status === 'committed' ? decision : undefined;
    return {
      status,
      statements: [
        ...entries.map((one) => ({ ...one, ...statusAt('resolved', moment) })),
        { ...word, ...more },
      ],
    };
  });
}

/** The entries as the ledger states them, without those of a supply, which is no wallet. Ruling 48. */
export function resolvedOf(
  entries: readonly Entry[],
  handleOfEntry: EntryHandles,
): ResolvedEntry[] {
  return entries.flatMap(({ holder, schema, symbol, amount, inputs, bridge }) => {
    if (holder === 'supply') return [];
    const size = Number(amount < 0n ? -amount : amount);
    return {
      ...{ handle: handleOfEntry(schema), schema, wallet: holder.wallet, symbol },
      ...{ amount: size, inputs },
      ...(bridge !== undefined && { bridge }),
    };
  });
}

/** Rebuilds entries from the ledger's statements on them. */
export function entriesOfResolved(resolved: readonly ResolvedEntry[]): Entry[] {
  return resolved.map(({ schema, wallet, symbol, amount, inputs, bridge }) => ({
    ...{ schema, holder: { wallet }, symbol, inputs },
    amount: schema === 'debit' ? -BigInt(amount) : BigInt(amount),
    ...(bridge !== undefined && { bridge }),
  }));
}

/** The outcome of an intent that expired. Rulings 47 and 50. */
export const expired: FailedOutcome = {
  settles: false,
  reason: 'core.intent-expired',
  detail: 'The intent was still waiting when its time was over.',
};

/** The ledger's statement on one entry. Ruling 48. */
export interface ResolvedEntry {
  /** `deb_…` or `cre_…`. */
  readonly handle: string;
  readonly schema: Entry['schema'];
  readonly wallet: string;
  readonly symbol: string;
  /** In the symbol's smallest unit, always positive. */
  readonly amount: number;
  /** Indexes of the claims that it comes from, counted from 0. */
  readonly inputs: readonly number[];
  /** Handle of the bridge that is called for it. */
  readonly bridge?: string;
}

export function resolvedIn({ meta }: LedgerRecord): ResolvedEntry[] {
  return meta.proofs.flatMap(({ origin, custom }) =>
    origin === undefined && custom?.['status'] === 'resolved'
      ? (custom as unknown as ResolvedEntry)
      : [],
  );
}

/** The statement that a bridge does not support what an entry requires. */
export function unsupportedOf(entry: string, detail: string, moment: string): Statement {
  return { handle: entry, ...statusAt('failed', moment), reason: unsupported, detail };
}

/** The entries at bridges, each with the reports that were accepted for it. Ruling 56. */
export function bridgedIn({
  record,
  accepted = [],
}: Pick<Version, 'record' | 'accepted'>): BridgedEntry[] {
  const { proofs } = record.meta;
  const reported = proofs.filter((_, index) => accepted.includes(index));
  return resolvedIn(record).flatMap(({ handle, schema, bridge }) => {
    if (bridge === undefined) return [];
    const own = reported.filter(({ custom }) => custom?.['handle'] === handle);
    return { handle, schema, bridge, reported: own.map(reportIn) };
  });
}

/** The thread of these intents, the first one first. */
export function threadOf(versions: readonly Version[]): Thread {
  const [first] = versions;
  assert(first, 'a thread has an intent');
  const { config } = first.record.data as unknown as IntentData;
  return {
    status: first.record.meta.status as Status,
    isManual: config?.commit === 'manual',
    ...(config?.notBefore !== undefined && { isLater: true }),
    intents: versions.map(bridgedIn),
  };
}

/** True before an intent is committed, aborted or failed. Rulings 50 and 51. */
export function isUndecided({ meta }: LedgerRecord): boolean {
  return undecided.has(meta.status);
}

/** True while an intent waits for further signatures. Ruling 49. */
export function isPending({ meta }: LedgerRecord): boolean {
  return meta.status === pending;
}

/** The expiry of an undecided intent, ISO 8601 UTC; undefined for one that does not expire. Decision 39. */
export function expiryOf(record: LedgerRecord): string | undefined {
  return isUndecided(record) ? statedExpiryOf(record) : undefined;
}

/**
 * From when the sweeper checks an intent that has not ended, ISO 8601 UTC. It takes effect then, it is expired, or
 * bridges have yet to carry out its decision. Decisions 39, 70 and 99.
 */
export function watchedFrom(record: LedgerRecord): string | undefined {
  if (isFinal(record.meta.status)) return undefined;
  return isAhead(record) ? notBeforeOf(record) : statedExpiryOf(record);
}

/** The moment before which an intent does not take effect, ISO 8601 UTC; undefined where it may at once. Ruling 89. */
export function notBeforeOf(record: Pick<LedgerRecord, 'meta'>): string | undefined {
  return statementOf(record, isPendingStatus)?.['notBefore'] as string | undefined;
}

/** True until the ledger has looked at an intent that takes effect later, at its moment or after it. */
export function isAhead(record: LedgerRecord): boolean {
  const isDue = () => statementOf(record, (status) => status === due) !== undefined;
  return isPending(record) && notBeforeOf(record) !== undefined && !isDue();
}

/**
 * True for an intent that may wait longer than its ledger lets intents wait by default: it has times of its own, or was
 * extended. Reports look for these apart. Decision 100.
 */
export function waitsLong({ data, meta }: LedgerRecord): boolean {
  const { expiry, notBefore } = (data as unknown as IntentData).config ?? {};
  return (
    expiry !== undefined ||
    notBefore !== undefined ||
    statementOf({ meta }, (status) => status === extended) !== undefined
  );
}

/** The expiry as the ledger stated it last, ISO 8601 UTC. */
export function statedExpiryOf({ meta }: Pick<LedgerRecord, 'meta'>): string | undefined {
  const said = meta.proofs.findLast(
    ({ origin, custom }) => origin === undefined && custom?.['expiry'] !== undefined,
  );
  return said?.custom?.['expiry'] as string | undefined;
}

/** The moment when an intent was decided, ISO 8601 UTC; undefined before. Ruling 55. */
export function decidedAtOf(record: LedgerRecord): string | undefined {
  return statementOf(record, (status) => decisions.has(status))?.['moment'] as string | undefined;
}

/** The moment when its debits were reserved, ISO 8601 UTC; undefined when nothing was. Decision 58. */
export function reservedAtOf({ meta }: LedgerRecord): string | undefined {
  return statementOf({ meta }, (status) => reserving.has(status))?.['moment'] as string | undefined;
}

/** The moment when the ledger stated a status first, ISO 8601 UTC; undefined where it has not. */
export function statedAtOf(record: LedgerRecord, status: string): string | undefined {
  return statementOf(record, (one) => one === status)?.['moment'] as string | undefined;
}

/** The authors' proofs that consent to the intent. A proof whose status opposes it does not. Decision 38. */
export function consentsIn(proofs: readonly Proof[]): Proof[] {
  return proofs.filter(
    ({ origin, custom }) => origin !== undefined && !dissents.has(custom?.['status']),
  );
}

/** The first statement of the ledger with such a status. */
function statementOf(
  { meta }: Pick<LedgerRecord, 'meta'>,
  isMeant: (status: unknown) => boolean,
): Statement | undefined {
  return meta.proofs.find(
    ({ origin, custom }) => origin === undefined && isMeant(custom?.['status']),
  )?.custom;
}

function isPendingStatus(status: unknown): boolean {
  return status === pending;
}

/** A statement of the ledger among the accepted proofs can only be `unsupported`; bridges report the rest. */
function reportIn({ origin, custom }: Proof): BridgeReport {
  const isOfLedger = origin === undefined;
  return isOfLedger ? 'unsupported' : (custom?.['status'] as BridgeReport);
}

function statusAt(status: string, moment: string): Statement {
  return { status, moment };
}

/** The steps of a new version: one for each change, counting proofs from those that were there before. */
export function stepsOf(
  advances: readonly StatusAdvance[],
  proofsBefore: number,
  moment: string,
  first: ChangeAction = 'create',
): readonly ChangeStep[] {
  let proofs = proofsBefore;
  return advances.map(({ status, statements }, index) => {
    proofs += statements.length;
    return { action: index === 0 ? first : 'update', status, moment, proofs };
  });
}
