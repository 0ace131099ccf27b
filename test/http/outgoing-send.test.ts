import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type OutgoingRequest, type SendOptions, send } from '../../shared/outgoing/send.ts';
import { type Listening, openPlainServer, openServer } from '../outgoing/server.ts';
import corpus from '../vectors/outgoing.json' with { type: 'json' };

const inside = { policy: { inside: true } } as const;
const outside = { policy: { inside: false } } as const;
const kibibyte = 1024;

// In 2000::/3 and never given to anyone: public in form, and no one is there.
const nowhere = '2000::1';

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(...parameters: Parameters<typeof openServer>): Promise<Listening> {
  const server = await openServer(...parameters);
  open.push(server);
  return server;
}

async function servePlain(...parameters: Parameters<typeof openPlainServer>): Promise<Listening> {
  const server = await openPlainServer(...parameters);
  open.push(server);
  return server;
}

const post = (endpoint: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  endpoint,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  ...more,
});

/** Answers with one list after another, and with the last one for ever. */
function resolverOf(...answers: readonly (readonly string[])[]) {
  const left = [...answers];
  return vi.fn(async (_name: string) => (left.length > 1 ? left.shift() : left[0]) ?? []);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a request arrives as it was given', async () => {
  const seen: unknown[] = [];
  const server = await serve(async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await textOf(request) });
    response.writeHead(204).end();
  });
  const host = `127.0.0.1:${server.port}`;
  const outcome = await send(
    post(`http://${host}/a%20b?c=d`, { headers: { 'webhook-id': 'evt_1' }, body: '{"ü":1}' }),
    inside,
  );
  expect(outcome).toEqual({ kind: 'answered', status: 204 });
  expect(seen).toEqual([
    {
      method: 'POST',
      url: '/a%20b?c=d',
      headers: { 'webhook-id': 'evt_1', host, 'content-length': '8', connection: 'keep-alive' },
      body: '{"ü":1}',
    },
  ]);
});

test('a request may be without a body, and its body may be bytes', async () => {
  const seen: string[] = [];
  const server = await serve(async (request, response) => {
    seen.push(`${request.method} ${await textOf(request)}`);
    response.end();
  });
  const endpoint = `http://127.0.0.1:${server.port}/`;
  await send({ endpoint, method: 'GET', headers: {} }, inside);
  await send(post(endpoint, { method: 'PUT', body: Buffer.from('bytes') }), inside);
  expect(seen).toEqual(['GET ', 'PUT bytes']);
});

