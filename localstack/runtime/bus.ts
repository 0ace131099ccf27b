/**
 * The bus of the offline runtime: the rules of the topology, matched in process. An event counts as
 * taken once every target of it has kept it; a target that fails is offered it again with the rest of
 * the outbox for some minutes, and in the end it becomes a dead letter, as on AWS.
 */
import { rules } from '../../infra/topology.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { eventSource } from '../../shared/signal/eventbridge.ts';
import type { Bus, EventLine } from '../../shared/signal/relay.ts';

/** Takes events for good, or throws. */
export type Target = (events: readonly LedgerEvent[]) => Promise<void>;

/** How often an event is offered at least to a target that fails, and for how long, in milliseconds. */
const offerCountMin = 10;
const offerMsMin = 5 * 60_000;

/** How an event fared that its targets do not take. */
interface Failure {
  readonly firstMs: number;
  count: number;
}

/** A bus to these targets, by the names that the rules give them. */
export function localBus(
  targets: Readonly<Record<string, Target>>,
  deadLetter: (event: LedgerEvent, error: unknown) => void,
  clock: () => number = () => performance.now(),
): Bus {
  const failures = new Map<string, Failure>();

  const offer = async (event: LedgerEvent): Promise<boolean> => {
    const { handle } = event.data;
    try {
      await tell(targets, [event]);
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

  /** Offers a line event by event, as far as it goes. */
  const offerLine = async (line: EventLine): Promise<number> => {
    for (const [index, event] of line.entries()) {
      if (!(await offer(event))) return index;
    }
    return line.length;
  };

  return {
    publish: async (lines) => {
      try {
        await tell(targets, lines.flat());
        return lines.map(({ length }) => length);
      } catch {
        // One of them is to blame; the others need not wait for it.
        return Promise.all(lines.map(offerLine));
      }
    },
  };
}

async function tell(
  targets: Readonly<Record<string, Target>>,
  events: readonly LedgerEvent[],
): Promise<void> {
  await Promise.all(
    rules.map(async ({ pattern, target }) => {
      const isForHere = pattern.source.includes(eventSource);
      await (isForHere ? targets[target]?.(events) : undefined);
    }),
  );
}
