/**
 * Goal: a label that one record alone may have stays its own, however long ago it was given. The note that keeps two
 * requests apart lasts a minute; after it only the record that has the label speaks for itself. Ruling 75.
 */
import { expect, test } from 'vitest';
import { prove } from '../../shared/action/prove.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { now, proofOf } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

const hourMs = 3_600_000;
const refused = 'record.labels-policy-violation';

test('a unique label is given to no other record, long after it was given, until it is free', async () => {
  const desk = await openDesk();
  const values = [{ labels: 'first', unique: true }];
  await desk.make('policy', { handle: 'sole', schema: 'labels', record: 'wallet', values });
  const [one, other] = [
    await desk.make('wallet', { handle: 'one' }),
    await desk.make('wallet', { handle: 'other' }),
  ];
  let aheadMs = 0;
  const labelled = async ({ data, hash }: LedgerRecord, labels: unknown) => {
    // Each follows the one before by an hour.
    aheadMs += hourMs;
    const services = { ...desk.services, clock: () => Date.now() + aheadMs };
    const body = proofOf(hash, desk.key, { moment: now(), labels });
    const call = { services, path: { id: data.handle }, body };
    return desk.run(prove('wallet'), call).then(
      ({ meta }) => meta.labels,
      (error) => error.reason,
    );
  };
  expect(await labelled(one, ['first'])).toEqual(['first']);
  expect(await labelled(other, ['first'])).toBe(refused);
  await labelled(one, { $pull: 'first' });
  expect(await labelled(other, ['first'])).toEqual(['first']);
  expect(await labelled(one, ['first'])).toBe(refused);
});
