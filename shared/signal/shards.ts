/** Which outboxes there are: those of the server, and of each of its ledgers. */
import type { Scope, Store } from '../action/ports.ts';

const pageLimit = 100;

/** Every scope that may hold signals, the server first. */
export async function* scopesOf(store: Pick<Store, 'list'>): AsyncGenerator<Scope> {
  yield '';
  for (let index = 0; ; index += 1) {
    const ledgers = await store.list('', 'ledger', { index, limit: pageLimit });
    for (const { record } of ledgers) yield record.data.handle;
    if (ledgers.length < pageLimit) return;
  }
}
