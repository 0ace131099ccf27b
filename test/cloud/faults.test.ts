/**
 * What the cloud does to a ledger at work. Goal: throttles, transactions that meet, lost answers and workers that die in
 * the middle cost time and nothing else. Method: little work on partitions with a part of their capacity, in virtual
 * time, by clients and banks that ask again; then the audit looks at the table, the money is counted, and each intent
 * has come to its end. `SEED=…` looks at another run.
 */
import { describe, expect, test } from 'vitest';
import { nameOfItem } from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import { dynamoLayouts } from '../../shared/store/store.ts';
import { archiveAuditOf, auditOf, itemsIn, outboxIn, rest, totalOf } from './aftermath.ts';
import { VirtualClock } from './clock.ts';
import type { LedgerOptions } from './ledger.ts';
import { drive, type LoadedLedger, openLedger } from './load.ts';
import { randomOf } from './random.ts';
import { workloads } from './workload.ts';

const seed = Number(process.env['SEED'] ?? 1);
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const walletCount = 50;
/** Some 30 intents. */
const load = { perSecond: 60, seconds: 0.5, settleMs: 3_600_000, isPatient: true };
const faults = { savedSeconds: 0, lost: 0.03, mortality: 0.2 };

interface Trouble extends Pick<LedgerOptions, 'capacity' | 'mortality' | 'isGrouped'> {
  /** How often the ledger has grown before. */
  readonly growths?: number;
}

/** The faults of all workloads together. */
const happened = { throttles: 0, conflicts: 0, lostAnswers: 0, leftOver: 0, deaths: 0 };

/** Lets the ledger grow so often, as if that had been long ago. */
async function grow({ engine, tableName }: LoadedLedger, growths: number): Promise<void> {
  const layouts = dynamoLayouts({ client: engine.client(), tableName });
  for (let count = 0; count < growths; count += 1)
    await layouts.grow('main', await layouts.read('main'), startMs - 60_000);
}

/** The numbers of the partitions with deliveries, each of which is stored once. */
function deliverySpreadsIn(items: readonly Item[]): Set<number> {
  const names = items.map(nameOfItem).flatMap((name) => (name?.item === 'delivery' ? name : []));
  const luids = names.map(({ scope, subject, luid }) => `${scope} ${subject} ${luid}`);
  expect(new Set(luids).size).toBe(luids.length);
  return new Set(names.map(({ spread = 0 }) => spread));
}

/** Does a workload on a table with faults; then each intent is at its end, and all money is there. */
function expectWhole(name: keyof typeof workloads, share: number, trouble: Trouble): Promise<void> {
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const work = workloads[name](walletCount, 0);
  const { growths = 0, ...others } = trouble;
  return clock.run(async () => {
    const ledger = await openLedger(work, { clock, random, ...faults, ...others });
    const issued = totalOf(await itemsIn(ledger));
    await grow(ledger, growths);
    ledger.open();
    const perSecond = load.perSecond * share;
    const { sent, doneMs, refused } = await drive(ledger, work, { ...load, perSecond });
    note(ledger);
    const said = `SEED=${seed}, complaints: ${ledger.complaints.join('; ')}`;
    // Each intent came to its end, and to no other.
    expect([...refused], said).toEqual([]);
    expect(doneMs, said).toHaveLength(sent);
    const items = await rest(ledger);
    expect(outboxIn(items), said).toEqual([]);
    expect(await auditOf(ledger), said).toEqual([]);
    expect(await archiveAuditOf(ledger, work.ledgers[0]), said).toEqual([]);
    expect(deliverySpreadsIn(items).size > 4, said).toBe(growths > 0);
    expect(totalOf(items), said).toBe(issued);
  });
}

function note({ friction, done: { relay, courier, sweeper } }: LoadedLedger): void {
  happened.throttles += friction.throttled.size;
  happened.conflicts += friction.met.size;
  happened.lostAnswers += friction.lost();
  happened.leftOver += friction.leftOver();
  happened.deaths += relay.deaths + courier.deaths + sweeper.deaths;
}

describe(`under throttles, conflicts, lost answers and deaths (SEED=${seed})`, () => {
  test.each([
    ['spread', 1, 0.01],
    ['target', 1, 0.04],
    ['source', 1, 0.06],
    ['payouts', 0.3, 0.06],
    ['batches', 2, 0.03],
    ['payments', 0.4, 0.02],
    ['till', 0.4, 0.02],
    ['ledgers', 1, 0.01],
  ] as const)(
    'the workload %s comes to its end, and its money is all there',
    (name, share, capacity) => expectWhole(name, share, { capacity }),
  );

  test('so does the workload payments in a ledger that has grown', () =>
    expectWhole('payments', 0.4, { capacity: 0.02, growths: 3 }));

  test('each kind of fault has happened to one of them', () => {
    for (const [kind, count] of Object.entries(happened)) expect(count, kind).toBeGreaterThan(0);
  });

  // In one process: who dies there, all die.
  test.each([
    ['spread', 1],
    ['source', 1],
    ['payouts', 0.3],
    ['batches', 2],
    ['payments', 0.4],
    ['till', 0.4],
    ['ledgers', 1],
  ] as const)('so does %s where transactions share one', (name, share) =>
    expectWhole(name, share, { capacity: 1, mortality: 0, isGrouped: true }),
  );
});
