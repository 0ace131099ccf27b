/**
 * A few transfers inside this process, with the real actions and the real store. They show the requests of a transfer to
 * the database, and the recorded transactions are sent again to measure the floor.
 */
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { ledgerIn, type Traffic } from './here.ts';
import { pairsOf, settingOf, transferOf, type Workload, workloads } from './scene.ts';

/** One transfer as the database saw it. */
export interface Transfer extends Traffic {
  readonly luid: string;
  readonly handle: string;
}

/** Creates the records in a new file; returns the transfers of each workload. */
export async function rehearse(
  file: string,
  masterKeyFile: string,
  key: SigningKey,
): Promise<Record<Workload, Transfer[]>> {
  const ledger = await ledgerIn(file, masterKeyFile);
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => ledger.post(path, body)));
  const transfers: Record<Workload, Transfer[]> = { uniform: [], hot: [] };
  let number = 0;
  ledger.heard();
  for (const workload of workloads) {
    for (const pair of pairsOf[workload]) {
      number += 1;
      const { luid = '', data } = await ledger.post('/intents', transferOf(pair, number, key));
      transfers[workload].push({ luid, handle: String(data['handle']), ...ledger.heard() });
    }
  }
  return transfers;
}
