/**
 * Banks that refuse. Goal: a busy wallet gets back what it had reserved for a payment that a bank refuses, whole, and nothing else
 * of it. Method: banks refuse a quarter of what they are to prepare, in virtual time, on a table with faults, while the wallet runs
 * dry; then its balance is what it began with and the completed intents say. `SEED=…` looks at another run. Decision 139.
 */
import { expect, test } from 'vitest';
import { archiveAuditOf, auditOf, rest } from './aftermath.ts';
import { VirtualClock } from './clock.ts';
import { newGauge } from './gauge.ts';
import type { LedgerOptions } from './ledger.ts';
import { drive, type End, type LoadedLedger, openLedger } from './load.ts';
import { randomOf } from './random.ts';
import { workloads } from './workload.ts';

const seed = Number(process.env['SEED'] ?? 1);
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const load = { perSecond: 200, seconds: 0.5, settleMs: 3_600_000, isPatient: true };
const [walletCount, funds] = [50, 10];

type Trouble = Pick<LedgerOptions, 'lost' | 'capacity' | 'mortality' | 'isGrouped'>;

/** The status of an intent, and what it adds to a wallet once it is completed. */
async function endOf(ledger: LoadedLedger, wallet: string, { intent }: End) {
  const { handle, claims } = intent.data as unknown as {
    readonly handle: string;
    readonly claims: readonly { readonly source: string; readonly amount: number }[];
  };
  const { body } = await ledger.get(`/intents/${handle}`, 'main');
  const { status } = body['meta'] as { readonly status: string };
  const [{ source, amount }] = claims as [(typeof claims)[number]];
  return { status, adds: source === wallet ? -amount : amount };
}

test.each<[string, Trouble]>([
  ['on a table with faults', { lost: 0.03, capacity: 0.1, mortality: 0.1 }],
  ['where transactions share one', { lost: 0.03, isGrouped: true }],
])(
  `a payment that a bank refuses leaves a busy wallet as it was, %s (SEED=${seed})`,
  (_, trouble) => {
    const random = randomOf(seed);
    const clock = new VirtualClock(startMs, random);
    const work = workloads['dry-till'](walletCount, funds);
    const { wallet = '' } = work.dry ?? {};
    return clock.run(async () => {
      const world = { clock, random, savedSeconds: 0, refusing: 0.25, ...trouble };
      const ledger = await openLedger(work, world);
      const gauge = newGauge(ledger, wallet, funds);
      const ends: End[] = [];
      ledger.open();
      const { sent, refused } = await drive(ledger, work, {
        ...load,
        onEnd: (end) => ends.push(end),
      });
      await rest(ledger);
      const said = `SEED=${seed}, complaints: ${ledger.complaints.join('; ')}`;
      const final = await Promise.all(ends.map((end) => endOf(ledger, wallet, end)));
      expect(new Set(final.map(({ status }) => status)), said).toEqual(
        new Set(['completed', 'rejected']),
      );
      expect(refused.get('rejected') ?? 0, said).toBeGreaterThan(0);
      expect(final, said).toHaveLength(sent);
      const done = final.filter(({ status }) => status === 'completed');
      const left = done.reduce((sum, { adds }) => sum + adds, funds);
      expect([gauge.sum(), gauge.least() >= 0n, gauge.leastShard()], said).toEqual([
        BigInt(left),
        true,
        0n,
      ]);
      expect(await auditOf(ledger), said).toEqual([]);
      expect(await archiveAuditOf(ledger), said).toEqual([]);
    });
  },
);
