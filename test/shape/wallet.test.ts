import { expect, test } from 'vitest';
import { brokenData } from './broken.ts';

test.each(['alice', 'bank:alice', 'alice@example.com', 'bank:alice@example.com'])(
  'a wallet may be called %s',
  (handle) => expect(brokenData('wallet', { handle })).toEqual([]),
);

// Decision 8: a feature that is not there must not look as if it were.
test.each(['routes', 'symbol'])('a wallet has no %s yet', (member) => {
  expect(brokenData('wallet', { handle: 'alice', [member]: 'x' })).toEqual([
    ['/data', 'additionalProperties', { additionalProperty: member }],
  ]);
});
