/**
 * Records against the log of their ledger: each version that is published has its place there, and the leaves at that
 * place are those of the version. Decision 115.
 */
import { nameOfVersion, type Version } from '../ledger/record.ts';
import { hashOfLeaf, type Leaf, leavesOf, logOf } from '../log/leaf.ts';
import type { SeenTree } from '../log/path.ts';
import type { Scope } from '../port/ports.ts';
import { logKeyOf, outboxKeyOf, textOf } from '../store/keys.ts';
import { unpackLog } from '../store/pack-log.ts';
import {
  type HistoryCursor,
  type ItemHistory,
  ledgerOf,
  placeKeyOf,
  publishedKeyOfHistory,
  versionsOf,
} from './history.ts';
import { subjectOf } from './place.ts';
import type { AuditRun } from './run.ts';
import { newTally } from './tally.ts';
import { type Finding, violationOf } from './violation.ts';

/** Notes how far the logs of these records have come, before the records are read. */
export async function noteLogs(run: AuditRun, cursors: readonly HistoryCursor[]): Promise<void> {
  const ledgers = new Set(cursors.flatMap((cursor) => ledgerOf(cursor) ?? []));
  const fresh = [...ledgers].filter((ledger) => !run.logs.has(ledger));
  if (fresh.length === 0) return;
  const heads = await run.source.at(fresh.map(logKeyOf));
  for (const ledger of fresh) {
    const head = heads.get(textOf(logKeyOf(ledger)));
    const { settled = 0, isWhole = false } = head ? unpackLog(head) : {};
    const size = Math.max(settled, seenTreeOf(run, ledger)?.size ?? 0);
    run.logs.set(ledger, { size, isWhole, tally: newTally() });
  }
}

/** Checks that each version has a place in a whole log, or is still in the outbox. */
export function* checkLogged({ logs }: AuditRun, history: ItemHistory): Finding {
  const { scope, items } = history;
  for (const version of versionsOf(history)) {
    const isWhole = logs.get(logOf(scope, version))?.isWhole ?? false;
    if (!isWhole || items.has(textOf(placeKeyOf(history, version)))) continue;
    const entry = outboxKeyOf(scope, version);
    const published = items.get(textOf(publishedKeyOfHistory(history)));
    // An entry that is missing before it was published is a violation of its own.
    const isPublished = published !== undefined && entry.sk <= String(published['place']);
    if (!isPublished || items.has(textOf(entry))) continue;
    const subject = { ...subjectOf(history), change: version.change };
    yield violationOf(3, subject, 'The log has no leaf of the change; "npm run reindex" mends it.');
  }
}

/** The tree with which the log of a ledger must begin. */
export function seenTreeOf({ options }: AuditRun, ledger: Scope): SeenTree | undefined {
  return options.seenTree?.ledger === ledger ? options.seenTree : undefined;
}

/** Accounts for the leaves of a record, as far as the log had come when the audit began. */
export function accountLogged(run: AuditRun, history: ItemHistory): void {
  for (const version of versionsOf(history)) {
    const place = history.items.get(textOf(placeKeyOf(history, version)));
    const first = place ? Number(place['index']) : Number.POSITIVE_INFINITY;
    for (const [count, leaf] of leavesOf(version).entries())
      accountLeaf(run, history.scope, version, leaf, first + count);
  }
}

function accountLeaf(
  run: AuditRun,
  scope: Scope,
  version: Version,
  leaf: Leaf,
  index: number,
): void {
  const ledger = logOf(scope, version);
  const log = run.logs.get(ledger);
  if (log && index < log.size) log.tally.claim(leafName(index, hashOfLeaf(leaf)));
  const seenTree = seenTreeOf(run, ledger);
  if (seenTree && index >= seenTree.size) noteLater(run, version, leaf);
}

/** The changes that are named. */
const laterCountMax = 10;

/** Notes a change that the tree that was seen does not have. */
function noteLater({ report }: AuditRun, version: Version, { luid, change }: Leaf): void {
  const { seen } = report;
  seen.laterCount += 1;
  if (seen.later.length === laterCountMax) return;
  seen.later.push({ luid, change, handle: nameOfVersion(version) });
}

/** A leaf at its place, for a tally. */
export function leafName(index: number, hash: Uint8Array): string {
  return `${index} ${Buffer.from(hash).toString('hex')}`;
}
