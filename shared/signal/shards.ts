/** Which outboxes there are: those of the server, and of each of its ledgers. */
import type { Outbox } from '../port/outbox.ts';
import type { Scope } from '../port/ports.ts';

const pageLimit = 100;

/** Every scope that may hold signals, the server first. Each page goes on where the last one ended. */
export async function* scopesOf(outbox: Pick<Outbox, 'ledgers'>): AsyncGenerator<Scope> {
  yield '';
  let after: string | undefined;
  for (;;) {
    const ledgers = await outbox.ledgers(pageLimit, after);
    for (const { handle } of ledgers) yield handle;
    if (ledgers.length < pageLimit) return;
    after = ledgers.at(-1)?.place;
  }
}
