/**
 * Goal: `HEAD` wherever `GET` is, `OPTIONS` everywhere, 405 for what a path does not do, and pages of any origin, or
 * of those that the operator names, may read every answer. Ruling 80, Decision 82.
 */
import { describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { hashOf, newKey, newLedger, unique } from '../fixture/client.ts';
import { command, start } from '../fixture/runtime.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const key = newKey();
const page = 'https://app.bank.example';

const home = await sharedHome();
const ledger = await newLedger(home, key);

/** A request as it is, with nothing that a client would make of its answer. */
const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${home.url}${path}`, {
    method,
    headers: { 'x-ledger': String(ledger.ledger), ...headers },
  });

/** The headers that two answers must share: all but what names the request and its moment. */
function shared(headers: Headers): Record<string, string> {
  const own = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date'];
  return Object.fromEntries(
    [...headers].filter(([name]) => ![...own, 'x-request-id'].includes(name)),
  );
}

const endpoints = Object.values(groups)
  .flat()
  .map((endpoint) => endpoint.split(' ') as [method: string, path: string]);
const filled = (path: string) => path.replaceAll(/\{[^}]+\}/g, 'x');

/** Every path there is, with the methods that it is answered with, as the lists of endpoints say. */
const paths = [...new Set(endpoints.map(([, path]) => path))].map((path) => {
  // What is a name in one path may be a word of another: `events/retry` is an event as well.
  const own = endpoints
    .filter(([, other]) =>
      new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(filled(path)),
    )
    .map(([method]) => method);
  const has = new Set([...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  return [path, [...has].sort()] as const;
});

const listed = (text: string | null) => (text ?? '').split(', ').sort();

describe('HEAD', () => {
  test.each([
    '',
    '/',
    '/wallets',
    '/wallets/nobody',
    '/signers/system',
    '/docs',
    '/openapi.json',
    '/console',
    '/console/app.css',
    '/nothing',
  ])('of %j is answered like GET, without a body', async (path) => {
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
    expect(head.status).toBe(get.status);
    expect(shared(head.headers)).toEqual(shared(get.headers));
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBeNull();
    expect((await get.text()).length).toBeGreaterThan(0);
  });

  test('is what a token is bound to', async () => {
    const url = `${home.url}/wallets`;
    const asked = async (method: string) => {
      const hsh = hashOf({ method: 'HEAD', url, body: null, headers: null });
      const { headers } = bearing(key, { hsh });
      return (await ask(method, '/wallets', headers as Record<string, string>)).status;
    };
    expect(await asked('HEAD')).toBe(200);
    expect(await asked('GET')).toBe(401);
  });
});

describe('a method that a path does not have', () => {
  test.each(paths)('is 405 at %s, which says what it has', async (path, has) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])
      if (!has.includes(method)) {
        const reply = await ask(method, filled(path));
        expect([method, reply.status]).toEqual([method, 405]);
        expect(listed(reply.headers.get('allow'))).toEqual(has);
      }
  });

  test('is refused in words that the ledger has signed', async () => {
    const { status, reason, detail, body } = await ledger.send('PATCH', '/wallets/x', {});
    expect([status, reason]).toEqual([405, 'api.method-not-allowed']);
    expect(detail).toBe('There is no PATCH /wallets/x, only GET, HEAD, PUT, DELETE, OPTIONS.');
    expect(body.meta.proofs[0]).toMatchObject({ signer: 'system', public: ledger.key });
  });

  test('where there is no such path is 404', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS'])
      for (const path of ['/nothing', '/wallets/a/b/c/d']) {
        const reply = await ask(method, path);
        expect([method, path, reply.status]).toEqual([method, path, 404]);
        expect(reply.headers.get('allow')).toBeNull();
        expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      }
  });
});

describe('OPTIONS', () => {
  test.each(paths)('of %s says what it has', async (path, has) => {
    const reply = await ask('OPTIONS', filled(path));
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    expect(listed(reply.headers.get('allow'))).toEqual(has);
  });

  test('lets a page of any origin ask, without credentials', async () => {
    const wishes = {
      origin: page,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,x-ledger',
    };
    // A browser asks before it sends any header of its own, and with no token.
    const reply = await fetch(`${home.url}/wallets/x`, { method: 'OPTIONS', headers: wishes });
    expect(reply.status).toBe(204);
    const { headers } = reply;
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(listed(headers.get('access-control-allow-methods'))).toEqual(
      listed(headers.get('allow')),
    );
    expect(listed(headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-ledger']),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });
});

test('every answer may be read by pages of any origin, refusals too', async () => {
  const answers = [
    await ask('GET', '/wallets', { origin: page }),
    await ask('GET', '/wallets/nobody', { origin: page }),
    await ask('POST', '/wallets', { origin: page, 'content-type': 'text/plain' }),
    await ask('GET', '/wallets', { origin: page, authorization: 'Bearer x' }),
    await ask('GET', '/wallets', { origin: page, 'x-ledger': unique('nowhere') }),
    await ask('GET', '/oauth/jwks', { origin: page }),
    await ask('GET', '/openapi.json'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 415, 401, 404, 200, 200]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(listed(headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['retry-after', 'x-request-id']),
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
});

const origins = [
  { origin: page, isLetIn: true },
  { origin: 'http://localhost:5173', isLetIn: true },
  { origin: 'https://evil.example', isLetIn: false },
  { origin: `${page}.evil.example`, isLetIn: false },
  { origin: 'null', isLetIn: false },
  { origin: undefined, isLetIn: false },
];

describe('where the operator names origins', () => {
  test('pages of those alone may read answers', async () => {
    const narrow = await start({ env: { ALLOWED_ORIGINS: `${page},http://localhost:5173` } });
    try {
      const asked = ['/signers/system', '/nothing', '/oauth/jwks'].flatMap((path) =>
        origins.flatMap((one) => ['GET', 'OPTIONS'].map((method) => ({ path, method, ...one }))),
      );
      for (const { path, method, origin, isLetIn } of asked) {
        const headers = origin === undefined ? {} : { origin };
        const reply = await fetch(`${narrow.url}${path}`, { method, headers });
        const allowed = reply.headers.get('access-control-allow-origin');
        expect([method, path, origin, allowed]).toEqual([
          method,
          path,
          origin,
          isLetIn ? origin : null,
        ]);
        expect(listed(reply.headers.get('vary'))).toContain('origin');
      }
      const jwks = await fetch(`${narrow.url}/oauth/jwks`);
      expect(listed(jwks.headers.get('vary'))).toEqual(['origin', 'x-ledger']);
    } finally {
      await narrow.stop();
    }
  });

  test('what is no origin is refused in one line', async () => {
    const { code, said } = await command('start', ':memory:', {
      env: { ALLOWED_ORIGINS: `${page}/`, PORT: '0' },
    });
    expect(code).toBe(2);
    expect(said).toBe(`${refusalOf(`${page}/`)}\n`);
  });
});

const refusalOf = (text: string) =>
  `ALLOWED_ORIGINS must be origins as browsers write them: https://app.bank.example, without a path, not '${text}'.`;
