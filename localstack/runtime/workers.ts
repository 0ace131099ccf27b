/** Starts the thread of the workers, starts it again should it fail, and ends it. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { thread } from './thread.ts';

/** How long to wait before a failed thread is started again, in milliseconds. */
const againMs = 500;

/** Starts the workers; answers how to end them. */
export function startWorkers(): () => Promise<void> {
  let isStopping = false;
  let worker = start();

  function start(): Worker {
    const started = thread('./worker.ts');
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
