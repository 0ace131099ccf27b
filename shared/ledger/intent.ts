/**
 * What the ledger says about an intent, proof by proof, and the changes that these proofs make; until when
 * an intent waits, and whose proofs want it. Rulings 46 to 50.
 */

import type { IntentData } from '../shape/intent.ts';
import type { Proof } from '../shape/proof.ts';
import { assert } from './assert.ts';
import type { Entry } from './balance.ts';
import type { ChangeAction, LedgerRecord, Step, Version } from './record.ts';
import type { Outcome } from './settle.ts';
import type { BridgedEntry, Report, Status, Thread } from './thread.ts';

/** The statuses in which an intent ends; it is in exactly one of them, reached once. */
export const finalStatuses = ['completed', 'rejected'] as const;

const pending = 'pending';
const undecided: ReadonlySet<string> = new Set(['pending', 'processing', 'prepared']);
const decisions: ReadonlySet<unknown> = new Set(['committed', 'aborted']);
const ends: ReadonlySet<string> = new Set(finalStatuses);
/** With the first of these something is reserved. */
const reserving: ReadonlySet<unknown> = new Set(['processing', 'prepared']);
const unsupported = 'core.bridge-unsupported-operation';
/** What somebody says who does not want an intent. */
const dissents: ReadonlySet<unknown> = new Set(['failed', 'aborted', 'rejected']);

/** The custom part of a proof that the ledger will sign. */
export type Words = Readonly<Record<string, unknown>>;

/** A change made by the ledger: the status that it brings, and the words that say so. */
export interface Advance {
  readonly status: string;
  readonly words: readonly Words[];
}

/** Names one entry, by its schema: `deb_…` or `cre_…`. */
export type EntryHandles = (schema: Entry['schema']) => string;

/** The ledger's first word: the intent is stored. Until when it waits is said of one that has to. Decision 39. */
export function pendingOf(luid: string, moment: string, expiry?: string): Advance {
  const waits = expiry === undefined ? {} : { expiry };
  return { status: pending, words: [{ luid, ...waits, ...said(pending, moment) }] };
}

/** What the ledger says as an intent goes through statuses, and the statuses that this brings. */
export interface Course {
  readonly statuses: readonly string[];
  /** ISO 8601 UTC. */
  readonly moment: string;
  /** The entries that are resolved on the way, in their order. */
  readonly resolved?: readonly ResolvedEntry[];
  /** Why it fails, when it does. */
  readonly refusal?: Pick<Refused, 'fault' | 'detail'>;
}

/** An outcome that is none. */
type Refused = Outcome & { readonly settles: false };

/** All that the ledger says of an intent that goes through statuses, one change for each. Rulings 46 to 48, Decision 2. */
export function advancesOf({ statuses, moment, resolved = [], refusal }: Course): Advance[] {
  return statuses.map((status, index) => {
    const word = said(status, moment);
    if (status === 'failed') {
      assert(refusal, 'an intent fails for a reason');
      return { status, words: [{ ...word, reason: refusal.fault, detail: refusal.detail }] };
    }
    const entries = index === 0 ? resolved : [];
    return {
      status,
      words: [...entries.map((one) => ({ ...one, ...said('resolved', moment) })), word],
    };
  });
}

/** Entries as the ledger resolves them. The supply of a symbol is no wallet and is not named. Ruling 48. */
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

/** Resolved entries as they move balances. */
export function entriesOfResolved(resolved: readonly ResolvedEntry[]): Entry[] {
  return resolved.map(({ schema, wallet, symbol, amount, inputs, bridge }) => ({
    ...{ schema, holder: { wallet }, symbol, inputs },
    amount: schema === 'debit' ? -BigInt(amount) : BigInt(amount),
    ...(bridge !== undefined && { bridge }),
  }));
}

/** What becomes of an intent that waited for too long. Rulings 47 and 50. */
export const expired: Refused = {
  settles: false,
  fault: 'core.intent-expired',
  detail: 'The intent was still waiting when its time was over.',
};

/** An entry as the ledger resolved it, in a word of its own. Ruling 48. */
export interface ResolvedEntry {
  /** `deb_…` or `cre_…`. */
  readonly handle: string;
  readonly schema: Entry['schema'];
  readonly wallet: string;
  readonly symbol: string;
  /** In the symbol's smallest unit, always positive. */
  readonly amount: number;
  /** The claims that it comes from, counted from 0. */
  readonly inputs: readonly number[];
  /** Handle of the bridge that is called for it. */
  readonly bridge?: string;
}

