/** All ports of a table in DynamoDB keep their contracts. */
import { beforeAll } from 'vitest';
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
  type TableOptions,
} from '../../shared/store/store.ts';
import { describeBatches } from './batches.ts';
import { describeBooks, sharing } from './books.ts';
import { describeBusyLists } from './busy-lists.ts';
import { describeCatalog } from './catalog.ts';
import { describeDeliveries } from './deliveries.ts';
import { describeExpiries } from './expiry.ts';
import { describeFencing } from './fence.ts';
import { describeKept } from './kept.ts';
import { describeLayouts } from './layout.ts';
import { describeLimits } from './limit.ts';
import { describeMonitors } from './monitors.ts';
import { describeNotes } from './notes.ts';
import { describeOutbox } from './outbox.ts';
import { describePacked } from './packed.ts';
import { describeRelations } from './relation.ts';
import { describeStore } from './store.ts';
import { describeWatching } from './watch.ts';

/** Describes the ports of a table; its options are asked for once its database is there. */
export function describePorts(name: string, optionsNow: () => TableOptions): void {
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

  beforeAll(() => {
    const options = optionsNow();
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

  describeStore(name, () => store);
  describeLimits(name, () => store);
  describeWatching(name, () => store);
  describeFencing(name, () => store);
  describeRelations(name, () => store);
  describeOutbox(name, () => ({ store, outbox }));
  describeLayouts(name, () => ({ store, outbox, catalog, reports, expiries, layouts }));
  describeBusyLists(name, () => ({ store, outbox, catalog, reports, expiries, layouts }));
  describeBatches(name, () => ({ store, outbox, catalog, reports, expiries, layouts }));
  describeBooks(name, () => ({ store, outbox, books }), 25);
  const shared = `${name}, where entries share items`;
  describeBooks(shared, () => ({ store, outbox, books: sharing(books) }), 25);
  describeMonitors(name, () => ({ store, outbox, books, monitors }), 15);
  describeCatalog(name, () => ({ store, outbox, catalog }), 40);
  describePacked(name, () => catalog, 25);
  describeDeliveries(name, () => ({ store, deliveries, layouts }));
  describeNotes(name, () => notes);
  describeKept(name, () => ({ store, reports, outbox, catalog }));
  describeExpiries(name, () => ({ store, expiries }));
}
