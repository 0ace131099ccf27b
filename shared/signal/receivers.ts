/**
 * Marks the events that nobody receives: no bridge is called by them, and no effect subscribes to their signals. They are
 * on the bus like all others, and the rule of the courier leaves them out. Who has the answer to the creation of an effect
 * finds it here for each change that begins later, as the courier would. Rulings 58 and 78, Decisions 129 and 146.
 */
import type { Scope, Store } from '../port/ports.ts';
import type { LedgerEvent } from './event.ts';

/** The lines, with a mark at each event that surely has no receiver. Where that cannot be read, all may have one. */
export async function withReceivers(
  reader: Pick<Store, 'indexed'>,
  lines: readonly (readonly LedgerEvent[])[],
): Promise<LedgerEvent[][]> {
  const hasSubscribers = subscribersIn(reader);
  return Promise.all(
    lines.map((line) =>
      Promise.all(
        line.map(async (event): Promise<LedgerEvent> => {
          if (event.calls?.length) return event;
          const found = await Promise.all(
            [...signalsOf(event)].map((signal) => hasSubscribers(event.ledger, signal)),
          );
          return found.includes(true) ? event : { ...event, hasReceiver: false };
        }),
      ),
    ),
  );
}

/** The signals that an event brings to effects: its own, and those of the entries that it is about. */
function signalsOf({ data, entries = [] }: LedgerEvent): Set<string> {
  return new Set([data.signal, ...entries.map(({ signal }) => signal)]);
}

/** Tells whether a ledger has effects for a signal, and reads that once for all events. */
function subscribersIn(reader: Pick<Store, 'indexed'>) {
  const known = new Map<string, Promise<boolean>>();
  return (scope: Scope, signal: string): Promise<boolean> => {
    const name = `${scope} ${signal}`;
    const read = (): Promise<boolean> =>
      reader.indexed(scope, 'effect', signal, 'recent').then(
        ({ length }) => length > 0,
        () => true,
      );
    const found = known.get(name) ?? read();
    known.set(name, found);
    return found;
  };
}
