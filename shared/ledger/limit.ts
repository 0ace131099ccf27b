/**
 * Limits: what bounds what a wallet has of a symbol, and how much of it is transferred in a day. They are set
 * by claims, and lie with the balance that they bound. Rulings 41 and 45, Decision 59.
 */
import type { Claim, IntentData, LimitClaim, Metric } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import type { Version } from './record.ts';

/** A limit as it stands. */
export interface Limit {
  /** `$lmt.…`: the same for as long as its balance is there, whatever the amount. */
  readonly luid: string;
  readonly amount: number;
  /** When it was set last, ISO 8601 UTC. */
  readonly moment: string;
  /** When it was set first: what is transferred from then on is counted. Decision 58. */
  readonly since: string;
  /** Luid of the intent that set it last. */
  readonly intent: string;
}

/** The limits of one balance. */
export type Limits = Readonly<Partial<Record<Metric, Limit>>>;

/** What a claim asks for, with the wallet that its address leads to. */
export interface Setting {
  readonly wallet: string;
  readonly symbol: string;
  readonly metric: Metric;
  readonly amount: number;
}

/** Whether a claim sets a limit. */
export function isLimit(claim: Claim): claim is LimitClaim {
  return claim.action === 'limit';
}

/** The limits that claims set; of several claims about the same limit the last one counts. Decision 60. */
export function settingsOf(
  claims: readonly Claim[],
  walletOf: (claim: LimitClaim) => string,
): Setting[] {
  const settings = claims.filter(isLimit).map((claim): Setting => {
    const { symbol, metric, amount } = claim;
    return { wallet: walletOf(claim), symbol: handleOf(symbol), metric, amount };
  });
  const named = settings.map(
    (setting) => [`${setting.wallet} ${setting.symbol} ${setting.metric}`, setting] as const,
  );
  return [...new Map(named).values()];
}

/** The limits that an intent sets, on the wallets that were found when it was signed. */
export function settingsOfIntent({
  record,
  limitedWallets = [],
}: Pick<Version, 'record' | 'limitedWallets'>): Setting[] {
  const { claims } = record.data as unknown as IntentData;
  const own = claims.filter(isLimit);
  return settingsOf(own, (claim) => limitedWallets[own.indexOf(claim)] ?? handleOf(claim.wallet));
}

/** The limits of a balance once some of them are set. */
export function limitsAfter(
  before: Limits,
  settings: readonly Setting[],
  { moment, intent }: Pick<Limit, 'moment' | 'intent'>,
  newLuid: () => string,
): Limits {
  const set = settings.map(({ metric, amount }) => {
    const { luid = newLuid(), since = moment } = before[metric] ?? {};
    return [metric, { luid, amount, moment, since, intent }] as const;
  });
  return { ...before, ...Object.fromEntries(set) };
}
