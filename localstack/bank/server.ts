/**
 * The bridge over HTTP: a call of the ledger is answered with 202 once it is in the journal, else with an error.
 * `GET /accounts` shows the books on this machine. Ruling 54.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { BankBooks } from './books.ts';
import { type BankCall, callOf, type TrustedLedger } from './call.ts';
import { RefusedCallError } from './call-error.ts';

/** More than an entry with its intent can have. Ruling 6. */
const bodyBytesMax = 4 * 1024 * 1024;

export interface ServerOptions {
  /** Answers the ledger as it is known; with `isStale`, after a look at its keys of today. */
  readonly trust: (isStale: boolean) => Promise<TrustedLedger>;
  readonly books: BankBooks;
  /** Carries out a call, or throws; when it returns, the call is in the journal. */
  readonly hear: (call: BankCall) => void;
  readonly say: (line: string) => void;
}

export function bridgeServer(options: ServerOptions): Server {
  return createServer((request, answer) => {
    answered(request, options).then(
      ({ status, body }) => {
        if (body === undefined) return answer.writeHead(status).end();
        const headers = { 'content-type': 'application/json' };
        return answer.writeHead(status, headers).end(`${canonicalOf(body)}\n`);
      },
      () => answer.destroy(),
    );
  });
}

async function answered(
  request: IncomingMessage,
  { trust, books, hear, say }: ServerOptions,
): Promise<{ status: number; body?: unknown }> {
  const { method = '', url: path = '' } = request;
  if (method === 'GET' && path === '/accounts') return { status: 200, body: shown(books) };
  try {
    hear(await judged(method, path, await bodyOf(request), trust));
    return { status: 202 };
  } catch (error) {
    const detail = messageOf(error);
    const [status, reason] =
      error instanceof RefusedCallError
        ? [error.status, error.reason]
        : [500, 'bridge.unexpected-error'];
    say(`refused    ${method} ${path}: ${status} ${reason}: ${detail}`);
    return { status, body: { reason, detail } };
  }
}

/** Reads a call. One that no known key has signed is judged again: the ledger may have another key. Ruling 99. */
async function judged(
  method: string,
  path: string,
  text: string,
  trust: ServerOptions['trust'],
): Promise<BankCall> {
  try {
    return callOf(method, path, text, await trust(false));
  } catch (error) {
    const reason = error instanceof RefusedCallError ? error.reason : '';
    if (!unknownKey.has(reason)) throw error;
    return callOf(method, path, text, await trust(true));
  }
}

/** The refusals of a call that another key of the ledger may have signed. */
const unknownKey: ReadonlySet<string> = new Set([
  'bridge.entry-signature-missing',
  'bridge.intent-unrelated',
]);

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read and discarded, so that the caller receives the answer.
    if (length <= bodyBytesMax) chunks.push(chunk);
  }
  if (length > bodyBytesMax)
    throw new RefusedCallError(413, 'entry-schema-invalid', 'The body is too large.');
  return Buffer.concat(chunks).toString();
}

/** The accounts. Anyone who reaches this port may read them: this is an example without secrets. */
function shown({ accounts }: BankBooks): unknown {
  return [...accounts].map(([account, { symbol, balance, held, isOpen }]) => ({
    account,
    symbol,
    balance,
    held,
    status: isOpen ? 'open' : 'closed',
  }));
}
