/**
 * The functions behind the gateway. Where the machine has cores for several threads, a pool runs them, each like a warm
 * instance on AWS, and requests are spread over it. One alone runs in the gateway's own thread, so that nothing is
 * copied and nobody is woken between the two. Decision 137.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { FunctionGroup } from '../../infra/topology.ts';
import type { Measurement } from '../telemetry/metrics.ts';
import type { Recorder } from '../telemetry/recorder.ts';
import { type FunctionAnswer, loadFunctions } from './functions.ts';
import { thread } from './thread.ts';
import type { FailedThread } from './thread-end.ts';

export interface Invocation {
  readonly id: number;
  readonly group: FunctionGroup;
  readonly event: APIGatewayProxyEvent;
}
export type WorkerAnswer =
  | ({ readonly id: number } & FunctionAnswer)
  | { readonly id: number; readonly error: string };

type ThreadMessage = WorkerAnswer | Measured | FailedThread | 'ready';

/** A measurement of a thread. */
export interface Measured {
  readonly measured: Measurement;
}

export type Invoke = (
  group: FunctionGroup,
  event: APIGatewayProxyEvent,
) => Promise<APIGatewayProxyResult>;

/** Functions that are yet to be loaded: what is asked of them before waits until they begin. */
export function laterFunctions(): {
  readonly invoke: Invoke;
  readonly begin: (invoke: Invoke) => void;
} {
  let resolve: (invoke: Invoke) => void = () => {};
  const begun = new Promise<Invoke>((one) => {
    resolve = one;
  });
  let current: Invoke = async (group, event) => (await begun)(group, event);
  return {
    invoke: (group, event) => current(group, event),
    begin: (invoke) => {
      current = invoke;
      resolve(invoke);
    },
  };
}

export interface Pool {
  readonly invoke: Invoke;
  readonly close: () => Promise<void>;
}

interface Instance {
  worker: Worker;
  /** False until it is ready, and after a failure until it is ready again. */
  isUp: boolean;
  readonly open: Map<number, (answer: WorkerAnswer) => void>;
}

/** Delay before a failed thread is restarted, in milliseconds. */
const againMs = 500;
/** The time for threads to send their last spans, in milliseconds. */
const stopMsMax = 3_000;

type PoolRecorder = Pick<Recorder, 'record' | 'answered'>;

/**
 * Starts `count` instances; resolves when all are ready. What they measure goes to `recorder`. A thread that fails is
 * restarted; `onLost` is called with the error of one that is gone at once and may have been writing.
 */
export function openPool(
  count: number,
  recorder: PoolRecorder,
  onLost: (error: Error) => void,
): Promise<Pool> {
  return count === 1 ? openHere(recorder) : openThreads(count, recorder, onLost);
}

/** The one instance, in this thread. An error outside of its requests ends the runtime. */
async function openHere({ record, answered }: PoolRecorder): Promise<Pool> {
  const { answer, close } = await loadFunctions(record);
  return {
    invoke: async (group, event) => {
      const { result, line } = await answer(group, event);
      if (line) answered(line);
      return result;
    },
    close,
  };
}

async function openThreads(
  count: number,
  recorder: PoolRecorder,
  onLost: (error: Error) => void,
): Promise<Pool> {
  let isClosing = false;
  let lastId = 0;
  const start = async (instance: Instance): Promise<void> => {
    const { worker } = instance;
    worker.on('message', (message: ThreadMessage) => hear(instance, message));
    worker.on('error', onLost);
    await once(worker, 'message');
    instance.isUp = true;
  };
  const hear = (instance: Instance, message: ThreadMessage): void => {
    if (message === 'ready') return;
    if ('failed' in message) restart(instance, message.failed);
    else if ('measured' in message) recorder.record(message.measured);
    else {
      // Recorded before it is answered, so that who has the answer finds it counted.
      if ('line' in message && message.line) recorder.answered(message.line);
      instance.open.get(message.id)?.(message);
    }
  };
  const restart = (instance: Instance, failed: string): void => {
    const { worker, open } = instance;
    instance.isUp = false;
    process.stderr.write(`A thread of the functions failed and is restarted: ${failed}\n`);
    for (const [id, answer] of open) answer({ id, error: failed });
    worker.once('exit', () => {
      setTimeout(() => {
        if (isClosing) return;
        instance.worker = thread('instance');
        // One that does not come up is lost.
        start(instance).catch(() => {});
      }, againMs);
    });
  };

  const instances = Array.from(
    { length: count },
    (): Instance => ({ worker: thread('instance'), isUp: false, open: new Map() }),
  );
  await Promise.all(instances.map(start));

  const invoke: Invoke = (group, event) =>
    new Promise((resolve, reject) => {
      const instance = idlest(instances);
      lastId += 1;
      const id = lastId;
      instance.open.set(id, (answer) => {
        instance.open.delete(id);
        if ('result' in answer) resolve(answer.result);
        else reject(new Error(answer.error));
      });
      instance.worker.postMessage({ id, group, event } satisfies Invocation);
    });

  return {
    invoke,
    close: async () => {
      isClosing = true;
      await Promise.all(instances.map(({ worker }) => endOf(worker, onLost)));
    },
  };
}

/** Ends a thread. One that does not end in time may be writing, and is lost. */
async function endOf(worker: Worker, onLost: (error: Error) => void): Promise<void> {
  // A thread that has failed has the number -1, and emits no further `exit`.
  if (worker.threadId === -1) return;
  const ended = once(worker, 'exit');
  const late = new Error('A thread of the functions did not end in time.');
  const hurry = setTimeout(() => onLost(late), stopMsMax);
  worker.postMessage('stop');
  await ended;
  clearTimeout(hurry);
}

/** The instance that is up and has the fewest open requests. */
function idlest(instances: readonly Instance[]): Instance {
  const up = instances.filter(({ isUp }) => isUp);
  const [first, ...others] = up;
  if (!first) throw new Error('All threads of the functions are restarting.');
  return others.reduce((best, one) => (one.open.size < best.open.size ? one : best), first);
}
