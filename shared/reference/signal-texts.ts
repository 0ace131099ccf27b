/** The meaning of each signal. Rulings 58, 78 and 95. */
import { type Kind, kinds } from '../ledger/kind.ts';
import { entrySignals, monitorSignal } from '../shape/signal-name.ts';

const changeTexts: Readonly<Record<string, string>> = {
  created: 'A record was created.',
  updated: 'A record was changed.',
  'proofs-added': 'A proof was added to a record.',
  dropped: 'A record was dropped.',
};

const otherSignals: Readonly<Record<string, string>> = {
  'ledger-created': 'A ledger was created. It is on the bus: no effect is there before its ledger.',
  'intent-updated':
    'The ledger stated something of an intent: its next status, a later expiry, or what was reversed of it.',
  [entrySignals[0]]: 'A bridge is to prepare an entry.',
  [entrySignals[1]]: 'A bridge is to commit or to abort an entry.',
  [entrySignals[2]]: 'A bridge has reported on an entry: the report is in `proof`.',
  'balance-received': 'A wallet was credited.',
  'wallet-limited': 'A limit was set.',
  [monitorSignal]: 'A balance crossed the threshold of a monitor, which alone receives it.',
};

/** The meaning of a signal as a sentence. */
export function signalText(signal: string): string {
  const other = otherSignals[signal];
  if (other) return other;
  const change = Object.keys(changeTexts).find((one) => signal.endsWith(`-${one}`)) ?? '';
  const kind = signal.slice(0, -change.length - 1) as Kind;
  const title = `record of the kind ${kinds[kind].title.toLowerCase()}`;
  return (changeTexts[change] ?? '').replace('record', title);
}
