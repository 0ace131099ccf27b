import { afterEach, describe, expect, test } from 'vitest';
import { send } from '../../shared/outgoing/send.ts';
import { type Listening, openPlainServer, openServer } from '../outgoing/server.ts';
import certificates from '../vectors/outgoing-tls.json' with { type: 'json' };

const { authority, name, address, expired } = certificates;
const inside = { policy: { inside: true } } as const;
const here = async () => ['127.0.0.1'];

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(tls: { cert: string; key: string }) {
  const seen: string[] = [];
  const server = await openServer(
    (request, response) => {
      const serverName = 'servername' in request.socket ? request.socket.servername : undefined;
      seen.push(`${String(serverName)} ${request.headers.host}`);
      response.end();
    },
    { tls },
  );
  open.push(server);
  return { server, seen };
}

const get = (endpoint: string, authorities?: string) =>
  send(
    { endpoint, method: 'GET', headers: {} },
    { ...inside, resolve: here, ...(authorities === undefined ? {} : { authorities }) },
  );

test('a certificate is asked for the name, although the address is called', async () => {
  const { server, seen } = await serve(name);
  const endpoint = `https://hooks.example.com:${server.port}/`;
  for (const _ of [1, 2, 3]) {
    expect(await get(endpoint, authority)).toEqual({ kind: 'answered', status: 200 });
  }
  const host = `hooks.example.com:${server.port}`;
  expect(seen).toEqual(Array.from({ length: 3 }, () => `hooks.example.com ${host}`));
  expect(server.connectionCount()).toBe(1);
});

test('a connection is not used again for another name at the same address', async () => {
  const { server, seen } = await serve(name);
  await get(`https://hooks.example.com:${server.port}/`, authority);
  await get(`https://localhost:${server.port}/`, authority);
  expect(seen).toEqual([
    `hooks.example.com hooks.example.com:${server.port}`,
    `localhost localhost:${server.port}`,
  ]);
  expect(server.connectionCount()).toBe(2);
});

test('a connection is not used again by who trusts others', async () => {
  const { server } = await serve(name);
  const endpoint = `https://hooks.example.com:${server.port}/`;
  expect(await get(endpoint, authority)).toMatchObject({ kind: 'answered' });
  expect(await get(endpoint)).toMatchObject({ why: 'tls' });
});

test('an address is certified as an address, without a server name', async () => {
  const { server, seen } = await serve(address);
  const host = `127.0.0.1:${server.port}`;
  expect(await get(`https://${host}/`, authority)).toMatchObject({ status: 200 });
  expect(seen).toEqual([`false ${host}`]);
});

describe('what cannot be trusted is refused', () => {
  test.each([
    [
      'of an unknown authority',
      name,
      'hooks.example.com',
      undefined,
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    ['of another name', name, 'other.example.com', authority, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of a name, for an address', name, '127.0.0.1', authority, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'of an address, for a name',
      address,
      'hooks.example.com',
      authority,
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    ['that has expired', expired, 'hooks.example.com', authority, 'CERT_HAS_EXPIRED'],
  ])('a certificate %s', async (_, tls, hostname, authorities, code) => {
    const { server, seen } = await serve(tls);
    expect(await get(`https://${hostname}:${server.port}/`, authorities)).toEqual({
      kind: 'unreachable',
      why: 'tls',
      detail: `The connection cannot be trusted: ${code}.`,
    });
    expect(seen).toEqual([]);
  });

  test('a server that does not speak TLS', async () => {
    const server = await openPlainServer((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    open.push(server);
    expect(await get(`https://hooks.example.com:${server.port}/`, authority)).toMatchObject({
      kind: 'unreachable',
      why: 'tls',
    });
  });

  test('whatever the environment says', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { server } = await serve(name);
      expect(await get(`https://hooks.example.com:${server.port}/`)).toMatchObject({ why: 'tls' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});
