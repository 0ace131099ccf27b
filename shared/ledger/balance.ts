/**
 * Double entry: turns each claim that moves value into two entries that sum to zero.
 *
 * `issue` and `destroy` look one-sided from outside. Here their other side is the supply of the symbol, so one rule
 * holds for every claim. That money is neither made nor lost is then a sum that a test can take.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';

/** The account that an entry changes: a wallet, by its handle, or the supply of the symbol. */
export type EntryHolder = { readonly wallet: string } | 'supply';

export interface Entry {
  readonly schema: 'debit' | 'credit';
  readonly holder: EntryHolder;
  readonly symbol: string;
  /** In the symbol's smallest unit: negative for a debit, positive for a credit. */
  readonly amount: bigint;
  /** Indexes of the claims that it comes from, counted from 0. A bridge may group several claims into one entry. */
  readonly inputs: readonly number[];
  /** Handle of the bridge that is called for it; absent when the ledger alone moves it. Ruling 54. */
  readonly bridge?: string;
  /** True when no signer vouches for the bridge, so that the balance must cover the debit. Ruling 69. */
  readonly isUnvouched?: true;
}

/** The key of a balance. A space separates the parts, since neither may contain one. Ruling 11. */
export function balanceKeyOf(wallet: string, symbol: string): string {
  return `${wallet} ${symbol}`;
}

/** The debit and the credit of a claim, in that order. A limit moves nothing. Ruling 48. */
export function entriesOf(claim: Claim, index: number): readonly Entry[] {
  if (claim.action === 'limit') return [];
  const symbol = handleOf(claim.symbol);
  const amount = BigInt(claim.amount);
  const source: EntryHolder =
    claim.action === 'issue' ? 'supply' : { wallet: handleOf(claim.source) };
  const target: EntryHolder =
    claim.action === 'destroy' ? 'supply' : { wallet: handleOf(claim.target) };
  return [
    { schema: 'debit', holder: source, symbol, amount: -amount, inputs: [index] },
    { schema: 'credit', holder: target, symbol, amount, inputs: [index] },
  ];
}

/** The debits and the credits of one intent on a balance, each as a sum. */
export interface Volumes {
  readonly wallet: string;
  readonly symbol: string;
  readonly debits: bigint;
  readonly credits: bigint;
  /** The part of the debits that no bridge, or none that is vouched for, covers. Rulings 54 and 69. */
  readonly guarded: bigint;
}

/** Sums the debits and the credits of each balance, by its key. */
export function volumesOf(entries: readonly Entry[]): ReadonlyMap<string, Volumes> {
  const volumesByKey = new Map<string, Volumes>();
  for (const { holder, symbol, amount, bridge, isUnvouched } of entries) {
    if (holder === 'supply') continue;
    const { wallet } = holder;
    const key = balanceKeyOf(wallet, symbol);
    const before = volumesByKey.get(key) ?? { debits: 0n, credits: 0n, guarded: 0n };
    const debit = amount < 0n ? -amount : 0n;
    volumesByKey.set(key, {
      wallet,
      symbol,
      debits: before.debits + debit,
      credits: before.credits + (amount > 0n ? amount : 0n),
      guarded: before.guarded + (bridge === undefined || isUnvouched ? debit : 0n),
    });
  }
  return volumesByKey;
}
