/** Payments on a running ledger, each timed from its POST until its status is completed. */
import { connect } from '../../shared/client/client.ts';
import type { Body } from '../fixture/client.ts';
import { newAgent, openBank, post } from './banks.ts';
import { startLedger } from './ledger.ts';
import { bankingOf, banks, type PaymentWorkload, paymentOf, walletsOf } from './payment-scene.ts';

/** The concurrency of payments, their wallets, and the pause before the next one. */
export interface PaymentLevel {
  readonly workload: PaymentWorkload;
  readonly atOnce: number;
  readonly restMs?: number;
}

/** The result of a period of load. */
export interface PaymentStretch {
  readonly level: PaymentLevel;
  readonly seconds: number;
  /** Of each payment, in milliseconds. */
  readonly fromPostMs: readonly number[];
  readonly failed: number;
  readonly firstFailure: string;
}

export interface PaidLedger {
  readonly run: (level: PaymentLevel, seconds: number) => Promise<PaymentStretch>;
  /** The sums of all balances of both banks, without what was paid: 0 and 0 when no money is lost or left reserved. */
  readonly left: () => Promise<{ readonly total: number; readonly reserved: number }>;
  readonly stop: () => Promise<void>;
}

/** Time limit of a payment. */
const paymentMsMax = 60_000;

/** Starts a ledger with two banks. */
export async function startPaidLedger(folder: string): Promise<PaidLedger> {
  const running = await startLedger(folder);
  const line = { ledgerUrl: running.url, agent: newAgent() };
  const waiting = new Map<string, (trouble?: string) => void>();
  const troubles: string[] = [];
  const listening = {
    onStatus: (intent: string, status: string) => {
      if (status === 'completed') waiting.get(intent)?.();
      if (status === 'aborted' || status === 'rejected') waiting.get(intent)?.(status);
    },
    onTrouble: (what: string) => troubles.push(what),
  };
  const [blue, green] = await Promise.all(
    banks.map((bank) => openBank(bank, () => line, listening)),
  );
  const serverOf = ({ name }: { name: string }) => String((name === 'blue' ? blue : green)?.server);
  const ledger = await connect(running.url);
  for (const posts of bankingOf(serverOf))
    await Promise.all(posts.map(({ path, body }) => post(line, path, body)));
  let lastNumber = 0;

  const pay = async (body: Body): Promise<number> => {
    const name = String(body.data['handle']);
    const completed = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${name} takes too long`)), paymentMsMax);
      waiting.set(name, (trouble) => {
        clearTimeout(late);
        waiting.delete(name);
        if (trouble === undefined) resolve();
        else reject(new Error(`${name} is ${trouble}`));
      });
    });
    const sentMs = performance.now();
    await Promise.all([post(line, '/intents', body), completed]);
    return performance.now() - sentMs;
  };

  return {
    run: async (level, seconds) => {
      const { workload, atOnce, restMs = 0 } = level;
      const fromPostMs: number[] = [];
      const failures: string[] = [];
      const startMs = performance.now();
      const client = async () => {
        while (performance.now() < startMs + seconds * 1000) {
          lastNumber += 1;
          await pay(paymentOf(workload, lastNumber)).then(
            (ms) => fromPostMs.push(ms),
            (error: unknown) => failures.push(String(error)),
          );
          await new Promise((resolve) => setTimeout(resolve, restMs));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, client));
      failures.push(...troubles.splice(0));
      return {
        ...{ level, seconds: (performance.now() - startMs) / 1000, fromPostMs },
        ...{ failed: failures.length, firstFailure: failures[0] ?? '' },
      };
    },
    left: async () => {
      let [total, reserved] = [0, 0];
      for (const wallet of banks.flatMap(walletsOf)) {
        const { data } = await ledger.get('/wallets/{id}/balances', { path: { id: wallet } });
        for (const { data: row } of data) {
          total += Number(row.amount);
          if (row.schema === 'reserved') reserved += Number(row.amount);
        }
      }
      return { total, reserved };
    },
    stop: async () => {
      await running.stop();
      for (const bank of [blue, green]) bank?.close();
    },
  };
}
