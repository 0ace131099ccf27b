/** Runs once in each deployment and creates the default ledger. Ruling 25. */
import { found } from '../found.ts';

/** Returns the handle of the default ledger, and the key that verifies its answers. */
export async function handler(): Promise<{ readonly ledger: string; readonly public: string }> {
  const { handle, key } = await found();
  return { ledger: handle, public: key.public };
}
