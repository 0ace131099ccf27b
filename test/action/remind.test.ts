/** Goal: a bridge that took a call and stays silent is counted and asked again, in measure. Ruling 55, Decision 70. */
import { expect, test } from 'vitest';
import { remind } from '../../shared/intent/remind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { bridge, bridged, callTo, entryOf } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { proofBy } from '../fixture/version.ts';

const startMs = Date.parse('2026-06-01T00:00:00.000Z');
const hourMs = 3_600_000;
const bank = bridge('bank');

/** An intent with two debits at the bank, decided at the beginning. */
function decided(status: 'committed' | 'aborted', reported: readonly string[] = ['prepared']) {
  const moment = new Date(startMs).toISOString();
  return bridged({
    status,
    entries: [
      { schema: 'debit', reported },
      { schema: 'debit', reported: ['prepared'] },
    ],
    words: [{ status, moment }],
  });
}

/** What is said of a call of the first entry, when it is looked at some hours after the decision. */
async function reminded(
  intent: Version,
  hours: number,
  parts: Partial<Delivery> = {},
  attemptedHours = 0,
) {
  const deliveries = memoryDeliveries(() => []);
  const services = {
    deliveries,
    clock: () => startMs + hours * hourMs,
    store: { load: async () => [bank] },
  } as unknown as Services;
  const action = intent.record.meta.status === 'aborted' ? 'abort' : 'commit';
  const moment = new Date(startMs + attemptedHours * hourMs).toISOString();
  const proofs = [proofBy('system', 'ab', { status: 'delivered', moment })];
  const one = callTo(bank, { entry: entryOf(intent), action }, startMs, { proofs, ...parts });
  const { dueMs: _dueMs, ...over } = one;
  await deliveries.add([one.status === 'failed' ? one : over]);
  const { callCount, nextMs } = await remind(services, 'main', intent);
  const after = await deliveries.read('main', bank.record.luid, one.luid);
  const again = after?.version === 1 ? 'left alone' : `made again, ${after?.replay}`;
  return [callCount, again, (nextMs - startMs) / hourMs];
}

const delivered = { status: 'delivered', attempts: 1 } as const;

test.each([
  ['a commit that was taken, within the hour', 'committed', 0.99, delivered, 0, 'left alone', 1],
  ['a commit that was taken, after an hour', 'committed', 1, delivered, 2, 'made again, 1', 2],
  ['an abort that was taken, after an hour', 'aborted', 1, delivered, 2, 'made again, 1', 2],
  ['what fails goes on by itself', 'committed', 30, { status: 'failed' }, 2, 'left alone', 31],
  ['what was refused for good', 'committed', 30, { status: 'cancelled' }, 2, 'left alone', 31],
  ['what was asked again', 'committed', 23, { ...delivered, replay: 1 }, 2, 'left alone', 24],
  [
    'what was asked again, a day later',
    'committed',
    24,
    { ...delivered, replay: 1 },
    2,
    'made again, 2',
    25,
  ],
] as const)('%s', async (_, status, hours, parts, count, again, next) => {
  expect(await reminded(decided(status), hours, parts)).toEqual([count, again, next]);
});

test('the time is counted from when the bridge took the call', async () => {
  expect(await reminded(decided('committed'), 5, delivered, 4.5)).toEqual([2, 'left alone', 6]);
});

test('what was reported is neither counted nor asked again', async () => {
  const intent = decided('committed', ['prepared', 'committed']);
  expect(await reminded(intent, 30, delivered)).toEqual([1, 'left alone', 31]);
});

test('the first intent of a thread speaks for all of it', async () => {
  const moment = new Date(startMs).toISOString();
  const entries = [{ schema: 'debit', reported: ['prepared'] }] as const;
  const words = [{ status: 'committed', moment }];
  const second = bridged({
    ...{ handle: 'fee', status: 'committed', entries, words, together: ['rent', 'fee'] },
  });
  expect(await reminded(second, 30, delivered)).toEqual([0, 'left alone', 31]);
});

test('nothing is to be done for an intent that has ended', async () => {
  for (const status of ['completed', 'rejected']) {
    const words = [{ status: 'committed', moment: new Date(startMs).toISOString() }];
    const intent = bridged({ status, entries: [{ schema: 'debit' }], words });
    expect(await reminded(intent, 30, delivered)).toEqual([0, 'left alone', 31]);
  }
});
