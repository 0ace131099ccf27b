/** A proxy between a store and its database, which records requests and answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Exchange {
  readonly operation: string;
  readonly sent: string;
  readonly answered: string;
}

/** Listens on a port of its own, and forwards requests. */
export async function listenIn(
  endpoint: string,
  tell: (exchange: Exchange) => void,
): Promise<Server> {
  const server = createServer((message, answer) => {
    pass(endpoint, message).then(
      ({ status, ...exchange }) => {
        tell(exchange);
        answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        answer.end(exchange.answered);
      },
      () => answer.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function pass(
  endpoint: string,
  message: IncomingMessage,
): Promise<Exchange & { readonly status: number }> {
  const sent = await text(message);
  const names = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const headers = Object.fromEntries(names.map((name) => [name, String(message.headers[name])]));
  const reply = await fetch(endpoint, { method: 'POST', headers, body: sent });
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  return { operation, sent, answered: await reply.text(), status: reply.status };
}
