/** The store in memory keeps the contract. */
import { describeStore } from '../contract/store.ts';
import { memoryStore } from '../fixture/memory.ts';

const store = memoryStore();

describeStore('memory', () => store);