describe('a name', () => {
  test.each([
    ['a loopback one', ['127.0.0.1']],
    ['a public one and a loopback one', [nowhere, '127.0.0.1']],
    ['a loopback one and a public one', ['127.0.0.1', nowhere]],
    ['a private one', ['10.0.0.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a mapped one', ['::ffff:8.8.8.8']],
    ['what is no address', ['localhost']],
  ])('that leads to %s is not called', async (_, addresses) => {
    const server = await serve((_request, response) => void response.end());
    const outcome = await send(post(`https://hooks.example.com:${server.port}/`), {
      ...outside,
      resolve: resolverOf(addresses),
    });
    expect(outcome).toEqual({
      kind: 'unreachable',
      why: 'not-public',
      detail: 'The name leads to an address that is not public.',
    });
    expect(server.connectionCount()).toBe(0);
  });

  test.each(corpus.addresses.special)('that leads to %s is not called inside', async (address) => {
    const resolve = resolverOf(['127.0.0.1', address]);
    const outcome = await send(post('http://hooks.example.com/'), { ...inside, resolve });
    expect(outcome).toMatchObject({ kind: 'unreachable', why: 'not-public' });
  });

  test('that turns to loopback after it was judged is still called where it was judged', async () => {
    const server = await serve((_request, response) => void response.end());
    const resolve = resolverOf([nowhere], ['127.0.0.1']);
    const request = post(`https://hooks.example.com:${server.port}/`);
    const options: SendOptions = { ...outside, resolve, timeoutMs: 200 };

    const first = await send(request, options);
    expect(first).toMatchObject({ kind: 'unreachable' });
    expect(['refused', 'timeout']).toContain('why' in first && first.why);
    expect(resolve).toHaveBeenCalledTimes(1);

    expect(await send(request, options)).toMatchObject({ why: 'not-public' });
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(server.connectionCount()).toBe(0);
  });

  test('is sent in the host header, and asked for once', async () => {
    const hosts: unknown[] = [];
    const server = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const resolve = resolverOf(['127.0.0.1']);
    await send(post(`http://hooks.example.com:${server.port}/`), { ...inside, resolve });
    expect(hosts).toEqual([`hooks.example.com:${server.port}`]);
    expect(resolve.mock.calls).toEqual([['hooks.example.com']]);
  });

  test('that moves is followed, although a connection to the old address is kept', async () => {
    const calls: string[] = [];
    const first = await serve((_request, response) => {
      calls.push('first');
      response.end();
    });
    await serve(
      (_request, response) => {
        calls.push('second');
        response.end();
      },
      { host: '::1', port: first.port },
    );
    const resolve = resolverOf(['127.0.0.1'], ['127.0.0.1'], ['::1'], ['127.0.0.1']);
    for (const _ of [1, 2, 3, 4]) {
      await send(post(`http://hooks.example.com:${first.port}/`), { ...inside, resolve });
    }
    expect(calls).toEqual(['first', 'first', 'second', 'first']);
    expect(first.connectionCount()).toBe(1);
  });

  test('with a dead address is called at its next', async () => {
    const server = await serve((_request, response) => void response.end());
    const resolve = resolverOf(['::1', '127.0.0.1']);
    const request = post(`http://hooks.example.com:${server.port}/`);
    expect(await send(request, { ...inside, resolve })).toMatchObject({ status: 200 });
  });

  test('without an address is unreachable', async () => {
    const request = post('https://hooks.example.com/');
    const dns = { kind: 'unreachable', why: 'dns', detail: 'The name has no address.' };
    expect(await send(request, { ...outside, resolve: async () => [] })).toEqual(dns);
    const failing = () => Promise.reject(new Error('queryA ESERVFAIL 10.0.0.2'));
    expect(await send(request, { ...outside, resolve: failing })).toEqual(dns);
  });

  test('that is never resolved ends with the attempt', async () => {
    const resolve = () => new Promise<never>(() => {});
    const options = { ...outside, resolve, timeoutMs: 50 };
    expect(await send(post('https://hooks.example.com/'), options)).toMatchObject({
      why: 'timeout',
    });
  });

  test('localhost is this machine, without asking anyone', async () => {
    const server = await serve((_request, response) => void response.end());
    expect(await send(post(`http://localhost:${server.port}/`), inside)).toMatchObject({
      status: 200,
    });
  });
});

test.each([...corpus.endpoints.outside.refused])('%j is not called either', async (endpoint) => {
  const resolve = resolverOf([nowhere]);
  const outcome = await send(post(String(endpoint)), { ...outside, resolve });
  expect(outcome).toMatchObject({ kind: 'unreachable', why: 'invalid' });
  expect(resolve).not.toHaveBeenCalled();
});

test.each([301, 302, 303, 307, 308])('a redirect with %i is an answer', async (status) => {
  const urls: unknown[] = [];
  const server = await serve((request, response) => {
    urls.push(request.url);
    response.writeHead(status, { location: '/next' }).end();
  });
  expect(await send(post(`http://127.0.0.1:${server.port}/`), inside)).toEqual({
    kind: 'answered',
    status,
  });
  expect(urls).toEqual(['/']);
});

test.each([200, 400, 410, 429, 500, 501, 503])('%i is an answer', async (status) => {
  const server = await serve((_request, response) => void response.writeHead(status).end('no'));
  expect(await send(post(`http://127.0.0.1:${server.port}/`), inside)).toEqual({
    kind: 'answered',
    status,
  });
});

test('an answer says how long to wait', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const values = ['120', date, 'soon'];
  const server = await serve((_request, response) => {
    response.writeHead(503, { 'retry-after': values.shift() }).end();
  });
  const request = post(`http://127.0.0.1:${server.port}/`);
  expect(await send(request, inside)).toEqual({
    kind: 'answered',
    status: 503,
    retryAfterSeconds: 120,
  });
  const dated = await send(request, inside);
  expect('retryAfterSeconds' in dated && dated.retryAfterSeconds).toBeGreaterThan(3_000);
  expect('retryAfterSeconds' in dated && dated.retryAfterSeconds).toBeLessThanOrEqual(3_600);
  expect(await send(request, inside)).toEqual({ kind: 'answered', status: 503 });
});

