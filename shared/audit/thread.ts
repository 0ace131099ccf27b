/**
 * Invariant 5, between the intents of a thread: they commit or fail as one, so they have the same status, name the same
 * members, and each but the first forwards what an earlier one has received. Ruling 43.
 */
import { handleOf } from '../ledger/address.ts';
import { isSame } from '../ledger/alteration.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { threadSizeMax } from '../ledger/routing.ts';
import { claimsIn } from './claimed.ts';
import { type ItemHistory, versionsOf } from './history.ts';
import { intentAt, membersOf } from './members.ts';
import { isAuthored } from './proof.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';
import { besides, entriesIn, isForwarded, statusesOf } from './word.ts';

/** Checks an intent against the others of its thread. */
export function* checkThread(
  history: ItemHistory,
  version: Version,
  subject: ViolationSubject,
): Finding {
  const { record, together } = version;
  const { thread } = record.meta;
  if (isAlone(version)) return;
  if (!isThread(version)) {
    yield violationOf(5, subject, 'The intent does not say who belongs to its thread.', {
      expected: `2 to ${threadSizeMax} intents, ${thread ?? record.data.handle} first`,
      found: together?.join(', '),
    });
    return;
  }
  yield* isForwarded(record)
    ? checkForwarded(history, version, subject)
    : checkMembers(history, version, subject);
}

/** True when all intents of a thread exist and went through the same statuses. */
export function isWhole(history: ItemHistory, version: Version): boolean {
  if (!isAlone(version) && !isThread(version)) return false;
  const all = membersOf(history);
  const statuses = statusesOf(version);
  const isComplete = all.length === (version.together?.length ?? 1);
  return isComplete && all.every((one) => isSame(statusesOf(one), statuses));
}

function isAlone({ record, together }: Version): boolean {
  return record.meta.thread === undefined && together === undefined;
}

/** Checks a forwarded intent: the ledger made it, and the first intent names it. */
function* checkForwarded(
  history: ItemHistory,
  version: Version,
  subject: ViolationSubject,
): Finding {
  const { record, together } = version;
  const { thread = '', owners } = record.meta;
  const first = intentAt(history, thread);
  if (!first)
    yield violationOf(5, subject, `The first intent of its thread, ${thread}, is missing.`);
  if (first && !isSame(first.together, together))
    yield violationOf(5, subject, 'The intents of the thread do not name the same members.', {
      expected: first.together?.join(', '),
      found: together?.join(', '),
    });
  const created = versionsOf(history)[0];
  const isSigned = created?.record.meta.proofs
    .slice(0, created.steps[0]?.proofs)
    .some((proof) => isAuthored(proof));
  if (isSigned || owners.length > 0)
    yield violationOf(5, subject, 'The intent was forwarded, and others than the ledger made it.', {
      expected: 'no owners',
      found: owners.join(', '),
    });
}

/** Checks the other intents of a thread, from its first one. */
function* checkMembers(history: ItemHistory, version: Version, subject: ViolationSubject): Finding {
  const statuses = statusesOf(version).join(', ');
  for (const handle of besides(version)) {
    const other = intentAt(history, handle);
    if (!other) {
      yield violationOf(5, subject, `The intent ${handle} of its thread is missing.`);
      continue;
    }
    const found = statusesOf(other).join(', ');
    if (found !== statuses)
      yield violationOf(5, subject, 'The intents of the thread are not in the same status.', {
        expected: statuses,
        found: `${found} of ${handle}`,
      });
  }
  yield* checkPassedOn(membersOf(history), subject);
}

/** Checks that a forwarded amount has come to the wallet before, and is forwarded once. */
function* checkPassedOn(members: readonly Version[], subject: ViolationSubject): Finding {
  const arrived: string[] = [];
  for (const member of members) {
    const { record } = member;
    const passed = isForwarded(record) ? sourceOf(record) : undefined;
    const place = passed === undefined ? -1 : arrived.indexOf(passed);
    if (place >= 0) arrived.splice(place, 1);
    if (passed !== undefined && place < 0)
      yield violationOf(
        5,
        subject,
        `The intent ${record.data.handle} passes on what nobody received.`,
        {
          expected: arrived.join(' or '),
          found: passed,
        },
      );
    arrived.push(...creditsOf(member));
  }
}

/** The amount that a forwarded intent takes, and its wallet: it has one claim. */
function sourceOf({ data }: LedgerRecord): string {
  const [claim, ...more] = claimsIn(data) ?? [];
  if (claim?.action !== 'transfer' || more.length > 0) return 'something else';
  return textOfMoney(handleOf(claim.source), claim.symbol, claim.amount);
}

/** The amounts that the claims of an intent brought, and their wallets. */
function creditsOf(version: Version): string[] {
  const claims = claimsIn(version.record.data) ?? [];
  return entriesIn(version).flatMap(({ schema, wallet, inputs }) =>
    schema === 'credit'
      ? inputs.flatMap((input) => {
          const claim = claims[input];
          return claim ? textOfMoney(wallet, claim.symbol, claim.amount) : [];
        })
      : [],
  );
}

function textOfMoney(
  wallet: string,
  symbol: Parameters<typeof handleOf>[0],
  amount: number,
): string {
  return `${amount} ${handleOf(symbol)} of ${wallet}`;
}

/** True when an intent names the members of its thread, itself among them. */
function isThread({ record, together = [] }: Version): boolean {
  const { data, meta } = record;
  const size = new Set(together).size;
  return (
    together[0] === meta.thread &&
    together.includes(data.handle) &&
    size === together.length &&
    size > 1 &&
    size <= threadSizeMax
  );
}

/** The earliest moment of a forwarded intent: that of the first of its thread. */
export function beginningOf(history: ItemHistory, { meta }: LedgerRecord): string | undefined {
  return meta.thread === undefined ? undefined : intentAt(history, meta.thread)?.record.meta.moment;
}
