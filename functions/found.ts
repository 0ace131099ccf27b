/** Makes the default ledger, once: offline at each start, on AWS at deployment. Ruling 25. */

import { foundDefaultLedger } from '../shared/action/found-ledger.ts';
import type { Identity } from '../shared/port/action.ts';
import { signing } from './signing.ts';

/** Returns the default ledger's identity, and makes the ledger when it is not there yet. */
export async function found(): Promise<Identity> {
  return foundDefaultLedger(signing.services, signing.owner);
}
