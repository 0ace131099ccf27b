/** A proxy between a store and its database, which records requests and answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Exchange {
  readonly operation: string;
  readonly sent: string;
  readonly answered: string;
}

/** Asks the database for something of its own, in the name of a request. */
export type Ask = (operation: string, body: unknown) => Promise<string>;

/** Called with a request before it is forwarded; returns what receives its answer. */
export type Listener = (
  operation: string,
  sent: string,
  ask: Ask,
) => Promise<(answered: string) => Promise<void>>;

/** Listens on a port of its own, and forwards requests. */
export async function listenIn(
  endpoint: string,
  tell: (exchange: Exchange) => void,
  listener?: Listener,
): Promise<Server> {
  const server = createServer((message, answer) => {
    pass(endpoint, message, listener).then(
      ({ status, ...exchange }) => {
        tell(exchange);
        answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        answer.end(exchange.answered);
      },
      (error: unknown) => {
        console.error(error);
        answer.destroy();
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function pass(
  endpoint: string,
  message: IncomingMessage,
  listener: Listener | undefined,
): Promise<Exchange & { readonly status: number }> {
  const sent = await text(message);
  const names = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const headers = Object.fromEntries(names.map((name) => [name, String(message.headers[name])]));
  const [version, operation = ''] = String(headers['x-amz-target']).split('.');
  const ask: Ask = async (other, body) => {
    const target = { ...headers, 'x-amz-target': `${version}.${other}` };
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: target,
      body: JSON.stringify(body),
    });
    const answered = await reply.text();
    if (!reply.ok) throw new Error(`${other}: ${answered}`);
    return answered;
  };
  const heard = await listener?.(operation, sent, ask);
  const reply = await fetch(endpoint, { method: 'POST', headers, body: sent });
  const answered = await reply.text();
  await heard?.(answered);
  return { operation, sent, answered, status: reply.status };
}
