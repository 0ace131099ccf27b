/**
 * A busy wallet that runs dry. Goal: it never gives more than it has, gives all of it, and refuses only what it could not
 * have given. Method: more is asked than there is, in virtual time, on a table with faults, by clients that ask again;
 * a gauge knows what the wallet had at each moment. `SEED=…` looks at another run. Decision 139.
 */
import { describe, expect, test } from 'vitest';
import { archiveAuditOf, auditOf, itemsIn, rest, totalOf } from './aftermath.ts';
import { VirtualClock } from './clock.ts';
import { newGauge } from './gauge.ts';
import type { LedgerOptions } from './ledger.ts';
import { drive, type End, openLedger } from './load.ts';
import { randomOf } from './random.ts';
import { workloads } from './workload.ts';

const seed = Number(process.env['SEED'] ?? 1);
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const walletCount = 50;
/** 100 intents, which ask for more than the wallet has. */
const load = { perSecond: 200, seconds: 0.5, settleMs: 3_600_000, isPatient: true };
const fundsOf = {
  dry: 40,
  // Half of them bring 1 and half take 2: only where fewer than 37 of 100 take is nothing refused.
  ebb: 10,
  'dry-till': 10,
} as const;

type Trouble = Pick<LedgerOptions, 'lost' | 'capacity' | 'mortality' | 'isGrouped'>;

const faults: Trouble = { lost: 0.03, capacity: 0.2, mortality: 0.1 };

/** The claim of an intent. */
function claimOf({ intent }: End) {
  const [claim] = intent.data['claims'] as unknown as readonly { source: string; amount: number }[];
  return claim as { readonly source: string; readonly amount: number };
}

async function runDry(name: keyof typeof fundsOf, trouble: Trouble) {
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const funds = fundsOf[name];
  const work = workloads[name](walletCount, funds);
  const { wallet = '' } = work.dry ?? {};
  return clock.run(async () => {
    const ledger = await openLedger(work, { clock, random, savedSeconds: 0, ...trouble });
    const gauge = newGauge(ledger, wallet, funds);
    const issued = totalOf(await itemsIn(ledger));
    const ends: End[] = [];
    ledger.open();
    await drive(ledger, work, { ...load, onEnd: (end) => ends.push(end) });
    const said = `SEED=${seed}, complaints: ${ledger.complaints.join('; ')}`;
    expect(ends, said).toHaveLength(load.perSecond * load.seconds);
    // Never below its floor, and neither is a shard.
    expect([gauge.least() >= 0n, gauge.leastShard()], said).toEqual([true, 0n]);
    const done = ends.filter(({ why }) => why === undefined);
    const moved = done.map((end) => {
      const { source, amount } = claimOf(end);
      return source === wallet ? -amount : amount;
    });
    expect(gauge.sum(), said).toBe(BigInt(funds + moved.reduce((sum, one) => sum + one, 0)));
    const refused = ends.filter(({ why }) => why !== undefined);
    const reasons = [...new Set(refused.map(({ why }) => why))];
    expect(reasons, said).toEqual(['rejected: core.insufficient-balance']);
    const wrong = refused.filter((end) => {
      const least = gauge.least(end.sentMs, end.endMs);
      return claimOf(end).source !== wallet || least >= BigInt(claimOf(end).amount);
    });
    expect(wrong, said).toEqual([]);
    const items = await rest(ledger);
    expect(await auditOf(ledger), said).toEqual([]);
    expect(await archiveAuditOf(ledger), said).toEqual([]);
    expect(totalOf(items), said).toBe(issued);
    return { left: gauge.sum(), shardCount: gauge.shardCount(), done: done.length };
  });
}

describe(`a busy wallet that runs dry (SEED=${seed})`, () => {
  test.each([
    ['on a table with faults', faults],
    ['where transactions share one', { lost: 0.03, isGrouped: true }],
  ] as const)('gives all that it has, and no more, %s', async (_, trouble) => {
    const { left, done } = await runDry('dry', trouble);
    expect([left, done]).toEqual([0n, fundsOf.dry]);
  });

  test('has shards when it does', async () => {
    const { left, shardCount } = await runDry('dry', { lost: 0 });
    expect(left).toBe(0n);
    expect(shardCount).toBeGreaterThan(1);
  });

  test.each([
    ['on a table with faults', faults],
    ['where transactions share one', { lost: 0.03, isGrouped: true }],
  ] as const)('gives what comes in meanwhile, %s', async (_, trouble) => {
    const { done } = await runDry('ebb', trouble);
    expect(done).toBeGreaterThan(fundsOf.ebb);
  });

  test.each([
    ['on a table with faults', faults],
    ['where transactions share one', { lost: 0.03, isGrouped: true }],
  ] as const)('does so through bridges, %s', async (_, trouble) => {
    const { done } = await runDry('dry-till', trouble);
    expect(done).toBeGreaterThan(fundsOf['dry-till']);
  });
});
