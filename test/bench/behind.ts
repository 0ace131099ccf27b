/** The workers behind a ledger in this process, each with a counter of its own. */
import { accept } from '../../shared/delivery/courier.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import { withRecent, withRecentEffects } from '../../shared/store/recent.ts';
import type { Consumed } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { invokes } from '../fixture/rules.ts';
import type { Part } from './cost-report.ts';
import type { LedgerHere } from './here.ts';

const scope = 'main';

type Behind = Exclude<Part, 'request'>;

/** The workers: relay, index entries, and a courier without subscribers. */
export function behindOf({ services, recent, counting, nudged }: LedgerHere) {
  const consumed = { relay: [], index: [], books: [], log: [], courier: [] } as Record<
    Behind,
    Consumed[]
  >;
  const eventBytes: number[] = [];
  const told: LedgerEvent[] = [];
  const tableOf = (part: Behind) => counting((what) => consumed[part].push(what));
  const report = (error: unknown) => console.error(error);
  const metric = () => {};
  const catalog = dynamoCatalog(tableOf('index'));
  const books = dynamoBooks(tableOf('books'));
  const log = sequencer({ logs: dynamoLogs(tableOf('log')), store: services.store, report });
  const { clock } = services;
  const deliveries = withRecentEffects(dynamoDeliveries(tableOf('courier')), recent);
  const courier = {
    services,
    deliveries,
    patternMaker: services.patternMaker,
    leaseMs: 0,
    postponedUntil: () => undefined,
    refused: async () => {},
    report,
  };
  const bus = {
    publish: async (lines: readonly (readonly LedgerEvent[])[]) => {
      for (const event of lines.flat()) {
        eventBytes.push(Buffer.byteLength(JSON.stringify(event)));
        if (!invokes('courier', event)) continue;
        told.push(event);
        await accept(courier, [event]);
      }
      return lines.map(({ length }) => length);
    },
  };
  const relay = {
    outbox: indexing({
      outbox: dynamoOutbox(tableOf('relay')),
      catalog,
      books,
      log,
      clock,
      metric,
      report,
    }),
    reader: withRecent(dynamoStore(tableOf('relay')), recent),
    clock: services.clock,
    metric,
    bus,
  };
  return {
    eventBytes,
    /** The events that started the courier. */
    told,
    work: () => drain(relay, scope, nudged()),
    heard: () => ({
      relay: consumed.relay.splice(0),
      index: consumed.index.splice(0),
      books: consumed.books.splice(0),
      log: consumed.log.splice(0),
      courier: consumed.courier.splice(0),
    }),
  };
}
