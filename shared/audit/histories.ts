/** Checking histories, a batch at a time, and counting them. */
import { timeOfLuid } from '../crypto/luid.ts';
import type { Version } from '../ledger/record.ts';
import { countersOf, isGoverning } from '../ledger/rulebook.ts';
import { checkChain } from './chain.ts';
import { accountVouching } from './credit.ts';
import {
  currentOf,
  handleOfLife,
  type ItemHistory,
  readLives,
  retraced,
  type Trace,
  versionsOf,
} from './history.ts';
import { checkExpiry, checkIntent } from './intent.ts';
import { isDecided, movementsOf } from './movement.ts';
import { checkMentions, checkOutbox } from './outbox.ts';
import { checkPlaces, claimsOf } from './place.ts';
import { type AuditRun, count, latenessMsMax, roundCountMax, waitFor } from './run.ts';
import { verifyLife } from './signature.ts';
import type { AuditViolation } from './violation.ts';
import { isForwarded, isOfStatus, wordsOf } from './word.ts';

/** The undecided intents that are read again at a time. */
const waitingLengthMax = 100;
/** The statuses in which an intent, or another one of its thread, waits for a bridge. Ruling 46. */
const awaiting: ReadonlySet<unknown> = new Set(['processing', 'committed', 'aborted']);
/** The silence of a bridge from which its intents are counted as longer, in milliseconds. */
const longMs = 60 * 60_000;

interface Checked {
  readonly life: ItemHistory;
  readonly proofs: number;
  readonly violations: readonly AuditViolation[];
}

/** Checks the histories of these cursors and counts them; returns the violations. */
export async function auditLives(
  course: AuditRun,
  traces: readonly Trace[],
): Promise<AuditViolation[]> {
  const lives = await readLives(course.source, course.systemKeys, traces);
  const checked = await Promise.all(lives.map((life) => checkLife(course, life)));
  const odd = traces.filter((_, index) => (checked[index]?.violations.length ?? 0) > 0);
  const confirmed = course.options.isLive
    ? await confirm(course, odd, new Map(checked.map((one) => [one.life.luid, one])))
    : new Map<string, Checked>();
  const final = checked.map((one) => confirmed.get(one.life.luid) ?? one);
  for (const one of final) account(course, one);
  return final.flatMap(({ violations }) => violations);
}

/** Counts the movements of intents that have gone on since they were counted. */
export async function accountWaiting(course: AuditRun): Promise<void> {
  const { source, systemKeys, sums, waiting } = course;
  const all = [...waiting];
  for (let start = 0; start < all.length; start += waitingLengthMax) {
    const some = all.slice(start, start + waitingLengthMax);
    const lives = await readLives(
      source,
      systemKeys,
      some.map(([, { trace }]) => trace),
    );
    for (const [index, [name, { trace, moved }]] of some.entries()) {
      const life = lives[index];
      const version = life && currentOf(life);
      if (!version) continue;
      const movements = movementsOf(life);
      sums.move(life.scope, movements.slice(moved));
      if (isDecided(version)) waiting.delete(name);
      else waiting.set(name, { trace, moved: movements.length });
    }
  }
}

/** Checks a history without reading. */
async function checkLife({ options }: AuditRun, life: ItemHistory): Promise<Checked> {
  const { proofs, violations } = await verifyLife(life);
  return {
    life,
    proofs,
    violations: [
      ...violations,
      ...checkChain(life),
      ...checkPlaces(life),
      ...checkMentions(life),
      ...checkOutbox(life),
      ...checkIntent(life),
      // In a ledger at rest no sweeper ends expired intents.
      ...(options.isLive ? checkExpiry(life, options.nowMs()) : []),
    ],
  };
}

/**
 * Reads histories again that look wrong: their items were read one after the other, and a change may have come in
 * between. A real violation is found each time, and in the same way.
 */
async function confirm(
  course: AuditRun,
  suspects: readonly Trace[],
  first: ReadonlyMap<string, Checked>,
): Promise<ReadonlyMap<string, Checked>> {
  const latest = new Map<string, Checked>();
  let traces = suspects;
  for (let round = 0; round < roundCountMax && traces.length > 0; round += 1) {
    await waitFor(round);
    const fresh = await retraced(course.source, traces);
    const lives = await readLives(course.source, course.systemKeys, fresh);
    for (const { life, proofs, violations } of await Promise.all(
      lives.map((life) => checkLife(course, life)),
    )) {
      const before = (latest.get(life.luid) ?? first.get(life.luid))?.violations ?? [];
      const names = new Set(before.map(nameOfViolation));
      const lasting = violations.filter((violation) => names.has(nameOfViolation(violation)));
      latest.set(life.luid, { life, proofs, violations: lasting });
    }
    traces = fresh.filter(({ luid }) => (latest.get(luid)?.violations.length ?? 0) > 0);
  }
  return latest;
}

/** A name of the violation that stays the same when the record goes on. */
function nameOfViolation({ invariant, change, fact }: AuditViolation): string {
  return `${invariant} ${change} ${fact}`;
}

function account(course: AuditRun, { life, proofs }: Checked): void {
  const handle = handleOfLife(life);
  const ledger = life.kind === 'ledger' ? (handle ?? '') : life.scope;
  if (life.kind === 'ledger' && handle !== undefined) course.ledgers.add(handle);
  count(course, ledger, 'records');
  count(course, ledger, 'versions', versionsOf(life).length);
  count(course, ledger, 'proofs', proofs);
  for (const key of claimsOf(life)) course.tally.claim(key);
  if (life.kind === 'intent') accountIntent(course, life);
  accountRule(course, life);
  const governing = versionsOf(life).find(isGoverning);
  accountVouching(course, ledger, life, governing?.steps[0]?.moment);
}

function accountRule({ rules }: AuditRun, life: ItemHistory): void {
  const version = currentOf(life);
  const laid = version ? countersOf(version.kind, version.record) : [];
  const counts = rules.get(life.scope) ?? new Map();
  for (const rule of laid) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (laid.length > 0) rules.set(life.scope, counts);
}

function accountIntent(course: AuditRun, life: ItemHistory): void {
  const { scope, luid } = life;
  count(course, scope, 'intents');
  if (course.options.isLive && timeOfLuid(luid) >= course.startMs - latenessMsMax)
    course.recent.add(`${scope}#${luid}`);
  const version = versionsOf(life).at(-1);
  if (!version) return;
  countAwaited(course, version);
  const movements = movementsOf(life);
  course.sums.move(scope, movements);
  // The movements of a thread are counted with its first intent.
  if (!course.options.isLive || isDecided(version) || isForwarded(version.record)) return;
  const { handle } = version.record.data;
  const trace = { scope, kind: 'intent', luid, handle, hasPast: true } as const;
  course.waiting.set(`${scope}#${luid}`, { trace, moved: movements.length });
}

/** Counts an intent that waits for a bridge, for the report. Ruling 55. */
function countAwaited({ report, options }: AuditRun, version: Version): void {
  const { status, moment } = wordsOf(version).findLast(isOfStatus) ?? {};
  if (!awaiting.has(status)) return;
  report.awaited.intents += 1;
  if (Date.parse(String(moment)) + longMs < options.nowMs()) report.awaited.longer += 1;
}
