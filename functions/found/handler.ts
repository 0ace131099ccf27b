/** Runs once in each deployment and makes the default ledger. Ruling 25. */
import { found } from '../found.ts';

/** Says which ledger answers without `x-ledger`, and the key that verifies its answers. */
export async function handler(): Promise<{ readonly ledger: string; readonly public: string }> {
  const { handle, key } = await found();
  return { ledger: handle, public: key.public };
}
