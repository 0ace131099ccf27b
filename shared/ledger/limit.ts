/**
 * Limits on a balance, and on its transfers per day. Claims set them, and they are stored with the balance that they
 * bound. Rulings 41 and 45, Decision 59.
 */
import type { Claim, IntentData, LimitClaim, LimitMetric } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import type { Version } from './record.ts';

export interface Limit {
  /** `$lmt.…`; it stays the same for the life of the balance, whatever the amount. */
  readonly luid: string;
  readonly amount: number;
  /** When it was last set, ISO 8601 UTC. */
  readonly moment: string;
  /** When it was first set: transfers count from then on. Decision 58. */
  readonly since: string;
  /** Luid of the intent that last set it. */
  readonly intent: string;
}

export type Limits = Readonly<Partial<Record<LimitMetric, Limit>>>;

/** A limit to be set, with the wallet that the address in its claim means. */
export interface Setting {
  readonly wallet: string;
  readonly symbol: string;
  readonly metric: LimitMetric;
  readonly amount: number;
  /** Luid of the intent that sets it, where several intents set limits in one commit. */
  readonly intent?: string;
}

export function isLimit(claim: Claim): claim is LimitClaim {
  return claim.action === 'limit';
}

/** The limits that claims set. Of several claims for one limit, the last one counts. Decision 60. */
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

/** The limits that an intent sets, on the wallets that its addresses meant when it was signed. */
export function settingsOfIntent({
  record,
  limitedWallets = [],
}: Pick<Version, 'record' | 'limitedWallets'>): Setting[] {
  const { claims } = record.data as unknown as IntentData;
  const own = claims.filter(isLimit);
  return settingsOf(own, (claim) => limitedWallets[own.indexOf(claim)] ?? handleOf(claim.wallet));
}

/** The limits of a balance after some are set. A limit that exists already keeps its luid and its start. */
export function limitsAfter(
  before: Limits,
  settings: readonly Setting[],
  { moment, intent }: Pick<Limit, 'moment' | 'intent'>,
  newLuid: () => string,
): Limits {
  const set = settings.map(({ metric, amount, intent: own = intent }) => {
    const { luid = newLuid(), since = moment } = before[metric] ?? {};
    return [metric, { luid, amount, moment, since, intent: own }] as const;
  });
  return { ...before, ...Object.fromEntries(set) };
}
