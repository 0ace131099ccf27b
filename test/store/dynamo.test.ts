/** The store in DynamoDB keeps the contract. */
import { afterAll, beforeAll } from 'vitest';
import type { Books } from '../../shared/port/books.ts';
import type { Catalog } from '../../shared/port/catalog.ts';
import type { Deliveries } from '../../shared/port/deliveries.ts';
import type { Expiries } from '../../shared/port/expiries.ts';
import type { Layouts } from '../../shared/port/layouts.ts';
import type { Monitors } from '../../shared/port/monitors.ts';
import type { Notes } from '../../shared/port/notes.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import type { ReportStore } from '../../shared/port/reports.ts';
import { tableClient } from '../../shared/store/client.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoExpiries,
  dynamoLayouts,
  dynamoMonitors,
  dynamoNotes,
  dynamoOutbox,
  dynamoReports,
  dynamoStore,
} from '../../shared/store/store.ts';
import { describeBooks } from '../contract/books.ts';
import { describeCatalog } from '../contract/catalog.ts';
import { describeDeliveries } from '../contract/deliveries.ts';
import { describeExpiries } from '../contract/expiry.ts';
import { describeFencing } from '../contract/fence.ts';
import { describeKept } from '../contract/kept.ts';
import { describeLayouts } from '../contract/layout.ts';
import { describeLimits } from '../contract/limit.ts';
import { describeMonitors } from '../contract/monitors.ts';
import { describeNotes } from '../contract/notes.ts';
import { describeOutbox } from '../contract/outbox.ts';
import { describeRelations } from '../contract/relation.ts';
import { describeStore } from '../contract/store.ts';
import { describeWatching } from '../contract/watch.ts';
import { type Database, startDatabase } from '../fixture/database.ts';

const tableName = 'contract';
let database: Database;
let store: Store;
let outbox: Outbox;
let deliveries: Deliveries;
let books: Books;
let monitors: Monitors;
let catalog: Catalog;
let notes: Notes;
let reports: ReportStore;
let expiries: Expiries;
let layouts: Layouts;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const options = { client: tableClient({ endpoint: database.endpoint }), tableName };
  store = dynamoStore(options);
  outbox = dynamoOutbox(options);
  deliveries = dynamoDeliveries(options);
  books = dynamoBooks(options);
  monitors = dynamoMonitors(options);
  catalog = dynamoCatalog(options);
  notes = dynamoNotes(options);
  reports = dynamoReports(options);
  expiries = dynamoExpiries(options);
  layouts = dynamoLayouts(options);
});

afterAll(() => database.stop());

describeStore('DynamoDB', () => store);
describeLimits('DynamoDB', () => store);
describeWatching('DynamoDB', () => store);
describeFencing('DynamoDB', () => store);
describeRelations('DynamoDB', () => store);
describeOutbox('DynamoDB', () => ({ store, outbox }));
describeLayouts('DynamoDB', () => ({ store, outbox, catalog, reports, layouts }));
describeBooks('DynamoDB', () => ({ store, outbox, books }), 25);
describeMonitors('DynamoDB', () => ({ store, outbox, books, monitors }), 15);
describeCatalog('DynamoDB', () => ({ store, outbox, catalog }), 40);
describeDeliveries('DynamoDB', () => ({ store, deliveries }));
describeNotes('DynamoDB', () => notes);
describeKept('DynamoDB', () => ({ store, reports }));
describeExpiries('DynamoDB', () => ({ store, expiries }));
