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

export interface Invocation {
  readonly id: number;
  readonly group: FunctionGroup;
  readonly event: APIGatewayProxyEvent;
}
export type WorkerAnswer =
  | ({ readonly id: number } & FunctionAnswer)
  | { readonly id: number; readonly error: string };

/** A measurement of a thread. */
export interface Measured {
  readonly measured: Measurement;
}

export type Invoke = (
  group: FunctionGroup,
  event: APIGatewayProxyEvent,
) => Promise<APIGatewayProxyResult>;

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

/** Starts `count` instances; resolves when all are ready. What they measure goes to `recorder`. */
export function openPool(count: number, recorder: PoolRecorder): Promise<Pool> {
  return count === 1 ? openHere(recorder) : openThreads(count, recorder);
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

async function openThreads(count: number, recorder: PoolRecorder): Promise<Pool> {
  let isClosing = false;
  let lastId = 0;
  const start = async (instance: Instance): Promise<void> => {
    const { worker, open } = instance;
    worker.on('message', (answer: WorkerAnswer | Measured | 'ready') => {
      if (answer === 'ready') return;
      if ('measured' in answer) return recorder.record(answer.measured);
      // Recorded before it is answered, so that who has the answer finds it counted.
      if ('line' in answer && answer.line) recorder.answered(answer.line);
      open.get(answer.id)?.(answer);
    });
    worker.on('error', (error) => {
      instance.isUp = false;
      process.stderr.write(
        `A thread of the functions failed and is restarted: ${error.stack ?? error.message}\n`,
      );
      for (const [id, answer] of open) answer({ id, error: error.message });
      setTimeout(() => {
        if (isClosing) return;
        instance.worker = thread('instance');
        // Another failure emits `error` again, which restarts it.
        start(instance).catch(() => {});
      }, againMs);
    });
    await once(worker, 'message');
    instance.isUp = true;
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
      await Promise.all(instances.map(({ worker }) => endOf(worker)));
    },
  };
}

/** Ends a thread, at once when it does not end by itself in time. */
async function endOf(worker: Worker): Promise<void> {
  // A thread that has failed has the number -1, and emits no further `exit`.
  if (worker.threadId === -1) return;
  const ended = once(worker, 'exit');
  const hurry = setTimeout(() => void worker.terminate(), stopMsMax);
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
