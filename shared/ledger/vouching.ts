/** The states of a bridge: vouched for (its wallets may be below zero), or inactive. Ruling 69, Decision 79. */
import type { LedgerRecord } from './record.ts';

/** The status of a bridge that a signer with the right `activate` vouches for. */
export const active = 'active';
/** The status of a bridge that takes no new entries, and of an effect that receives no events. */
export const inactive = 'inactive';
/** The status of every new record. Ruling 13. */
const created = 'created';

type BridgeState = { readonly meta: Pick<LedgerRecord['meta'], 'status'> };

/** True when its wallets may be below zero. In an open ledger creating a bridge is enough: everyone may activate it. */
export function isVouchedFor({ meta: { status } }: BridgeState, isOpen: boolean): boolean {
  return status === active || (isOpen && status === created);
}

/** True when a bridge takes no new entries. */
export function isClosed({ meta: { status } }: BridgeState): boolean {
  return status === inactive;
}
