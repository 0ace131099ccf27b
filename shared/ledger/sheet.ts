/** What the ledger knows of balances while it settles. */
import type { Limits } from './limit.ts';
import type { Counters } from './window.ts';

/** What a wallet has of a symbol, and what bounds it. */
export interface Cell {
  /** In the symbol's smallest unit. */
  readonly available: bigint;
  readonly reserved?: bigint;
  readonly limits?: Limits;
  /** The transfers that count for the daily ones of its limits. */
  readonly counters?: Counters;
}

/** The cells by `cellOf`; a missing one holds nothing and has no limits. */
export type Sheet = ReadonlyMap<string, Cell>;

/** A balance that was never touched. */
export const emptyCell: Cell = { available: 0n };

/** All that a cell holds, whatever is reserved of it. */
export function heldIn({ available, reserved = 0n }: Cell): bigint {
  return available + reserved;
}
