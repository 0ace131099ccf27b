import { expect, test } from 'vitest';
import { framingHeaders, reservedHeaders } from '../../shared/ledger/reserved-headers.ts';

test('what frames a message is never left to callers, and is named in lower case', () => {
  for (const name of ['host', 'content-length', 'transfer-encoding', 'connection'])
    expect(framingHeaders.has(name)).toBe(true);
  for (const name of reservedHeaders) expect(name).toBe(name.toLowerCase());
  expect([...framingHeaders].every((name) => reservedHeaders.has(name))).toBe(true);
  expect(reservedHeaders.has('authorization')).toBe(false);
});
