/**
 * Sends every outgoing request: webhooks, bridges and token URLs. A name is resolved once and each of its addresses is
 * checked. Then the connection is opened to an address, not to the name, so that no later answer of a resolver can lead
 * it elsewhere. The name goes into SNI, into the check of the certificate and into the `host` header. Rulings 61 and
 * 62.
 */
import {
  type Agent,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { framingHeaders } from '../ledger/reserved-headers.ts';
import { isOpenAddress, type Policy } from './address.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { type Resolve, resolveName } from './resolve.ts';
import { retryAfterSecondsOf } from './retry-after.ts';
import { codeOf, detailOf, type Unreachable, Unsent, whyOf } from './unreachable.ts';

/** A request. It must mean the same when it is sent twice, see `answerAt`. */
export interface OutgoingRequest {
  readonly endpoint: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface SendOptions {
  readonly policy: Policy;
  /** For the whole attempt, from resolving the name to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Ends the attempt early, when the caller ignores its outcome. */
  readonly givenUp?: AbortSignal;
  /** True to keep the body of the answer, as of a token URL. It is never echoed. */
  readonly keepBody?: boolean;
  readonly resolve?: Resolve;
  /** The certificate authorities to trust in place of the default ones, in PEM. */
  readonly authorities?: string;
}

/** There was an answer, with any status. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly retryAfterSeconds?: number;
  /** With `keepBody`: the whole text; absent when it exceeds 64 KiB or is not UTF-8. */
  readonly body?: string;
}

export type SendOutcome = Answered | Unreachable;

const attemptMs = 10_000;
const answerBytesMax = 64 * 1024;
const headerBytesMax = 16 * 1024;

/**
 * Connections are kept alive by address, port and server name (`Agent.getName`). So one is reused only for the address
 * that was checked and the name that was certified. Idle ones end before most servers end them (5 s in Node). The limit
 * is for each of these keys, so that a slow endpoint fills only its own.
 */
const pool = { keepAlive: true, maxSockets: 128, maxFreeSockets: 32, timeout: 4000 } as const;

const outside = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) } as const;
const inside = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) } as const;

/** The agents by protocol. Calls that may go inside never share a connection with the others. */
function agentsOf(policy: Policy): typeof outside {
  return policy.inside ? inside : outside;
}

/** Sends a request once and returns the outcome; a failure of the network is never thrown. Rulings 61, 62. */
export async function send(request: OutgoingRequest, options: SendOptions): Promise<SendOutcome> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), options.timeoutMs ?? attemptMs);
  const giveUp = (): void => clock.abort();
  options.givenUp?.addEventListener('abort', giveUp, { once: true });
  try {
    const endpoint = endpointOf(request, options.policy);
    const addresses = await addressesOf(endpoint, options, clock.signal);
    const answer = await answerFrom(
      { endpoint, request, options, signal: clock.signal },
      addresses,
    );
    const outcome = await outcomeOf(answer, options.keepBody ?? false);
    // A body without a length ends with its connection, also when the timeout has ended that.
    if (clock.signal.aborted) throw new Unsent('timeout');
    return outcome;
  } catch (error) {
    const why = clock.signal.aborted ? 'timeout' : whyOf(error);
    return { kind: 'unreachable', why, detail: detailOf(why, error) };
  } finally {
    clearTimeout(timer);
    options.givenUp?.removeEventListener('abort', giveUp);
  }
}

interface Attempt {
  readonly endpoint: Endpoint;
  readonly request: OutgoingRequest;
  readonly options: SendOptions;
  readonly signal: AbortSignal;
}

function endpointOf(request: OutgoingRequest, policy: Policy): Endpoint {
  for (const [name, value] of Object.entries(request.headers)) {
    if (!isHeader(name, value)) throw new Unsent('invalid', 'A header cannot be sent.');
  }
  try {
    return parseEndpoint(request.endpoint, policy);
  } catch (error) {
    throw error instanceof LedgerError ? new Unsent('invalid', error.detail) : error;
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    return false;
  }
  return !framingHeaders.has(name.toLowerCase());
}

/** Resolves a name. All of its addresses must be public: a name with a private one among them is an attack. */
async function addressesOf(
  { hostname }: Endpoint,
  { resolve = resolveName, policy }: SendOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  const addresses = await Promise.race([resolve(hostname).catch(() => []), abortOf(signal)]);
  if (addresses.length === 0) throw new Unsent('dns');
  if (!addresses.every((address) => isOpenAddress(address, policy))) throw new Unsent('not-public');
  return addresses;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Unsent('timeout')), { once: true });
  });
}

/** Tries the addresses in turn while the connection is refused. */
async function answerFrom(
  attempt: Attempt,
  addresses: readonly string[],
): Promise<IncomingMessage> {
  for (const address of addresses.slice(0, -1)) {
    try {
      return await answerAt(attempt, address);
    } catch (error) {
      if (!isUntaken(error)) throw error;
    }
  }
  const last = addresses.at(-1);
  assert(last !== undefined, 'a name that was resolved has an address');
  return answerAt(attempt, last);
}

/**
 * Sends the request again, once, on a new connection, when a kept connection turns out to be closed. RFC 9110 9.2.2
 * allows that for idempotent requests, and each of ours carries the handle of its event (Ruling 58).
 */
async function answerAt(attempt: Attempt, address: string): Promise<IncomingMessage> {
  const { endpoint, options } = attempt;
  const agents = agentsOf(options.policy);
  try {
    return await call(attempt, address, agents[endpoint.protocol]);
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
    return call(attempt, address, false);
  }
}

/** Thrown for a kept connection that was closed before it was used again. */
class Stale extends Error {
  override readonly name = 'Stale';
}

function call(attempt: Attempt, address: string, agent: Agent | false): Promise<IncomingMessage> {
  const { endpoint, request } = attempt;
  const open = endpoint.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = open({ ...requestOptionsOf(attempt, address), agent });
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => {
      const isStale = outgoing.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(codeOf(error) ?? '');
      reject(isStale ? new Stale() : error);
    });
    // After a response this has no effect: a promise settles once.
    outgoing.once('close', () => reject(new Unsent('reset')));
    outgoing.end(request.body);
  });
}

/** Sets every option that the environment could change. */
function requestOptionsOf(
  { endpoint, request, options, signal }: Attempt,
  address: string,
): RequestOptions {
  return {
    host: address,
    port: endpoint.port,
    path: endpoint.path,
    method: request.method,
    headers: { ...request.headers, host: endpoint.host },
    // An address is not sent as a server name (RFC 6066 3); the certificate is still checked for it.
    servername: isIP(endpoint.hostname) === 0 ? endpoint.hostname : '',
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    insecureHTTPParser: false,
    maxHeaderSize: headerBytesMax,
    signal,
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
  };
}

function isUntaken(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

async function outcomeOf(answer: IncomingMessage, keepBody: boolean): Promise<Answered> {
  const { statusCode: status, headers } = answer;
  assert(status !== undefined, 'an answer has a status');
  const retryAfterSeconds = retryAfterSecondsOf(headers['retry-after'] ?? '', Date.now());
  const bytes = await bytesOf(answer);
  const body = keepBody && bytes !== undefined ? textOf(bytes) : undefined;
  return {
    kind: 'answered',
    status,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(body === undefined ? {} : { body }),
  };
}

/** The bytes of the answer; undefined beyond the limit. Leaving the loop ends the connection. */
async function bytesOf(answer: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
