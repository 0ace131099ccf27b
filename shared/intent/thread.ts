/**
 * The writes of a thread's step. All its intents change status in one commit, together with their balances and the
 * calls of bridges. The transitions are in `transition.ts`. Rulings 43, 46 and 55.
 */
import { shareCountMax, shareOf, spanOfLuid } from '../crypto/luid.ts';
import { volumesOf } from '../ledger/balance.ts';
import { type Capture, captureStatementOf, movedEntriesOf } from '../ledger/capture.ts';
import {
  advancesOf,
  entriesOfResolved,
  type ResolvedEntry,
  type StatusAdvance,
  stepsOf,
  watchedFrom,
} from '../ledger/intent.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import {
  attachmentOf,
  type ChangeStep,
  type IntentAttachment,
  type LedgerRecord,
  type Version,
  versionOf,
} from '../ledger/record.ts';
import type { IntentOutcome } from '../ledger/settle.ts';
import type { Transition } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Commit, Scope, Signal, Write } from '../port/ports.ts';
import { countersignAll } from '../record/sign.ts';

/** One intent of a thread: the version that was read, and the changes of the request to it. */
export interface ThreadMember extends IntentAttachment {
  /** Absent for an intent that this commit creates. */
  readonly previous?: Version;
  readonly record: LedgerRecord;
  /** The changes of the request, with one signal for each. */
  readonly steps: readonly ChangeStep[];
  readonly signals: readonly Signal[];
  /** Entries that are resolved in this step. */
  readonly resolved?: readonly ResolvedEntry[];
}

export type ThreadFailure = Pick<IntentOutcome & { readonly settles: false }, 'reason' | 'detail'>;

/** One step of a thread: a transition, and the intents to write. */
export interface StepWrite {
  readonly scope: Scope;
  readonly members: readonly ThreadMember[];
  readonly transition: Transition;
  /** ISO 8601 UTC. */
  readonly moment: string;
  readonly failure?: ThreadFailure;
  /** The claims of the first intent that a decision captures in part. */
  readonly captured?: readonly Capture[];
}

/** The DynamoDB limit of actions in a transaction, and the share of each intent and beside them. */
const actionCountMax = 100;
const actionsOfIntent = 3;
const otherActions = 4;
/** The most intents of a batch that one transaction takes, if they move one balance. */
export const batchCountMax = actionCountMax - otherActions - 1;

/** True when one transaction takes a step of a thread, of so many intents and balances. Ruling 43. */
export function stepFitsTransaction(memberCount: number, balanceCount: number): boolean {
  return memberCount * actionsOfIntent + otherActions + balanceCount <= actionCountMax;
}

/** True when one transaction takes so many new intents and balances if the intents share what they can: an estimate. */
export function batchMayFitTransaction(intentCount: number, balanceCount: number): boolean {
  return intentCount + balanceCount + otherActions <= actionCountMax;
}

/**
 * True when one transaction takes these new intents of an atomic batch, beside so many intents that it writes again and so many
 * balances. Decision 142.
 */
export function atomicBatchFitsTransaction(
  roots: readonly LedgerRecord[],
  { rewritten, balances }: { readonly rewritten: number; readonly balances: number },
): boolean {
  const shared = Math.max(otherActions, blockCountOf(roots));
  return roots.length + shared + rewritten * actionsOfIntent + balances <= actionCountMax;
}

/**
 * The room of one transaction for new intents, which share some of its actions. Each call adds intents, and returns true
 * while one transaction takes all that were added beside so many other actions. Decision 142.
 */
export function roomForIntents(): (
  added: readonly Pick<Write, 'next'>[],
  otherCount: number,
) => boolean {
  const blocks = new Set<string>();
  let [count, markerCount] = [0, 0];
  return (added, otherCount) => {
    for (const { next } of added) {
      count += 1;
      markerCount += watchedFrom(next.record) === undefined ? 0 : 1;
      for (const block of blocksOf(next.record)) blocks.add(block);
    }
    // An intent that shares nothing has three actions.
    const own = Math.min(count * actionsOfIntent, count + blocks.size);
    return own + markerCount + otherCount <= actionCountMax;
  };
}

/** The most items that the new intents have together, in outboxes and lists. */
function blockCountOf(records: readonly LedgerRecord[]): number {
  return new Set(records.flatMap(blocksOf)).size;
}

/** Names of the items of a new intent that others may share: one in an outbox, and one in a list. */
function blocksOf({ luid }: LedgerRecord): string[] {
  const share = shareOf(luid, shareCountMax);
  return [`outbox ${share}`, `${spanOfLuid(luid)} ${share}`];
}