describe('the text of an answer', () => {
  const bodyOf = async (body: string | Buffer, keepBody: boolean) => {
    const server = await serve((_request, response) => void response.end(body));
    const outcome = await send(post(`http://127.0.0.1:${server.port}/`), { ...inside, keepBody });
    return { body: 'body' in outcome ? outcome.body : undefined, server, outcome };
  };

  test('is kept for who asks, and for nobody else', async () => {
    expect((await bodyOf('{"ü":1}', true)).body).toBe('{"ü":1}');
    expect((await bodyOf('', true)).body).toBe('');
    expect((await bodyOf('{"ü":1}', false)).outcome).toEqual({ kind: 'answered', status: 200 });
  });

  test('is kept whole or not at all', async () => {
    expect((await bodyOf('a'.repeat(64 * kibibyte), true)).body).toHaveLength(64 * kibibyte);
    expect((await bodyOf('a'.repeat(64 * kibibyte + 1), true)).body).toBeUndefined();
    expect((await bodyOf(Buffer.from([0x22, 0xff, 0x22]), true)).body).toBeUndefined();
  });
});

test.each([
  ['with its length', { 'content-length': String(1024 ** 3) }],
  ['in chunks', {}],
])('an endless answer %s is left after 64 KiB', async (_, headers) => {
  let sent = 0;
  const server = await serve((_request, response) => {
    response.writeHead(200, headers);
    const write = () => {
      while (!response.destroyed) {
        sent += 16 * kibibyte;
        if (!response.write(Buffer.alloc(16 * kibibyte))) break;
      }
    };
    response.on('drain', write);
    write();
  });
  const request = post(`http://127.0.0.1:${server.port}/`);
  expect(await send(request, { ...inside, keepBody: true })).toEqual({
    kind: 'answered',
    status: 200,
  });
  await vi.waitFor(() => expect(server.openCount()).toBe(0), { timeout: 60_000 });
  // What the kernel holds in flight was written, but not read.
  expect(sent).toBeLessThan(16 * 1024 * kibibyte);
});

