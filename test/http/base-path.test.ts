import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { pathBelowBase } from '../../shared/http/base-path.ts';

// Goal: one path for an endpoint, whatever address it is called by.
test.each([
  ['by the API', '/wallets/a', '/v2/wallets/a', '/wallets/a'],
  ['by a domain', '/v2/wallets/a', '/v2/wallets/a', '/wallets/a'],
  ['by the API, at its base', '/', '/v2', '/'],
  ['by a domain, at its base', '/v2', '/v2', '/'],
  ['by a domain, at its base with a slash', '/v2/', '/v2/', '/'],
  [
    'by the API, a path that begins as the stage does',
    '/v2/wallets',
    '/v2/v2/wallets',
    '/v2/wallets',
  ],
  ['by a domain, a path that begins as the stage does', '/v2/v2/a', '/v2/v2/a', '/v2/a'],
  ['outside of the stage', '/v21/wallets', '/v21/wallets', '/v21/wallets'],
])('%s', (_, path, requested, expected) => {
  const requestContext = { stage: 'v2', path: requested };
  const event = { path, requestContext } as Pick<APIGatewayProxyEvent, 'path' | 'requestContext'>;
  expect(pathBelowBase(event)).toBe(expected);
});

test('a request that does not say where it came in keeps its path', () => {
  const requestContext = {} as APIGatewayProxyEvent['requestContext'];
  expect(pathBelowBase({ path: '/a', requestContext })).toBe('/a');
});
