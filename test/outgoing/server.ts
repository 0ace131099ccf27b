/** Servers on loopback that a test can count on: over HTTP, over TLS, or of plain bytes. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createPlainServer,
  type Server,
  type Socket,
} from 'node:net';

export interface Place {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A server that listens, and what it has seen. */
export interface Listening {
  readonly port: number;
  readonly connectionCount: () => number;
  readonly openCount: () => number;
  readonly close: () => Promise<void>;
}

export async function openServer(answer: RequestListener, place: Place = {}): Promise<Listening> {
  const server =
    place.tls === undefined ? createServer(answer) : createSecureServer(place.tls, answer);
  return listening(server, place);
}

/** Each connection is answered by hand, so that it can break every rule of HTTP. */
export function openPlainServer(answer: (socket: Socket) => void, place: Place = {}) {
  return listening(
    createPlainServer((socket) => {
      socket.on('error', () => {});
      answer(socket);
      socket.resume();
    }),
    place,
  );
}

async function listening(server: Server, { host = '127.0.0.1', port = 0 }: Place) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => connections,
    openCount: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
