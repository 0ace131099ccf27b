/** Checking histories, a batch at a time, and counting them. */
import { timeOfLuid } from '../crypto/luid.ts';
import type { Version } from '../ledger/record.ts';
import { countersOf, isGoverning } from '../ledger/rulebook.ts';
import { auditAssets } from './assets.ts';
import { checkBooks } from './books.ts';
import { checkChain } from './chain.ts';
import { accountVouching } from './credit.ts';
import {
  currentOf,
  type HistoryCursor,
  handleOfHistory,
  type ItemHistory,
  readHistories,
  retraced,
  systemKeysIn,
  versionsOf,
} from './history.ts';
import { checkExpiry, checkIntent } from './intent.ts';
import { noteLimits } from './limits.ts';
import { accountLogged, checkLogged, noteLogs } from './logged.ts';
import { isDecided, movementsOf } from './movement.ts';
import { checkIndexEntries, checkOutbox } from './outbox.ts';
import { checkPlaces, claimsOf } from './place.ts';
import { accountGovernings } from './rulebook.ts';
import { type AuditRun, count, latenessMsMax, roundCountMax, waitFor } from './run.ts';
import { verifyHistory } from './signature.ts';
import type { AuditViolation } from './violation.ts';
import { isForwarded, isOfStatus, wordsOf } from './word.ts';

/** The undecided intents that are read again at a time. */
const waitingLengthMax = 100;
/** The statuses in which an intent, or another one of its thread, waits for a bridge. Ruling 46. */
const awaiting: ReadonlySet<unknown> = new Set(['processing', 'committed', 'aborted']);
/** The silence of a bridge from which its intents are counted as longer, in milliseconds. */
const longMs = 60 * 60_000;

interface Checked {
  readonly history: ItemHistory;
  readonly proofs: number;
  readonly violations: readonly AuditViolation[];
}

/** Checks the histories of these cursors and counts them; returns the violations. */
export async function auditHistories(
  run: AuditRun,
  cursors: readonly HistoryCursor[],
): Promise<AuditViolation[]> {
  await noteLogs(run, cursors);
  const histories = await readHistories(run.source, run.systemKeys, cursors);
  const checked = await Promise.all(histories.map((history) => checkHistory(run, history)));
  const odd = cursors.filter((_, index) => (checked[index]?.violations.length ?? 0) > 0);
  const confirmed = run.options.isLive
    ? await confirm(run, odd, new Map(checked.map((one) => [one.history.luid, one])))
    : new Map<string, Checked>();
  const final = checked.map((one) => confirmed.get(one.history.luid) ?? one);
  for (const one of final) account(run, one);
  const assets: AuditViolation[] = [];
  for (const { history } of final) assets.push(...(await auditAssets(run, history)));
  return [...final.flatMap(({ violations }) => violations), ...assets];
}

/** Counts the movements of intents that have gone on since they were counted. */
export async function accountWaiting(run: AuditRun): Promise<void> {
  const { source, systemKeys, sums, waiting } = run;
  const all = [...waiting];
  for (let start = 0; start < all.length; start += waitingLengthMax) {
    const some = all.slice(start, start + waitingLengthMax);
    const histories = await readHistories(
      source,
      systemKeys,
      some.map(([, { cursor }]) => cursor),
    );
    for (const [index, [name, { cursor, moved }]] of some.entries()) {
      const history = histories[index];
      const version = history && currentOf(history);
      if (!version) continue;
      const movements = movementsOf(history);
      sums.move(history.scope, movements.slice(moved));
      if (isDecided(version)) waiting.delete(name);
      else waiting.set(name, { cursor, moved: movements.length });
    }
  }
}

/** Checks a history without reading. */
async function checkHistory(run: AuditRun, history: ItemHistory): Promise<Checked> {
  const { options } = run;
  const { proofs, violations } = await verifyHistory(history);
  return {
    history,
    proofs,
    violations: [
      ...violations,
      ...checkChain(history),
      ...checkPlaces(history),
      ...checkIndexEntries(history),
      ...checkOutbox(history),
      ...checkBooks(history),
      ...checkLogged(run, history),
      ...checkIntent(history),
      // In a ledger at rest no sweeper ends expired intents.
      ...(options.isLive ? checkExpiry(history, options.nowMs()) : []),
    ],
  };
}

