/**
 * What a refusal tells whoever asked: what they wrote themselves. Wallets that an address or a route led to, bridges, and
 * what others hold and may hold lie behind that, and are not theirs to know. Decision 37.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import type { Entry } from './balance.ts';
import type { Fault } from './errors.ts';

/** A way to say why, and what whoever hears it must have written. */
export interface Telling {
  readonly detail: string;
  /** Wallets, as the claims must name them. */
  readonly wallets: readonly string[];
  /** Only if the claims take from these, or limit them. */
  readonly isOwn?: true;
}

/** Why an intent is refused. Without tellings its detail names nothing that lies behind the claims. */
export interface Why {
  readonly fault: Fault;
  readonly detail: string;
  /** What may be told in its place, what says the most first. */
  readonly tellings?: readonly Telling[];
}

/** Why, as whoever wrote the claims may hear it. The entries of the intent itself tell which claim led there. */
export function toldOf(
  { fault, detail, tellings }: Why,
  claims: readonly Claim[],
  entries: readonly Entry[] = [],
): Pick<Why, 'fault' | 'detail'> {
  if (!tellings) return { fault, detail };
  const own = new Set(claims.flatMap(ownOf));
  const written = new Set([...own, ...claims.flatMap(targetOf)]);
  const telling = tellings.find(({ wallets, isOwn }) =>
    wallets.every((one) => (isOwn ? own : written).has(one)),
  );
  return { fault, detail: telling?.detail ?? behind(fault, tellings, entries) };
}

/** The wallets that a claim takes from, or limits. */
function ownOf(claim: Claim): string[] {
  if ('wallet' in claim) return [handleOf(claim.wallet)];
  return 'source' in claim ? [handleOf(claim.source)] : [];
}

function targetOf(claim: Claim): string[] {
  return 'target' in claim ? [handleOf(claim.target)] : [];
}

/** Why, of a wallet that the claims do not name. */
function behind(fault: Fault, tellings: readonly Telling[], entries: readonly Entry[]): string {
  const hidden = new Set(tellings.flatMap(({ wallets }) => wallets));
  const entry = entries.find(({ holder }) => holder !== 'supply' && hidden.has(holder.wallet));
  const named = entry ? `claim ${entry.inputs[0]} names` : 'the claims name';
  const why = reasons[fault] ?? 'does not take part';
  return `A wallet behind what ${named} ${why}.`;
}

const reasons: Partial<Readonly<Record<Fault, string>>> = {
  'core.insufficient-balance': 'holds too little',
  'core.limit-exceeded': 'has a limit that does not allow it',
  'core.routing-failed': 'has no route that leads on',
  'core.bridge-unreachable': 'lies at a bridge that is inactive and takes no new entries',
};
