/**
 * Limits what a failure reason reveals to the author of an intent. Wallets that an address or a route led to, bridges,
 * and the balances and limits of others stay hidden. Decision 37.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import type { Entry } from './balance.ts';
import type { FailureReason } from './errors.ts';

/** A detail of a failure, with the names that an author must have written to see it. */
export interface Disclosure {
  readonly detail: string;
  /** The wallets that the claims must name. */
  readonly wallets: readonly string[];
  /** True when the claims must take from these wallets or limit them. */
  readonly isOwn?: true;
}

/** The reason why an intent fails. Without `disclosures`, `detail` is safe for every author. */
export interface FailureDetail {
  readonly reason: FailureReason;
  readonly detail: string;
  /** Alternatives to `detail`, the most informative first. */
  readonly disclosures?: readonly Disclosure[];
}

/** The failure reason that the author of these claims may see. The entries show which claim led to a hidden wallet. */
export function disclosedTo(
  { reason, detail, disclosures }: FailureDetail,
  claims: readonly Claim[],
  entries: readonly Entry[] = [],
): Pick<FailureDetail, 'reason' | 'detail'> {
  if (!disclosures) return { reason, detail };
  const own = new Set(claims.flatMap(ownOf));
  const written = new Set([...own, ...claims.flatMap(targetOf)]);
  const disclosure = disclosures.find(({ wallets, isOwn }) =>
    wallets.every((one) => (isOwn ? own : written).has(one)),
  );
  return { reason, detail: disclosure?.detail ?? hiddenDetail(reason, disclosures, entries) };
}

/** The wallets that a claim takes from, or limits. */
function ownOf(claim: Claim): string[] {
  if ('wallet' in claim) return [handleOf(claim.wallet)];
  return 'source' in claim ? [handleOf(claim.source)] : [];
}

function targetOf(claim: Claim): string[] {
  return 'target' in claim ? [handleOf(claim.target)] : [];
}

/** A detail for a wallet that the claims do not name. */
function hiddenDetail(
  reason: FailureReason,
  disclosures: readonly Disclosure[],
  entries: readonly Entry[],
): string {
  const hidden = new Set(disclosures.flatMap(({ wallets }) => wallets));
  const entry = entries.find(({ holder }) => holder !== 'supply' && hidden.has(holder.wallet));
  const named = entry ? `claim ${entry.inputs[0]} names` : 'the claims name';
  const why = hiddenReasons[reason] ?? 'does not take part';
  return `A wallet behind what ${named} ${why}.`;
}

const hiddenReasons: Partial<Readonly<Record<FailureReason, string>>> = {
  'core.insufficient-balance': 'holds too little',
  'core.limit-exceeded': 'has a limit that does not allow it',
  'core.routing-failed': 'has no route that leads on',
  'core.source-inactive': 'is inactive',
  'core.target-inactive': 'is inactive',
  'core.bridge-unreachable': 'lies at a bridge that is inactive and takes no new entries',
};
