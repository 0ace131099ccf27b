/**
 * How many bytes a second are sent for a ledger. Whoever has sent more than that waits until it is even again; what is
 * put off meanwhile is told when its turn is, so that not all of it comes back at once. Decision 86.
 */
import type { Guest } from './lanes.ts';

export interface Rates {
  readonly bytesPerSecond: number;
  /** Takes so many bytes now and answers 0; or takes none and answers when to ask again, in milliseconds. */
  readonly take: (of: Guest, bytes: number, nowMs: number) => number;
}

interface Account {
  /** When all that was sent is even. */
  evenMs: number;
  /** When all is sent that was put off. */
  promisedMs: number;
  /** When it was asked last. */
  askedMs: number;
}

/** How long a ledger that was quiet may send more than that, in milliseconds. */
const burstMs = 1_000;
/** Of how many it is known what they have sent; those whose account is even are forgotten then. */
const countMax = 10_000;

/** Rates of so many bytes a second, for the calls and for the events of each ledger. */
export function rates(bytesPerSecond: number): Rates {
  const accounts = new Map<string, Account>();
  const msOf = (bytes: number): number => (bytes * 1_000) / bytesPerSecond;
  return {
    bytesPerSecond,
    take: ({ kind, scope }, bytes, nowMs) => {
      const name = `${kind} ${scope}`;
      const account = accounts.get(name) ?? { evenMs: 0, promisedMs: 0, askedMs: nowMs };
      accounts.set(name, account);
      follow(account, nowMs);
      if (account.evenMs > nowMs) {
        account.promisedMs = Math.max(account.promisedMs, account.evenMs);
        const atMs = Math.ceil(account.promisedMs);
        account.promisedMs += msOf(bytes);
        return atMs;
      }
      account.evenMs = Math.max(account.evenMs, nowMs - burstMs) + msOf(bytes);
      if (accounts.size > countMax)
        for (const [one, { evenMs }] of accounts) if (evenMs <= nowMs) accounts.delete(one);
      return 0;
    },
  };
}

/** What is owed stays the same when the clock was set back since the account was asked. Decision 87. */
function follow(account: Account, nowMs: number): void {
  const backMs = Math.max(0, account.askedMs - nowMs);
  account.evenMs -= backMs;
  account.promisedMs -= backMs;
  account.askedMs = nowMs;
}
