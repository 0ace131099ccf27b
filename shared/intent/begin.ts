/**
 * The beginning of an intent that was signed for later: at its moment, rights and balances are looked at as they are
 * then. Where signatures are missing, the ledger states that the moment has come, and the intent waits for them until it
 * expires. The first process to commit wins; repeating it changes nothing. Ruling 89, Decision 99.
 */
import { LedgerError } from '../ledger/errors.ts';
import { dueOf } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call, Identity, Services } from '../port/action.ts';
import type { WaitingIntent } from '../port/expiries.ts';
import { newWork } from '../port/request-budget.ts';
import { commitDecided, type Decided, laterMoment, newToken } from '../record/commit.ts';
import { readerFor, readerOf } from '../record/reader.ts';
import { guessedBridges } from './bridges-ahead.ts';
import {
  claimsOf,
  type IntentContext,
  instructionOf,
  readIntentContext,
  walletsNamed,
} from './context.ts';
import { haveQuorums, statusesAhead } from './four-eyes.ts';
import { unchanged } from './members.ts';
import { isDue, isExpired } from './overdue.ts';
import { haveRights } from './rights.ts';
import { settlementOf } from './settlement.ts';
import { commitSigned } from './signed.ts';
import { statedIn } from './thread.ts';

/** Begins an intent whose moment has come. One that is early, expired or further on stays as it is. */
export async function begin(
  services: Services,
  ledger: Identity,
  { scope, luid, handle }: WaitingIntent,
): Promise<void> {
  await commitDecided<Version | undefined>(services, async () => {
    const previous = await readerOf(services.store, scope).record('intent', handle);
    const moment = previous && laterMoment(services.clock(), previous);
    const mayBegin =
      previous?.record.luid === luid &&
      moment !== undefined &&
      isDue(previous.record, moment) &&
      !isExpired([previous], moment);
    if (!mayBegin) return { commit: { token: newToken(), writes: [] }, result: undefined };
    return beginningOf(callFor(services, ledger, previous.record), previous, moment);
  });
}

async function beginningOf(
  call: Call,
  previous: Version,
  moment: string,
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { data, meta } = previous.record;
  const claims = claimsOf(data);
  const bridges = guessedBridges(services, ledger.handle, walletsNamed(claims));
  const context = await readIntentContext(readerFor(call), instructionOf(data), bridges);
  if (!(await haveRights(call, context, claims, meta.proofs)))
    return dueCommit(ledger, previous, moment);
  if (!(await isSeen(call, context, previous.record))) return dueCommit(ledger, previous, moment);
  const settlement = await settlementOf(call, context, instructionOf(data), moment);
  return commitSigned(call, context, unchanged(previous), settlement, moment);
}

/** True when every policy about the intent has its quorum. A policy that cannot be judged has none. Ruling 93. */
async function isSeen(call: Call, context: IntentContext, record: LedgerRecord): Promise<boolean> {
  return haveQuorums(call, context, record, statusesAhead(record)).catch((error) => {
    if (error instanceof LedgerError) return false;
    throw error;
  });
}

/** The commit of the statement that the moment has come. */
async function dueCommit(
  ledger: Identity,
  previous: Version,
  moment: string,
): Promise<Decided<Version>> {
  const next = await statedIn(
    ledger,
    { previous, next: { ...previous, steps: [] } },
    dueOf(moment),
  );
  const signals = [{ signal: 'intent-updated', change: next.change }];
  const write = { scope: ledger.handle, previous, next, signals };
  return { commit: { token: newToken(), writes: [write] }, result: next };
}

/** The call of a step that no request brings: its callers are the signers of the intent, and it has no token. */
function callFor(services: Services, ledger: Identity, { luid, meta }: LedgerRecord): Call {
  return {
    ...{ services, ledger, path: { id: luid }, query: {} },
    body: { meta: { proofs: meta.proofs } },
    work: newWork(services),
  };
}
