/**
 * Records against the log of their ledger: each version that is published has its place there, and the leaves at that
 * place are those of the version. Decision 115.
 */
import { hashOfLeaf, leavesOf, logOf } from '../log/leaf.ts';
import { logKeyOf, outboxKeyOf, publishedKeyOf, shardOf, textOf } from '../store/keys.ts';
import { unpackLog } from '../store/pack-log.ts';
import {
  type HistoryCursor,
  type ItemHistory,
  ledgerOf,
  placeKeyOf,
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
    run.logs.set(ledger, { size: settled, isWhole, tally: newTally() });
  }
}

/** Checks that each version has a place in a whole log, or is still in the outbox. */
export function* checkLogged({ logs }: AuditRun, history: ItemHistory): Finding {
  const { scope, luid, items } = history;
  for (const version of versionsOf(history)) {
    const isWhole = logs.get(logOf(scope, version))?.isWhole ?? false;
    if (!isWhole || items.has(textOf(placeKeyOf(history, version)))) continue;
    const entry = outboxKeyOf(scope, version);
    const published = items.get(textOf(publishedKeyOf(scope, shardOf(luid))));
    // An entry that is missing before it was published is a violation of its own.
    const isPublished = published !== undefined && entry.sk <= String(published['place']);
    if (!isPublished || items.has(textOf(entry))) continue;
    const subject = { ...subjectOf(history), change: version.change };
    yield violationOf(3, subject, 'The log has no leaf of the change; "npm run reindex" mends it.');
  }
}

/** Accounts for the leaves of a record, as far as the log had come when the audit began. */
export function accountLogged({ logs }: AuditRun, history: ItemHistory): void {
  for (const version of versionsOf(history)) {
    const log = logs.get(logOf(history.scope, version));
    const place = history.items.get(textOf(placeKeyOf(history, version)));
    if (!log || !place) continue;
    const first = Number(place['index']);
    for (const [count, leaf] of leavesOf(version).entries())
      if (first + count < log.size) log.tally.claim(leafName(first + count, hashOfLeaf(leaf)));
  }
}

/** A leaf at its place, for a tally. */
export function leafName(index: number, hash: Uint8Array): string {
  return `${index} ${Buffer.from(hash).toString('hex')}`;
}
