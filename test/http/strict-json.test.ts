import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictJson } from '../../shared/http/strict-json.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import wire from '../vectors/wire.json' with { type: 'json' };

const mebibyte = 1024 * 1024;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

function refusalOf(body: string | Uint8Array): LedgerError {
  try {
    parseStrictJson(body);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error(`not refused: ${String(body)}`);
}

describe('a body is refused', () => {
  test.each([
    ['with a key given twice', '{"a":1,"a":1}', 'duplicate-key', '/a', 7],
    ['with a key given twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate-key', '/a', 7],
    [
      'with a key given twice, deep down',
      '{"a":[1,{"b":{},"b":{}}]}',
      'duplicate-key',
      '/a/1/b',
      16,
    ],
    ['with an empty key given twice', '{"":1,"":1}', 'duplicate-key', '/', 6],
    ['with the key __proto__', '{"data":{"__proto__":{}}}', 'forbidden-key', '/data/__proto__', 9],
    ['with the key constructor', '[{"constructor":1}]', 'forbidden-key', '/0/constructor', 2],
    ['with the key prototype', '{ "prototype":1}', 'forbidden-key', '/prototype', 2],
    ['with an escaped __proto__', '{"\\u005f_proto__":1}', 'forbidden-key', '/__proto__', 1],
    ['with a high surrogate alone', '{"a":"x\\ud83d"}', 'lone-surrogate', '/a', 5],
    ['with a low surrogate alone', '["\\ude00"]', 'lone-surrogate', '/0', 1],
    ['with a pair the wrong way round', '["\\ude00\\ud83d"]', 'lone-surrogate', '/0', 1],
    ['with an unescaped half', '{"a":"\ud83d"}', 'lone-surrogate', '/a', 5],
    ['with half a pair in a key', '{"b":{"\\ud83d":1}}', 'lone-surrogate', '/b', 6],
    ['with 2^53', '{"a":9007199254740992}', 'unsafe-integer', '/a', 5],
    ['with -2^53', '[0,-9007199254740992]', 'unsafe-integer', '/1', 3],
    ['with an endless integer', `[${'9'.repeat(400)}]`, 'unsafe-integer', '/0', 1],
    ['with a number beyond a double', '[1e999]', 'unsafe-number', '/0', 1],
    ['with a negative one', '{"a":-1.5E+999}', 'unsafe-number', '/a', 5],
    ['with 33 levels of lists', nested(33), 'too-deep', '/0'.repeat(32), 32],
    ['with 33 levels of objects', nestedObjects(33), 'too-deep', '/a'.repeat(32), 160],
    ['with a trailing comma in a list', '[1,]', 'not-json', '/1', 3],
    ['with a trailing comma in an object', '{"a":1,}', 'not-json', '', 7],
    ['without a comma in a list', '[1 2]', 'not-json', '/0', 3],
    ['without a comma in an object', '{"a":1 "b":2}', 'not-json', '/a', 7],
    ['without a colon', '{"a" 1}', 'not-json', '/a', 5],
    ['with a key that is no text', '{1:2}', 'not-json', '', 1],
    ['with a list that does not end', '[1', 'not-json', '/0', 2],
    ['with an object that does not end', '{"a":', 'not-json', '/a', 5],
    ['with a text that does not end', '{"a":"x', 'not-json', '/a', 7],
    ['with an escape that does not end', '["\\', 'not-json', '/0', 2],
    ['with an unknown escape', '["\\x"]', 'not-json', '/0', 2],
    ['with half an escape', '["\\u12"]', 'not-json', '/0', 2],
    ['with a line break in a text', '["a\nb"]', 'not-json', '/0', 3],
    ['with the wrong bracket', '[1}', 'not-json', '/0', 2],
    ['with a leading zero', '[01]', 'not-json', '/0', 2],
    ['with a plus sign', '[+1]', 'not-json', '/0', 1],
    ['with a bare minus', '[-]', 'not-json', '/0', 1],
    ['with half a fraction', '[1.]', 'not-json', '/0', 2],
    ['with a fraction alone', '[.5]', 'not-json', '/0', 1],
    ['with half an exponent', '[1e]', 'not-json', '/0', 2],
    ['with NaN', '{"a":NaN}', 'not-json', '/a', 5],
    ['with Infinity', '[-Infinity]', 'not-json', '/0', 1],
    ['with undefined', 'undefined', 'not-json', '', 0],
    ['with a longer word', '[trueish]', 'not-json', '/0', 5],
    ['with single quotes', "{'a':1}", 'not-json', '', 1],
    ['with a comment', '{}//', 'not-json', '', 2],
    ['with a second value', '{} {}', 'not-json', '', 3],
    ['with a space that is not white space', '\u00a0{}', 'not-json', '', 0],
    ['with a form feed', '\f1', 'not-json', '', 0],
    ['with a null character', '1\0', 'not-json', '', 1],
  ])('%s', (_, body, fault, pointer, offset) => {
    const refusal = refusalOf(body);
    expect(refusal.reason).toBe('api.body-malformed');
    expect(refusal.custom).toEqual({ fault, pointer, offset });
    const place = pointer === '' ? 'its root' : pointer;
    expect(refusal.detail).toMatch(/^The body [^.]+ at /);
    expect(refusal.detail.endsWith(` at ${place}, byte ${offset}.`)).toBe(true);
  });

  test.each([
    ['when it is empty', '', 'empty'],
    ['when it has no bytes', new Uint8Array(), 'empty'],
    ['when it is white space', ' \r\n\t', 'empty'],
    ['when it is too large', `"${'a'.repeat(mebibyte - 1)}"`, 'too-large'],
    ['when its bytes are too many', new Uint8Array(mebibyte + 1).fill(0x20), 'too-large'],
    [
      'when its bytes are too many, not its characters',
      `"${'é'.repeat(mebibyte / 2)}"`,
      'too-large',
    ],
  ])('%s', (_, body, fault) => {
    expect(refusalOf(body).custom).toEqual({ fault });
  });

  test.each([
    ['a text', '\ufeff{}'],
    ['bytes', Buffer.from('\ufeff{}')],
  ])('when it begins with a byte order mark: %s', (_, body) => {
    expect(refusalOf(body).custom).toEqual({ fault: 'byte-order-mark', offset: 0 });
  });

  test.each([
    ['a stray byte', [0x22, 0x61, 0xff, 0x22], 2],
    ['a sequence cut short', [0x22, 0xc3, 0x22], 1],
    ['an overlong sequence', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['a surrogate', [0x22, 0xed, 0xa0, 0xbd, 0x22], 1],
    ['a sequence that ends with the body', [0x22, 0xef, 0xbf, 0xbd, 0xe2], 4],
  ])('when it is not UTF-8: %s', (_, bytes, offset) => {
    expect(refusalOf(Uint8Array.from(bytes)).custom).toEqual({ fault: 'not-utf8', offset });
  });
});

describe('a refusal', () => {
  test('says what and where', () => {
    const { detail, message } = refusalOf('{"data":{"a":1,\n"a":2}}');
    expect(detail).toBe('The body repeats a key at /data/a, byte 16.');
    expect(message).toBe(`api.body-malformed: ${detail}`);
    expect(refusalOf('').detail).toBe('The body is empty.');
    expect(refusalOf(new Uint8Array(mebibyte + 1)).detail).toBe('The body is larger than 1 MiB.');
  });

  test('counts bytes, not characters', () => {
    expect(refusalOf('["é😀",x]').custom).toEqual({ fault: 'not-json', pointer: '/1', offset: 10 });
  });

  test('escapes a pointer', () => {
    expect(refusalOf('{"a/b~c":x}').custom?.['pointer']).toBe('/a~1b~0c');
  });

  test('does not repeat a long key', () => {
    const pointer = refusalOf(`{"${'k'.repeat(9000)}":x}`).custom?.['pointer'];
    expect(pointer).toBe(`/${'k'.repeat(255)}…`);
  });

  test('does not cut a surrogate pair in two', () => {
    const pointer = refusalOf(`{"${'k'.repeat(254)}😀":x}`).custom?.['pointer'];
    expect(pointer).toBe(`/${'k'.repeat(254)}…`);
  });
});

describe('a body is accepted', () => {
  test.each([
    ['an object', '{"a":[1,{"b":null}],"c":"d"}'],
    ['an empty object', '{ }'],
    ['an empty list', '[ ]'],
    ['a text', '"a"'],
    ['a number', '-0.5e-3'],
    ['zero', '0'],
    ['a word', ' true '],
    ['false and null', '[false,null]'],
    ['white space everywhere', '\t{\r\n"a" : [ 1 , 2 ] , "b" : { } }\n'],
    ['every escape', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"'],
    ['an unescaped pair', '{"😀":"😀"}'],
    ['the greatest integer', '9007199254740991'],
    ['the least integer', '-9007199254740991'],
    ['an integer with an exponent', '1e21'],
    ['a large integer with a fraction', '9007199254740993.0'],
    ['the same key in two objects', '[{"a":1},{"a":{"a":1}}]'],
    ['a key that is named like a method', '{"toString":1,"hasOwnProperty":2,"__proto":3}'],
    ['32 levels of lists', nested(32)],
    ['32 levels of objects', nestedObjects(32)],
    ['many lists of one level', `[${'[],'.repeat(99)}[]]`],
    ['a mebibyte', `"${'a'.repeat(mebibyte - 2)}"`],
  ])('with %s', (_, body) => {
    expect(parseStrictJson(body)).toEqual(JSON.parse(body));
    expect(parseStrictJson(Buffer.from(body))).toEqual(JSON.parse(body));
  });

  test('from a part of a larger buffer', () => {
    const bytes = new TextEncoder().encode('xx{"a":1}yy');
    expect(parseStrictJson(bytes.subarray(2, 9))).toEqual({ a: 1 });
  });

  test.each(wire.records)('of the record: $name', (record) => {
    expect(parseStrictJson(JSON.stringify(record))).toEqual(record);
  });
});

const forbidden = ['__proto__', 'constructor', 'prototype'];
const key = fc.string({ unit: 'binary' }).filter((text) => !forbidden.includes(text));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => Math.abs(n) < 2 ** 53),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

test('whatever JSON prints within the limits reads back the same', () => {
  fc.assert(
    fc.property(value, fc.nat({ max: 3 }), (written, indent) => {
      const body = JSON.stringify(written, undefined, indent);
      expect(parseStrictJson(body)).toEqual(JSON.parse(body));
      expect(parseStrictJson(Buffer.from(body))).toEqual(JSON.parse(body));
    }),
    { numRuns: 500 },
  );
});

// Goal: the scan must never let through what JSON.parse refuses, nor call malformed what it reads.
test('a bent body is JSON to us exactly when it is JSON', () => {
  const isJson = (body: string) => {
    try {
      JSON.parse(body);
      return true;
    } catch {
      return false;
    }
  };
  const faultOf = (body: string) => {
    try {
      parseStrictJson(body);
      return undefined;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return String(error.custom?.['fault']);
    }
  };
  const malformed = ['not-json', 'empty', 'byte-order-mark'];
  const chars = fc.constantFrom(...'{}[]",:\\ \n0123456789-+.eEtrufalsnx/\u0000\u00a0\ufeff');
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(value, place, chars, fc.nat({ max: 2 }), (written, at, char, removedCount) => {
      const body = JSON.stringify(written);
      const start = Math.floor(at * body.length);
      const bent = body.slice(0, start) + char + body.slice(start + removedCount);
      const fault = faultOf(bent);
      // A body may break a limit before it breaks the grammar; the first fault is the one named.
      fc.pre(fault === undefined || malformed.includes(fault));
      expect(isJson(bent)).toBe(fault === undefined);
    }),
    { numRuns: 2000 },
  );
});
