/** The store in memory keeps the contract. */
import { describeBatches } from '../contract/batches.ts';
import { describeBooks } from '../contract/books.ts';
import { describeBusyLists } from '../contract/busy-lists.ts';
import { describeCatalog } from '../contract/catalog.ts';
import { describeDeliveries } from '../contract/deliveries.ts';
import { describeExpiries } from '../contract/expiry.ts';
import { describeFencing } from '../contract/fence.ts';
import { describeKept } from '../contract/kept.ts';
import { describeLayouts } from '../contract/layout.ts';
import { describeLimits } from '../contract/limit.ts';
import { describeLogs } from '../contract/log.ts';
import { describeMonitors } from '../contract/monitors.ts';
import { describeNotes } from '../contract/notes.ts';
import { describeOutbox } from '../contract/outbox.ts';
import { describePacked } from '../contract/packed.ts';
import { describeRelations } from '../contract/relation.ts';
import { describeStore } from '../contract/store.ts';
import { describeWatching } from '../contract/watch.ts';
import { memoryStore } from '../fixture/memory.ts';
import { memoryNotes } from '../fixture/memory-notes.ts';

const store = memoryStore();
const notes = memoryNotes();

describeStore('memory', () => store);
describeLimits('memory', () => store);
describeWatching('memory', () => store);
describeFencing('memory', () => store);
describeRelations('memory', () => store);
describeOutbox('memory', () => ({ store, outbox: store.outbox }));
describeLayouts('memory', () => ({ store, ...store }), 40);
describeBusyLists('memory', () => ({ store, ...store }), 40);
describeBatches('memory', () => ({ store, ...store }), 40);
describeBooks('memory', () => ({ store, outbox: store.outbox, books: store.books }));
describeMonitors('memory', () => ({
  ...{ store, outbox: store.outbox },
  ...{ books: store.books, monitors: store.monitors },
}));
describeCatalog('memory', () => ({ store, outbox: store.outbox, catalog: store.catalog }));
describePacked('memory', () => store.catalog);
describeDeliveries('memory', () => ({ store, ...store }));
describeNotes('memory', () => notes);
describeKept('memory', () => ({ store, ...store }));
describeExpiries('memory', () => ({ store, expiries: store.expiries }));
describeLogs('memory', () => store.logs);
