/** The reasons why there was no answer. Ruling 61. */
import { expect, test } from 'vitest';
import { whyOf } from '../../shared/outgoing/unreachable.ts';

test.each([
  ['UNSPECIFIED', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
])('an error %s is the reason %s', (code, why) => {
  expect(whyOf(Object.assign(new Error('no answer'), { code }))).toBe(why);
});