/** The writes of a step, and the versions that must not change although the step does not write them. */
export async function writesOf(
  ledger: Identity,
  turn: StepWrite,
): Promise<Required<Pick<Commit, 'writes' | 'unchanged'>>> {
  const { scope, members, transition } = turn;
  const isUnchanged = ({ steps }: ThreadMember) =>
    transition.steps.length === 0 && steps.length === 0;
  const changed = members.map(async (member, index) =>
    isUnchanged(member) ? [] : [await writeOf(ledger, turn, member, index)],
  );
  const writes = (await Promise.all(changed)).flat();
  const unchanged = members
    .filter(isUnchanged)
    .flatMap(({ previous }) => (previous ? { scope, version: previous } : []));
  return { writes, unchanged };
}

export function entryHandles({ luids, clock }: Pick<Services, 'luids' | 'clock'>) {
  const nowMs = clock();
  return (schema: 'debit' | 'credit') =>
    luids(schema === 'debit' ? 'deb' : 'cre', nowMs).replace(/^\$(...)\./, '$1_');
}

async function writeOf(
  ledger: Identity,
  turn: StepWrite,
  member: ThreadMember,
  index: number,
): Promise<Write> {
  const { scope, transition, moment, failure, captured = [] } = turn;
  const { previous, record, steps, resolved } = member;
  const { steps: statusSteps } = transition;
  const statuses = statusSteps.map(({ status }) => status);
  const advances = advancesOf({
    ...{ statuses, moment },
    ...(resolved && { resolved }),
    ...(failure && { failure }),
    ...(index === 0 && { decision: captureStatementOf(captured) }),
  });
  const more = stepsOf(advances, record.meta.proofs.length, moment, 'update');
  const spoken = await withStatements(ledger, record, advances);
  const next: Version = {
    ...versionOf('intent', spoken, [...steps, ...more], previous),
    ...attachmentOf(member),
  };
  const first = next.change - more.length + 1;
  const published = statusSteps.map(({ calls }, place): Signal => {
    const own = calls[index] ?? [];
    const change = first + place;
    return { signal: 'intent-updated', change, ...(own.length > 0 && { calls: own }) };
  });
  const ended = statuses.includes('completed')
    ? [...receiptsOf(next), ...settingSignals(next)]
    : [];
  const signals = [...withCalls(turn, member, index), ...published, ...ended];
  return { scope, next, signals, ...(previous && { previous }) };
}

/** Calls of a report that changes no status go with the signal of the report, for all intents of the thread. */
function withCalls(
  { transition, members }: StepWrite,
  { signals }: ThreadMember,
  index: number,
): readonly Signal[] {
  const calls = transition.calls.flatMap((some, place) => {
    const other = place === index ? undefined : members[place];
    return other ? some.map((call) => ({ ...call, ...namedIn(other) })) : some;
  });
  const last = signals.length - 1;
  return calls.length === 0
    ? signals
    : signals.map((signal, place) => (place === last ? { ...signal, calls } : signal));
}

/** An intent of the thread as a call names it: as it stands after this commit. */
function namedIn({ previous, record, steps }: ThreadMember) {
  return { intent: record.data.handle, intentChange: (previous?.change ?? 0) + steps.length };
}

/** The record with the statements of the ledger, each as a proof. */
export async function withStatements(
  ledger: Identity,
  record: LedgerRecord,
  advances: readonly StatusAdvance[],
): Promise<LedgerRecord> {
  const { hash, meta } = record;
  const statements = advances.flatMap((advance) => advance.statements);
  const proofs = [...meta.proofs, ...(await countersignAll(ledger, hash, statements))];
  const status = advances.at(-1)?.status ?? meta.status;
  return { ...record, meta: { ...meta, proofs, status } };
}

/** The version with one more statement of the ledger, which changes no status. */
export async function statedIn(
  ledger: Identity,
  {
    previous,
    next,
  }: { readonly previous: Version; readonly next: Pick<Version, 'record' | 'steps'> },
  advance: StatusAdvance,
): Promise<Version> {
  const { record, steps } = next;
  const moment = String(advance.statements.at(-1)?.['moment']);
  const more = stepsOf([advance], record.meta.proofs.length, moment, 'update');
  const said = await withStatements(ledger, record, [advance]);
  return { ...versionOf('intent', said, [...steps, ...more], previous), ...attachmentOf(previous) };
}

/** One signal for each balance that received an amount, once the intent is completed. Ruling 58, Decision 6. */
function receiptsOf({ record, change }: Version): Signal[] {
  return [...volumesOf(entriesOfResolved(movedEntriesOf(record))).values()]
    .filter(({ credits }) => credits > 0n)
    .map(({ wallet, symbol, credits }) => ({
      signal: 'balance-received',
      change,
      custom: { wallet, symbol, amount: String(credits) },
    }));
}

/** One signal for each limit that was set, once the intent is completed. Ruling 58. */
function settingSignals(version: Version): Signal[] {
  return settingsOfIntent(version).map(({ wallet, symbol, metric, amount }) => ({
    signal: 'wallet-limited',
    change: version.change,
    custom: { wallet, symbol, metric, amount: String(amount) },
  }));
}
