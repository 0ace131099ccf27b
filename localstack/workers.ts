/** Starts the thread of the workers, starts it again should it fail, and ends it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

// A thread does not inherit the loader of TypeScript; it begins by registering it.
const bootstrap =
  "const { workerData } = require('node:worker_threads');" +
  'import(workerData.loader).then(({ register }) => {' +
  'register(); return import(workerData.entry); });';
const loader = import.meta.resolve('tsx/esm/api');
const entry = new URL('./worker.ts', import.meta.url).href;

/** How long to wait before a failed thread is started again, in milliseconds. */
const againMs = 500;

/** Starts the workers; answers how to end them. */
export function startWorkers(): () => Promise<void> {
  let isStopping = false;
  let worker = start();

  function start(): Worker {
    const started = new Worker(bootstrap, { eval: true, workerData: { loader, entry } });
    started.on('error', (error) => {
      process.stderr.write(`The workers failed and start again: ${error.stack ?? error.message}\n`);
      setTimeout(() => {
        if (!isStopping) worker = start();
      }, againMs);
    });
    return started;
  }

  return async () => {
    isStopping = true;
    // A thread that failed a moment ago has no number any more, and nothing to end.
    if (worker.threadId === -1) return;
    const ended = once(worker, 'exit');
    worker.postMessage('stop');
    await ended;
  };
}
