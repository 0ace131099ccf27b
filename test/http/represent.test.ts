/** Goal: what is long is compressed where the caller takes it so and the gateway passes on bytes, and nowhere else. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { compressed, represented } from '../../shared/http/represent.ts';
import type { Document } from '../../shared/port/action.ts';

const text = 'a page '.repeat(100);
const page: Document = { type: 'text/html', text, isStatic: true };
const event = {
  path: '/docs',
  headers: { 'accept-encoding': 'br' },
} as unknown as APIGatewayProxyEvent;
const sentWith = async (settings: { readonly isTextOnly?: boolean }) =>
  (await represented(settings, { status: 200, document: page }, event)).document;

test('a caller gets the encoding that it takes', async () => {
  const { headers, isBase64, text: sent = '' } = (await sentWith({})) ?? {};
  expect([headers?.['content-encoding'], isBase64]).toEqual(['br', true]);
  expect(brotliDecompressSync(Buffer.from(sent, 'base64')).toString()).toBe(text);
});

test('behind a gateway that answers text only it gets the text', async () => {
  const sent = await sentWith({ isTextOnly: true });
  expect([sent?.headers?.['content-encoding'], sent?.isBase64, sent?.text]).toEqual([
    undefined,
    undefined,
    text,
  ]);
  expect(sent?.headers?.['etag']).toBe((await sentWith({}))?.headers?.['etag']);
});

describe('an answer of a ledger', () => {
  const body = JSON.stringify({ data: 'ä'.repeat(5_000) });
  const answer = { statusCode: 200, headers: { 'x-request-id': 'one' }, body };
  const takes = (encoding: string) =>
    ({ headers: { 'accept-encoding': encoding } }) as unknown as APIGatewayProxyEvent;

  test('is compressed where it is long, and keeps its text and its headers', async () => {
    const sent = await compressed({}, answer, takes('gzip, deflate'));
    expect([sent.statusCode, sent.isBase64Encoded]).toEqual([200, true]);
    expect(sent.headers).toEqual({ 'x-request-id': 'one', 'content-encoding': 'gzip' });
    expect(gunzipSync(Buffer.from(sent.body, 'base64')).toString()).toBe(body);
    expect(sent.body.length).toBeLessThan(body.length);
  });

  test.each([
    ['the caller does not accept it', {}, answer, takes('gzip;q=0')],
    ['the gateway answers text only', { isTextOnly: true }, answer, takes('gzip')],
    ['it is short', {}, { ...answer, body: '{}' }, takes('gzip')],
    ['it is bytes already', {}, { ...answer, isBase64Encoded: true }, takes('gzip')],
  ])('is sent as it is where %s', async (_, settings, given, event) => {
    expect(await compressed(settings, given, event)).toBe(given);
  });
});
