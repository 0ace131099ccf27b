/** The balances that the ledger reads to settle an intent. */
import type { Limits } from './limit.ts';
import type { Counters } from './window.ts';

/** One balance of a wallet in a symbol, with its limits. */
export interface BalanceState {
  /** In the symbol's smallest unit. */
  readonly available: bigint;
  readonly reserved?: bigint;
  readonly limits?: Limits;
  /** The transfers that count for its daily limits. */
  readonly counters?: Counters;
}

/** Balances by `balanceKeyOf`; an absent one is empty and has no limits. */
export type BalanceStates = ReadonlyMap<string, BalanceState>;

export const emptyBalance: BalanceState = { available: 0n };

/** The whole balance, available and reserved. */
export function heldIn({ available, reserved = 0n }: BalanceState): bigint {
  return available + reserved;
}
