/**
 * The one way out: webhooks, bridges and token URLs all leave here. A name is resolved once and every
 * address of it is judged; then the connection is opened to an address, not to the name, so that no
 * later answer of a resolver can lead it elsewhere. The name goes on in SNI, in the certificate that
 * is asked for and in the `host` header. Rulings 61 and 62.
 */
import {
  type Agent,
  request as httpRequest,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { framingHeaders } from '../ledger/own-headers.ts';
import { isOpenAddress, type Policy } from './address.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { agentsOf } from './pool.ts';
import { type Resolve, resolveName } from './resolve.ts';
import { retryAfterSecondsOf } from './retry-after.ts';
import { codeOf, detailOf, type Unreachable, Unsent, whyOf } from './unreachable.ts';

/** What is sent. Sent twice it must mean the same, see `answerAt`. */
export interface OutgoingRequest {
  readonly endpoint: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface SendOptions {
  readonly policy: Policy;
  /** For the whole attempt, from the name to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Ends the attempt before its time: whoever gives it up is not interested in what comes of it. */
  readonly givenUp?: AbortSignal;
  /** Whether the caller needs the text of the answer, as of a token URL. It is never echoed. */
  readonly keepBody?: boolean;
  readonly resolve?: Resolve;
  /** The authorities to trust instead of the usual ones, in PEM. */
  readonly authorities?: string;
}

/** Someone answered, with whatever status. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly retryAfterSeconds?: number;
  /** With `keepBody`: the whole text, absent when it exceeds 64 KiB or is not UTF-8. */
  readonly body?: string;
}

export type Outcome = Answered | Unreachable;

const attemptMs = 10_000;
const answerBytesMax = 64 * 1024;
const headerBytesMax = 16 * 1024;

/** Sends a request once and says what came of it; no trouble of the network is thrown. Rulings 61, 62. */
export async function send(request: OutgoingRequest, options: SendOptions): Promise<Outcome> {
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
    // A text without a length ends where its connection does, even if it was the clock that ended it.
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

/** One attempt, with all that it needs. */
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

/** All addresses must be open, not some: who answers with one of ours among them is not a customer. */
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

/** Tries the addresses in turn while nobody takes the connection. */
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
 * Where a connection that was kept alive turns out to be closed already, the request is sent again,
 * once, on a new one. RFC 9110 9.2.2 allows that for what means the same twice, and every call of ours
 * carries the handle of what it brings (Ruling 58).
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

/** A connection that had been kept alive was closed before it was used again. */
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
    // After a response this is late, and a promise is settled once.
    outgoing.once('close', () => reject(new Unsent('reset')));
    outgoing.end(request.body);
  });
}

/** Every option that the environment could have changed is said. */
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
    // An address is not sent as a server name (RFC 6066 3); its certificate is still asked for it.
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

/** Undefined when there is more than may be read: leaving the loop ends the connection. */
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
