import { expect, test } from 'vitest';
import { parseEndpoint } from '../../shared/outgoing/endpoint.ts';
import { hostsOf, isAmong } from '../../shared/outgoing/hosts.ts';
import { send } from '../../shared/outgoing/send.ts';

const hosts = hostsOf('hooks.example,*.bank.example,1.1.1.1');
const policy = { inside: false, hosts };

test.each(['hooks.example', 'a.bank.example', 'a.b.bank.example', '1.1.1.1'])(
  '%s may be called',
  (host) => {
    expect(isAmong(hosts, host)).toBe(true);
    expect(parseEndpoint(`https://${host}:8443/a`, policy).hostname).toBe(host);
  },
);

test.each(['bank.example', 'a.hooks.example', 'xbank.example', 'hooks.example.com', '8.8.8.8'])(
  '%s may not be called',
  (host) => {
    expect(() => parseEndpoint(`https://${host}`, policy)).toThrow(
      `The endpoint must not call ${host}, which this service may not reach.`,
    );
  },
);

test('however a host is written, it is one', () => {
  expect(parseEndpoint('https://HOOKS.example', policy).hostname).toBe('hooks.example');
  expect(parseEndpoint('https://0x01010101', policy).hostname).toBe('1.1.1.1');
});

test('without a list every public host may be called', () => {
  expect(hostsOf('')).toEqual([]);
  expect(isAmong([], 'anyone.example')).toBe(true);
});

test('a list lets nobody inside', () => {
  for (const host of ['10.0.0.1', 'localhost', 'a.internal'])
    expect(() => parseEndpoint(`https://${host}`, { inside: false, hosts: [host] })).toThrow(
      'which is not a public',
    );
});

test('what was written before the list is not called', async () => {
  const request = { endpoint: 'https://old.example', method: 'POST', headers: {} } as const;
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return ['1.1.1.1'];
  };
  expect(await send(request, { policy, resolve })).toMatchObject({
    kind: 'unreachable',
    why: 'invalid',
  });
  expect(asked).toEqual([]);
});

test.each([
  'https://hooks.example',
  'Hooks.example',
  'hooks.example:443',
  'hooks example',
  'a.*.example',
  '*',
  '*.*.example',
  '.example',
  '1.2',
  'a.0x7f',
  '256.1.1.1',
  'a,',
  ',',
  'a, b',
])('%j names no hosts', (text) => {
  expect(() => hostsOf(text)).toThrow('A host to call must be a name, not ');
});
