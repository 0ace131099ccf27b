/** Goal: a call names another intent of its thread as it stands with the commit. Ruling 55, Decision 136. */
import { expect, test } from 'vitest';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { writesOf } from '../../shared/intent/thread.ts';
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
