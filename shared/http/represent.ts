/**
 * Answers as a caller takes them: compressed where that is accepted. Documents that are the same for everybody have an
 * `ETag` besides, are 304 for a caller who has them already, and are found without a slash at the end. Ruling 102, Decision 133. RFC 9110 8.8, 12.5.3 and 13.1.2.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Answer, Document, Settings } from '../port/action.ts';
import { headerOf } from './header.ts';

const [brotliInPool, gzipInPool] = [promisify(brotliCompress), promisify(gzip)];

/** The encodings that are answered, the preferred first, each at a level. Other requests go on meanwhile. */
const encoders = {
  br: (bytes: Buffer, quality: number) =>
    brotliInPool(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: (bytes: Buffer, level: number) => gzipInPool(bytes, { level }),
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
export async function represented(
  { isTextOnly }: Pick<Settings, 'isTextOnly'>,
  answer: Answer,
  event: APIGatewayProxyEvent,
): Promise<Answer> {
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
    document: await encoded(document, { ...headers, 'content-encoding': encoding }, tag),
  };
}

function moved({ type }: Document, location: string): Answer {
  return { status: 308, document: { type, text: '', headers: { location } } };
}

/** The response to a request of a ledger, compressed where it is long and this caller accepts that. Decision 133. */
export async function compressed(
  { isTextOnly }: Pick<Settings, 'isTextOnly'>,
  response: APIGatewayProxyResult,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  const { body, headers, isBase64Encoded } = response;
  if (isTextOnly || isBase64Encoded || body.length < answerLengthMin) return response;
  const encoding = encodingFor(headerOf(event, 'accept-encoding'));
  if (!encoding) return response;
  const bytes = await encoders[encoding](Buffer.from(body), quickLevel);
  return {
    ...response,
    headers: { ...headers, 'content-encoding': encoding },
    body: bytes.toString('base64'),
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

async function encoded(
  document: Document,
  headers: Readonly<Record<string, string>> & { readonly 'content-encoding': Encoding },
  tag: string,
): Promise<Document> {
  const { 'content-encoding': encoding } = headers;
  const name = `${encoding} ${tag}`;
  const text = kept.get(name) ?? (await encodedText(document.text, encoding));
  if (kept.size >= keptMax) kept.clear();
  kept.set(name, text);
  return { ...document, text, isBase64: true, headers };
}

/** A text that is kept, encoded, in base64. */
async function encodedText(text: string, encoding: Encoding): Promise<string> {
  return (await encoders[encoding](Buffer.from(text), keptLevel)).toString('base64');
}
