/** One request, again while it may help: what was signed once is stored once, so sending it again does no harm. */

import { parseExactly } from './answer.ts';
import { type ErrorAnswer, LedgerRefused, LedgerUnreachable } from './errors.ts';

export interface Transport {
  /** The base address, such as `http://127.0.0.1:3000/v2`. */
  readonly server: string;
  readonly fetch: typeof globalThis.fetch;
  /** The longest time for one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** The number of attempts before `LedgerUnreachable`, or the last refusal. */
  readonly attempts: number;
}

export interface Outgoing {
  readonly method: string;
  /** The path below the server, with its query. */
  readonly target: string;
  /** Made for each attempt, since a token lives for a minute. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly body?: string;
  /** The answer is a text, and no JSON. */
  readonly isText?: true;
  /** True for a refusal that the ledger has signed. Throws `LedgerUntrusted` for one that it should have signed. */
  readonly isSigned?: (answer: unknown, reason: string) => Promise<boolean>;
}

export interface Incoming {
  /** The parsed body, or the text of one that is no JSON; undefined for an answer without one. */
  readonly body: unknown;
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
const waitMsBase = 200;
const waitMsMax = 5_000;

/**
 * Sends a request until it is answered. Throws `LedgerRefused` for an answer that no repetition changes, and
 * `LedgerUnreachable` when there was none.
 */
export async function request(transport: Transport, outgoing: Outgoing): Promise<Incoming> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= transport.attempts;
    const response = await once(transport, outgoing).catch((error: unknown) => {
      if (isLast) throw unreachable(transport, error);
    });
    if (response && !(passing.has(response.status) && !isLast))
      return { body: await bodyOf(transport, outgoing, { response, attempt }) };
    await pause(waitMsOf(attempt, response?.headers.get('retry-after')));
  }
}

async function once(
  { server, fetch, timeoutMs }: Transport,
  { method, target, headers, body }: Outgoing,
): Promise<Response> {
  const more = await headers();
  const timeout = new AbortController();
  const { signal } = timeout;
  const timer = setTimeout(() => timeout.abort(new Error('The answer takes too long.')), timeoutMs);
  try {
    const response = await fetch(`${server}${target}`, {
      method,
      headers: { ...more, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal,
    });
    // The body belongs to the attempt: a connection may end in the middle of it.
    const text = await bodyText(response, signal);
    return new Response(text === '' ? null : text, response);
  } finally {
    clearTimeout(timer);
  }
}

/** The body as text. Node 20 and 22 forget the signal of a request after its headers, so a slow body is ended here. */
async function bodyText(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const giveUp = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', giveUp);
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value, { stream: true });
  signal.throwIfAborted();
  return text + decoder.decode();
}

async function bodyOf(
  { server }: Transport,
  { method, target, isText, isSigned }: Outgoing,
  { response, attempt }: { readonly response: Response; readonly attempt: number },
): Promise<unknown> {
  const text = await response.text();
  if (isText && response.ok) return text;
  const body = text === '' ? undefined : parsed(server, text);
  if (response.ok) return body;
  const { data } = (body ?? {}) as { data?: ErrorAnswer };
  if (typeof data?.reason !== 'string')
    throw new LedgerUnreachable(`The server at ${server} is no ledger.`);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const more = { requestId, attempt, isSigned: (await isSigned?.(body, data.reason)) ?? false };
  throw new LedgerRefused(`${method} ${target}`, data, { status: response.status, ...more });
}

function parsed(server: string, text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw new LedgerUnreachable(`The server at ${server} is no ledger.`, { cause: error });
  }
}

function unreachable({ server }: Transport, cause: unknown): LedgerUnreachable {
  return new LedgerUnreachable(`No ledger answers at ${server}.`, { cause });
}

/** The wait before the next attempt: what the server asks for, or twice as long each time, with jitter. */
function waitMsOf(attempt: number, retryAfter: string | null | undefined): number {
  const wantedMs = Number(retryAfter ?? Number.NaN) * 1_000;
  if (wantedMs >= 0) return Math.min(wantedMs, waitMsMax);
  return Math.min(waitMsBase * 2 ** (attempt - 1), waitMsMax) * (0.5 + Math.random() / 2);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
