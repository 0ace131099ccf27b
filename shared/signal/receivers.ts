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
  const subscribed = await subscribedAmong(reader, lines.flat().filter(callsNobody));
  const isUnheard = (event: LedgerEvent): boolean =>
    callsNobody(event) && !signalsOf(event).some((signal) => subscribed.has(nameOf(event, signal)));
  return lines.map((line) =>
    line.map((event) => (isUnheard(event) ? { ...event, hasReceiver: false } : event)),
  );
}

function callsNobody({ calls = [] }: LedgerEvent): boolean {
  return calls.length === 0;
}

/** The signals that an event brings to effects: its own, and those of the entries that it is about. */
function signalsOf({ data, entries = [] }: LedgerEvent): string[] {
  return [data.signal, ...entries.map(({ signal }) => signal)];
}

function nameOf({ ledger }: LedgerEvent, signal: string): string {
  return `${ledger} ${signal}`;
}

/** The names of those signals for which their ledgers have effects, each read once for all events. */
async function subscribedAmong(
  reader: Pick<Store, 'indexed'>,
  events: readonly LedgerEvent[],
): Promise<ReadonlySet<string>> {
  const reads = new Map<string, Promise<boolean>>();
  for (const event of events)
    for (const signal of signalsOf(event)) {
      const name = nameOf(event, signal);
      if (!reads.has(name)) reads.set(name, hasEffects(reader, event.ledger, signal));
    }
  const found = await Promise.all(
    [...reads].map(async ([name, answer]) => ((await answer) ? [name] : [])),
  );
  return new Set(found.flat());
}

function hasEffects(
  reader: Pick<Store, 'indexed'>,
  scope: Scope,
  signal: string,
): Promise<boolean> {
  return reader.indexed(scope, 'effect', signal, 'recent').then(
    ({ length }) => length > 0,
    () => true,
  );
}
