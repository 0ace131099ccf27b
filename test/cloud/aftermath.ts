/** The aftermath of a run on the model: its items, and what the audit finds. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import { itemOf } from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import { auditedFile, newFolder, saved } from '../fixture/archived.ts';
import type { LoadedLedger } from './load.ts';

/** All items of the table. */
export async function itemsIn({ engine, tableName }: LoadedLedger): Promise<readonly Item[]> {
  const found: Item[] = [];
  let start: Item | undefined;
  do {
    const command = new ScanCommand({
      TableName: tableName,
      ...(start && { ExclusiveStartKey: start }),
    });
    const { Items = [], LastEvaluatedKey: next } = await engine.client().send(command);
    found.push(...Items);
    start = next;
  } while (start);
  return found;
}

/** The findings of the audit, line by line. */
export async function auditOf({ engine, tableName }: LoadedLedger): Promise<string[]> {
  const lines: string[] = [];
  const source = tableSource(engine.client(), tableName);
  for await (const one of audit(source, { isLive: false, nowMs: Date.now }, newReport()))
    lines.push(lineOfViolation(one));
  return lines;
}

/** Exports a ledger, which has nothing that an archive cannot say; what the audit says of the archive. */
export async function archiveAuditOf(
  { engine, tableName }: LoadedLedger,
  ledger = 'main',
): Promise<string[]> {
  const folder = newFolder();
  try {
    const path = folder.path('ledger');
    return await auditedFile(await saved(engine.client(), tableName, path, { ledger }));
  } finally {
    folder.remove();
  }
}

/** Waits until no outbox has an entry and nothing is under way: the sweeper does what dead workers left. */
export async function rest(ledger: LoadedLedger): Promise<readonly Item[]> {
  for (let minute = 0; ; minute += 1) {
    await ledger.settle(60_000);
    const items = await itemsIn(ledger);
    const isDone = outboxIn(items).length === 0;
    if ((isDone && ledger.banks.owedCount() === 0) || minute > 120) return items;
    await ledger.clock.sleep(60_000);
  }
}

/** The entries that wait to be published. */
export function outboxIn(items: readonly Item[]): readonly Item[] {
  return items.filter(({ pk, sk }) => itemOf(String(pk), String(sk))?.item === 'outbox');
}

/** The sum of all balances, whichever items they lie in. */
export function totalOf(items: readonly Item[]): bigint {
  const balances = items.filter(({ available }) => typeof available === 'bigint');
  return balances.reduce((sum, { available }) => sum + BigInt(String(available)), 0n);
}
