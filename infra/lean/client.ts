/**
 * What bundles have in place of the clients of the SDK: the SDK's commands, with their schemas, its protocol, signer
 * and HTTP handler, and between them two steps. Left out is what a function has no use for: profiles
 * and chains of credentials, rules for endpoints, user agents, loggers, guesses at the environment.
 */
import { Client } from '@smithy/core/client';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { addressIn, addressOf } from './endpoints.ts';
import { attempting } from './retry.ts';
import { signerOf } from './signer.ts';

/** What a client is for. */
export interface Service {
  /** Its name in host names and signatures. */
  readonly name: string;
  /** The variable that may say where else it is. */
  readonly variable: string;
  readonly protocol: unknown;
  readonly protocolSettings: object;
}

/** What our code gives clients of the SDK; other settings of theirs are not known here. */
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

type Next = (args: { request: Request }) => Promise<unknown>;

/** As many as the SDK makes; but one that hangs is given up, because somebody waits for it. */
const attemptsDefault = 3;
const limits = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

const quiet = () => {};

/** A client of one service. */
export class LeanClient extends Client<never, never, never, never> {
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

/** Says how long a request is and whom it is for, and signs it. */
function signing(signer: Signer) {
  return (next: Next): Next =>
    async ({ request, ...args }) => {
      const { headers, hostname, port, body } = request;
      headers['host'] = port ? `${hostname}:${port}` : hostname;
      headers['content-length'] = String(Buffer.byteLength(body));
      return next({ ...args, request: await signer.sign(request) });
    };
}
