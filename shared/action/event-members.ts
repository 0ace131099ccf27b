/** The members of the data of events, to which the conditions of effects and of the trait `effects` lead. Ruling 59. */
import { anythingIn, type KnownMembers, membersOfRecord } from '../ledger/path-member.ts';
import { monitorSignal, signalsOf } from '../shape/signal-name.ts';
import { subjects } from '../shape/subject.ts';

/** The members of every event. */
const commonMembers = anythingIn(['handle', 'signal', 'change', 'moment']);

/** The members of events that are no records of a kind, by signal. A record that is gone is named by its handle. */
const otherMembers: Readonly<Record<string, KnownMembers>> = {
  'bridge-entry-created': recordsIn('bridge-entry'),
  'bridge-entry-updated': recordsIn('bridge-entry'),
  'bridge-entry-proofs-added': { ...recordsIn('bridge-entry'), ...anythingIn(['proof']) },
  'balance-received': { ...recordsIn('intent', 'wallet', 'symbol'), ...anythingIn(['amount']) },
  'wallet-limited': {
    ...recordsIn('intent', 'wallet', 'symbol'),
    ...anythingIn(['metric', 'amount']),
  },
  [monitorSignal]: {
    ...recordsIn('effect'),
    balance: ['wallet', 'symbol', 'threshold', 'direction', 'available'],
    intent: ['luid', 'handle'],
  },
};

function recordsIn(...names: readonly string[]): KnownMembers {
  return Object.fromEntries(names.map((name) => [name, membersOfRecord]));
}

/** The members of the events of a signal, and what these have in turn, where that is known. Rulings 58, 78 and 95. */
export function eventMembersOf(signal: string): KnownMembers {
  const subject = subjects.find((one) => signalsOf(one).includes(signal));
  return { ...commonMembers, ...(subject ? recordsIn(subject) : otherMembers[signal]) };
}