/**
 * Reads histories again that look wrong: their items were read one after the other, and a change may have come in
 * between. A real violation is found each time, and in the same way.
 */
async function confirm(
  run: AuditRun,
  suspects: readonly HistoryCursor[],
  first: ReadonlyMap<string, Checked>,
): Promise<ReadonlyMap<string, Checked>> {
  const latest = new Map<string, Checked>();
  let cursors = suspects;
  for (let round = 0; round < roundCountMax && cursors.length > 0; round += 1) {
    await waitFor(round);
    const fresh = await retraced(run.source, cursors);
    const histories = await readHistories(run.source, systemKeysIn(run.source), fresh);
    for (const { history, proofs, violations } of await Promise.all(
      histories.map((history) => checkHistory(run, history)),
    )) {
      const before = (latest.get(history.luid) ?? first.get(history.luid))?.violations ?? [];
      const names = new Set(before.map(nameOfViolation));
      const lasting = violations.filter((violation) => names.has(nameOfViolation(violation)));
      latest.set(history.luid, { history, proofs, violations: lasting });
    }
    cursors = fresh.filter(({ luid }) => (latest.get(luid)?.violations.length ?? 0) > 0);
  }
  return latest;
}

/** A name of the violation that stays the same when the record goes on. */
function nameOfViolation({ invariant, change, fact }: AuditViolation): string {
  return `${invariant} ${change} ${fact}`;
}

function account(run: AuditRun, { history, proofs }: Checked): void {
  const handle = handleOfHistory(history);
  const ledger = history.kind === 'ledger' ? (handle ?? '') : history.scope;
  if (history.kind === 'ledger' && handle !== undefined) run.ledgers.add(handle);
  count(run, ledger, 'records');
  count(run, ledger, 'versions', versionsOf(history).length);
  count(run, ledger, 'proofs', proofs);
  for (const key of claimsOf(history)) run.tally.claim(key);
  if (history.kind === 'intent') accountIntent(run, history);
  accountLogged(run, history);
  accountRule(run, history);
  accountGovernings(run, history);
  const governing = versionsOf(history).find(isGoverning);
  accountVouching(run, ledger, history, governing?.steps[0]?.moment);
}

function accountRule({ rules }: AuditRun, history: ItemHistory): void {
  const version = currentOf(history);
  const laid = version ? countersOf(version.kind, version.record) : [];
  const counts = rules.get(history.scope) ?? new Map();
  for (const rule of laid) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (laid.length > 0) rules.set(history.scope, counts);
}

function accountIntent(run: AuditRun, history: ItemHistory): void {
  const { scope, luid } = history;
  count(run, scope, 'intents');
  if (run.options.isLive && timeOfLuid(luid) >= run.startMs - latenessMsMax)
    run.recent.add(`${scope}#${luid}`);
  const version = versionsOf(history).at(-1);
  if (!version) return;
  countAwaited(run, version);
  noteLimits(run, history);
  const movements = movementsOf(history);
  run.sums.move(scope, movements);
  // The movements of a thread are counted with its first intent.
  if (!run.options.isLive || isDecided(version) || isForwarded(version.record)) return;
  const { handle } = version.record.data;
  const cursor = { scope, kind: 'intent', luid, handle, hasPast: true } as const;
  run.waiting.set(`${scope}#${luid}`, { cursor, moved: movements.length });
}

/** Counts an intent that waits for a bridge, for the report. Ruling 55. */
function countAwaited({ report, options }: AuditRun, version: Version): void {
  const { status, moment } = wordsOf(version).findLast(isOfStatus) ?? {};
  if (!awaiting.has(status)) return;
  report.awaited.intents += 1;
  if (Date.parse(String(moment)) + longMs < options.nowMs()) report.awaited.longer += 1;
}
