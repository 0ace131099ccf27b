/** Goal: a document is compressed where the caller takes it so and the gateway passes on bytes, and nowhere else. */
import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { represented } from '../../shared/http/represent.ts';
import type { Document } from '../../shared/port/action.ts';

const text = 'a page '.repeat(100);
const page: Document = { type: 'text/html', text, isStatic: true };
const event = { headers: { 'accept-encoding': 'br' } } as unknown as APIGatewayProxyEvent;
const sentWith = (settings: { readonly isTextOnly?: boolean }) =>
  represented(settings, { status: 200, document: page }, event).document;

test('a caller gets the encoding that it takes', () => {
  const { headers, isBase64, text: sent = '' } = sentWith({}) ?? {};
  expect([headers?.['content-encoding'], isBase64]).toEqual(['br', true]);
  expect(brotliDecompressSync(Buffer.from(sent, 'base64')).toString()).toBe(text);
});

test('behind a gateway that answers text only it gets the text', () => {
  const sent = sentWith({ isTextOnly: true });
  expect([sent?.headers?.['content-encoding'], sent?.isBase64, sent?.text]).toEqual([
    undefined,
    undefined,
    text,
  ]);
  expect(sent?.headers?.['etag']).toBe(sentWith({})?.headers?.['etag']);
});
