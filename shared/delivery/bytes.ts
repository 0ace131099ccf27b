/**
 * How many bytes a second are sent for a ledger. Whoever has sent more than that waits until it is even again; what is
 * put off meanwhile is told when its turn is, so that not all of it comes back at once, and comes before whatever asks
 * later. Decision 86.
 */
import type { TrafficClass } from './queues.ts';

/** What is to be sent. */
export interface Load {
  readonly bytes: number;
  /** By which it is known when it asks again; absent of what asks elsewhere then, and so waits in no line here. */
  readonly name?: string;
  /** It was put off before, where others that were may not come back to: it does not wait for these. */
  readonly isFree?: boolean;
}

export interface Rates {
  readonly bytesPerSecond: number;
  /** Takes so many bytes now and answers 0; or takes none and answers when to ask again, in milliseconds. */
  readonly take: (of: TrafficClass, load: Load, nowMs: number) => number;
}

/** A place in the line of an account. */
interface Place {
  /** What was ever put off before it, in milliseconds of sending. */
  readonly behindMs: number;
  /** When it is to ask again. */
  turnMs: number;
}

interface Account {
  /** When all that was sent is even. */
  evenMs: number;
  /** What was ever put off, in milliseconds of sending. */
  putOffMs: number;
  /** When it was asked last. */
  askedMs: number;
  /** What was put off and has not been sent, by name, in the order in which it asked first. */
  readonly line: Map<string, Place>;
}

/** How long a ledger that was quiet may send more than that, in milliseconds. */
const burstMs = 1_000;
/** Of how many it is known what they have sent; those whose account is even are forgotten then. */
const accountsMax = 10_000;
/** How many may wait in all lines. Where one more is put off, others may come before it until there is a place. */
const placesMax = 20_000;
/** How long others wait for one that does not ask when its turn is: it may be over, or asked for elsewhere. */
const lateMsMax = 2_000;
/** How long it takes to look again whether one that is late has asked. */
const againMs = 200;
/** How long one that is late keeps its place, should it ask after all: a sweep finds what is due within a minute. */
const goneMs = 120_000;
/** How often those that are gone are looked for in all lines. */
const clearedMs = 1_000;

/** All accounts, and how many wait in their lines. */
interface Book {
  readonly accounts: Map<string, Account>;
  waitingCount: number;
  clearedAtMs: number;
}

/** Rates of so many bytes a second, for the calls and for the events of each ledger. */
export function rates(bytesPerSecond: number): Rates {
  const book: Book = { accounts: new Map(), waitingCount: 0, clearedAtMs: 0 };
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

function accountOf({ accounts }: Book, name: string, nowMs: number): Account {
  const account = accounts.get(name) ?? newAccount(nowMs);
  accounts.set(name, account);
  return account;
}

function newAccount(nowMs: number): Account {
  return { evenMs: 0, putOffMs: 0, askedMs: nowMs, line: new Map() };
}

/** The first one in a line that is expected to ask, if that is not this one itself. */
function firstBefore(
  book: Book,
  account: Account,
  name: string | undefined,
  nowMs: number,
): Place | undefined {
  for (const [one, place] of account.line) {
    if (one === name) return undefined;
    if (nowMs <= place.turnMs + lateMsMax) return place;
    if (isGone(place, nowMs)) leave(book, account, one);
  }
  return undefined;
}

/** Puts one off until all that is before it can have been sent; answers when that is. */
function turnOf(
  book: Book,
  account: Account,
  { name, loadMs, first }: { name: string | undefined; loadMs: number; first: Place | undefined },
  nowMs: number,
): number {
  const place = placeOf(book, account, { name, loadMs }, nowMs);
  const isEven = account.evenMs <= nowMs;
  const fromMs = isEven ? nowMs + againMs : account.evenMs;
  const beforeMs = first ? Math.max(0, place.behindMs - first.behindMs) : 0;
  place.turnMs = Math.ceil(fromMs + beforeMs);
  return place.turnMs;
}

/** The place of one in the line; the last one where it has none yet. */
function placeOf(
  book: Book,
  account: Account,
  { name, loadMs }: { name: string | undefined; loadMs: number },
  nowMs: number,
): Place {
  const known = name === undefined ? undefined : account.line.get(name);
  if (known) return known;
  const place = { behindMs: account.putOffMs, turnMs: nowMs };
  if (book.waitingCount >= placesMax) clear(book, nowMs);
  if (name === undefined || book.waitingCount >= placesMax) return place;
  account.putOffMs += loadMs;
  account.line.set(name, place);
  book.waitingCount += 1;
  return place;
}

function leave(book: Book, { line }: Account, name: string): void {
  if (line.delete(name)) book.waitingCount -= 1;
}

function isGone({ turnMs }: Place, nowMs: number): boolean {
  return nowMs > turnMs + goneMs;
}

/** Forgets the accounts that owe nothing and for which nobody waits. */
function closeEven({ accounts }: Book, nowMs: number): void {
  for (const [one, { evenMs, line }] of accounts)
    if (evenMs <= nowMs && line.size === 0) accounts.delete(one);
}

/** Takes those out of all lines that are gone. */
function clear(book: Book, nowMs: number): void {
  if (Math.abs(nowMs - book.clearedAtMs) < clearedMs) return;
  book.clearedAtMs = nowMs;
  for (const account of book.accounts.values()) {
    follow(account, nowMs);
    for (const [name, place] of account.line) if (isGone(place, nowMs)) leave(book, account, name);
  }
  closeEven(book, nowMs);
}

/** What is owed stays the same when the clock was set back since the account was asked. Decision 87. */
function follow(account: Account, nowMs: number): void {
  const backMs = Math.max(0, account.askedMs - nowMs);
  account.askedMs = nowMs;
  if (backMs === 0) return;
  account.evenMs -= backMs;
  for (const place of account.line.values()) place.turnMs -= backMs;
}
