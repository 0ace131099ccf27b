/** The names of signals, without a shape: the relay names one and carries no shapes. Ruling 58. */
import { subjects } from './subject.ts';

const changes = ['created', 'updated', 'proofs-added', 'dropped'] as const;

/** The signals of entries at bridges, which are not records. Ruling 78. */
export const entrySignals = [
  'bridge-entry-created',
  'bridge-entry-updated',
  'bridge-entry-proofs-added',
] as const;

/** The signal of monitors. Ruling 95. */
export const monitorSignal = 'balance-crossed';

export const signalNames: readonly string[] = [
  ...subjects.flatMap((subject) => changes.map((change) => `${subject}-${change}`)),
  ...entrySignals,
  'balance-received',
  'wallet-limited',
  monitorSignal,
];
