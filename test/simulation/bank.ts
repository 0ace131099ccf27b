/**
 * Banks as bridges, each with books of its own. What a bank hears it does once, and what it reports it stands by,
 * also where that was not so; but until it is told to be good it may be slow, silent, deaf, confused or lying.
 */
import type { AttemptOutcome } from '../../shared/ledger/delivery.ts';
import type { OutgoingRequest } from '../../shared/outgoing/send.ts';
import { type Item, type Json, type Key, newKey } from '../fixture/client.ts';

/** The probability of each manner, in parts of a thousand; the rest behaves well. */
export interface Manners {
  /** Says that it cannot do what it is asked to prepare. */
  readonly refuses: number;
  /** Does not do it, and says that it failed, or nothing at all. */
  readonly fails: number;
  /** Does it, and says that it failed, or nothing at all. */
  readonly isConfused: number;
  /** Hears it only after the caller has gone away. */
  readonly isLate: number;
  /** Says that it has heard it, and has not. */
  readonly isDeaf: number;
  /** Says that it does not do such things. */
  readonly isUnable: number;
  /** Does it, and does not report it before it is good. */
  readonly isSilent: number;
  /** Reports it twice, in the same words or in others. */
  readonly repeats: number;
  /** Reports something else as well, before or after. */
  readonly lies: number;
}

const good: Manners = {
  ...{ refuses: 0, fails: 0, isConfused: 0, isLate: 0, isDeaf: 0, isUnable: 0 },
  ...{ isSilent: 0, repeats: 0, lies: 0 },
};

/** In which order it is asked how a bank takes a call. */
const hearing = ['fails', 'isLate', 'isDeaf', 'isUnable', 'isConfused'] as const;
/** The ways in which a bank in trouble answers. */
const trouble: readonly AttemptOutcome[] = [
  { kind: 'unreachable', why: 'timeout' },
  { kind: 'unreachable', why: 'refused' },
  { kind: 'answered', status: 500 },
  { kind: 'answered', status: 409 },
  { kind: 'answered', status: 503, retryAfterSeconds: 7 },
];
/** A status that a bank may report of an entry. */
export const reportable = ['prepared', 'failed', 'committed', 'aborted', 'odd'] as const;
export type Reported = (typeof reportable)[number];

/** A report on its way to the ledger. */
export interface Report {
  readonly bank: Bank;
  readonly intent: Pick<Item, 'hash'> & { readonly handle: string };
  readonly custom: Json & { readonly handle: string; readonly status: string };
}

/** The state of an entry in the books of the bank. */
export interface Kept {
  readonly intent: Report['intent'];
  entry?: { readonly schema: string; readonly symbol: string; readonly amount: number };
  first?: 'prepared' | 'failed';
  last?: 'committed' | 'aborted';
}

export type Bank = ReturnType<typeof newBank>;

/** The ports of a bank. */
interface Surroundings {
  readonly now: () => number;
  readonly pick: (upTo: number) => number;
  readonly chance: (perThousand: number) => boolean;
  readonly one: <T>(all: readonly T[]) => T;
  readonly note: (text: string) => void;
  readonly isSmooth: () => boolean;
}

/** A call that the bank understands. */
interface Heard {
  readonly action: 'prepare' | 'commit' | 'abort' | 'status';
  readonly handle: string;
  readonly intent: Report['intent'] & { readonly status: string };
  readonly data: Json;
}