/** The entries that the ledger has resolved, in their order. */
export function resolvedIn({ meta }: LedgerRecord): ResolvedEntry[] {
  return meta.proofs.flatMap(({ origin, custom }) =>
    origin === undefined && custom?.['status'] === 'resolved'
      ? (custom as unknown as ResolvedEntry)
      : [],
  );
}

/** What a word of the ledger about an entry says, when it says that a bridge does not do such things. */
export function unsupportedOf(entry: string, detail: string, moment: string): Words {
  return { handle: entry, ...said('failed', moment), reason: unsupported, detail };
}

/** The entries at bridges, each with what counts of all that was reported of it. Ruling 56. */
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

/** A thread as its intents stand, the first one first. */
export function threadOf(versions: readonly Version[]): Thread {
  const [first] = versions;
  assert(first, 'a thread has an intent');
  const { config } = first.record.data as unknown as IntentData;
  return {
    status: first.record.meta.status as Status,
    isManual: config?.commit === 'manual',
    intents: versions.map(bridgedIn),
  };
}

/** Whether nothing is decided yet of an intent. Rulings 50 and 51. */
export function isUndecided({ meta }: LedgerRecord): boolean {
  return undecided.has(meta.status);
}

/** Whether an intent waits for further signatures. Ruling 49. */
export function isPending({ meta }: LedgerRecord): boolean {
  return meta.status === pending;
}

/** Until when an intent waits, ISO 8601 UTC; undefined for one that does not. Decision 39. */
export function expiryOf(record: LedgerRecord): string | undefined {
  return isUndecided(record) ? watchedFrom(record) : undefined;
}

/**
 * From when on somebody has to look after an intent that has not ended, ISO 8601 UTC: its time is over, or bridges have
 * yet to do what was decided. Decisions 39 and 70.
 */
export function watchedFrom(record: LedgerRecord): string | undefined {
  if (ends.has(record.meta.status)) return undefined;
  return wordOf(record, isPendingWord)?.['expiry'] as string | undefined;
}

/** When an intent was decided, ISO 8601 UTC; undefined as long as it is not. Ruling 55. */
export function decidedAtOf(record: LedgerRecord): string | undefined {
  return wordOf(record, (status) => decisions.has(status))?.['moment'] as string | undefined;
}

/** When what an intent moves was reserved, ISO 8601 UTC; undefined when nothing was. Decision 58. */
export function reservedAtOf({ meta }: LedgerRecord): string | undefined {
  return wordOf({ meta }, (status) => reserving.has(status))?.['moment'] as string | undefined;
}

/**
 * The proofs by which its authors want an intent to happen: who signs that it failed, or is to end, does
 * not want it. Decision 38.
 */
export function consentsIn(proofs: readonly Proof[]): Proof[] {
  return proofs.filter(
    ({ origin, custom }) => origin !== undefined && !dissents.has(custom?.['status']),
  );
}

/** The first word of the ledger with such a status. */
function wordOf(
  { meta }: Pick<LedgerRecord, 'meta'>,
  isMeant: (status: unknown) => boolean,
): Words | undefined {
  return meta.proofs.find(
    ({ origin, custom }) => origin === undefined && isMeant(custom?.['status']),
  )?.custom;
}

function isPendingWord(status: unknown): boolean {
  return status === pending;
}

/** Only the ledger says of a bridge that it does not do such things. */
function reportIn({ origin, custom }: Proof): Report {
  const isOfLedger = origin === undefined;
  return isOfLedger ? 'unsupported' : (custom?.['status'] as Report);
}

function said(status: string, moment: string): Words {
  return { status, moment };
}

/** The changes that the advances make on top of so many proofs: a create when they are the first, then updates. */
export function stepsOf(
  advances: readonly Advance[],
  proofsBefore: number,
  moment: string,
  first: ChangeAction = 'create',
): readonly Step[] {
  let proofs = proofsBefore;
  return advances.map(({ status, words }, index) => {
    proofs += words.length;
    return { action: index === 0 ? first : 'update', status, moment, proofs };
  });
}
