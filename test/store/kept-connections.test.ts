/** Goal: requests share few connections, and each gets its own answer or an error that says it is in doubt. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Exchange, keptConnections } from '../../shared/store/kept-connections.ts';
import { natureOf } from '../../shared/store/retry.ts';

let server: Server;
let sockets: Socket[];
/** What the server does with each request, which is one line. */
let serve: (line: string, socket: Socket) => void;

const answerOf = (text: string, more = '') =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n${more}\r\n${text}`;

beforeEach(async () => {
  sockets = [];
  serve = (line, socket) => socket.write(answerOf(line));
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const line of data.toString().split('\n').filter(Boolean)) serve(line, socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

function open(countMax = 2): Exchange {
  const { port } = server.address() as AddressInfo;
  return keptConnections({ host: '127.0.0.1', port, countMax });
}

test('each request gets its own answer, over no more connections than allowed', async () => {
  serve = (line, socket) => setTimeout(() => socket.write(answerOf(line)), Math.random() * 10);
  const exchange = open();
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const answers = await Promise.all(lines.map((line) => exchange(`${line}\n`, 5_000)));
  expect(answers.map(({ text }) => text)).toEqual(lines);
  expect(sockets).toHaveLength(2);
});

test('a connection is used again until the server closes it', async () => {
  const exchange = open();
  await exchange('a\n', 5_000);
  await exchange('b\n', 5_000);
  expect(sockets).toHaveLength(1);
  serve = (line, socket) => socket.write(answerOf(line, 'connection: close\r\n'));
  await exchange('c\n', 5_000);
  expect(await exchange('d\n', 5_000)).toEqual({ status: 200, text: 'd' });
  expect(sockets).toHaveLength(2);
});

test('an answer that comes too late is in doubt, and is that of no other request', async () => {
  let late: (() => void) | undefined;
  serve = (line, socket) => {
    if (line === 'slow') late = () => socket.write(answerOf(line));
    else socket.write(answerOf(line));
  };
  const exchange = open(1);
  const [slow, next] = [exchange('slow\n', 50), exchange('next\n', 5_000)];
  const error = await slow.catch((one: unknown) => one);
  late?.();
  expect([natureOf(error), await next]).toEqual(['unknown', { status: 200, text: 'next' }]);
});

test('a request that waits for a connection in vain is not sent', async () => {
  const lines: string[] = [];
  const arrived = new Promise<Socket>((resolve) => {
    serve = (line, socket) => {
      lines.push(line);
      resolve(socket);
    };
  });
  const exchange = open(1);
  const first = exchange('first\n', 60_000).catch((error: unknown) => natureOf(error));
  const socket = await arrived;
  await expect(exchange('second\n', 50)).rejects.toThrow();
  socket.destroy();
  expect([await first, lines]).toEqual(['unknown', ['first']]);
  // Those that come after it are sent.
  serve = (line, next) => next.write(answerOf(line));
  expect(await exchange('third\n', 60_000)).toEqual({ status: 200, text: 'third' });
});

test.each([
  ['hangs up', (socket: Socket) => socket.destroy()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ['hangs up in the middle', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n')],
  ['speaks something else', (socket: Socket) => socket.write('SSH-2.0\r\n\r\n')],
])('a server that %s leaves the request in doubt, and the next one is sent', async (_, leave) => {
  const exchange = open(1);
  serve = (line, socket) => (line === 'a' ? leave(socket) : socket.write(answerOf(line)));
  const [a, b] = [exchange('a\n', 5_000), exchange('b\n', 5_000)];
  expect(natureOf(await a.catch((error: unknown) => error))).toBe('unknown');
  expect(await b).toEqual({ status: 200, text: 'b' });
});

test('a server that is not there leaves the request in doubt', async () => {
  const exchange = open();
  server.close();
  const error = await exchange('a\n', 5_000).catch((one: unknown) => one);
  expect([natureOf(error), (error as { code?: string }).code]).toEqual(['unknown', 'ECONNREFUSED']);
});
