/**
 * The bridge over HTTP: calls of the ledger are answered with 202 as soon as they are in the journal, or
 * with why not; `GET /accounts` shows the books to whoever sits at this machine. Ruling 54.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import type { Books } from './books.ts';
import { type Call, callOf, type Trust } from './call.ts';
import { Refused } from './refused.ts';

/** More than an entry and its intent ever take. Ruling 6. */
const bodyBytesMax = 4 * 1024 * 1024;

export interface ServerOptions {
  readonly trust: Trust;
  readonly books: Books;
  /** Does what a call asks for, or refuses; when it returns, the call is in the journal. */
  readonly hear: (call: Call) => void;
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
    hear(callOf(method, path, await bodyOf(request), trust));
    return { status: 202 };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const [status, reason] =
      error instanceof Refused ? [error.status, error.reason] : [500, 'bridge.unexpected-error'];
    say(`refused    ${method} ${path}: ${status} ${reason}: ${detail}`);
    return { status, body: { reason, detail } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // What is over the limit is read and thrown away, so that the caller hears the answer.
    if (length <= bodyBytesMax) chunks.push(chunk);
  }
  if (length > bodyBytesMax)
    throw new Refused(413, 'entry-schema-invalid', 'The body is too large.');
  return Buffer.concat(chunks).toString();
}

/** The accounts, as anybody may read them who reaches this port: an example has no secrets. */
function shown({ accounts }: Books): unknown {
  return [...accounts].map(([account, { symbol, balance, held, isOpen }]) => ({
    account,
    symbol,
    balance,
    held,
    status: isOpen ? 'open' : 'closed',
  }));
}
