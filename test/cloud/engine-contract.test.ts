/** The store keeps its contract in the table of the model, as it does in the embedded database. */
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoExpiries,
  dynamoLayouts,
  dynamoLogs,
  dynamoMonitors,
  dynamoNotes,
  dynamoOutbox,
  dynamoReports,
  dynamoStore,
} from '../../shared/store/store.ts';
import { describeBatches } from '../contract/batches.ts';
import { describeBooks } from '../contract/books.ts';
import { describeCatalog } from '../contract/catalog.ts';
import { describeDeliveries } from '../contract/deliveries.ts';
import { describeExpiries } from '../contract/expiry.ts';
import { describeFencing } from '../contract/fence.ts';
import { describeKept } from '../contract/kept.ts';
import { describeLimits } from '../contract/limit.ts';
import { describeLogs } from '../contract/log.ts';
import { describeMonitors } from '../contract/monitors.ts';
import { describeNotes } from '../contract/notes.ts';
import { describeOutbox } from '../contract/outbox.ts';
import { describeRelations } from '../contract/relation.ts';
import { describeStore } from '../contract/store.ts';
import { describeWatching } from '../contract/watch.ts';
import { Engine } from './engine.ts';

const tableName = 'contract';
const options = { client: new Engine(tableName).client(), tableName };
const store = dynamoStore(options);
const outbox = dynamoOutbox(options);
const books = dynamoBooks(options);

describeStore('the engine', () => store);
describeLimits('the engine', () => store);
describeWatching('the engine', () => store);
describeFencing('the engine', () => store);
describeRelations('the engine', () => store);
describeOutbox('the engine', () => ({ store, outbox }));
describeBatches('the engine', () => ({
  ...{ store, outbox, catalog: dynamoCatalog(options), reports: dynamoReports(options) },
  ...{ expiries: dynamoExpiries(options), layouts: dynamoLayouts(options) },
}));
describeBooks('the engine', () => ({ store, outbox, books }), 25);
describeMonitors(
  'the engine',
  () => ({ store, outbox, books, monitors: dynamoMonitors(options) }),
  15,
);
describeCatalog('the engine', () => ({ store, outbox, catalog: dynamoCatalog(options) }), 40);
describeDeliveries('the engine', () => ({
  store,
  deliveries: dynamoDeliveries(options),
  layouts: dynamoLayouts(options),
}));
describeNotes('the engine', () => dynamoNotes(options));
describeKept('the engine', () => ({
  ...{ store, reports: dynamoReports(options) },
  ...{ outbox, catalog: dynamoCatalog(options) },
}));
describeExpiries('the engine', () => ({ store, expiries: dynamoExpiries(options) }));
describeLogs('the engine', () => dynamoLogs(options));
