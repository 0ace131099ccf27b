/**
 * Goal: a label that one record alone may have stays its own, however long ago it was given. The note that keeps two
 * requests apart lasts a minute; after it only the record that has the label speaks for itself. Ruling 75.
 */
import { expect, test } from 'vitest';
import { prove } from '../../shared/action/prove.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import { now, proofOf } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';
import { farBehind } from '../fixture/far-behind.ts';

const hourMs = 3_600_000;
const refused = 'record.labels-policy-violation';

/** Gives labels to wallets, each time an hour after the one before. */
function labelling(desk: Desk) {
  let aheadMs = 0;
  return async ({ data, hash }: LedgerRecord, labels: unknown) => {
    aheadMs += hourMs;
    const services = { ...desk.services, clock: () => Date.now() + aheadMs };
    const body = proofOf(hash, desk.key, { moment: now(), labels });
    const call = { services, path: { id: data.handle }, body };
    return desk.run(prove('wallet'), call).then(
      ({ meta }) => meta.labels,
      (error) => error.reason,
    );
  };
}

/** Two wallets, of which one alone may have a label. */
async function openPair() {
  const desk = await openDesk();
  const values = [{ labels: 'first', unique: true }];
  await desk.make('policy', { handle: 'sole', schema: 'labels', record: 'wallet', values });
  const one = await desk.make('wallet', { handle: 'one' });
  const other = await desk.make('wallet', { handle: 'other' });
  return { desk, one, other };
}

test('a unique label is given to no other record, long after it was given, until it is free', async () => {
  const { desk, one, other } = await openPair();
  const labelled = labelling(desk);
  expect(await labelled(one, ['first'])).toEqual(['first']);
  expect(await labelled(other, ['first'])).toBe(refused);
  await labelled(one, { $pull: 'first' });
  expect(await labelled(other, ['first'])).toEqual(['first']);
  expect(await labelled(one, ['first'])).toBe(refused);
});

test('a unique label is given to no other record while the index is far behind', async () => {
  const { desk, one, other } = await openPair();
  const services = { ...desk.services, catalog: farBehind(desk.services.catalog) };
  const labelled = labelling({ ...desk, services });
  expect(await labelled(one, ['first'])).toEqual(['first']);
  expect(await labelled(other, ['first'])).toBe(refused);
});

test('a label that two policies make unique is given past no record that either of them is about', async () => {
  const desk = await openDesk();
  for (const member of ['gold', 'safe'])
    await desk.make('policy', {
      handle: `sole-${member}`,
      schema: 'labels',
      record: 'wallet',
      filter: { [`custom.${member}`]: true },
      values: [{ labels: 'first', unique: true }],
    });
  const both = await desk.make('wallet', { handle: 'both', custom: { gold: true, safe: true } });
  const labelled = labelling(desk);
  for (const member of ['gold', 'safe']) {
    const holder = await desk.make('wallet', { handle: member, custom: { [member]: true } });
    expect(await labelled(holder, ['first'])).toEqual(['first']);
    expect(await labelled(both, ['first']), member).toBe(refused);
    await labelled(holder, { $pull: 'first' });
  }
  expect(await labelled(both, ['first'])).toEqual(['first']);
});
