/**
 * Signs what an event brings. The signature states the moment of the event, and not that of its making, so that an event
 * that comes again after a crash has the same text. Ruling 58, Decision 136.
 */
import type { Identity } from '../port/action.ts';
import { type Signed, signed } from '../record/sign.ts';
import { statedMs } from '../record/stated.ts';
import type { LedgerEvent } from '../signal/event.ts';
import type { AcceptPorts } from './accepted.ts';

/** Signs data for an event. */
export type SignFor = <Data extends object>(data: Data) => Signed<Data>;

/** Returns the function that signs for an event. */
export async function signingFor(
  { services }: Pick<AcceptPorts, 'services'>,
  ledger: Identity,
  { data: { moment } }: LedgerEvent,
): Promise<SignFor> {
  const ms = await statedMs(services, ledger, moment);
  return (data) => signed(ledger, data, ms);
}