/** A bank of this handle, with empty books. */
export function newBank(name: string, world: Surroundings, manners: Manners) {
  let current = manners;
  const kept = new Map<string, Kept>();
  const late: Heard[] = [];
  const owed: Report[] = [];
  const withheld: Report[] = [];
  const faults: string[] = [];
  const told: { readonly handle: string; readonly status: string }[] = [];
  const unheard = new Set<string>();
  /** Entries that it does not prepare. */
  const impossible = new Set<string>();
  /** Reports of entries that it has not carried out. */
  const strange = new Map<string, Set<string>>();

  const entryFor = (handle: string, intent: Report['intent']): Kept => {
    const own = kept.get(handle) ?? { intent };
    kept.set(handle, own);
    return own;
  };

  const report = (handle: string, status: Reported): void => {
    const { intent } = kept.get(handle) as Kept;
    const say = (words: Reported, moment = momentOf(world.now())) => ({
      ...{ bank: self, intent },
      custom: { handle, status: words, moment, ...reasonOf(words) },
    });
    const one = say(status);
    if (world.chance(current.lies)) lie(handle, intent, world.one(reportable));
    if (world.chance(current.isSilent)) withheld.push(one);
    else owed.push(one);
    if (world.chance(current.repeats)) owed.push(one);
    if (world.chance(current.repeats)) owed.push(say(status, momentOf(world.now() + 1)));
  };

  const lie = (handle: string, intent: Report['intent'], status: Reported): void => {
    world.note(`${name} lies: ${handle} ${status}`);
    strange.set(handle, (strange.get(handle) ?? new Set()).add(status));
    const moment = momentOf(world.now());
    owed.push({ bank: self, intent, custom: { handle, status, moment, ...reasonOf(status) } });
  };
  const hasSaid = (handle: string, status: string) => strange.get(handle)?.has(status) ?? false;

  const does: Readonly<Record<Heard['action'], (heard: Heard) => void>> = {
    prepare: ({ handle, intent, data }) => {
      const own = entryFor(handle, intent);
      const { schema, symbol, amount } = data as {
        readonly schema: string;
        readonly symbol: { readonly handle: string };
        readonly amount: number;
      };
      if (own.first === undefined) {
        const isRefused = own.last !== undefined || world.chance(current.refuses);
        own.first = isRefused ? 'failed' : 'prepared';
        own.entry = { schema, symbol: symbol.handle, amount };
      }
      report(handle, own.first);
    },
    commit: ({ handle, intent }) => {
      const own = entryFor(handle, intent);
      const isOwnWord = own.first === 'prepared' || hasSaid(handle, 'prepared');
      if (!isOwnWord) faults.push(`${name} is to commit ${handle}, which it has not prepared`);
      if (own.last === 'aborted') faults.push(`${name} is to commit ${handle} after an abort`);
      else own.last = 'committed';
      if (own.last === 'committed') report(handle, 'committed');
    },
    abort: ({ handle, intent }) => {
      const own = entryFor(handle, intent);
      if (own.last === 'committed') faults.push(`${name} is to abort ${handle} after a commit`);
      else own.last = 'aborted';
      if (own.last === 'aborted') report(handle, 'aborted');
    },
    status: ({ handle, intent }) => void told.push({ handle, status: intent.status }),
  };
  const heed = (heard: Heard, isLate = false): void => {
    const { handle } = heard;
    const { first, last } = kept.get(handle) ?? {};
    // What it has prepared or refused may be asked for again. One whose call it has lost, and one that it has answered
    // unasked, may be called to be ended before.
    const isAnswered =
      first !== undefined || hasSaid(handle, 'prepared') || hasSaid(handle, 'failed');
    const isOver = last !== undefined && !isAnswered && !unheard.has(`prepare ${handle}`);
    if (heard.action === 'prepare' && isOver && !isLate && world.isSmooth())
      faults.push(
        `${name} is to prepare ${handle}, of which it knows the end and not the beginning`,
      );
    world.note(`${name} heeds ${heard.action} ${heard.handle}`);
    unheard.delete(`${heard.action} ${heard.handle}`);
    does[heard.action](heard);
  };
  /** The manner in which it takes a call; undefined when it behaves well. */
  const mannerTowards = ({ action, handle }: Heard): keyof Manners | undefined => {
    // An entry that it has refused stays refused, and one that it has begun is not refused.
    if (action === 'prepare' && impossible.has(handle)) return 'isUnable';
    const hasBegun = kept.has(handle) || late.some((one) => one.handle === handle);
    const isPossible = (manner: keyof Manners) =>
      manner !== 'isUnable' || action !== 'prepare' || !hasBegun;
    return hearing.find((manner) => isPossible(manner) && world.chance(current[manner]));
  };
  const answerOf = (manner: keyof Manners | undefined): AttemptOutcome => {
    if (manner === 'fails' || manner === 'isConfused') return world.one(trouble);
    if (manner === 'isLate') return { kind: 'unreachable', why: 'timeout' };
    return { kind: 'answered', status: manner === 'isUnable' ? 501 : 202 };
  };

  const self = {
    name,
    key: newKey() as Key,
    kept,
    owed,
    faults,
    told,
    /** Calls that it acknowledged and lost: `commit deb_…`. */
    unheard,
    hasSaid,
    /** Hears a call; answers as its manners are. */
    hear: (request: OutgoingRequest): AttemptOutcome => {
      const heard = heardIn(request);
      const manner = mannerTowards(heard);
      if (manner === 'isLate') late.push(heard);
      if (manner === 'isDeaf' || manner === 'isUnable')
        unheard.add(`${heard.action} ${heard.handle}`);
      if (manner === 'isUnable' && heard.action === 'prepare') impossible.add(heard.handle);
      if (manner === 'isConfused' || manner === undefined) heed(heard);
      return answerOf(manner);
    },
    /** Heeds what it should have heard before. */
    hearLate: (): boolean => {
      const [heard] = late.splice(world.pick(late.length), 1);
      if (heard) heed(heard, true);
      return heard !== undefined;
    },
    lateCount: () => late.length,
    lie,
    /** From now on it does as it should, and says what it has not said. */
    reform: (): void => {
      current = good;
      owed.push(...withheld.splice(0));
    },
    /** Takes a report that it owes. */
    nextReport: (): Report | undefined => owed.splice(world.pick(owed.length), 1)[0],
  };
  return self;
}

function heardIn({ endpoint, body = '' }: OutgoingRequest): Heard {
  const [, , group = '', name, verb] = new URL(endpoint).pathname.split('/');
  const record = JSON.parse(String(body)) as Item;
  if (group === 'intents') {
    const intent = intentOf(record);
    return { action: 'status', handle: decodeURIComponent(name ?? ''), intent, data: {} };
  }
  const { data } = record;
  const action = (verb ?? 'prepare') as Heard['action'];
  const handle = name === undefined ? String(data['handle']) : decodeURIComponent(name);
  return { action, handle, intent: intentOf(data['intent'] as Item), data };
}

function intentOf({ hash, data, meta }: Item): Heard['intent'] {
  return { hash, handle: String(data['handle']), status: String(meta.status) };
}

/** Why not, where it says that it could not. */
function reasonOf(status: string): { reason?: string } {
  return status === 'failed' ? { reason: 'bridge.no' } : {};
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString();
}
