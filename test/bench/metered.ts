/** A ledger in a table of its own, behind a meter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../localstack/runtime/database.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { type LedgerHere, ledgerHere } from './here.ts';
import { type Meter, openMeter } from './meter.ts';

/** Does work in a ledger; a process has one table, so it does so once. */
export async function metered<Result>(
  work: (ledger: LedgerHere, meter: Meter) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  delete process.env['DYNAMODB_ENDPOINT'];
  const database: Database = await openDatabase(undefined);
  const meter = await openMeter(database.endpoint);
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  try {
    const ledger = await ledgerHere({ ...database, endpoint: meter.endpoint }, masterKeyFile);
    const result = await work(ledger, meter);
    ledger.close();
    return result;
  } finally {
    meter.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
