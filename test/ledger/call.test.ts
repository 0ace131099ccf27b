/** Goal: where each call to a bridge goes. Ruling 54. */
import { expect, test } from 'vitest';
import { callPlaceOf } from '../../shared/ledger/call.ts';

test.each([
  ['prepare', 'deb_1', 'POST /debits'],
  ['prepare', 'cre_1', 'POST /credits'],
  ['commit', 'deb_1', 'POST /debits/deb_1/commit'],
  ['commit', 'cre_1', 'POST /credits/cre_1/commit'],
  ['abort', 'deb_1', 'POST /debits/deb_1/abort'],
  ['abort', 'cre_1', 'POST /credits/cre_1/abort'],
  ['status', 'rent', 'PUT /intents/rent'],
  ['status', 'bank:rent+1@home', 'PUT /intents/bank%3Arent%2B1%40home'],
] as const)('a %s of %s goes to %s', (action, handle, place) => {
  const { method, path } = callPlaceOf({ action }, handle);
  expect(`${method} ${path}`).toBe(place);
});
