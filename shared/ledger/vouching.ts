/**
 * How bridges stand to their ledger: whether somebody answers for what their wallets owe, and whether they take new
 * entries. Ruling 69, Decision 79.
 */
import type { LedgerRecord } from './record.ts';

/** The status that a bridge has once somebody with the right to activate it answers for it. */
export const active = 'active';
/** Status of what takes nothing new, and of what is told nothing. */
export const inactive = 'inactive';
/** With which every record begins. Ruling 13. */
const created = 'created';

type Standing = { readonly meta: Pick<LedgerRecord['meta'], 'status'> };

/**
 * Whether wallets at a bridge may be below zero. Where the ledger is open everybody may activate a bridge, so that
 * whoever makes one has said enough.
 */
export function isVouchedFor({ meta: { status } }: Standing, isOpen: boolean): boolean {
  return status === active || (isOpen && status === created);
}

/** Whether a bridge takes no new entries. */
export function isClosed({ meta: { status } }: Standing): boolean {
  return status === inactive;
}
