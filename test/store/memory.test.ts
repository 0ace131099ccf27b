/** The store in memory keeps the contract. */
import { describeDeliveries } from '../contract/deliveries.ts';
import { describeOutbox } from '../contract/outbox.ts';
import { describeStore } from '../contract/store.ts';
import { memoryStore } from '../fixture/memory.ts';

const store = memoryStore();

describeStore('memory', () => store);
describeOutbox('memory', () => ({ store, outbox: store.outbox }));
describeDeliveries('memory', () => ({ store, deliveries: store.deliveries }));
