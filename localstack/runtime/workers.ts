/** The thread of the workers: starts it, restarts it after a failure, and ends it. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Recorder } from '../telemetry/recorder.ts';
import type { Measured } from './pool.ts';
import { thread } from './thread.ts';
import type { FailedThread } from './thread-end.ts';

/** Delay before a failed thread is restarted, in milliseconds. */
const againMs = 500;

export interface Workers {
  /** Resolves once the thread traces its work. */
  readonly ready: Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the workers. What they measure goes to `recorder`. A thread that fails is restarted; `onLost` is called with the
 * error of one that is gone at once, as for want of memory, and may have been writing.
 */
export function startWorkers(
  recorder: Pick<Recorder, 'record'>,
  onLost: (error: Error) => void,
): Workers {
  let isReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  let isStopping = false;
  let worker = start();

  function start(): Worker {
    const started = thread('worker');
    started.on('message', (message: Measured | FailedThread | 'ready') => {
      if (message === 'ready') return isReady();
      if ('measured' in message) return recorder.record(message.measured);
      process.stderr.write(
        `The thread of the workers failed and is restarted: ${message.failed}\n`,
      );
      started.once('exit', () => {
        setTimeout(() => {
          if (!isStopping) worker = start();
        }, againMs);
      });
    });
    started.on('error', onLost);
    return started;
  }

  const stop = async (): Promise<void> => {
    isStopping = true;
    // A thread that has failed has the number -1, and emits no further `exit`.
    if (worker.threadId === -1) return;
    const ended = once(worker, 'exit');
    worker.postMessage('stop');
    await ended;
  };
  return { ready, stop };
}
