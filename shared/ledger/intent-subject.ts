/**
 * An intent as the filters of policies see it: its record, what its claims move in all, and the wallets that they name.
 * What is derived wins over members of the same name, which an author could choose. Ruling 93.
 */
import type { Claim, IntentData } from '../shape/intent.ts';
import { handleOf } from './address.ts';
import type { Entry } from './balance.ts';
import { isLimit } from './limit.ts';
import { shownOf } from './names.ts';
import { subjectOf } from './policy.ts';
import type { LedgerRecord } from './record.ts';

/** Finds the wallet that an address in a claim means; undefined where there is none. Ruling 42. */
type WalletOf = (address: string, side: Entry['schema']) => LedgerRecord | undefined;

type Role = 'source' | 'target' | 'wallet';

/** The members that the subject has beside those of the record. */
export const derivedMembers: readonly string[] = ['amounts', 'sources', 'targets', 'wallets'];

/**
 * The paths in them at which there is something to compare: a sum, or a fact of wallets. A path splits at its dots, so none
 * leads to the sum of a symbol with a dot. Decision 107.
 */
export const derivedPath =
  /^(amounts\.[^.]+$|(sources|targets|wallets)(\.\d+)?\.(handle|schema|custom|bridge|domain)(\.|$))/;

/**
 * The record by `data.…` and `meta.…`, with `amounts`, `wallets`, `sources` and `targets`. The wallets `behind` those
 * that the claims take from are sources as well.
 */
export function intentSubjectOf(
  record: LedgerRecord,
  walletOf: WalletOf,
  behind: readonly LedgerRecord[] = [],
): unknown {
  const { claims } = record.data as unknown as IntentData;
  const shown = claims.map((claim) =>
    shownOf(claim, (address, side) => walletOf(address, side)?.data.handle),
  );
  const data = { ...record.data, claims: shown };
  const named = (role: Role) => walletsIn(claims, role, walletOf);
  const sources = [...named('source'), ...behind.map(factsOf)];
  const [targets, limited] = [named('target'), named('wallet')];
  return {
    ...(subjectOf({ ...record, data }) as object),
    amounts: amountsIn(claims),
    sources,
    targets,
    wallets: [...sources, ...targets, ...limited],
  };
}

/** The sum of what all claims move, by symbol, so that it cannot be split into claims that are small each. */
function amountsIn(claims: readonly Claim[]): Readonly<Record<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (const claim of claims) {
    if (isLimit(claim)) continue;
    const symbol = handleOf(claim.symbol);
    sums.set(symbol, (sums.get(symbol) ?? 0n) + BigInt(claim.amount));
  }
  return Object.fromEntries(sums);
}

function walletsIn(claims: readonly Claim[], role: Role, walletOf: WalletOf): unknown[] {
  const addresses = claims.flatMap((claim) => {
    const reference = (claim as Readonly<Record<string, unknown>>)[role];
    return reference === undefined ? [] : handleOf(reference as Claim['symbol']);
  });
  return [...new Set(addresses)].flatMap((address) => {
    const wallet = walletOf(address, role === 'target' ? 'credit' : 'debit');
    return wallet ? factsOf(wallet) : [];
  });
}

function factsOf({ data, meta }: LedgerRecord) {
  const { handle, schema, custom, bridge } = data;
  return { handle, schema, custom, bridge, domain: meta.domain };
}
