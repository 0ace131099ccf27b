/**
 * Sends reports to the ledger. Each is a proof on the intent by the bridge's own key, and is sent until the ledger has
 * accepted it; after a restart the journal has the rest. The same report is signed to the same proof, so that the ledger
 * stores it once however often it comes. Ruling 56.
 */
import type { Ledger } from '../../shared/client/client.ts';
import { type BankReport, idOf, type OwedReport } from './books.ts';

const inFlightMax = 8;
const waitMsFirst = 250;
const waitMsMax = 30_000;

export interface ReportSender {
  /** Sends a report, unless it is being sent already. */
  readonly send: (owed: OwedReport) => void;
  readonly stop: () => void;
}

export interface ReportsOptions {
  /** Takes the proofs, by the bridge's own key. */
  readonly ledger: Pick<Ledger, 'prove'>;
  readonly accepted: (report: BankReport) => void;
  readonly say: (line: string) => void;
}

export function startReports({ ledger, accepted, say }: ReportsOptions): ReportSender {
  const pending = new Set<string>();
  const queue: (() => Promise<void>)[] = [];
  let inFlight = 0;
  let isStopped = false;

  const deliver = async ({ intent, report }: OwedReport, attempt: number): Promise<void> => {
    const what = `${report.status} ${report.handle}`;
    try {
      const target = { hash: intent.hash, data: { handle: intent.handle } };
      await ledger.prove('/intents/{id}/proofs', target, { ...report });
      if (isStopped) return;
      pending.delete(idOf(report));
      accepted(report);
      say(`reported   ${what}`);
    } catch (error) {
      if (isStopped) return;
      const waitMs = Math.min(waitMsFirst * 2 ** attempt, waitMsMax);
      say(`retrying the report ${what} in ${waitMs} ms: ${(error as Error).message}`);
      setTimeout(() => enqueue({ intent, report }, attempt + 1), waitMs).unref();
    }
  };
  const enqueue = (owed: OwedReport, attempt: number) => {
    queue.push(() => deliver(owed, attempt));
    goOn();
  };
  const goOn = () => {
    while (!isStopped && inFlight < inFlightMax) {
      const next = queue.shift();
      if (!next) return;
      inFlight += 1;
      void next().finally(() => {
        inFlight -= 1;
        goOn();
      });
    }
  };
  return {
    send: (owed) => {
      if (pending.has(idOf(owed.report))) return;
      pending.add(idOf(owed.report));
      enqueue(owed, 0);
    },
    stop: () => {
      isStopped = true;
    },
  };
}
