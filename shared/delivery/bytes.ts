/**
 * A rate limit: how many bytes a second are sent for a ledger. A ledger that has sent more waits until its account is
 * even. A delivery that is put off gets the time of its turn, so that the deliveries of a ledger do not all come back
 * at once. It goes before later ones. Decision 86.
 */
import type { TrafficClass } from './queues.ts';

/** A request for bytes. */
export interface Load {
  readonly bytes: number;
  /** The name under which the delivery asks again; absent when it asks elsewhere, and waits in no line here. */
  readonly name?: string;
  /** The delivery was put off before, and the others in the line may ask elsewhere: it does not wait for them. */
  readonly isFree?: boolean;
}

export interface Rates {
  readonly bytesPerSecond: number;
  /** Takes the bytes and returns 0; or takes none and returns when to ask again, in milliseconds. */
  readonly take: (of: TrafficClass, load: Load, nowMs: number) => number;
}

/** A place in the line of an account. */
interface QueuePlace {
  /** All that was put off before this place, in milliseconds of sending. */
  readonly behindMs: number;
  /** The time to ask again. */
  turnMs: number;
}

interface SentBytes {
  /** The time at which all that was sent is even. */
  evenMs: number;
  /** All that was ever put off, in milliseconds of sending. */
  waitedMs: number;
  /** The time of the last request. */
  usedMs: number;
  /** The deliveries that were put off and are not sent yet, by name, in the order of their first request. */
  readonly line: Map<string, QueuePlace>;
}

/** The time for which a quiet ledger may exceed the rate, in milliseconds. */
const burstMs = 1_000;
/** The number of accounts from which on even ones are removed. */
const accountsMax = 10_000;
/** The most that may wait in all lines. A delivery beyond that has no place, so that later ones may overtake it. */
const placesMax = 20_000;
/** The time for which the others wait for a delivery that does not ask at its turn: it may be over, or with another process. */
const lateMsMax = 2_000;
/** The pause before the others ask again, in milliseconds. */
const againMs = 200;
/** The time for which a late delivery keeps its place, in milliseconds: a sweep finds what is due within a minute. */
const goneMs = 120_000;
/** The pause between two clearings of all lines, in milliseconds. */
const clearedMs = 1_000;

interface AllSentBytes {
  readonly accounts: Map<string, SentBytes>;
  waitingCount: number;
  clearedAtMs: number;
}

/** A limit of so many bytes a second, for the calls and for the events of each ledger. */
export function rates(bytesPerSecond: number): Rates {
  const book: AllSentBytes = { accounts: new Map(), waitingCount: 0, clearedAtMs: 0 };
  return {
    bytesPerSecond,
    take: ({ kind, scope }, { bytes, name, isFree = false }, nowMs) => {
      const account = accountOf(book, `${kind} ${scope}`, nowMs);
      follow(account, nowMs);
      const loadMs = (bytes * 1_000) / bytesPerSecond;
      const first = firstBefore(book, account, name, nowMs);
      if ((first && !isFree) || account.evenMs > nowMs)
        return turnOf(book, account, { name, loadMs, first }, nowMs);
      if (name !== undefined) leave(book, account, name);
      account.evenMs = Math.max(account.evenMs, nowMs - burstMs) + loadMs;
      if (book.accounts.size > accountsMax) closeEven(book, nowMs);
      return 0;
    },
  };
}

function accountOf({ accounts }: AllSentBytes, name: string, nowMs: number): SentBytes {
  const account = accounts.get(name) ?? newAccount(nowMs);
  accounts.set(name, account);
  return account;
}

function newAccount(nowMs: number): SentBytes {
  return { evenMs: 0, waitedMs: 0, usedMs: nowMs, line: new Map() };
}

/** The first place of a line that is still expected to ask; undefined when that is this delivery itself. */
function firstBefore(
  book: AllSentBytes,
  account: SentBytes,
  name: string | undefined,
  nowMs: number,
): QueuePlace | undefined {
  for (const [one, place] of account.line) {
    if (one === name) return undefined;
    if (nowMs <= place.turnMs + lateMsMax) return place;
    if (isGone(place, nowMs)) leave(book, account, one);
  }
  return undefined;
}

/** Puts a delivery off until all that is before it can have been sent; returns that time. */
function turnOf(
  book: AllSentBytes,
  account: SentBytes,
  {
    name,
    loadMs,
    first,
  }: { name: string | undefined; loadMs: number; first: QueuePlace | undefined },
  nowMs: number,
): number {
  const place = placeOf(book, account, { name, loadMs }, nowMs);
  const isEven = account.evenMs <= nowMs;
  const fromMs = isEven ? nowMs + againMs : account.evenMs;
  const beforeMs = first ? Math.max(0, place.behindMs - first.behindMs) : 0;
  place.turnMs = Math.ceil(fromMs + beforeMs);
  return place.turnMs;
}

/** The place of a delivery in the line; the last place for a new one. */
function placeOf(
  book: AllSentBytes,
  account: SentBytes,
  { name, loadMs }: { name: string | undefined; loadMs: number },
  nowMs: number,
): QueuePlace {
  const known = name === undefined ? undefined : account.line.get(name);
  if (known) return known;
  const place = { behindMs: account.waitedMs, turnMs: nowMs };
  if (book.waitingCount >= placesMax) clear(book, nowMs);
  if (name === undefined || book.waitingCount >= placesMax) return place;
  account.waitedMs += loadMs;
  account.line.set(name, place);
  book.waitingCount += 1;
  return place;
}

function leave(book: AllSentBytes, { line }: SentBytes, name: string): void {
  if (line.delete(name)) book.waitingCount -= 1;
}

function isGone({ turnMs }: QueuePlace, nowMs: number): boolean {
  return nowMs > turnMs + goneMs;
}

/** Removes accounts that are even and have no line. */
function closeEven({ accounts }: AllSentBytes, nowMs: number): void {
  for (const [one, { evenMs, line }] of accounts)
    if (evenMs <= nowMs && line.size === 0) accounts.delete(one);
}

/** Removes places whose deliveries do not ask any more. */
function clear(book: AllSentBytes, nowMs: number): void {
  if (Math.abs(nowMs - book.clearedAtMs) < clearedMs) return;
  book.clearedAtMs = nowMs;
  for (const account of book.accounts.values()) {
    follow(account, nowMs);
    for (const [name, place] of account.line) if (isGone(place, nowMs)) leave(book, account, name);
  }
  closeEven(book, nowMs);
}

/** Keeps the debt the same when the clock was set back since the last request. Decision 87. */
function follow(account: SentBytes, nowMs: number): void {
  const backMs = Math.max(0, account.usedMs - nowMs);
  account.usedMs = nowMs;
  if (backMs === 0) return;
  account.evenMs -= backMs;
  for (const place of account.line.values()) place.turnMs -= backMs;
}
