/**
 * HTTP/1.1 over kept connections, for the one thing that the client of an emulator does: send a request, and read its
 * answer as a whole. `node:http` makes streams and events of each request and each answer, which take more CPU than all
 * else that the client does. Decision 130.
 */
import { connect, type Socket } from 'node:net';
import {
  type CompleteAnswer,
  type HttpAnswer,
  lastAnswer,
  newReading,
  readAnswer,
} from './http-answer.ts';

export interface KeptOptions {
  readonly host: string;
  readonly port: number;
  /** The most connections that are open at a time; more requests wait for one. */
  readonly countMax: number;
}

/**
 * Sends a request, all of its text, and returns the answer. Throws the error of the socket when the connection ends
 * before, and a `TimeoutError` when the answer is not complete in time: then the request may have been done or not.
 */
export type Exchange = (request: string, timeoutMs: number) => Promise<HttpAnswer>;

/** A request that waits for a connection or for its answer. */
interface Asking {
  readonly request: string;
  /** The connection that it went out on. */
  on?: Connection;
  readonly answered: (answer: HttpAnswer) => void;
  readonly failed: (error: unknown) => void;
}

interface Connection {
  readonly socket: Socket;
  /** The request that is under way. */
  asking?: Asking | undefined;
}

interface ConnectionPool {
  readonly options: KeptOptions;
  readonly idle: Connection[];
  readonly open: Set<Connection>;
  readonly waiting: Set<Asking>;
}

const receivedBytes = 64 * 1024;

/** Makes no connection until there is a request. An idle one does not keep the process alive. */
export function keptConnections(options: KeptOptions): Exchange {
  const pool: ConnectionPool = { options, idle: [], open: new Set(), waiting: new Set() };
  return (request, timeoutMs) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = `The database did not answer within ${timeoutMs} ms.`;
        pool.waiting.delete(asking);
        reject(Object.assign(new Error(message), { name: 'TimeoutError' }));
        // The answer may still come, and is that of no other request.
        asking.on?.socket.destroy();
      }, timeoutMs);
      const asking: Asking = {
        request,
        answered: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        failed: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      send(pool, asking);
    });
}

function send(pool: ConnectionPool, asking: Asking): void {
  const connection = pool.idle.pop() ?? opened(pool);
  if (!connection) {
    pool.waiting.add(asking);
    return;
  }
  connection.asking = asking;
  asking.on = connection;
  connection.socket.ref();
  connection.socket.write(asking.request);
}

function sendNext(pool: ConnectionPool): void {
  const [next] = pool.waiting;
  if (!next) return;
  pool.waiting.delete(next);
  send(pool, next);
}

/** Opens a connection; undefined when there are as many as there may be. */
function opened(pool: ConnectionPool): Connection | undefined {
  const { host, port, countMax } = pool.options;
  if (pool.open.size >= countMax) return undefined;
  const reading = newReading();
  const buffer = Buffer.allocUnsafeSlow(receivedBytes);
  const callback = (length: number): boolean => {
    try {
      const completed = readAnswer(reading, buffer.subarray(0, length));
      if (completed) answered(pool, connection, completed);
    } catch (error) {
      socket.destroy(error as Error);
    }
    return true;
  };
  const socket = connect({ host, port, noDelay: true, onread: { buffer, callback } });
  const connection: Connection = { socket };
  pool.open.add(connection);
  let why: Error = Object.assign(new Error('The database hung up.'), { code: 'ECONNRESET' });
  socket.on('error', (error) => {
    why = error;
  });
  socket.on('close', () => {
    const answer = lastAnswer(reading);
    if (answer) connection.asking?.answered(answer);
    else connection.asking?.failed(why);
    pool.open.delete(connection);
    const place = pool.idle.indexOf(connection);
    if (place >= 0) pool.idle.splice(place, 1);
    sendNext(pool);
  });
  return connection;
}

function answered(
  pool: ConnectionPool,
  connection: Connection,
  { answer, isKept }: CompleteAnswer,
): void {
  const { asking, socket } = connection;
  connection.asking = undefined;
  asking?.answered(answer);
  // A server that answers what was not asked is not understood.
  if (!(isKept && asking)) {
    socket.destroy();
    return;
  }
  socket.unref();
  pool.idle.push(connection);
  sendNext(pool);
}
