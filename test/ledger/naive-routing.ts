/**
 * Routing as plainly as it can be said: with all wallets known, one entry after the other, an exception for a
 * refusal. Slow and obvious; tests compare the real one with it.
 */
import { type Matcher, parseConditions } from '../../shared/ledger/match.ts';
import type { RoutedWallet } from '../../shared/ledger/routing.ts';
import type { Claim, ClaimReference } from '../../shared/shape/intent.ts';
import type { Route } from '../../shared/shape/wallet.ts';
import { patternMaker } from './routes.ts';

type Wallets = ReadonlyMap<string, RoutedWallet>;

/** The thread as lines, `from wallet amount symbol …`, sorted by nothing; or the fault. */
export function naiveLinesOf(
  wallets: Wallets,
  claims: readonly Claim[],
): readonly string[] | string {
  try {
    for (const claim of claims) {
      if ('source' in claim && !at(wallets, nameOf(claim.source))) throw 'core.source-invalid';
      if ('target' in claim && !at(wallets, nameOf(claim.target))) throw 'core.target-invalid';
    }
    return threadOf(wallets, claims);
  } catch (fault) {
    if (typeof fault === 'string') return fault;
    throw fault;
  }
}

interface Job {
  readonly claims: readonly Claim[];
  readonly from?: number;
  readonly passed: readonly string[];
}

function threadOf(wallets: Wallets, claims: readonly Claim[]): string[] {
  const jobs: Job[] = [{ claims, passed: [] }];
  const lines: string[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    const words: string[] = [];
    for (const claim of job.claims) {
      const credit = creditOf(wallets, claim, job);
      words.push(
        `${debitedBy(wallets, claim, job)} -${sumOf(claim)}`,
        `${credit.end} +${sumOf(claim)}`,
      );
      if (credit.onward !== undefined) {
        const { symbol, amount } = claim;
        const parties = { source: credit.end, target: credit.onward };
        const claims = [{ action: 'transfer' as const, ...parties, symbol, amount }];
        jobs.push({ claims, from: index, passed: credit.seen });
      }
    }
    if (jobs.length > 10) throw 'core.thread-size-exceeded';
    lines.push(`${job.from === undefined ? '' : `(${job.from}) `}${words.join(', ')}`);
  }
  return lines;
}

function debitedBy(wallets: Wallets, claim: Claim, { from }: Job): string {
  if (!('source' in claim)) return 'supply';
  const source = nameOf(claim.source);
  return from === undefined ? walk(wallets, 'debit', source, claim, []).end : source;
}

function creditOf(wallets: Wallets, claim: Claim, { passed }: Job): End {
  if (!('target' in claim)) return { end: 'supply', seen: [] };
  return walk(wallets, 'credit', nameOf(claim.target), claim, passed);
}

function sumOf({ amount, symbol }: Claim): string {
  return `${amount} ${nameOf(symbol)}`;
}

interface End {
  readonly end: string;
  readonly onward?: string;
  readonly seen: readonly string[];
}

type Side = 'debit' | 'credit';

function walk(
  wallets: Wallets,
  side: Side,
  address: string,
  claim: Claim,
  passed: readonly string[],
): End {
  let seen = passed;
  let name = address;
  for (let hop = 0; ; hop += 1) {
    const wallet = at(wallets, name);
    if (!wallet || hop > 3 || seen.includes(wallet.handle)) throw 'core.routing-failed';
    seen = [...seen, wallet.handle];
    const route = decisive(wallet, side, claim);
    if (route.action === 'accept') return { end: wallet.handle, seen };
    if (route.action === 'forward') return { end: wallet.handle, onward: route.target, seen };
    name = route.target;
  }
}

function decisive({ routes = [] }: RoutedWallet, side: Side, claim: Claim): Route {
  const own = routes.filter(({ action }) =>
    side === 'debit'
      ? action === 'debit' || action === 'accept'
      : action === 'credit' || action === 'forward' || action === 'accept',
  );
  if (own.length === 0) return { action: 'accept' };
  const route = own.find((one) => matcherOf(one)(plain(claim)));
  if (!route) throw 'core.routing-failed';
  return route;
}

function at(wallets: Wallets, address: string): RoutedWallet | undefined {
  const schema = address.includes(':') ? address.split(':')[0] : undefined;
  const domain = address.includes('@') ? address.split('@')[1] : undefined;
  const exact = wallets.get(address);
  if (exact) return exact;
  if (schema && domain && wallets.has(`${schema}@${domain}`))
    return wallets.get(`${schema}@${domain}`);
  if (domain && wallets.has(domain)) return wallets.get(domain);
  return schema ? wallets.get(schema) : undefined;
}

/** The claim with the parties in either form of paths that the tests use. */
function plain(claim: Claim): unknown {
  const both = (party: ClaimReference) => [nameOf(party), { handle: nameOf(party) }];
  return {
    ...claim,
    ...('source' in claim && { source: both(claim.source) }),
    ...('target' in claim && { target: both(claim.target) }),
    symbol: both(claim.symbol),
  };
}

function matcherOf({ filter = {} }: Route): Matcher {
  return parseConditions(filter, patternMaker);
}

function nameOf(party: ClaimReference): string {
  return typeof party === 'string' ? party : party.handle;
}
