/**
 * What the cloud does to a ledger at work. Goal: throttles, transactions that meet and lost answers cost time and
 * nothing else. Method: little work on partitions with a part of their capacity, in virtual time; then the audit looks
 * at the table, and the money is counted. `SEED=…` looks at another run.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { audit } from '../../shared/audit/audit.ts';
import { newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import type { Item } from '../../shared/store/request.ts';
import { VirtualClock } from './clock.ts';
import { type CloudLedger, type LedgerOptions, newLedger } from './ledger.ts';
import { drive, setUp } from './load.ts';
import { randomOf } from './random.ts';
import { issuedEach, workloads } from './workload.ts';

const seed = Number(process.env['SEED'] ?? 1);
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const walletCount = 50;
/** Some 30 intents. */
const load = { perSecond: 60, seconds: 0.5, settleMs: 600_000 };
const faults = { savedSeconds: 0, lost: 0.03 };

/** All items of the table. */
async function itemsIn({ engine, tableName }: CloudLedger): Promise<readonly Item[]> {
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

async function auditOf({ engine, tableName }: CloudLedger): Promise<string[]> {
  const lines: string[] = [];
  const source = tableSource(engine.client(), tableName);
  for await (const one of audit(source, { isLive: false, nowMs: Date.now }, newReport()))
    lines.push(lineOfViolation(one));
  return lines;
}

/** Does a workload on a table with faults; then all of its money is there, and the audit finds nothing. */
async function expectWhole(
  name: keyof typeof workloads,
  share: number,
  trouble: Pick<LedgerOptions, 'capacity'> & Partial<Pick<LedgerOptions, 'lost' | 'isGrouped'>>,
) {
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const workload = workloads[name](walletCount);
  return clock.run(async () => {
    const options = { clock, random, ...faults, ...trouble, handles: workload.ledgers };
    const ledger = await newLedger(options);
    await setUp(ledger, workload);
    ledger.cloud.open();
    const perSecond = load.perSecond * share;
    const { storedMs, behindMs } = await drive(ledger, workload, { ...load, perSecond });
    const { throttled, met, lost } = ledger.cloud.friction;
    const said = `SEED=${seed}, complaints: ${ledger.complaints.join('; ')}`;
    expect(storedMs.length, said).toBeGreaterThan(0);
    // Every worker came to its end, and left nothing behind.
    expect(behindMs, said).toBeDefined();
    expect(await auditOf(ledger), said).toEqual([]);
    const items = await itemsIn(ledger);
    expect(items.filter(({ pk }) => String(pk).includes('#outbox#'))).toEqual([]);
    const balances = items.filter(({ sk }) => String(sk).startsWith('balance#'));
    const total = balances.reduce((sum, { available }) => sum + BigInt(String(available)), 0n);
    expect(total, said).toBe(BigInt(walletCount * issuedEach));
    return { throttled: throttled.size, met: met.size, lost: lost() };
  });
}

describe(`under throttles, conflicts and lost answers (SEED=${seed})`, () => {
  test.each([
    ['spread', 1, 0.03],
    ['target', 1, 0.06],
    ['source', 1, 0.06],
    ['payouts', 0.3, 0.06],
    ['ledgers', 1, 0.01],
  ] as const)('the money of the workload %s is all there', async (name, share, capacity) => {
    const { throttled, met, lost } = await expectWhole(name, share, { capacity });
    // The faults happened.
    expect([throttled > 0, met > 0, lost > 0]).toEqual([true, true, true]);
  });

  test.each([
    ['spread', 1],
    ['source', 1],
    ['payouts', 0.3],
    ['ledgers', 1],
  ] as const)('so it is of %s where transactions share one', async (name, share) => {
    const trouble = { capacity: 1, lost: 0.03, isGrouped: true } as const;
    const { lost } = await expectWhole(name, share, trouble);
    expect(lost).toBeGreaterThan(0);
  });
});
