/** The names of signals, without a shape: the relay names one and carries no shapes. Ruling 58. */
import { subjects } from './subject.ts';

type Subject = (typeof subjects)[number];

const changes = ['created', 'updated', 'proofs-added', 'dropped'] as const;

/** The changes that records of a kind never have; of an intent, the status is updated. */
const never: Readonly<Record<(typeof changes)[number], readonly Subject[]>> = {
  created: [],
  updated: ['circle-signer', 'report'],
  'proofs-added': ['circle-signer'],
  dropped: ['ledger', 'signer', 'symbol', 'intent', 'circle', 'domain', 'schema'],
};

/** The signals of the changes that records of a kind have. */
export function signalsOf(subject: Subject): string[] {
  return changes
    .filter((change) => !never[change].includes(subject))
    .map((change) => `${subject}-${change}`);
}

/** The signals of entries at bridges, which are not records. Ruling 78. */
export const entrySignals = [
  'bridge-entry-created',
  'bridge-entry-updated',
  'bridge-entry-proofs-added',
] as const;

/** The signal of monitors. Ruling 95. */
export const monitorSignal = 'balance-crossed';

/** All signals that can come. */
export const signalNames: readonly string[] = [
  ...subjects.flatMap(signalsOf),
  ...entrySignals,
  'balance-received',
  'wallet-limited',
  monitorSignal,
];
