/**
 * What a change of an intent says of its entries at bridges. Nothing is stored for it: an entry is first asked for,
 * and asked to commit or to abort, by the calls of the change, and a report is the proof that the change brought and
 * that was accepted. So it is the same however often it is made. Rulings 54, 56 and 78, Decision 78.
 */

import type { entrySignals } from '../shape/effect.ts';
import { assert } from './assert.ts';
import type { BridgeCall } from './call.ts';
import { bridgedIn, isUndecided } from './intent.ts';
import type { Version } from './record.ts';

/** One fact in the life of an entry at a bridge. */
export interface EntryNews {
  readonly signal: (typeof entrySignals)[number];
  /** Handle of the entry, `deb_…` or `cre_…`. */
  readonly entry: string;
  /** Handle of its bridge. */
  readonly bridge: string;
  /** Handle of the intent that it belongs to, when that is another one of the same thread. */
  readonly intent?: string;
  /** The number of the change in the life of the entry, from 1. */
  readonly change: number;
  readonly status: string;
}

/** An intent as it stood after a change, with what was accepted of its proofs. */
type Standing = Pick<Version, 'record' | 'accepted'>;

/** What an entry is called while its bridge is to do what was decided. */
const waits = { commit: 'committing', abort: 'aborting' } as const;

/** What a change and its calls say of entries, in their order: first what was reported, then what is asked for. */
export function entryNewsOf(intent: Standing, calls: readonly BridgeCall[] = []): EntryNews[] {
  return [...reportIn(intent), ...calls.flatMap((call) => askedBy(call, intent))];
}

/** The proof that a change brought is its last one. */
function reportIn(intent: Standing): EntryNews[] {
  const { proofs } = intent.record.meta;
  const said = proofs.at(-1)?.custom;
  if (!intent.accepted?.includes(proofs.length - 1)) return [];
  const entry = bridgedIn(intent).find((one) => one.handle === said?.['handle']);
  assert(entry, 'what is accepted is about an entry at a bridge');
  // Once it is decided, it was asked to commit or to abort.
  const askedCount = isUndecided(intent.record) ? 1 : 2;
  const change = entry.reported.length + askedCount;
  const signal = 'bridge-entry-proofs-added';
  return [
    { signal, entry: entry.handle, bridge: entry.bridge, change, status: String(said?.['status']) },
  ];
}

function askedBy({ action, bridge, entry, intent: other }: BridgeCall, intent: Standing) {
  if (action === 'status' || entry === undefined) return [];
  const of = { entry, bridge, ...(other !== undefined && { intent: other }) };
  if (action === 'prepare')
    return { signal: 'bridge-entry-created' as const, ...of, change: 1, status: 'pending' };
  const standing = bridgedIn(intent).find(({ handle }) => handle === entry);
  assert(standing, 'a call is about an entry of its intent');
  const change = standing.reported.length + 2;
  return { signal: 'bridge-entry-updated' as const, ...of, change, status: waits[action] };
}
