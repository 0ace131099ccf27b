/**
 * The bus of the offline runtime: the rules of the topology, matched in process. An event counts as
 * taken once every target of it has kept it; a target that fails is offered it again with the rest of
 * the outbox, and in the end it becomes a dead letter, as on AWS.
 */
import { rules } from '../infra/topology.ts';
import type { LedgerEvent } from '../shared/signal/event.ts';
import { eventSource } from '../shared/signal/eventbridge.ts';
import type { Bus, EventLine } from '../shared/signal/relay.ts';

/** Takes events for good, or throws. */
export type Target = (events: readonly LedgerEvent[]) => Promise<void>;

/** How often an event is offered to a target that fails. */
const offerCountMax = 10;

/** A bus to these targets, by the names that the rules give them. */
export function localBus(
  targets: Readonly<Record<string, Target>>,
  deadLetter: (event: LedgerEvent, error: unknown) => void,
): Bus {
  const failures = new Map<string, number>();

  const offer = async (event: LedgerEvent): Promise<boolean> => {
    const { handle } = event.data;
    try {
      await tell(targets, [event]);
      failures.delete(handle);
      return true;
    } catch (error) {
      const count = (failures.get(handle) ?? 0) + 1;
      failures.set(handle, count);
      if (count < offerCountMax) return false;
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
