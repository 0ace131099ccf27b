/**
 * Threads as they are written down: intents that commit or fail as one go from status to status in one commit,
 * with their balances and the calls of bridges. What follows from what is in `transition.ts`. Rulings 43, 46 and 55.
 */
import { turnoversOf } from '../ledger/balance.ts';
import {
  type Advance,
  advancesOf,
  entriesOfResolved,
  type ResolvedEntry,
  resolvedIn,
  stepsOf,
} from '../ledger/intent.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import {
  type Carried,
  carriedOf,
  type LedgerRecord,
  type Step,
  type Version,
  versionOf,
} from '../ledger/record.ts';
import type { Outcome } from '../ledger/settle.ts';
import type { Transition } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Commit, Scope, Signal, Write } from '../port/ports.ts';
import { countersign } from '../record/sign.ts';

/** One intent of a thread: as it was read, and what the request adds to it before anything follows. */
export interface Member extends Carried {
  /** Absent for one that is made by this commit. */
  readonly previous?: Version;
  readonly record: LedgerRecord;
  /** The changes that the request makes, one signal for each. */
  readonly steps: readonly Step[];
  readonly signals: readonly Signal[];
  /** The entries that are resolved with this transition. */
  readonly resolved?: readonly ResolvedEntry[];
}

/** Why a thread fails. */
export type Refusal = Pick<Outcome & { readonly settles: false }, 'fault' | 'detail'>;

/** A transition on its way into the table. */
export interface Turn {
  readonly scope: Scope;
  readonly members: readonly Member[];
  readonly transition: Transition;
  /** ISO 8601 UTC. */
  readonly moment: string;
  readonly refusal?: Refusal;
}

/** How many actions a transaction takes, and how many each intent and all of them together need at most. */
const actionCountMax = 100;
const actionsOfIntent = 3;
const actionsBeside = 4;

/** Whether intents and balances fit into one transaction. Ruling 43. */
export function fitsTogether(memberCount: number, cellCount: number): boolean {
  return memberCount * actionsOfIntent + actionsBeside + cellCount <= actionCountMax;
}

/** The writes of a transition, and the versions that it relies on without changing them. */
export function writesOf(
  ledger: Identity,
  turn: Turn,
): Required<Pick<Commit, 'writes' | 'unchanged'>> {
  const { scope, members, transition } = turn;
  const isQuiet = ({ steps }: Member) => transition.passages.length === 0 && steps.length === 0;
  const writes = members.flatMap((member, index) =>
    isQuiet(member) ? [] : writeOf(ledger, turn, member, index),
  );
  const unchanged = members
    .filter(isQuiet)
    .flatMap(({ previous }) => (previous ? { scope, version: previous } : []));
  return { writes, unchanged };
}

/** Names entries by new handles. */
export function entryHandles({ luids, clock }: Pick<Services, 'luids' | 'clock'>) {
  const nowMs = clock();
  return (schema: 'debit' | 'credit') =>
    luids(schema === 'debit' ? 'deb' : 'cre', nowMs).replace(/^\$(...)\./, '$1_');
}

function writeOf(ledger: Identity, turn: Turn, member: Member, index: number): Write {
  const { scope, transition, moment, refusal } = turn;
  const { previous, record, steps, resolved } = member;
  const { passages } = transition;
  const statuses = passages.map(({ status }) => status);
  const advances = advancesOf({
    ...{ statuses, moment },
    ...(resolved && { resolved }),
    ...(refusal && { refusal }),
  });
  const more = stepsOf(advances, record.meta.proofs.length, moment, 'update');
  const spoken = spokenOf(ledger, record, advances);
  const next: Version = {
    ...versionOf('intent', spoken, [...steps, ...more], previous),
    ...carriedOf(member),
  };
  const first = next.change - more.length + 1;
  const told = passages.map(({ calls }, place): Signal => {
    const own = calls[index] ?? [];
    const change = first + place;
    return { signal: 'intent-updated', change, ...(own.length > 0 && { calls: own }) };
  });
  const ended = statuses.includes('completed')
    ? [...receiptsOf(next), ...settingSignals(next)]
    : [];
  const signals = [...withCalls(turn, member, index), ...told, ...ended];
  return { scope, next, signals, ...(previous && { previous }) };
}

/** What a report asks of bridges without bringing a status goes with its own signal, for the whole thread. */
function withCalls(
  { transition, members }: Turn,
  { signals }: Member,
  index: number,
): readonly Signal[] {
  const calls = transition.calls.flatMap((some, place) => {
    const intent = members[place]?.record.data.handle;
    return some.map((call) =>
      place === index || intent === undefined ? call : { ...call, intent },
    );
  });
  const last = signals.length - 1;
  return calls.length === 0
    ? signals
    : signals.map((signal, place) => (place === last ? { ...signal, calls } : signal));
}

/** The record after what the ledger says of it. */
export function spokenOf(
  ledger: Identity,
  record: LedgerRecord,
  advances: readonly Advance[],
): LedgerRecord {
  const { hash, meta } = record;
  const words = advances.flatMap((advance) => advance.words);
  const proofs = [...meta.proofs, ...words.map((word) => countersign(ledger, hash, word))];
  const status = advances.at(-1)?.status ?? meta.status;
  return { ...record, meta: { ...meta, proofs, status } };
}

/** One signal for each balance that received, once the intent is completed. Ruling 58, Decision 6. */
function receiptsOf({ record, change }: Version): Signal[] {
  return [...turnoversOf(entriesOfResolved(resolvedIn(record))).values()]
    .filter(({ credits }) => credits > 0n)
    .map(({ wallet, symbol, credits }) => ({
      signal: 'balance-received',
      change,
      custom: { wallet, symbol, amount: String(credits) },
    }));
}

/** One signal for each limit that was set, once the intent is completed. Ruling 58. */
function settingSignals(version: Version): Signal[] {
  return settingsOfIntent(version).map(({ wallet, symbol, metric, amount }) => ({
    signal: 'wallet-limited',
    change: version.change,
    custom: { wallet, symbol, metric, amount: String(amount) },
  }));
}
