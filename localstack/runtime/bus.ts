/**
 * The bus of the offline runtime: applies the rules of the topology in process. An event is accepted once all of its
 * targets have stored it. When a target fails, the event is offered again with the rest of the outbox for some minutes;
 * then it becomes a dead letter, as on AWS.
 */
import { appendFileSync } from 'node:fs';
import { rules } from '../../infra/topology.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { eventSource } from '../../shared/signal/eventbridge.ts';
import type { Bus, EventLine } from '../../shared/signal/relay.ts';

/** Stores events, or throws. */
export type EventTarget = (events: readonly LedgerEvent[]) => Promise<void>;

/** An event becomes a dead letter after this many offers, and at least this many milliseconds. */
const offerCountMin = 10;
const offerMsMin = 5 * 60_000;

interface Failure {
  readonly firstMs: number;
  count: number;
}

/** A bus to targets, by the names that the rules use. */
export function localBus(
  targets: Readonly<Record<string, EventTarget>>,
  deadLetter: (event: LedgerEvent, error: unknown) => void,
  clock: () => number = () => performance.now(),
): Bus {
  const failures = new Map<string, Failure>();

  const offer = async (event: LedgerEvent): Promise<boolean> => {
    const { handle } = event.data;
    try {
      await send(targets, [event]);
      failures.delete(handle);
      return true;
    } catch (error) {
      const failure = failures.get(handle) ?? { firstMs: clock(), count: 0 };
      failure.count += 1;
      failures.set(handle, failure);
      const isYoung = clock() - failure.firstMs < offerMsMin;
      if (failure.count < offerCountMin || isYoung) return false;
      failures.delete(handle);
      deadLetter(event, error);
      return true;
    }
  };

  /** Offers a line event by event; returns how many were accepted, from the first. */
  const offerLine = async (line: EventLine): Promise<number> => {
    for (const [index, event] of line.entries()) {
      if (!(await offer(event))) return index;
    }
    return line.length;
  };

  return {
    publish: async (lines) => {
      try {
        await send(targets, lines.flat());
        return lines.map(({ length }) => length);
      } catch {
        // Offered one by one, the events of other records do not wait for the one that fails.
        return Promise.all(lines.map(offerLine));
      }
    },
  };
}

async function send(
  targets: Readonly<Record<string, EventTarget>>,
  events: readonly LedgerEvent[],
): Promise<void> {
  await Promise.all(
    rules.map(async ({ pattern, target }) => {
      const matching = events.filter((event) => fits(pattern, event));
      if (matching.length > 0) await targets[target]?.(matching);
    }),
  );
}

/** True where an event has the members that a rule asks for, and not those that it excludes. */
function fits({ source, detail }: (typeof rules)[number]['pattern'], event: LedgerEvent): boolean {
  const members = new Set(Object.keys(event));
  return (
    source.includes(eventSource) &&
    Object.entries(detail).every(([name, some]) =>
      some.some(({ exists }) => members.has(name) === exists),
    )
  );
}

/** Returns a function that appends dead letters to a file, for its owner only; without a path it drops them. */
export function deadLettersAt(
  path: string | undefined,
  clock: () => number = Date.now,
): (event: LedgerEvent, error: unknown) => void {
  return (event, error) => {
    if (!path) return;
    const why = messageOf(error);
    const letter = { moment: new Date(clock()).toISOString(), why, event };
    appendFileSync(path, `${JSON.stringify(letter)}\n`, { mode: 0o600 });
  };
}
