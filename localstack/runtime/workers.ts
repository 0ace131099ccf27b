/** The thread of the workers: starts it, restarts it after a failure, and ends it. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { thread } from './thread.ts';

/** Delay before a failed thread is restarted, in milliseconds. */
const againMs = 500;

/** Starts the workers; returns a function that ends them. */
export function startWorkers(): () => Promise<void> {
  let isStopping = false;
  let worker = start();

  function start(): Worker {
    const started = thread('worker');
    started.on('error', (error) => {
      process.stderr.write(
        `The thread of the workers failed and is restarted: ${error.stack ?? error.message}\n`,
      );
      setTimeout(() => {
        if (!isStopping) worker = start();
      }, againMs);
    });
    return started;
  }

  return async () => {
    isStopping = true;
    // A thread that has failed has the number -1, and emits no further `exit`.
    if (worker.threadId === -1) return;
    const ended = once(worker, 'exit');
    worker.postMessage('stop');
    await ended;
  };
}
