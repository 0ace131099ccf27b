/** A request is found again under the URL that its sender has hashed. Ruling 27, Decision 33. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { receivedOf } from '../../shared/http/received.ts';

const server = 'https://ledger.example/v2';
const query = {
  'page.index': ['0'],
  'data.custom.note': ['a b+c/d?e&f=g', "é:$,[x]@!'()*~"],
  $plainTextQuery: ['100%'],
};

function eventOf(path: string, values: object | null = null): APIGatewayProxyEvent {
  return {
    httpMethod: 'GET',
    path,
    headers: { 'X-Ledger': 'main' },
    multiValueQueryStringParameters: values,
  } as unknown as APIGatewayProxyEvent;
}

const urlsOf = (path: string, values: object | null = null) =>
  receivedOf(eventOf(path, values), undefined, [server]).urls;

test('a path is as it came, under each base address', () => {
  const event = eventOf('/wallets/a%40b');
  const { urls, method, body, headers } = receivedOf(event, undefined, [
    server,
    'http://localhost',
  ]);
  expect(urls).toEqual([`${server}/wallets/a%40b`, 'http://localhost/wallets/a%40b']);
  expect([method, body, headers]).toEqual(['GET', null, { 'X-Ledger': 'main' }]);
});

test('the base address has a slash at its end or none', () => {
  expect(urlsOf('/')).toEqual([server, `${server}/`]);
});

test.each([
  [
    'URLSearchParams',
    (pairs: string[][]) => new URLSearchParams(pairs as [string, string][]).toString(),
  ],
  [
    'encodeURIComponent',
    (pairs: string[][]) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
  ],
  [
    'a hand',
    (pairs: string[][]) =>
      pairs.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&'),
  ],
])('a query that %s has written is found', (_, write) => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    values.map((value) => [name, value]),
  );
  expect(urlsOf('/wallets', query)).toContain(`${server}/wallets?${write(pairs)}`);
});

test('a query in which nothing is encoded is found', () => {
  const values = { 'data.handle.$in[]': ['a/b', "é:$,[x]@!'()*~?="], rate: ['100%'] };
  const written = "data.handle.$in[]=a/b&data.handle.$in[]=é:$,[x]@!'()*~?=&rate=100%";
  expect(urlsOf('/wallets', values)).toContain(`${server}/wallets?${written}`);
});

test.each([
  ['data.handle.$ne=zzz&data.handle=a', { 'data.handle.$ne': ['zzz&data.handle=a'] }],
  ['data.handle=a', { 'data.handle=a': [''] }],
  ['data.handle=a&page.index=1', { 'data.handle=a&page.index': ['1'] }],
  ['data.handle=a+b', { 'data.handle': ['a+b'] }],
  ['data.handle=a%41', { 'data.handle': ['a%41'] }],
  ['data.handle=a#b', { 'data.handle': ['a#b'] }],
])('the query %s is not found for another one', (written, values) => {
  for (const url of urlsOf('/wallets', values))
    expect(url.startsWith(`${server}/wallets?${written}`)).toBe(false);
});

// What axios 1.1 makes of the values below; the public client sends requests with it.
test('a query that axios has written is found', () => {
  const values = { 'page.index': ['0'], 'data.handle.$in[]': ['a b', 'c'], x: ['a:b$,[é]+/?@'] };
  const written = 'data.handle.$in[]=a+b&data.handle.$in[]=c&x=a:b$,[%C3%A9]%2B%2F%3F%40';
  expect(urlsOf('/wallets', values)).toContain(`${server}/wallets?page.index=0&${written}`);
});

test('a query that a URL has encoded as far as it must is found', () => {
  const { href } = new URL(`${server}/wallets?data.handle.$in=a b&x=é[]`);
  const values = { 'data.handle.$in': ['a b'], x: ['é[]'] };
  expect(urlsOf('/wallets', values)).toContain(href);
});

test('a query is never found for another one', () => {
  const urls = urlsOf('/wallets', query);
  expect(urls.length).toBeLessThanOrEqual(7);
  for (const url of urls) expect(url.startsWith(`${server}/wallets?page.index=0&data`)).toBe(true);
});
