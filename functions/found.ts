/** Creation of the default ledger: offline at each start, on AWS at deployment. Ruling 25. */
import { foundDefaultLedger, isOpen } from '../shared/action/found-ledger.ts';
import type { Identity } from '../shared/port/action.ts';
import { signing } from './signing.ts';

/** Returns the identity of the default ledger, and creates it when it does not exist. */
export async function found(): Promise<Identity> {
  return foundDefaultLedger(signing.services, signing.owner);
}

/** True when everybody may do everything in the default ledger. */
export async function isFoundOpen(): Promise<boolean> {
  const { services } = signing;
  return isOpen(services, services.settings.defaultLedger);
}
