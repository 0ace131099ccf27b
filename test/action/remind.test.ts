/** Goal: a bridge that took a call and stays silent is counted and asked again, in measure. Ruling 55, Decision 70. */
import { expect, test } from 'vitest';
import type { Services } from '../../shared/action/action.ts';
import type { Delivery } from '../../shared/action/deliveries.ts';
import { remind } from '../../shared/action/remind.ts';
import type { Version } from '../../shared/ledger/record.ts';
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
  const counts: number[] = [];
  await remind({ services, silent: (count) => void counts.push(count) }, 'main', intent);
  const after = await deliveries.read('main', bank.record.luid, one.luid);
  const again = after?.version === 1 ? 'left alone' : `made again, ${after?.replay}`;
  return [counts, again];
}

const delivered = { status: 'delivered', attempts: 1 } as const;

test.each([
  ['a commit that was taken, within the hour', 'committed', 0.99, delivered, [], 'left alone'],
  ['a commit that was taken, after an hour', 'committed', 1, delivered, [2], 'made again, 1'],
  ['an abort that was taken, after an hour', 'aborted', 1, delivered, [2], 'made again, 1'],
  ['what fails goes on by itself', 'committed', 30, { status: 'failed' }, [2], 'left alone'],
  ['what was refused for good', 'committed', 30, { status: 'cancelled' }, [2], 'left alone'],
  ['what was asked again', 'committed', 23, { ...delivered, replay: 1 }, [2], 'left alone'],
  [
    'what was asked again, a day later',
    'committed',
    24,
    { ...delivered, replay: 1 },
    [2],
    'made again, 2',
  ],
] as const)('%s', async (_, status, hours, parts, counts, again) => {
  expect(await reminded(decided(status), hours, parts)).toEqual([counts, again]);
});

test('the time is counted from when the bridge took the call', async () => {
  expect(await reminded(decided('committed'), 5, delivered, 4.5)).toEqual([[2], 'left alone']);
});

test('what was reported is neither counted nor asked again', async () => {
  const intent = decided('committed', ['prepared', 'committed']);
  expect(await reminded(intent, 30, delivered)).toEqual([[1], 'left alone']);
});

test('nothing is said of an intent that has ended, or of which nothing is decided', async () => {
  for (const status of ['completed', 'rejected', 'processing', 'prepared']) {
    const moment = new Date(startMs).toISOString();
    const isOver = status === 'completed' || status === 'rejected';
    const words = isOver ? [{ status: 'committed', moment }] : [];
    const intent = bridged({ status, entries: [{ schema: 'debit' }], words });
    expect(await reminded(intent, 30, delivered)).toEqual([[], 'left alone']);
  }
});
