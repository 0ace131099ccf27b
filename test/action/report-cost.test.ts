/** Goal: a bridge reports for what its key owns without a further read of that key. Rulings 56 and 105. */
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { claimOf, now, proofOf, signed, unique } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';
import { entriesOf } from '../fixture/payment.ts';

test.each<[string, string[][]]>([
  ['handle', [['record', 'record', 'rulebook', 'holder']]],
  ['luid', [['pointer'], ['record'], ['holder'], ['rulebook']]],
])('a report on an intent that is named by its %s', async (by, expected) => {
  const seen: string[][] = [];
  const { run, make, key } = await openDesk(({ load }) => ({
    load: (wants) => {
      seen.push(wants.map(({ what }) => what));
      return load(wants);
    },
  }));
  await make('symbol', { handle: 'usd', factor: 1 });
  await make('bridge', { handle: 'bank', config: { server: 'https://bank.example' } });
  await make('wallet', { handle: 'ann', bridge: 'bank' });
  await make('wallet', { handle: 'own' });
  const data = { handle: unique('pay'), claims: [claimOf('transfer ann own 5 usd')] };
  const intent = await run(createIntent, { body: signed(data, key) });
  const handle = entriesOf(intent)['debit ann'];
  const body = proofOf(intent.hash, key, { moment: now(), handle, status: 'prepared' });
  const id = by === 'luid' ? intent.luid : intent.data.handle;
  seen.splice(0);
  const { meta } = await run(prove('intent'), { path: { id }, body });
  expect(meta.status).toBe('committed');
  expect(seen).toEqual(expected);
});
