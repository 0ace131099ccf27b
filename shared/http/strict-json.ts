/**
 * Strict JSON: from the bytes of a body to a value that is safe to hash. Ruling 6.
 *
 * Two JSON parsers can read one text differently: a repeated key, half of a surrogate pair, an integer beyond a double.
 * A signer and a verifier would then hash different data. One pass over the text refuses all of that and names the
 * place; `JSON.parse` reads what remains.
 */
import { isUtf8 } from 'node:buffer';
import { cut } from '../ledger/cut.ts';
import { LedgerError } from '../ledger/errors.ts';
import { escapedPart } from '../ledger/violation.ts';

const byteCountMax = 1024 * 1024;
const levelCountMax = 32;

/** The codes of all defects, with their sentences. HTTP answers `too-large` with 413. */
const sentences = {
  empty: 'The body is empty',
  'too-large': 'The body is larger than 1 MiB',
  'not-utf8': 'The body is not UTF-8',
  'byte-order-mark': 'The body begins with a byte order mark',
  'not-json': 'The body is not JSON',
  'too-deep': `The body has more than ${levelCountMax} levels`,
  'duplicate-key': 'The body repeats a key',
  'forbidden-key': 'The body has a key that is not allowed',
  'lone-surrogate': 'The body has half of a surrogate pair',
  'unsafe-integer': 'The body has an integer outside ±(2^53−1)',
  'unsafe-number': 'The body has a number that is too large',
} as const;

type BodyError = keyof typeof sentences;

/** These members change the prototype when an object is merged or assigned. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const loneSurrogate = /\p{Surrogate}/u;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wordPattern = /true|false|null/y;

const byteOrderMark = 0xfeff;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The state of the scan. A step of the path is undefined until its key is read. */
type Cursor = {
  readonly text: string;
  readonly path: (string | number | undefined)[];
  at: number;
};

/** Parses a JSON body; refuses with `api.body-malformed`, its defect and place. */
export function parseStrictJson(body: string | Uint8Array): unknown {
  const text = textOf(body);
  const cursor: Cursor = { text, path: [], at: 0 };
  if (text.charCodeAt(0) === byteOrderMark) throw bodyError('byte-order-mark', 0);
  if (Number.isNaN(nextCode(cursor))) throw bodyError('empty');
  scanValue(cursor);
  if (!Number.isNaN(nextCode(cursor))) throw bodyErrorAt(cursor, 'not-json');
  return JSON.parse(text);
}

function textOf(body: string | Uint8Array): string {
  const byteCount = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (byteCount > byteCountMax) throw bodyError('too-large');
  if (typeof body === 'string') return body;
  const text = Buffer.from(body.buffer, body.byteOffset, byteCount).toString();
  if (isUtf8(body)) return text;
  // Each wrong byte was decoded as U+FFFD; the first difference after encoding again is the first wrong byte.
  const rewritten = Buffer.from(text);
  throw bodyError(
    'not-utf8',
    body.findIndex((byte, index) => byte !== rewritten[index]),
  );
}

function scanValue(cursor: Cursor): void {
  const code = nextCode(cursor);
  if (code === openBrace) scanObject(cursor);
  else if (code === openBracket) scanArray(cursor);
  else if (code === quote) scanString(cursor);
  else scanNumberOrWord(cursor);
}

function scanObject(cursor: Cursor): void {
  const keys = new Set<string>();
  let hasMember = enters(cursor, closeBrace);
  while (hasMember) {
    cursor.path[cursor.path.length - 1] = undefined;
    if (nextCode(cursor) !== quote) throw bodyErrorAt(cursor, 'not-json');
    const keyAt = cursor.at;
    const key = scanString(cursor);
    cursor.path[cursor.path.length - 1] = key;
    if (forbiddenKeys.has(key)) throw bodyErrorAt(cursor, 'forbidden-key', keyAt);
    if (keys.has(key)) throw bodyErrorAt(cursor, 'duplicate-key', keyAt);
    keys.add(key);
    if (nextCode(cursor) !== colon) throw bodyErrorAt(cursor, 'not-json');
    cursor.at += 1;
    scanValue(cursor);
    hasMember = continues(cursor, closeBrace);
  }
  cursor.path.pop();
}

