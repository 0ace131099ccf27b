/**
 * A function with its instances, each of which takes one event at a time. A busy function starts another instance, up
 * to its reserved concurrency and the limit of this machine; then events wait for their turn.
 */
import {
  type FunctionSettings,
  type Host,
  InitError,
  type Instance,
  startInstance,
} from './instance.ts';
import type { Failure, Outcome } from './runtime-api.ts';

export interface LambdaFunction {
  readonly name: string;
  /** Runs an event on an idle instance, or on a new one. */
  readonly invoke: (event: unknown) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

/** Limits for the instances of a function. */
export interface Places {
  readonly reserved?: number;
  readonly machine: number;
}

/** A function without an instance yet: the first event is a cold start. */
export function lambdaFunction(
  settings: FunctionSettings,
  host: Host,
  { reserved = Number.POSITIVE_INFINITY, machine }: Places,
): LambdaFunction {
  const placeCount = Math.min(reserved, machine);
  const idle: Instance[] = [];
  const busy = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  const all = new Set<Instance>();
  let takenCount = 0;

  const start = async (): Promise<Instance> => {
    const instance = await startInstance(settings, host);
    all.add(instance);
    return instance;
  };

  /** The instance that was idle last: it is the warmest. */
  const warm = (): Instance | undefined => {
    for (let one = idle.pop(); one; one = idle.pop()) {
      if (one.isAlive()) return one;
      all.delete(one);
    }
    return undefined;
  };

  const run = async (event: unknown): Promise<Outcome> => {
    try {
      const instance = warm() ?? (await start());
      const outcome = await instance.invoke(event);
      if (instance.isAlive()) idle.push(instance);
      else all.delete(instance);
      return outcome;
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      return { failure: error.failure };
    }
  };

  const invoke = async (event: unknown): Promise<Outcome> => {
    if (takenCount >= placeCount) await new Promise<void>((resolve) => waiting.push(resolve));
    else takenCount += 1;
    const running = run(event);
    busy.add(running);
    try {
      return await running;
    } finally {
      busy.delete(running);
      const next = waiting.shift();
      if (next) next();
      else takenCount -= 1;
    }
  };

  const stop = async (): Promise<void> => {
    await Promise.allSettled([...busy]);
    await Promise.all([...all].map((one) => one.end()));
  };

  return { name: settings.name, invoke, stop };
}

/** A failure as one line. */
export function lineOf({ errorType, errorMessage, stackTrace = [] }: Failure): string {
  return [`${errorType}: ${errorMessage}`, ...stackTrace.slice(1, 4)].join(' | ');
}
