/**
 * Canonical JSON: one text for each JSON value. Everything that is hashed or signed is printed here first, so that two
 * parties who agree on a value agree on its bytes. RFC 8785: keys sorted by UTF-16 code unit, no white space, numbers
 * as ECMAScript prints them (`-0` as `0`). Ruling 1.
 */

import stringify from 'safe-stable-stringify';
import { assert } from '../ledger/assert.ts';

// Strict: a cycle, a function, NaN and Infinity throw instead of printing a substitute text.
const print = stringify.configure({ strict: true, bigint: true, circularValue: TypeError });

/**
 * The canonical JSON of a parsed JSON value.
 *
 * A bigint prints as its digits, because a balance is an integer literal of up to 38 digits (Ruling 39). An undefined
 * member is left out, as in `JSON.stringify`.
 *
 * @example
 * canonicalOf({ b: [2, 1], a: null }) // '{"a":null,"b":[2,1]}'
 */
export function canonicalOf(value: unknown): string {
  const text = print(value);
  assert(text !== undefined, 'only a JSON value has a canonical text');
  return text;
}