function scanArray(cursor: Cursor): void {
  let index = 0;
  let hasItem = enters(cursor, closeBracket);
  while (hasItem) {
    cursor.path[cursor.path.length - 1] = index;
    scanValue(cursor);
    index += 1;
    hasItem = continues(cursor, closeBracket);
  }
  cursor.path.pop();
}

/** Goes down one level; true when it has members. */
function enters(cursor: Cursor, close: number): boolean {
  if (cursor.path.length === levelCountMax) throw bodyErrorAt(cursor, 'too-deep');
  cursor.path.push(undefined);
  cursor.at += 1;
  if (nextCode(cursor) !== close) return true;
  cursor.at += 1;
  return false;
}

/** Passes a comma or the end of a level; true for a comma. */
function continues(cursor: Cursor, close: number): boolean {
  const code = nextCode(cursor);
  if (code !== comma && code !== close) throw bodyErrorAt(cursor, 'not-json');
  cursor.at += 1;
  return code === comma;
}

function scanString(cursor: Cursor): string {
  const start = cursor.at;
  const isPlain = skipString(cursor);
  if (isPlain) return cursor.text.slice(start + 1, cursor.at - 1);
  const value: string = JSON.parse(cursor.text.slice(start, cursor.at));
  if (loneSurrogate.test(value)) throw bodyErrorAt(cursor, 'lone-surrogate', start);
  return value;
}

/** Passes a string; true when it has neither escapes nor surrogates. */
function skipString(cursor: Cursor): boolean {
  const { text } = cursor;
  let isPlain = true;
  let at = cursor.at + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (code === backslash) {
      isPlain = false;
      at = endOf(escapePattern, cursor, at);
    } else if (code >= 0x20) {
      if (code >= 0xd800 && code <= 0xdfff) isPlain = false;
      at += 1;
    } else {
      // A control character, or the end of the text, whose code is NaN.
      throw bodyErrorAt(cursor, 'not-json', at);
    }
  }
  cursor.at = at + 1;
  return isPlain;
}

function scanNumberOrWord(cursor: Cursor): void {
  const { text, at } = cursor;
  const code = text.charCodeAt(at);
  // Codes above `9` begin words, all others numbers.
  cursor.at = endOf(code > 0x39 ? wordPattern : numberPattern, cursor, at);
  if (code > 0x39) return;
  const literal = text.slice(at, cursor.at);
  const value = Number(literal);
  if (Number.isSafeInteger(value)) return;
  if (!/[.eE]/.test(literal)) throw bodyErrorAt(cursor, 'unsafe-integer', at);
  if (!Number.isFinite(value)) throw bodyErrorAt(cursor, 'unsafe-number', at);
}

/** The end of a match that begins exactly here. */
function endOf(pattern: RegExp, cursor: Cursor, at: number): number {
  pattern.lastIndex = at;
  if (!pattern.test(cursor.text)) throw bodyErrorAt(cursor, 'not-json', at);
  return pattern.lastIndex;
}

/** The next character that is not white space (RFC 8259 2); NaN at the end. */
function nextCode(cursor: Cursor): number {
  const { text } = cursor;
  let code = text.charCodeAt(cursor.at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
    cursor.at += 1;
    code = text.charCodeAt(cursor.at);
  }
  return code;
}

function bodyErrorAt(cursor: Cursor, bodyErrorName: BodyError, at = cursor.at): LedgerError {
  const offset = Buffer.byteLength(cursor.text.slice(0, at));
  return bodyError(bodyErrorName, offset, pointerOf(cursor.path));
}

/** A JSON pointer (RFC 6901), cut since the caller chooses its keys. */
function pointerOf(path: Cursor['path']): string {
  const steps = path.filter((step) => step !== undefined);
  return cut(steps.map((step) => `/${escapedPart(step)}`).join(''));
}

function bodyError(bodyErrorName: BodyError, offset?: number, pointer?: string): LedgerError {
  const place = pointer === undefined ? '' : ` at ${pointer === '' ? 'its root' : pointer}`;
  const byte = offset === undefined ? '' : `, byte ${offset}`;
  return new LedgerError('api.body-malformed', `${sentences[bodyErrorName]}${place}${byte}.`, {
    fault: bodyErrorName,
    ...(pointer === undefined ? {} : { pointer }),
    ...(offset === undefined ? {} : { offset }),
  });
}
