/**
 * Goal: a call names another intent of its thread as it stands with the commit, and a transaction takes as many new intents
 * as it has actions for. Ruling 55, Decisions 136 and 142.
 */
import { expect, test } from 'vitest';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { roomForIntents, writesOf } from '../../shared/intent/thread.ts';
import type { BridgeCall } from '../../shared/ledger/call.ts';
import { bridged, entryOf } from '../fixture/bridged.ts';
import { proved } from '../fixture/version.ts';

const seed = Buffer.alloc(32, 7);
const ledger = { handle: 'main', key: { public: publicOf(seed), privateKey: privateKeyOf(seed) } };

test('the calls of a report name the others by handle and change', async () => {
  const together = ['rent', 'fee'];
  const entries = [{ schema: 'credit' }] as const;
  const rent = bridged({ handle: 'rent', entries, together });
  const fee = proved(bridged({ handle: 'fee', entries, together }), 2, 'processing');
  const reported = proved(rent, 1, 'processing');
  const callFor = (entry: string): BridgeCall => ({ bridge: 'bank', action: 'prepare', entry });
  const calls = [[callFor(entryOf(rent))], [callFor(entryOf(fee))]];
  const thread = { status: 'processing', isManual: false, intents: [[], []] } as const;
  const { writes, unchanged } = await writesOf(ledger, {
    scope: 'main',
    moment: '2026-06-01T00:00:00.000Z',
    transition: { thread, steps: [], effects: [], calls },
    members: [
      {
        previous: rent,
        record: reported.record,
        steps: reported.steps,
        signals: [{ signal: 'intent-proofs-added', change: 2 }],
      },
      { previous: fee, record: fee.record, steps: [], signals: [] },
    ],
  });
  expect(unchanged).toEqual([{ scope: 'main', version: fee }]);
  expect(writes[0]?.signals).toEqual([
    {
      signal: 'intent-proofs-added',
      change: 2,
      calls: [
        callFor(entryOf(rent)),
        { ...callFor(entryOf(fee)), intent: 'fee', intentChange: fee.change },
      ],
    },
  ]);
});

const newLuid = luidMaker();
const newIntent = (handle: string, { everyMs = 0, status = 'completed' }, place: number) => {
  const next = bridged({ handle, status });
  const luid = newLuid('int', Date.UTC(2026, 0) + place * everyMs, 1);
  return [{ next: { ...next, record: { ...next.record, luid } } }];
};
/** The number of new intents, one after the other, that fit beside so many other actions. */
const countThatFits = (
  otherCount: number,
  wish: { readonly everyMs?: number; readonly status?: string },
): number => {
  const takes = roomForIntents();
  let count = 0;
  while (takes(newIntent(`pay-${count}`, wish, count), otherCount)) count += 1;
  return count;
};

test.each([
  // One outbox and one list for all of them.
  ['that are made at one time', {}, 40, 58],
  // Each has a list of its own.
  ['that are made at different times', { everyMs: 60_000 }, 40, 29],
  // Each has a marker.
  ['that wait', { status: 'processing' }, 40, 29],
  ['beside nothing else', {}, 0, 98],
  ['beside too much', {}, 100, 0],
])('a transaction takes intents %s', (_, wish, otherCount, count) => {
  expect(countThatFits(otherCount, wish)).toBe(count);
});
