/**
 * An atomic batch: its intents are judged one by one as their creates would be, and then settled and stored as one. An
 * intent that would be refused, fail or wait refuses them all. Ruling 90, Decision 103.
 */
import { withoutHiddenHolder } from '../access/allow.ts';
import { type BatchFault, faultOf, refuseFaults } from '../intent/batch-fault.ts';
import { claimsOf, type IntentContext } from '../intent/context.ts';
import { missingRights } from '../intent/rights.ts';
import { batchCountMax } from '../intent/thread.ts';
import { type BatchMember, commitTogether } from '../intent/together.ts';
import { assert } from '../ledger/assert.ts';
import { type ErrorCustom, LedgerError } from '../ledger/errors.ts';
import { isFinal, isPending } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { draftOf } from '../record/author.ts';
import { commitDecided, type Decided } from '../record/commit.ts';
import { checkedCall, storedAs } from './batch-element.ts';
import { decideIntent, type IntentDecision, rootOf } from './create-intent.ts';
import { withoutWrites } from './without-writes.ts';

interface StoredBatch {
  /** 200 where all of them were stored before. */
  readonly status: 200 | 201;
  readonly records: readonly LedgerRecord[];
}

/** Stores all intents, or throws and stores none. The same batch again is answered with its records. */
export async function storeTogether(call: Call, bodies: readonly unknown[]): Promise<StoredBatch> {
  const calls = await judged(bodies, async (body) => checkedCall(call, body));
  assertDistinct(calls);
  const before = await storedBefore(calls);
  if (before) return { status: 200, records: before };
  const decide = () => decideTogether(call, calls);
  try {
    const versions = await commitDecided(call.services, decide);
    return { status: 201, records: versions.map(({ record }) => record) };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    // Another request may have been faster: the same batch, whatever that has changed for this one, or one with a handle.
    const others = await storedBefore(calls);
    if (others) return { status: 200, records: others };
    if (error.reason === 'record.duplicated') await decide();
    throw error;
  }
}

/** Runs a check of each element; throws all errors of elements together, and anything else as it is. */
async function judged<Element, Result>(
  elements: readonly Element[],
  check: (element: Element) => Promise<Result>,
): Promise<Result[]> {
  const outcomes = await Promise.allSettled(elements.map(check));
  const faults: BatchFault[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    const { reason } = outcome;
    if (!(reason instanceof LedgerError) || reason.reason === 'api.request-timeout') throw reason;
    faults.push(faultOf(index, reason));
  }
  refuseFaults(faults);
  return outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Refuses two intents of one handle, and two that reverse the same intent. */
function assertDistinct(calls: readonly Call[]): void {
  const drafts = calls.map((one) => draftOf(one).data);
  const repeated = (member: string, fault: (handle: string) => LedgerError) =>
    drafts.flatMap((data, index) => {
      const name = data[member];
      const isFirst = drafts.findIndex((other) => other[member] === name) === index;
      return name === undefined || isFirst ? [] : [faultOf(index, fault(String(name)))];
    });
  refuseFaults([
    ...repeated('handle', (handle) => {
      const detail = `Another intent of the batch has the handle ${handle}.`;
      return new LedgerError('record.duplicated', detail);
    }),
    ...repeated('reverses', (handle) => {
      const detail = `Another intent of the batch reverses ${handle}; only one can in a batch.`;
      return new LedgerError('record.invalid', detail);
    }),
  ]);
}

/** The records of the batch when all of them were stored and completed before. */
async function storedBefore(calls: readonly Call[]): Promise<LedgerRecord[] | undefined> {
  const stored = await Promise.all(calls.map(storedAs));
  const done = stored.flatMap((one) => (one?.record.meta.status === 'completed' ? one.record : []));
  return done.length === calls.length ? done : undefined;
}

async function decideTogether(
  call: Call,
  calls: readonly Call[],
): Promise<Decided<readonly Version[]> | undefined> {
  // More than these never fit.
  const measured = calls.slice(0, batchCountMax);
  const decisions = await judged(measured, (own) => decideAlone(own));
  const contexts = decisions.map((one) => one.context);
  if (!haveSameWallets(contexts)) return undefined;
  const context = mergedOf(contexts);
  const members = measured.map((own, index): BatchMember => {
    const { authored } = decisions[index] as IntentDecision;
    return { call: own, root: rootOf(own, draftOf(own), authored) };
  });
  return commitTogether(call, context, members, calls.length);
}

/** Decides an intent as if it had come alone. One that would wait is refused; its funds are judged later. */
async function decideAlone(call: Call): Promise<IntentDecision> {
  const trial = withoutWrites(call);
  const decision = await decideIntent(trial, draftOf(call)).catch(async (error) =>
    Promise.reject(await withoutHiddenHolder(call, 'intent', error)),
  );
  const { context, authored, decided } = decision;
  assert(decided, 'without writes, what was read is what is decided on');
  const { record } = decided.result;
  const { status } = record.meta;
  if (isFinal(status)) return decision;
  if (!isPending(record)) throw waits(`The intent would wait in the status ${status}.`);
  const missing = await missingRights(trial, context, claimsOf(record.data), authored);
  if (missing.length === 0) throw waits('The intent would wait.');
  throw waits('The intent would wait for signatures.', { missing });
}

function waits(detail: string, custom?: ErrorCustom): LedgerError {
  return new LedgerError('record.invalid', detail, custom);
}

/** True unless a wallet changed between two readings: an intent would follow routes on which it was not judged. */
function haveSameWallets(contexts: readonly IntentContext[]): boolean {
  const versions = new Map<string, string>();
  return contexts.every(({ wallets }) =>
    [...wallets].every(([handle, one]) => {
      const version = one ? `${one.record.luid} ${one.change}` : '';
      const known = versions.get(handle) ?? version;
      versions.set(handle, version);
      return known === version;
    }),
  );
}

/** All that was read for any of the intents. */
function mergedOf(contexts: readonly IntentContext[]): IntentContext {
  const [first] = contexts;
  assert(first, 'a batch has an intent');
  const all = <Item>(of: (context: IntentContext) => Map<string, Item>) =>
    new Map(contexts.flatMap((context) => [...of(context)]));
  return {
    ...first,
    wallets: all(({ wallets }) => wallets),
    symbols: all(({ symbols }) => symbols),
    balances: all(({ balances }) => balances),
    bridges: all(({ bridges }) => bridges),
    reversed: all(({ reversed }) => reversed),
  };
}
