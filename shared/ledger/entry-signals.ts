/**
 * Derives the signals about entries at bridges from one change of an intent. The calls of the change show what the
 * ledger required of bridges; the accepted proof that it added shows what a bridge reported. Nothing is stored for
 * these signals, so that publishing them again gives the same events. Rulings 54, 56 and 78, Decision 78.
 */

import type { entrySignals } from '../shape/signal-name.ts';
import { assert } from './assert.ts';
import type { BridgeCall } from './call.ts';
import { bridgedIn, isUndecided } from './intent.ts';
import type { Version } from './record.ts';

/** One signal about an entry at a bridge. */
export interface EntryNews {
  readonly signal: (typeof entrySignals)[number];
  /** Handle of the entry, `deb_…` or `cre_…`. */
  readonly entry: string;
  readonly bridge: string;
  /** Handle of its intent, when that is another one of the same thread. */
  readonly intent?: string;
  /** The number of the change of that intent after which it is brought; absent in what earlier releases stored. */
  readonly intentChange?: number;
  /** Number of the change in the history of the entry, from 1. */
  readonly change: number;
  readonly status: string;
}

/** An intent after a change, with the proofs that were accepted as reports. */
type ChangedIntent = Pick<Version, 'record' | 'accepted'>;

/** The status of an entry while its bridge carries out a decision. */
const inProgress = { commit: 'committing', abort: 'aborting' } as const;

/** The signals of a change: first the report that it added, then what its calls require. */
export function entryNewsOf(intent: ChangedIntent, calls: readonly BridgeCall[] = []): EntryNews[] {
  return [...reportSignals(intent), ...calls.flatMap((call) => callSignals(call, intent))];
}

/** The report of a change is its last proof, if that was accepted. */
function reportSignals(intent: ChangedIntent): EntryNews[] {
  const { proofs } = intent.record.meta;
  const said = proofs.at(-1)?.custom;
  if (!intent.accepted?.includes(proofs.length - 1)) return [];
  const entry = bridgedIn(intent).find((one) => one.handle === said?.['handle']);
  assert(entry, 'what is accepted is about an entry at a bridge');
  // A bridge is called once to prepare, and a second time after the decision.
  const callCount = isUndecided(intent.record) ? 1 : 2;
  const change = entry.reported.length + callCount;
  const signal = 'bridge-entry-proofs-added';
  return [
    { signal, entry: entry.handle, bridge: entry.bridge, change, status: String(said?.['status']) },
  ];
}

function callSignals(
  { action, bridge, entry, intent: other, intentChange }: BridgeCall,
  intent: ChangedIntent,
) {
  if (action === 'status' || entry === undefined) return [];
  const of = {
    ...{ entry, bridge },
    ...(other !== undefined && { intent: other }),
    ...(intentChange !== undefined && { intentChange }),
  };
  if (action === 'prepare')
    return { signal: 'bridge-entry-created' as const, ...of, change: 1, status: 'pending' };
  const current = bridgedIn(intent).find(({ handle }) => handle === entry);
  assert(current, 'a call is about an entry of its intent');
  const change = current.reported.length + 2;
  return { signal: 'bridge-entry-updated' as const, ...of, change, status: inProgress[action] };
}