describe('an attempt ends in time', () => {
  const timedOut = {
    kind: 'unreachable',
    why: 'timeout',
    detail: 'The answer was not complete in time.',
  };
  const drip = (first: string, next: string) =>
    servePlain((socket) => {
      socket.write(first);
      const timer = setInterval(() => socket.write(next), 10);
      socket.once('close', () => clearInterval(timer));
    });

  test.each([
    ['nothing is said', () => servePlain(() => {})],
    ['headers drip', () => drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['interim answers do not end', () => drip('', 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['a body drips', () => drip('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'a')],
    [
      'chunks drip',
      () => drip('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'),
    ],
    ['a body without end drips', () => drip('HTTP/1.1 200 OK\r\n\r\n', 'a')],
  ])('when %s', async (_, openIt) => {
    const server = await openIt();
    const request = post(`http://127.0.0.1:${server.port}/`);
    expect(await send(request, { ...inside, timeoutMs: 200 })).toEqual(timedOut);
    await vi.waitFor(() => expect(server.openCount()).toBe(0), { timeout: 60_000 });
  });

  test('which is 10 s unless it is said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let connect = () => {};
      const connected = new Promise<void>((resolve) => {
        connect = resolve;
      });
      const server = await servePlain(() => connect());
      let isOver = false;
      const outcome = send(post(`http://127.0.0.1:${server.port}/`), inside).finally(() => {
        isOver = true;
      });
      await connected;
      await vi.advanceTimersByTimeAsync(9_999);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await outcome).toEqual(timedOut);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a header is refused', () => {
  test.each([
    ['with a line end', { 'x-a': 'b\r\nhost: c' }],
    ['with a line feed', { 'x-a': 'b\nc' }],
    ['with a carriage return', { 'x-a': 'b\rc' }],
    ['with a zero byte', { 'x-a': 'b\0c' }],
    ['beyond Latin 1', { 'x-a': 'łatwo' }],
    ['whose name has a line end', { 'x-a\r\nx-b': 'c' }],
    ['whose name has a space', { 'x a': 'c' }],
    ['without a name', { '': 'c' }],
    ['that names another host', { Host: 'hooks.example.com' }],
    ['that gives another length', { 'Content-Length': '0' }],
    ['that frames in another way', { 'transfer-encoding': 'chunked' }],
    ['that is about the connection', { connection: 'upgrade' }],
    ['that waits before the body', { expect: '100-continue' }],
    ['that changes the protocol', { upgrade: 'h2c' }],
    ['that adds to the end', { trailer: 'x-a' }],
    ['that is for a proxy', { 'proxy-authorization': 'Basic YTpi' }],
  ])('%s', async (_, headers) => {
    const server = await serve((_request, response) => void response.end());
    const outcome = await send(post(`http://127.0.0.1:${server.port}/`, { headers }), inside);
    expect(outcome).toEqual({
      kind: 'unreachable',
      why: 'invalid',
      detail: 'A header cannot be sent.',
    });
    expect(server.connectionCount()).toBe(0);
  });
});

describe('a connection', () => {
  test('is kept and used again', async () => {
    const server = await serve((_request, response) => void response.end('ok'));
    for (let index = 0; index < 20; index += 1) {
      await send(post(`http://127.0.0.1:${server.port}/`), inside);
    }
    expect(server.connectionCount()).toBe(1);
  });

  test('that was closed while it was kept is opened again', async () => {
    let requests = 0;
    const server = await servePlain((socket) => {
      let requestsHere = 0;
      socket.on('data', () => {
        requests += 1;
        requestsHere += 1;
        // The second request on a connection meets its end.
        if (requestsHere > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const request = post(`http://127.0.0.1:${server.port}/`);
    const statuses: unknown[] = [];
    for (const _ of [1, 2]) statuses.push(await send(request, inside));
    expect(statuses).toEqual([
      { kind: 'answered', status: 200 },
      { kind: 'answered', status: 200 },
    ]);
    expect(requests).toBe(3);
    expect(server.connectionCount()).toBe(2);
  });

  test('that ends in the middle is reset', async () => {
    const answers = ['', 'HTTP/1.1 200', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'];
    for (const answer of answers) {
      const server = await servePlain((socket) => {
        socket.once('data', () => socket.end(answer));
      });
      expect(await send(post(`http://127.0.0.1:${server.port}/`), inside)).toMatchObject({
        kind: 'unreachable',
        why: 'reset',
      });
    }
  });

  test.each([
    ['SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na'],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('that does not speak HTTP/1.1 is reset: %j', async (answer) => {
    const server = await servePlain((socket) => {
      socket.once('data', () => socket.write(answer));
    });
    const request = post(`http://127.0.0.1:${server.port}/`);
    expect(await send(request, { ...inside, timeoutMs: 60_000 })).toEqual({
      kind: 'unreachable',
      why: 'reset',
      detail: 'The connection ended before the answer did, or the answer is not HTTP/1.1.',
    });
    await vi.waitFor(() => expect(server.openCount()).toBe(0), { timeout: 60_000 });
  });

  test('that nobody takes is refused, and nothing is told of the inside', async () => {
    const server = await openServer(() => {});
    await server.close();
    const resolve = resolverOf(['127.0.0.1']);
    const request = post(`http://hooks.example.com:${server.port}/?token=hidden`);
    expect(await send(request, { ...inside, resolve })).toEqual({
      kind: 'unreachable',
      why: 'refused',
      detail: 'Nobody takes the connection.',
    });
  });
});

test('a slow endpoint does not delay another one', async () => {
  const slow = await openPlainServer(() => {});
  const quick = await serve((_request, response) => void response.end());
  let overCount = 0;
  const waiting = Array.from({ length: 300 }, async () => {
    const request = post(`http://127.0.0.1:${slow.port}/`);
    const outcome = await send(request, { ...inside, timeoutMs: 60_000 });
    overCount += 1;
    return outcome;
  });
  await vi.waitFor(() => expect(slow.openCount()).toBeGreaterThan(0), { timeout: 60_000 });
  expect(await send(post(`http://127.0.0.1:${quick.port}/`), inside)).toMatchObject({
    status: 200,
  });
  expect(overCount).toBe(0);
  await slow.close();
  for (const outcome of await Promise.all(waiting))
    expect(outcome).toMatchObject({
      kind: 'unreachable',
      why: expect.stringMatching(/^re(set|fused)$/),
    });
});
