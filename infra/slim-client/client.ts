/**
 * A slim client, which bundles have in place of the clients of the SDK. It keeps the SDK's commands with their schemas,
 * its protocol, signer and HTTP handler; between them are two steps, retry and signature. It leaves out what a function
 * does not use: profiles and chains of credentials, rules for endpoints, user agents, loggers.
 */
import { Client } from '@smithy/core/client';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { addressIn, addressOf } from './endpoints.ts';
import { signerOf } from './signer.ts';

export interface Service {
  /** Its name in host names and signatures. */
  readonly name: string;
  /** The environment variable with another address for it. */
  readonly variable: string;
  readonly protocol: unknown;
  readonly protocolSettings: object;
}

/** The settings that our code gives clients of the SDK; there are no others here. */
export interface ClientOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly maxAttempts?: number;
  readonly requestHandler?: object;
  readonly signer?: Signer;
  readonly credentials?: object;
}

interface Request {
  readonly headers: Record<string, string>;
  readonly hostname: string;
  readonly port?: number;
  readonly body: string | Uint8Array;
}

interface Signer {
  readonly sign: (request: Request) => Promise<Request>;
}

interface SlimClientError extends Error {
  /** Of a socket: `ECONNRESET` and the like. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

type Next = (args: { request: Request }) => Promise<unknown>;

/** As many attempts as the SDK makes. One that hangs is given up, because a caller waits for it. */
const attemptsDefault = 3;
const limits = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

const quiet = () => {};
const waitBaseMs = 50;
const waitMaxMs = 1_000;

export class SlimClient extends Client<never, never, never, never> {
  constructor({ name, variable, ...service }: Service, options: ClientOptions = {}) {
    const region = options.region ?? process.env['AWS_REGION'] ?? '';
    const { endpoint, maxAttempts = attemptsDefault, requestHandler = limits } = options;
    const address = endpoint ? addressOf(endpoint) : addressIn(name, variable, region);
    const config = {
      ...service,
      endpoint: async () => address,
      requestHandler: NodeHttpHandler.create(requestHandler),
      logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
      ...{ base64Decoder: fromBase64, base64Encoder: toBase64 },
      ...{ utf8Decoder: fromUtf8, utf8Encoder: toUtf8, streamCollector },
    };
    super(config as never);
    this.middlewareStack.use(getSchemaSerdePlugin(config as never) as never);
    const signer = options.signer ?? (signerOf(name, region) as unknown as Signer);
    const steps = [attempting(maxAttempts), signing(signer)];
    for (const step of steps) this.middlewareStack.add(step as never, { step: 'finalizeRequest' });
  }
}

/** A step that adds the length and the host of a request, and signs it. */
function signing(signer: Signer) {
  return (next: Next): Next =>
    async ({ request, ...args }) => {
      const { headers, hostname, port, body } = request;
      headers['host'] = port ? `${hostname}:${port}` : hostname;
      headers['content-length'] = String(Buffer.byteLength(body));
      return next({ ...args, request: await signer.sign(request) });
    };
}

/** A step that makes so many attempts at most, with full jitter between them. */
function attempting(attemptsMax: number) {
  return <Args, Output>(next: (args: Args) => Promise<Output>) => {
    const attempt = async (args: Args, count: number): Promise<Output> => {
      try {
        return await next(args);
      } catch (error) {
        if (count >= attemptsMax || !mayPass(error)) throw error;
      }
      await pause(count);
      return attempt(args, count + 1);
    };
    return (args: Args) => attempt(args, 1);
  };
}

/** True when the request itself was not at fault, so that the next attempt may succeed. */
function mayPass(error: unknown): boolean {
  const { name, code, $metadata } = error as SlimClientError;
  const status = $metadata?.httpStatusCode ?? 0;
  const isThrottled = status === 429 || /Throttl|TooManyRequests|LimitExceeded/.test(name);
  return isThrottled || status >= 500 || typeof code === 'string' || name === 'TimeoutError';
}

function pause(count: number): Promise<void> {
  const waitMs = Math.random() * Math.min(waitMaxMs, waitBaseMs * 2 ** count);
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
