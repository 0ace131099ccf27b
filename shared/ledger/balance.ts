/**
 * Double entry. A claim that moves something becomes two entries, and they sum to zero.
 *
 * `issue` and `destroy` look one-sided from outside. Here their other side is the supply of the
 * symbol, so one rule holds for every claim, and "money is neither made nor lost" is a sum that a
 * test can take.
 */
import type { Claim } from '../shape/intent.ts';
import { handleOf } from './address.ts';

/** What an entry touches: a wallet, by its handle, or the supply of the symbol. */
export type Holder = { readonly wallet: string } | 'supply';

/** One side of a claim. */
export interface Entry {
  readonly schema: 'debit' | 'credit';
  readonly holder: Holder;
  readonly symbol: string;
  /** In the symbol's smallest unit: negative for a debit, positive for a credit. */
  readonly amount: bigint;
  /** Which claims of the intent it comes from, counted from 0; several when a bridge has them in one entry. */
  readonly inputs: readonly number[];
  /** Handle of the bridge that is called for it; absent when the ledger alone moves it. Ruling 54. */
  readonly bridge?: string;
  /** That its balance must hold it all the same: nobody answers for the bridge. Ruling 69. */
  readonly isUnvouched?: true;
}

/** The place of a balance on a sheet. Neither part may hold a space (Ruling 11). */
export function cellOf(wallet: string, symbol: string): string {
  return `${wallet} ${symbol}`;
}

/** The debit and the credit of a claim, in that order; a limit moves nothing. Ruling 48. */
export function entriesOf(claim: Claim, index: number): readonly Entry[] {
  if (claim.action === 'limit') return [];
  const symbol = handleOf(claim.symbol);
  const amount = BigInt(claim.amount);
  const source: Holder = claim.action === 'issue' ? 'supply' : { wallet: handleOf(claim.source) };
  const target: Holder = claim.action === 'destroy' ? 'supply' : { wallet: handleOf(claim.target) };
  return [
    { schema: 'debit', holder: source, symbol, amount: -amount, inputs: [index] },
    { schema: 'credit', holder: target, symbol, amount, inputs: [index] },
  ];
}

/** What the entries of one intent take from and bring to a balance, each as a sum. */
export interface Turnover {
  readonly wallet: string;
  readonly symbol: string;
  readonly debits: bigint;
  readonly credits: bigint;
  /** What of the debits the balance must hold: no bridge is asked for it, or none that counts. Rulings 54 and 69. */
  readonly guarded: bigint;
}

/** The sum of debits and the sum of credits of each balance that the entries touch, by cell. */
export function turnoversOf(entries: readonly Entry[]): ReadonlyMap<string, Turnover> {
  const turnovers = new Map<string, Turnover>();
  for (const { holder, symbol, amount, bridge, isUnvouched } of entries) {
    if (holder === 'supply') continue;
    const { wallet } = holder;
    const cell = cellOf(wallet, symbol);
    const before = turnovers.get(cell) ?? { debits: 0n, credits: 0n, guarded: 0n };
    const debit = amount < 0n ? -amount : 0n;
    turnovers.set(cell, {
      wallet,
      symbol,
      debits: before.debits + debit,
      credits: before.credits + (amount > 0n ? amount : 0n),
      guarded: before.guarded + (bridge === undefined || isUnvouched ? debit : 0n),
    });
  }
  return turnovers;
}
