/**
 * Answers as a caller takes them: compressed where that is accepted. Documents that are the same for everybody have an
 * `ETag` besides, are 304 for a caller who has them already, and are found without a slash at the end. Ruling 102, Decision 133. RFC 9110 8.8, 12.5.3 and 13.1.2.
 */
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Answer, Document, Settings } from '../port/action.ts';
import { headerOf } from './header.ts';

/** The encodings that are answered, the preferred first, each at a level. */
const encoders = {
  br: (bytes: Buffer, quality: number) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: (bytes: Buffer, level: number) => gzipSync(bytes, { level }),
} as const;
type Encoding = keyof typeof encoders;
/** The level of what is kept: stronger brotli takes a multiple of the time. */
const keptLevel = 6;
/** The level of an answer, which is sent once. */
const quickLevel = 1;

/** Texts below this length do not get smaller. */
const lengthMin = 256;
/** An answer below this length, as a record by itself, takes more time to compress than to send. */
const answerLengthMin = 4_096;
/** The compressed texts that a process keeps; there are about as many static documents. */
const keptMax = 200;
const kept = new Map<string, string>();

/** The answer as it is sent to this caller; one whose document is not static is returned as it is. */
export function represented(
  { isTextOnly }: Pick<Settings, 'isTextOnly'>,
  answer: Answer,
  event: APIGatewayProxyEvent,
): Answer {
  const { document } = answer;
  if (!document?.isStatic) return answer;
  // A page names its files beside its own address.
  const [, name] = /([^/]+)\/$/.exec(event.path) ?? [];
  if (name !== undefined) return moved(document, `../${name}`);
  const tag = tagOf(document.text);
  const headers = { ...document.headers, etag: tag, vary: 'accept-encoding' };
  if (isKnown(headerOf(event, 'if-none-match'), tag))
    return { status: 304, document: { ...document, text: '', headers } };
  const isPlain = isTextOnly || document.text.length < lengthMin;
  const encoding = isPlain ? undefined : encodingFor(headerOf(event, 'accept-encoding'));
  if (!encoding) return { ...answer, document: { ...document, headers } };
  return {
    ...answer,
    document: encoded(document, { ...headers, 'content-encoding': encoding }, tag),
  };
}

function moved({ type }: Document, location: string): Answer {
  return { status: 308, document: { type, text: '', headers: { location } } };
}

/** The response to a request of a ledger, compressed where it is long and this caller accepts that. Decision 133. */
export function compressed(
  { isTextOnly }: Pick<Settings, 'isTextOnly'>,
  response: APIGatewayProxyResult,
  event: APIGatewayProxyEvent,
): APIGatewayProxyResult {
  const { body, headers, isBase64Encoded } = response;
  if (isTextOnly || isBase64Encoded || body.length < answerLengthMin) return response;
  const encoding = encodingFor(headerOf(event, 'accept-encoding'));
  if (!encoding) return response;
  return {
    ...response,
    headers: { ...headers, 'content-encoding': encoding },
    body: encoders[encoding](Buffer.from(body), quickLevel).toString('base64'),
    isBase64Encoded: true,
  };
}

/** A weak tag: the encodings of a text have the same. */
function tagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** True when the caller names this tag, or any. Tags have no commas within them. */
function isKnown(named: string | undefined, tag: string): boolean {
  const tags = (named ?? '').split(',').map((one) => one.trim());
  return tags.includes('*') || tags.includes(tag) || tags.includes(tag.slice(2));
}

/** The first encoding that the caller accepts; undefined for the text as it is. */
function encodingFor(accepted = ''): Encoding | undefined {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf));
  const names = Object.keys(encoders) as Encoding[];
  return names.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}

function weightOf(text: string): readonly [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((one) => one.trim());
  const weight = parameters.find((one) => one.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2))];
}

function encoded(
  document: Document,
  headers: Readonly<Record<string, string>> & { readonly 'content-encoding': Encoding },
  tag: string,
): Document {
  const { 'content-encoding': encoding } = headers;
  const name = `${encoding} ${tag}`;
  const text =
    kept.get(name) ?? encoders[encoding](Buffer.from(document.text), keptLevel).toString('base64');
  if (kept.size >= keptMax) kept.clear();
  kept.set(name, text);
  return { ...document, text, isBase64: true, headers };
}
