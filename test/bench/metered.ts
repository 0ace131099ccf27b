/** A ledger in a table of its own, in memory, behind a meter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { provideFiles } from '../../shared/store/client.ts';
import { type LedgerHere, ledgerHere, tableName } from './here.ts';
import { type Meter, newMeter } from './meter.ts';

/** Does work in a ledger; a process has one table, so it does so once. */
export async function metered<Result>(
  work: (ledger: LedgerHere, meter: Meter) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const meter = newMeter(tableName);
  // Every client of this process asks this table, whatever its address.
  provideFiles(() => meter.client);
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  try {
    return await work(await ledgerHere('file:///metered', masterKeyFile), meter);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
