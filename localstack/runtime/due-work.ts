/**
 * Due work of the offline runtime: deliveries, expired intents and reports. Each sleeps until the earliest marker that
 * it knows; a process tells every marker that it puts, and a look finds those of others. Decision 122.
 */
import { carryDue, type DuePorts } from '../../shared/delivery/due.ts';
import { type ExpirePorts, expireDue } from '../../shared/intent/expire-due.ts';
import { type ProducePorts, produceDue } from '../../shared/report/produce.ts';
import { aheadMs, type DueMark } from '../../shared/store/due-marks.ts';
import { againMs, restFactor, type Sleeper, sleeper } from './sleeper.ts';

export interface DueWorkPorts {
  readonly courier: DuePorts;
  readonly expirer: ExpirePorts;
  readonly reporter: ProducePorts;
  readonly complain: (where: string, error: unknown) => void;
}

export interface DueWork {
  /** Hears of markers that were put. */
  readonly hear: (marks: readonly DueMark[]) => void;
  /** Looks at everything at once, as after a step of the clock. */
  readonly lookNow: () => void;
  readonly stop: () => void;
}

/** Begins to do what is due. */
export function dueWork({ courier, expirer, reporter, complain }: DueWorkPorts): DueWork {
  const sleeping = (where: string, look: () => Promise<number | undefined>): Sleeper =>
    sleeper({ look, failed: (error) => complain(where, error) });
  const sleepers: Readonly<Record<DueMark['item'], Sleeper>> = {
    due: sleeping('sweeper', () => deliver(courier)),
    expiry: sleeping('expiry', () => expire(expirer)),
    work: sleeping('reporter', () => produce(reporter)),
  };
  const delays = { due: 0, expiry: 0, work: reporter.latenessMs };
  const all = Object.values(sleepers);
  const lookNow = (): void => {
    for (const one of all) one.wakeAt(Date.now());
  };
  lookNow();
  return {
    hear: (marks) => {
      for (const { item, dueMs } of marks) sleepers[item].wakeAt(dueMs + delays[item]);
    },
    lookNow,
    stop: () => {
      for (const one of all) one.stop();
    },
  };
}

/** Attempts deliveries; returns the time of the next. One that is due and not taken on waits for others. */
async function deliver(courier: DuePorts): Promise<number | undefined> {
  const startMs = performance.now();
  const { handledCount, isWhole } = await carryDue(courier);
  if (handledCount > 0 || !isWhole) return Date.now() + againMs;
  const tookMs = performance.now() - startMs;
  const { due } = await courier.deliveries.due(Date.now() + aheadMs);
  return earliestOf(
    due.map(({ dueMs }) => dueMs),
    Math.max(againMs, tookMs * restFactor),
  );
}

/** Ends or begins intents; returns the time of the next. */
async function expire(expirer: ExpirePorts): Promise<number | undefined> {
  await expireDue(expirer);
  const { due, next } = await expirer.expiries.due(Date.now() + aheadMs);
  if (next) return Date.now() + againMs;
  const times = due.map(
    ({ scope, luid, dueMs }) => expirer.reminders.get(`${scope} ${luid}`)?.nextMs ?? dueMs,
  );
  return earliestOf(times, againMs);
}

/** Produces reports until none is due; returns the time of the next. */
async function produce(reporter: ProducePorts): Promise<number | undefined> {
  const { services, latenessMs, hasTime } = reporter;
  while (hasTime() && (await produceDue(reporter)));
  const [next] = await services.reports.due(services.clock() + aheadMs - latenessMs, 1);
  return next && earliestOf([next.dueMs + latenessMs], againMs);
}

/** The earliest of some times; what is overdue comes after a pause. */
function earliestOf(times: readonly number[], pauseMs: number): number | undefined {
  const nowMs = Date.now();
  const next = times.reduce(
    (first, ms) => Math.min(first, ms > nowMs ? ms : nowMs + pauseMs),
    Number.POSITIVE_INFINITY,
  );
  return next === Number.POSITIVE_INFINITY ? undefined : next;
}
