import { describe, expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { parseEndpoint } from '../../shared/outgoing/endpoint.ts';
import { retryAfterSecondsOf } from '../../shared/outgoing/retry-after.ts';
import corpus from '../vectors/outgoing.json' with { type: 'json' };

const policies = { outside: { inside: false }, inside: { inside: true } } as const;

function refusalOf(text: string, policy: { inside: boolean }): LedgerError {
  try {
    parseEndpoint(text, policy);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

describe.each(['outside', 'inside'] as const)('an endpoint %s', (name) => {
  const { accepted, refused } = corpus.endpoints[name];

  test.each(accepted)('%j is %j', (text, href) => {
    expect(parseEndpoint(String(text), policies[name]).href).toBe(href);
  });

  test.each(refused)('%j is refused: %s', (text, detail) => {
    const refusal = refusalOf(String(text), policies[name]);
    expect(refusal.reason).toBe('record.invalid');
    expect(refusal.detail).toContain(detail);
  });
});

// `URL.canParse` of Node 20 answers otherwise once it is compiled.
test('a name with other letters is one after many others too', () => {
  for (let count = 0; count < 100_000; count += 1)
    parseEndpoint(`https://a.example/${count}`, policies.outside);
  const { href } = parseEndpoint('https://bücher.example/ü', policies.outside);
  expect(href).toBe('https://xn--bcher-kva.example/%C3%BC');
});

test('an endpoint is read into what a call needs', () => {
  expect(parseEndpoint('https://Hooks.example.com:8443/a?b=c', policies.outside)).toEqual({
    href: 'https://hooks.example.com:8443/a?b=c',
    protocol: 'https:',
    hostname: 'hooks.example.com',
    port: 8443,
    host: 'hooks.example.com:8443',
    path: '/a?b=c',
  });
  expect(parseEndpoint('http://[::1]', policies.inside)).toMatchObject({
    hostname: '::1',
    port: 80,
    host: '[::1]',
    path: '/',
  });
});

test('an endpoint has at most 2048 characters', () => {
  const longest = 'https://hooks.example.com/'.padEnd(2048, 'a');
  expect(parseEndpoint(longest, policies.outside).href).toBe(longest);
  expect(refusalOf(`${longest}a`, policies.outside).detail).toContain('2048 characters');
});

test('a refusal does not repeat what may be a secret', () => {
  const { message } = refusalOf('http://a:word@hooks.example.com/hidden?key=1#x', policies.outside);
  expect(message).toBe('record.invalid: The endpoint must be https.');
});

const waits = corpus.retryAfter.values as [value: string, seconds: number | null][];

test.each(waits)('retry-after %j is %j', (value, seconds) => {
  const nowMs = Date.parse(corpus.retryAfter.now);
  expect(retryAfterSecondsOf(value, nowMs)).toBe(seconds ?? undefined);
});
