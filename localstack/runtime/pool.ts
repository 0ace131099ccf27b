/**
 * The functions of the offline runtime, each thread like a warm instance on AWS: requests are spread over
 * them, so that one core is not the limit of the whole ledger.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Group } from '../../infra/topology.ts';
import { thread } from './thread.ts';

/** What a thread is asked, and what it answers. */
export interface Invocation {
  readonly id: number;
  readonly group: Group;
  readonly event: APIGatewayProxyEvent;
}
export type Answer =
  | { readonly id: number; readonly result: APIGatewayProxyResult }
  | { readonly id: number; readonly error: string };

/** Runs the handler of a group. */
export type Invoke = (group: Group, event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

export interface Pool {
  readonly invoke: Invoke;
  readonly close: () => Promise<void>;
}

interface Instance {
  worker: Worker;
  /** Whether it answers; one that failed is not asked until it is up again. */
  isUp: boolean;
  readonly open: Map<number, (answer: Answer) => void>;
}

/** How long to wait before a thread that failed is started again, in milliseconds. */
const againMs = 500;

/** Starts so many instances; resolves when all of them are ready. */
export async function openPool(count: number): Promise<Pool> {
  let isClosing = false;
  let lastId = 0;
  const start = async (instance: Instance): Promise<void> => {
    const { worker, open } = instance;
    worker.on('message', (answer: Answer | 'ready') => {
      if (answer !== 'ready') open.get(answer.id)?.(answer);
    });
    worker.on('error', (error) => {
      instance.isUp = false;
      process.stderr.write(`A function failed and starts again: ${error.stack ?? error.message}\n`);
      for (const [id, answer] of open) answer({ id, error: error.message });
      setTimeout(() => {
        if (isClosing) return;
        instance.worker = thread('./instance.ts');
        // When it fails again, it starts again.
        start(instance).catch(() => {});
      }, againMs);
    });
    await once(worker, 'message');
    instance.isUp = true;
  };

  const instances = Array.from(
    { length: count },
    (): Instance => ({ worker: thread('./instance.ts'), isUp: false, open: new Map() }),
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
      await Promise.all(instances.map(({ worker }) => worker.terminate()));
    },
  };
}

/** The instance with the fewest requests on its hands, of those that are up. */
function idlest(instances: readonly Instance[]): Instance {
  const up = instances.filter(({ isUp }) => isUp);
  const [first, ...others] = up;
  if (!first) throw new Error('No function is up; they start again.');
  return others.reduce((best, one) => (one.open.size < best.open.size ? one : best), first);
}
