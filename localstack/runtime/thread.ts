/** Starts threads that run TypeScript. */
import { Worker } from 'node:worker_threads';

// A thread does not inherit the loader of its process, so it registers the loader first.
const bootstrap =
  "const { workerData } = require('node:worker_threads');" +
  'import(workerData.loader).then(({ register }) => {' +
  'register(); return import(workerData.entry); });';
const loader = import.meta.resolve('tsx/esm/api');

/** Starts a thread with a module of this folder. */
export function thread(module: string): Worker {
  const entry = new URL(module, import.meta.url).href;
  return new Worker(bootstrap, { eval: true, workerData: { loader, entry } });
}
