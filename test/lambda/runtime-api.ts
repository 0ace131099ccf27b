/**
 * The Lambda runtime API (2018-06-01) for one instance of a function: it asks here for its next event, and posts the
 * outcome.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerBytesMax, isTooLarge } from '../../localstack/runtime/answer-limit.ts';

export interface Invocation {
  readonly id: string;
  /** The event, as JSON. */
  readonly event: string;
  /** The deadline, in milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly arn: string;
  readonly traceId: string;
}

/** An error that a function reports, or that the emulator reports for it. */
export interface Failure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace?: readonly string[];
}

/** The end of an invocation: an answer, as JSON, or a failure. */
export type Outcome = { readonly answer: string } | { readonly failure: Failure };

/** Callbacks for the calls of the instance. */
export interface Told {
  /** The instance asks for an event; the first time, it has been initialized. */
  readonly onNext: () => void;
  readonly onInitFailure: (failure: Failure) => void;
  readonly onOutcome: (id: string, outcome: Outcome) => void;
}

export interface RuntimeApi {
  /** The value of `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Passes an invocation to the instance, as soon as it asks. */
  readonly hand: (invocation: Invocation) => void;
  readonly close: () => void;
}

const base = '/2018-06-01/runtime';

/** Serves one instance. */
export async function serveRuntimeApi(told: Told): Promise<RuntimeApi> {
  let waiting: ServerResponse | undefined;
  let pending: Invocation | undefined;

  const handOut = (): void => {
    if (!waiting || !pending) return;
    waiting.writeHead(200, headersOf(pending)).end(pending.event);
    waiting = undefined;
    pending = undefined;
  };

  const next = (answer: ServerResponse): void => {
    waiting = answer;
    told.onNext();
    handOut();
  };

  const serve = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const place = `${message.method} ${(message.url ?? '').replace(base, '')}`;
    if (place === 'GET /invocation/next') return next(answer);
    const body = await text(message);
    say(answer, statusOf(told, place, body));
  };

  const server = createServer((message, answer) => {
    serve(message, answer).catch(() => answer.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    hand: (invocation) => {
      pending = invocation;
      handOut();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Handles a post of the instance; returns the status to answer. */
function statusOf(told: Told, place: string, body: string): number {
  if (place === 'POST /init/error') {
    told.onInitFailure(failureOf(body));
    return 202;
  }
  const [, id, verb] = /^POST \/invocation\/([\w-]+)\/(response|error)$/.exec(place) ?? [];
  if (id === undefined) return 404;
  if (verb === 'error') {
    told.onOutcome(id, { failure: failureOf(body) });
    return 202;
  }
  const isRefused = isTooLarge(body);
  told.onOutcome(id, isRefused ? { failure: tooLarge } : { answer: body });
  return isRefused ? 413 : 202;
}

const tooLarge: Failure = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `The answer is larger than ${answerBytesMax} bytes.`,
};

function headersOf({ id, deadlineMs, arn, traceId }: Invocation): OutgoingHttpHeaders {
  return {
    'content-type': 'application/json',
    'Lambda-Runtime-Aws-Request-Id': id,
    'Lambda-Runtime-Deadline-Ms': deadlineMs,
    'Lambda-Runtime-Invoked-Function-Arn': arn,
    'Lambda-Runtime-Trace-Id': traceId,
  };
}

function failureOf(body: string): Failure {
  try {
    const { errorType, errorMessage, stackTrace } = JSON.parse(body) as Failure;
    return { errorType, errorMessage, ...(stackTrace && { stackTrace }) };
  } catch {
    return { errorType: 'Runtime.Unknown', errorMessage: body };
  }
}

function say(answer: ServerResponse, status: number): void {
  answer
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status: status === 202 ? 'OK' : 'refused' }));
}
