/** The scopes that have an outbox: the server, and each of its ledgers. */
import type { Outbox } from '../port/outbox.ts';
import type { Scope } from '../port/ports.ts';

const pageLimit = 100;

/** Lists the scopes page by page, the server first. */
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
