/**
 * Turns claims into entries: resolves addresses to wallets, applies the routes of those wallets, and adds an intent for
 * money that is forwarded. All these intents form a thread, which commits or fails as one. Rulings 42 and 43.
 *
 * It reads nothing: it returns the handles of unread wallets, and the caller reads them and tries again.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import type { Route } from '../shape/wallet.ts';
import { handleOf } from './address.ts';
import { type Entry, entriesOf } from './balance.ts';
import { budgetOf, paidFrom, unitsFor } from './budget.ts';
import { type ClaimConditions, parsingOnce, viewOf } from './claim.ts';
import {
  type KnownWallets,
  type Landing,
  landingOf,
  meaningIn,
  refused,
  type Stop,
  targetOf,
  walletAt,
} from './landing.ts';
import type { Matcher, PatternMaker } from './match.ts';

export type { KnownWallets, RoutedWallet } from './landing.ts';

/** One intent of a thread, with its entries. */
export interface Routed {
  readonly claims: readonly Claim[];
  /** The debit before the credit, claim by claim; bridges are chosen later. */
  readonly entries: readonly Entry[];
  /** Index of the intent that forwards to this one; absent for the first. */
  readonly from?: number;
}

/** The intents of a thread in the order in which they take effect, or the reason why there are none. */
export type Routing = Stop | { readonly is: 'routed'; readonly thread: readonly Routed[] };

/** The most intents in a thread. Ruling 43. */
export const threadSizeMax = 10;

/** The context that all steps of one routing share. */
interface RoutingContext {
  readonly known: KnownWallets;
  readonly about: ClaimConditions;
  /** Parses the conditions of a route once. */
  readonly matcherOf: (route: Route) => Matcher;
}

/** An intent whose entries are not routed yet. */
interface Planned {
  readonly claims: readonly Claim[];
  /** Of a forwarded intent: the index of its origin, and the wallets that its money has passed. */
  readonly forwarded?: { readonly from: number; readonly passed: readonly string[] };
}

/** Routes an intent. Returns its thread, the wallets that the caller must read first, or a failure reason. */
export function route(
  { claims, ...about }: Pick<IntentData, 'claims'> & ClaimConditions,
  known: KnownWallets,
  patternMaker: PatternMaker,
): Routing {
  const stop = firstStop(claims.flatMap((claim, index) => unknownIn(claim, index, known)));
  return stop ?? threadOf(contextOf(about, known, patternMaker), claims);
}

/** The wallets to which routes lead the debits of an intent, or those that the caller must read first. */
export type Drawing =
  | (Stop & { readonly is: 'needed' })
  | { readonly is: 'drawn'; readonly wallets: readonly string[] };

/**
 * Follows the debits of an intent as `route` does: all wallets behind those that its claims name, up to those that pay.
 * A debit that leads nowhere has none, since `route` refuses its intent.
 */
export function drawing(
  { claims, ...about }: Pick<IntentData, 'claims'> & ClaimConditions,
  known: KnownWallets,
  patternMaker: PatternMaker,
): Drawing {
  const context = contextOf(about, known, patternMaker);
  const debits = claimedIn(claims).filter(([, { schema }]) => schema === 'debit');
  const ends = debits.flatMap(([claim, entry]) => {
    const end = landingFor(context, { claims }, claim, entry);
    return end === 'supply' ? [] : end;
  });
  const stop = firstStop(ends.flatMap((end) => (end.is === 'landed' ? [] : end)));
  if (stop?.is === 'needed') return stop;
  const behind = ends.flatMap((end) => (end.is === 'landed' ? end.passed.slice(1) : []));
  return { is: 'drawn', wallets: [...new Set(behind)] };
}

function contextOf(
  about: ClaimConditions,
  known: KnownWallets,
  patternMaker: PatternMaker,
): RoutingContext {
  const paid = paidFrom(budgetOf(unitsFor.routes), patternMaker);
  return { known, about, matcherOf: parsingOnce(paid) };
}

