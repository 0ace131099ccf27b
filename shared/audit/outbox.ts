/**
 * Invariant 4: the outbox has the signals of every committed change, each once, and no others, until they are
 * published. Ruling 58.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { volumesOf } from '../ledger/balance.ts';
import { entriesOfResolved } from '../ledger/intent.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Signal } from '../port/ports.ts';
import { textOf } from '../store/keys.ts';
import { outboxEntryOf, type Projected } from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import { pairsOf } from './chain.ts';
import { claimsIn } from './claimed.ts';
import {
  currentOf,
  formerKeysAt,
  type ItemHistory,
  placeKeyOf,
  publishedKeyOfHistory,
} from './history.ts';
import { movedIn } from './movement.ts';
import { subjectOf } from './place.ts';
import { isAuthored } from './proof.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';

/**
 * True when the entry of a version was published and removed: its shard is published up to that place, or its ledger has
 * the version in its log. Decision 141.
 */
function isDelivered(history: ItemHistory, version: Version, place: string): boolean {
  if (history.items.has(textOf(placeKeyOf(history, version)))) return true;
  const mark = history.items.get(textOf(publishedKeyOfHistory(history)));
  return mark !== undefined && place <= String(mark['place']);
}

/** Checks the outbox entries of a history. */
export function* checkOutbox(history: ItemHistory): Finding {
  for (const [version, previous] of pairsOf(history)) {
    const subject = { ...subjectOf(history), change: version.change };
    const { key, missing = '' } = outboxEntryOf(history.scope, version);
    const entry = history.items.get(textOf(key));
    if (entry) yield* checkEntry(entry, signalsOf(version, previous), subject);
    else if (!isDelivered(history, version, key.sk)) yield violationOf(4, subject, missing);
  }
}

/**
 * Invariant 3, for search: once its change is published, the current version has index entries of all its terms.
 * Surplus index entries do no harm: a search reads the record itself. Ruling 23, Decisions 31 and 32.
 */
export function* checkIndexEntries(history: ItemHistory): Finding {
  const current = currentOf(history);
  const entry = current && outboxEntryOf(history.scope, current).key;
  if (!entry || history.items.has(textOf(entry)) || !isDelivered(history, current, entry.sk))
    return;
  const isMissing = (one: Projected) =>
    one.item === 'mention' &&
    ![one.key, ...formerKeysAt(history, one)].some((key) =>
      leadsTo(history.items.get(textOf(key)), one),
    );
  const { missing } = history.projected.find(isMissing) ?? {};
  if (missing === undefined) return;
  yield violationOf(3, { ...subjectOf(history), change: current.change }, missing);
}

/** True for an index entry with the handle of the record. That of an archive has none. */
function leadsTo(entry: Item | undefined, { attributes = {} }: Projected): boolean {
  return entry !== undefined && (entry['handle'] ?? attributes['handle']) === attributes['handle'];
}

function* checkEntry(entry: Item, signals: readonly Signal[], subject: ViolationSubject): Finding {
  const { luid, kind } = entry;
  if (luid !== subject.luid || kind !== subject.kind)
    yield violationOf(4, subject, 'The outbox entry names another record.', {
      expected: { luid: subject.luid, kind: subject.kind },
      found: { luid, kind },
    });
  const expected = signals.map(canonicalOf).sort();
  const found = publishedIn(entry['signals']).sort();
  if (expected.join() !== found.join())
    yield violationOf(4, subject, 'The outbox entry tells other signals.', {
      expected: expected.filter((text) => !found.includes(text)).join(' ') || expected.length,
      found: found.filter((text) => !expected.includes(text)).join(' ') || found.length,
    });
}

/** The signals of a version: one for each change, each balance that received and each limit that was set. */
function signalsOf(version: Version, previous: Version | undefined): Signal[] {
  const first = firstChangeOf(version);
  const changes = version.steps.map(({ action }, index) => ({
    signal: `${version.kind}-${action === 'update' ? verbOf(version, previous, index) : pastOf[action]}`,
    change: first + index,
  }));
  const isCompleted =
    version.kind === 'intent' &&
    version.record.meta.status === 'completed' &&
    previous?.record.meta.status !== 'completed';
  return isCompleted ? [...changes, ...receiptsOf(version), ...settingsOf(version)] : changes;
}

const pastOf = { create: 'created', drop: 'dropped' } as const;

/** The verb of a change: new data updates a record, and so does a statement of the ledger on an intent. */
function verbOf(
  { kind, record, steps }: Version,
  previous: Version | undefined,
  index: number,
): string {
  const last = record.meta.proofs[(steps[index]?.proofs ?? 0) - 1];
  const isOwnWord = kind === 'intent' && !(last && isAuthored(last));
  return previous?.record.hash === record.hash && !isOwnWord ? 'proofs-added' : 'updated';
}

function receiptsOf(version: Version): Signal[] {
  const { change } = version;
  return [...volumesOf(entriesOfResolved(movedIn(version))).values()]
    .filter(({ credits }) => credits > 0n)
    .map(({ wallet, symbol, credits }) => ({
      signal: 'balance-received',
      change,
      custom: { wallet, symbol, amount: String(credits) },
    }));
}

function settingsOf(version: Version): Signal[] {
  if (!claimsIn(version.record.data)) return [];
  return settingsOfIntent(version).map(({ wallet, symbol, metric, amount }) => ({
    signal: 'wallet-limited',
    change: version.change,
    custom: { wallet, symbol, metric, amount: String(amount) },
  }));
}

function publishedIn(signals: unknown): string[] {
  try {
    const parsed: unknown = JSON.parse(String(signals));
    return Array.isArray(parsed) ? parsed.map(withoutCalls).map(canonicalOf) : [];
  } catch {
    return [];
  }
}

/** A signal without the calls of bridges, which are not published. Ruling 54. */
function withoutCalls(signal: unknown): unknown {
  const { calls: _calls, ...shown } = Object(signal) as Record<string, unknown>;
  return shown;
}
