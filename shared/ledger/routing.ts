/**
 * Routing: from claims to entries. Addresses become wallets, wallets pass on what reaches them, and what
 * they forward becomes further intents: a thread, which commits or fails as one. Rulings 42 and 43.
 *
 * Nothing is read here. What is not known yet is asked for, and the whole is tried again with it.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import type { Route } from '../shape/wallet.ts';
import { handleOf } from './address.ts';
import { type Entry, entriesOf } from './balance.ts';
import { type About, parsingOnce, viewOf } from './claim.ts';
import {
  type KnownWallets,
  type Landing,
  landingOf,
  refused,
  type Stop,
  targetOf,
  walletAt,
} from './landing.ts';
import type { Matcher, PatternMaker } from './match.ts';
import { pricedBy, purseOf, unitsFor } from './work.ts';

export type { KnownWallets, RoutedWallet } from './landing.ts';

/** One intent of a thread, with what its claims do. */
export interface Routed {
  readonly claims: readonly Claim[];
  /** Debit before credit, claim by claim; which bridges they need is not said yet. */
  readonly entries: readonly Entry[];
  /** Which intent of the thread forwards to it; absent for the first one. */
  readonly from?: number;
}

/** A thread, its intents in the order in which they take effect; or why there is none. */
export type Routing = Stop | { readonly is: 'routed'; readonly thread: readonly Routed[] };

/** How many intents a thread has at most. Ruling 43. */
export const threadSizeMax = 10;

/** What the whole of one routing has in common. */
interface Ground {
  readonly known: KnownWallets;
  readonly about: About;
  /** The conditions of a route, parsed once. */
  readonly matcherOf: (route: Route) => Matcher;
}

/** An intent whose entries have not come to their wallets yet. */
interface Planned {
  readonly claims: readonly Claim[];
  /** Of one that is forwarded: by which intent, and through which wallets its money has come. */
  readonly forwarded?: { readonly from: number; readonly passed: readonly string[] };
}

/** Finds the wallets whose money an intent moves, or says which have to be looked for. */
export function route(
  { claims, ...about }: Pick<IntentData, 'claims'> & About,
  known: KnownWallets,
  patternMaker: PatternMaker,
): Routing {
  const stop = decisiveOf(claims.flatMap((claim, index) => unknownIn(claim, index, known)));
  const paid = pricedBy(purseOf(unitsFor.routes), patternMaker);
  return stop ?? threadOf({ known, about, matcherOf: parsingOnce(paid) }, claims);
}

/** What a claim names and what is not there: its source, then its target. Ruling 47. */
function unknownIn(claim: Claim, index: number, known: KnownWallets): Stop[] {
  const source = 'source' in claim ? [['Source', handleOf(claim.source)] as const] : [];
  const target = 'target' in claim ? [['Target', handleOf(claim.target)] as const] : [];
  return [...source, ...target].flatMap(([role, handle]) => {
    const side = role === 'Source' ? 'debit' : 'credit';
    const found = walletAt(handle, side, known);
    if (found !== 'absent') return 'is' in found ? [found] : [];
    const fault = role === 'Source' ? 'core.source-invalid' : 'core.target-invalid';
    return [refused(fault, `${role} ${handle} of claim ${index} does not exist.`)];
  });
}

/** An intent, and all that its money is forwarded by. */
function threadOf(ground: Ground, claims: readonly Claim[]): Routing {
  const planned: Planned[] = [{ claims }];
  const thread: Routed[] = [];
  const stops: Stop[] = [];
  // The list grows while it is gone through.
  for (const [index, intent] of planned.entries()) {
    const { entries, onward, stops: own } = placed(ground, intent, index);
    const from = intent.forwarded && { from: intent.forwarded.from };
    thread.push({ claims: intent.claims, entries, ...from });
    planned.push(...onward);
    stops.push(...own);
    if (planned.length > threadSizeMax) {
      stops.push(tooLarge);
      break;
    }
  }
  return decisiveOf(stops) ?? { is: 'routed', thread };
}

/** What becomes of one intent's claims: entries, further intents, or stops. */
interface Placed {
  readonly entries: Entry[];
  readonly onward: Planned[];
  readonly stops: Stop[];
}

function placed(ground: Ground, intent: Planned, from: number): Placed {
  const all: Placed = { entries: [], onward: [], stops: [] };
  for (const [claim, entry] of claimedIn(intent.claims)) {
    const landing = landed(ground, intent, claim, entry);
    if (landing === 'supply') all.entries.push(entry);
    else if (landing.is !== 'landed') all.stops.push(landing);
    else {
      all.entries.push({ ...entry, holder: { wallet: landing.wallet } });
      all.onward.push(...forwardedBy(landing, claim, from));
    }
  }
  return all;
}

const tooLarge = refused(
  'core.thread-size-exceeded',
  `The intent would be forwarded as more than ${threadSizeMax} intents.`,
);

/** The entries of claims, each with its claim. */
function claimedIn(claims: readonly Claim[]): (readonly [Claim, Entry])[] {
  return claims.flatMap((claim, index) =>
    entriesOf(claim, index).map((entry) => [claim, entry] as const),
  );
}

/** Where an entry of an intent comes to. */
function landed(
  { known, about, matcherOf }: Ground,
  { forwarded }: Planned,
  claim: Claim,
  { schema: side, holder }: Entry,
): Landing | Stop | 'supply' {
  if (holder === 'supply') return 'supply';
  const { wallet } = holder;
  // A wallet that forwards has just been credited: that very money moves on, and from nowhere else. Decision 52.
  if (forwarded && side === 'debit') return { is: 'landed', wallet, passed: [] };
  const passed = forwarded?.passed ?? [];
  const start = targetOf(wallet, passed.at(-1) ?? wallet, side, known);
  if ('is' in start) return start;
  const view = viewOf(claim, about);
  const fits = (route: Route) => matcherOf(route)(view);
  return landingOf({ side, start, passed, fits }, known);
}

/** The intent that passes on what has come to a wallet that forwards it. */
function forwardedBy({ wallet, onward, passed }: Landing, claim: Claim, from: number): Planned[] {
  if (onward === undefined) return [];
  const { symbol, amount } = claim;
  const transfer = { action: 'transfer', source: wallet, target: onward, symbol, amount } as const;
  return [{ claims: [transfer], forwarded: { from, passed } }];
}

/**
 * The first stop decides. When it is that something is not known, all that is not known is asked for at
 * once, and what comes after it may turn out otherwise.
 */
function decisiveOf(stops: readonly Stop[]): Stop | undefined {
  const [first] = stops;
  if (first?.is !== 'needed') return first;
  const wallets = stops.flatMap((stop) => (stop.is === 'needed' ? stop.wallets : []));
  return { is: 'needed', wallets: [...new Set(wallets)] };
}