/** The addresses of a claim that mean no wallet, the source before the target. Ruling 47. */
function unknownIn(claim: Claim, index: number, known: KnownWallets): Stop[] {
  const source = 'source' in claim ? [['Source', handleOf(claim.source)] as const] : [];
  const target = 'target' in claim ? [['Target', handleOf(claim.target)] as const] : [];
  return [...source, ...target].flatMap(([role, handle]) => {
    const side = role === 'Source' ? 'debit' : 'credit';
    const found = walletAt(handle, side, known);
    if (found !== 'absent') return 'is' in found ? [found] : [];
    const reason = role === 'Source' ? 'core.source-invalid' : 'core.target-invalid';
    return [refused(reason, `${role} ${handle} of claim ${index} does not exist.`)];
  });
}

/** Routes an intent, and then each intent that forwards its money. */
function threadOf(context: RoutingContext, claims: readonly Claim[]): Routing {
  const planned: Planned[] = [{ claims }];
  const thread: Routed[] = [];
  const stops: Stop[] = [];
  // The list grows during the loop.
  for (const [index, intent] of planned.entries()) {
    const { entries, onward, stops: own } = routed(context, intent, index);
    const from = intent.forwarded && { from: intent.forwarded.from };
    thread.push({ claims: intent.claims, entries, ...from });
    planned.push(...onward);
    stops.push(...own);
    if (planned.length > threadSizeMax) {
      stops.push(tooLarge);
      break;
    }
  }
  return firstStop(stops) ?? { is: 'routed', thread };
}

/** The result of routing one intent: entries, further intents, and failures. */
interface RoutedClaims {
  readonly entries: Entry[];
  readonly onward: Planned[];
  readonly stops: Stop[];
}

function routed(context: RoutingContext, intent: Planned, from: number): RoutedClaims {
  const all: RoutedClaims = { entries: [], onward: [], stops: [] };
  for (const [claim, entry] of claimedIn(intent.claims)) {
    const landing = landingFor(context, intent, claim, entry);
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

function claimedIn(claims: readonly Claim[]): (readonly [Claim, Entry])[] {
  return claims.flatMap((claim, index) =>
    entriesOf(claim, index).map((entry) => [claim, entry] as const),
  );
}

/** The wallet where an entry of an intent ends. */
function landingFor(
  { known, about, matcherOf }: RoutingContext,
  { forwarded }: Planned,
  claim: Claim,
  { schema: side, holder }: Entry,
): Landing | Stop | 'supply' {
  if (holder === 'supply') return 'supply';
  const { wallet } = holder;
  // The forwarding wallet has just been credited, so exactly that money moves on: no route is applied. Decision 52.
  if (forwarded && side === 'debit') return { is: 'landed', wallet, passed: [] };
  const passed = forwarded?.passed ?? [];
  const start = targetOf(wallet, passed.at(-1) ?? wallet, side, known);
  if ('is' in start) return start;
  let view: ReturnType<typeof viewOf> | undefined;
  const fits = (route: Route) => {
    view ??= viewOf(claim, about, meaningIn(known));
    return matcherOf(route)(view);
  };
  return landingOf({ side, start, passed, fits }, known);
}

/** The intent that forwards the money that a wallet received. */
function forwardedBy({ wallet, onward, passed }: Landing, claim: Claim, from: number): Planned[] {
  if (onward === undefined) return [];
  const { symbol, amount } = claim;
  const transfer = { action: 'transfer', source: wallet, target: onward, symbol, amount } as const;
  return [{ claims: [transfer], forwarded: { from, passed } }];
}

/** The first stop decides. Unread wallets are returned together, since reading them may change later stops. */
function firstStop(stops: readonly Stop[]): Stop | undefined {
  const [first] = stops;
  if (first?.is !== 'needed') return first;
  const wallets = stops.flatMap((stop) => (stop.is === 'needed' ? stop.wallets : []));
  return { is: 'needed', wallets: [...new Set(wallets)] };
}
