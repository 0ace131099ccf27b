/**
 * One instance of a function: a new process that runs a bundle behind a runtime API of its own, in the environment that
 * Lambda would give it. It takes one event at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { type Failure, type Invocation, type Outcome, serveRuntimeApi } from './runtime-api.ts';

/** A function as it is deployed. */
export interface FunctionSettings {
  readonly name: string;
  /** The folder of the unpacked bundle. */
  readonly root: string;
  /** File and export, as `index.handler`. */
  readonly handler: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** The environment variables of the deployment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Host {
  /** The compiled runtime client (`bootstrapIn`). */
  readonly bootstrap: string;
  /** Receives the output of the function, line by line. */
  readonly onLine?: (name: string, line: string) => void;
}

export interface Instance {
  /** From the start of the process until it asked for its first event. */
  readonly initMs: number;
  readonly isAlive: () => boolean;
  /**
   * Runs the handler on an event. Resolves once the instance asks for the next event or has ended, since it can take no
   * other event before. An instance that exceeds its timeout is ended.
   */
  readonly invoke: (event: unknown) => Promise<Outcome>;
  readonly end: () => Promise<void>;
}

/** An instance that failed to initialize. */
export class InitError extends Error {
  readonly failure: Failure;

  constructor(name: string, failure: Failure) {
    super(`${name} did not start: ${failure.errorType}: ${failure.errorMessage}`);
    this.failure = failure;
  }
}

export const region = 'eu-central-1';
export const account = '000000000000';

function arnOf(name: string): string {
  return `arn:aws:lambda:${region}:${account}:function:${name}`;
}

/** The awaited steps of the instance, each with the function that resolves it. */
interface Hopes {
  initialized?: () => void;
  failed?: (failure: Failure) => void;
  rested?: () => void;
}

/** Starts an instance and waits until it is initialized. */
export async function startInstance(settings: FunctionSettings, host: Host): Promise<Instance> {
  const { name, timeoutSeconds } = settings;
  const startedMs = performance.now();
  const state: Hopes = {};
  const open = new Map<string, (outcome: Outcome) => void>();
  const initialized = new Promise<void>((resolve, reject) => {
    state.initialized = resolve;
    state.failed = (failure) => reject(new InitError(name, failure));
  });
  const api = await serveRuntimeApi({
    onNext: () => {
      state.initialized?.();
      state.rested?.();
    },
    onInitFailure: (failure) => state.failed?.(failure),
    onOutcome: (id, outcome) => open.get(id)?.(outcome),
  });
  const child = spawnIn(settings, host, api.address);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      const failure = exitFailure(code, signal);
      state.failed?.(failure);
      for (const settle of open.values()) settle({ failure });
      state.rested?.();
      api.close();
      resolve();
    });
  });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const hurry = setTimeout(() => void end(), timeoutSeconds * 1000);
  await initialized.catch(async (error: unknown) => {
    await end();
    throw error;
  });
  clearTimeout(hurry);

  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const invoke = async (event: unknown): Promise<Outcome> => {
    if (!isAlive()) return { failure: exitFailure(child.exitCode, child.signalCode) };
    const invocation = invocationOf(settings, event);
    const { id } = invocation;
    const rested = new Promise<void>((resolve) => {
      state.rested = resolve;
    });
    const late = setTimeout(() => {
      open.get(id)?.({ failure: timeoutFailure(id, timeoutSeconds) });
      void end();
    }, timeoutSeconds * 1000);
    const outcome = await new Promise<Outcome>((resolve) => {
      open.set(id, resolve);
      api.hand(invocation);
    });
    await rested;
    clearTimeout(late);
    open.delete(id);
    return outcome;
  };
  return { initMs: performance.now() - startedMs, isAlive, invoke, end };
}

function invocationOf({ name, timeoutSeconds }: FunctionSettings, event: unknown): Invocation {
  return {
    id: randomUUID(),
    event: JSON.stringify(event),
    deadlineMs: Date.now() + timeoutSeconds * 1000,
    arn: arnOf(name),
    traceId: newTraceId(),
  };
}

function spawnIn(settings: FunctionSettings, host: Host, address: string): ChildProcess {
  const child = spawn(process.execPath, [host.bootstrap], {
    cwd: settings.root,
    env: environmentOf(settings, host, address),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => host.onLine?.(settings.name, line));
  return child;
}

/**
 * The whole environment of a function's process, which inherits nothing from this one.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
function environmentOf(
  { name, root, handler, memoryMiB, environment }: FunctionSettings,
  { bootstrap }: Host,
  address: string,
): Record<string, string> {
  return {
    ...environment,
    AWS_LAMBDA_RUNTIME_API: address,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `[$LATEST]${randomBytes(16).toString('hex')}`,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    _HANDLER: handler,
    LAMBDA_TASK_ROOT: root,
    LAMBDA_RUNTIME_DIR: bootstrap.replace(/\/[^/]*$/, ''),
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    PATH: '/usr/local/bin:/usr/bin/:/bin:/opt/bin',
    // Lambda runs a newer Node, so a warning about the version of this one would be noise.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}

function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  const root = `1-${seconds}-${randomBytes(12).toString('hex')}`;
  return `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
}

function exitFailure(code: number | null, signal: string | null): Failure {
  const how = signal ? `signal: ${signal}` : `exit code: ${code}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with ${how}` };
}

function timeoutFailure(id: string, seconds: number): Failure {
  const errorMessage = `${id} Task timed out after ${seconds.toFixed(2)} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage };
}
