/** Goal: what a change of an intent says of its entries at bridges, at every step of their lives. Ruling 78, Decision 78. */
import { describe, expect, test } from 'vitest';
import type { BridgeCall, CallAction } from '../../shared/ledger/call.ts';
import { entryNewsOf } from '../../shared/ledger/entry-signals.ts';
import { bridged, entryOf, type IntentWish } from '../fixture/bridged.ts';

/** What is said of the one entry of an intent, without what is always the same. */
function newsOf(wish: IntentWish, ...actions: readonly CallAction[]) {
  const intent = bridged(wish);
  const entry = entryOf(intent);
  const calls = actions.map((action): BridgeCall => ({ bridge: 'bank', action, entry }));
  return entryNewsOf(intent, calls).map(({ signal, change, status, ...of }) => {
    expect(of).toEqual({ entry, bridge: 'bank' });
    return [signal.replace('bridge-entry-', ''), change, status];
  });
}

const with_ = (status: string, ...reported: readonly string[]): IntentWish => ({
  status,
  entries: [{ schema: 'debit', reported }],
});

describe('what an intent says of its entry', () => {
  test.each([
    ['asked for', with_('processing'), ['prepare'], [['created', 1, 'pending']]],
    ['prepared', with_('processing', 'prepared'), [], [['proofs-added', 2, 'prepared']]],
    ['refused', with_('processing', 'failed'), [], [['proofs-added', 2, 'failed']]],
    [
      'committed by its bridge',
      with_('committed', 'prepared', 'committed'),
      [],
      [['proofs-added', 4, 'committed']],
    ],
    [
      'undone after it was prepared',
      with_('aborted', 'prepared', 'aborted'),
      [],
      [['proofs-added', 4, 'aborted']],
    ],
    [
      'undone without a word before',
      with_('aborted', 'aborted'),
      [],
      [['proofs-added', 3, 'aborted']],
    ],
  ] as const)('%s', (_what, wish, actions, news) => {
    expect(newsOf(wish, ...actions)).toEqual(news);
  });

  test('once it is decided, after the words of the ledger', () => {
    const words = (status: string) => [{ status, moment: '2026-02-01T00:00:00.000Z' }];
    const decided = (status: string, ...reported: readonly string[]) => ({
      ...with_(status, ...reported),
      words: words(status),
    });
    expect(newsOf(decided('committed', 'prepared'), 'commit')).toEqual([
      ['updated', 3, 'committing'],
    ]);
    expect(newsOf(decided('aborted', 'prepared'), 'abort')).toEqual([['updated', 3, 'aborting']]);
    expect(newsOf(decided('aborted'), 'abort')).toEqual([['updated', 2, 'aborting']]);
  });

  test('first what was reported, then what is asked of others for it', () => {
    const intent = bridged({
      entries: [
        { schema: 'debit', reported: ['prepared'] },
        { schema: 'credit', bridge: 'other' },
      ],
    });
    const calls = [
      { bridge: 'other', action: 'prepare', entry: entryOf(intent, 1) },
      { bridge: 'bank', action: 'prepare', entry: 'cre_1', intent: 'fee', intentChange: 4 },
      { bridge: 'bank', action: 'status' },
    ] as const;
    expect(entryNewsOf(intent, calls)).toEqual([
      {
        signal: 'bridge-entry-proofs-added',
        ...{ entry: entryOf(intent), bridge: 'bank', change: 2, status: 'prepared' },
      },
      {
        signal: 'bridge-entry-created',
        ...{ entry: entryOf(intent, 1), bridge: 'other', change: 1, status: 'pending' },
      },
      {
        signal: 'bridge-entry-created',
        ...{ entry: 'cre_1', bridge: 'bank', intent: 'fee', intentChange: 4 },
        ...{ change: 1, status: 'pending' },
      },
    ]);
  });
});

test('an intent of which nothing was accepted says nothing', () => {
  const { record } = bridged(with_('processing', 'prepared'));
  expect(entryNewsOf({ record })).toEqual([]);
  expect(entryNewsOf(bridged(with_('processing')))).toEqual([]);
});
