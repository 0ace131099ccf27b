/** Goal: a page of the web that turns its name to this machine reads nothing of a ledger that only this machine reaches. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ownNames } from '../../localstack/runtime/own-name.ts';
import { assertSilent, type Runtime, start } from '../fixture/runtime.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a server that only this machine reaches', () => {
  const namesOf = (urls: string, host = '127.0.0.1') => {
    vi.stubEnv('LEDGER_HOST', host);
    vi.stubEnv('LEDGER_URLS', urls);
    return ownNames();
  };

  test.each([
    undefined,
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.0.2.1',
    'localhost:3000',
    'LOCALHOST',
    'localhost.',
    'app.localhost:80',
    'host.docker.internal:3000',
    'ledger.example:8080',
    'Ledger.example',
  ])('is called %s', (host) => expect(namesOf('https://ledger.example/v2')?.(host)).toBe(true));

  test.each([
    '',
    'rebind.example',
    'rebind.example:3000',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.example',
    '127.0.0.1:3000.example',
    'www.ledger.example',
    '[::1].example',
  ])('is not called "%s"', (host) =>
    expect(namesOf('https://ledger.example/v2')?.(host)).toBe(false),
  );

  test.each(['::1', '127.0.0.2'])('listens on an address as %s', (host) =>
    expect(namesOf('', host)?.('rebind.example')).toBe(false),
  );

  test.each(['0.0.0.0', '::', '192.0.2.1'])('is none that listens on %s', (host) =>
    expect(namesOf('', host)).toBeUndefined(),
  );
});

describe('a request for another server', () => {
  async function asked({ url }: Runtime, path: string, host: string): Promise<IncomingMessage> {
    const [answer] = await once(get(new URL(path, url), { headers: { host } }), 'response');
    return answer as IncomingMessage;
  }

  test('is refused, for records and for metrics, and says how to name the server', async () => {
    const runtime = await start({ env: { LEDGER_URLS: 'https://ledger.example/v2' } });
    for (const path of ['/v2/wallets', '/metrics', '/v2/console']) {
      const refused = await asked(runtime, path, 'rebind.example:3000');
      expect(refused.statusCode).toBe(421);
      expect(await json(refused)).toEqual({
        message:
          'No server here is called rebind.example:3000: name it in LEDGER_URLS, or use localhost.',
      });
      for (const host of ['ledger.example', 'localhost']) {
        const answer = await asked(runtime, path, host);
        expect(answer.statusCode).toBe(200);
        await text(answer);
      }
    }
    await runtime.stop();
    assertSilent(runtime.complaints);
  });
});
