/** Goal: which calls are still wanted, at any moment of an intent. Rulings 55 to 57, Decision 55. */
import { describe, expect, test } from 'vitest';
import type { CallAction } from '../../shared/ledger/call.ts';
import { callStateOf } from '../../shared/ledger/call-state.ts';
import { bridged, entryOf, type IntentWish } from '../fixture/bridged.ts';

const expiry = '2026-06-01T01:00:00.000Z';
const before = '2026-06-01T00:59:59.999Z';

/** How a call about the only entry of an intent stands: how it ends, or for how long it goes on. */
function standing(
  action: CallAction,
  status: string,
  reported: readonly string[] = [],
  {
    isAsked = false,
    moment = before,
    ...wish
  }: { isAsked?: boolean; moment?: string } & IntentWish = {},
): string {
  const intent = bridged({ expiry, status, entries: [{ schema: 'debit', reported }], ...wish });
  const entry = entryOf(intent);
  const found = callStateOf({ action, entry, isRepeatRequested: isAsked }, intent, moment);
  if (!found.end)
    return `${found.isEndless ? 'endless' : 'on schedule'} ${found.until ?? ''}`.trim();
  return `${found.end.status}: ${found.end.statement['detail']}`;
}

describe('a prepare', () => {
  test('goes on while its intent is undecided, and until its expiry', () => {
    expect(standing('prepare', 'processing')).toBe(`endless ${expiry}`);
    expect(standing('prepare', 'processing', [], { moment: expiry })).toBe(
      'cancelled: Given up at expiry.',
    );
  });

  test.each(['failed', 'aborted', 'rejected'])('is given up when its intent is %s', (status) => {
    expect(standing('prepare', status)).toBe(`cancelled: Given up: the intent is ${status}.`);
    const words = [{ status: 'failed', reason: 'core.intent-expired' }];
    expect(standing('prepare', status, [], { words })).toBe('cancelled: Given up at expiry.');
  });

  test('is over once its bridge has reported, unless somebody asked for it again', () => {
    expect(standing('prepare', 'processing', ['prepared'])).toBe(
      'delivered: The bridge has reported prepared.',
    );
    expect(standing('prepare', 'rejected', ['failed', 'aborted'])).toBe(
      'delivered: The bridge has reported failed.',
    );
    expect(standing('prepare', 'processing', ['prepared'], { isAsked: true })).toBe(
      `endless ${expiry}`,
    );
    expect(standing('prepare', 'committed', ['prepared'], { isAsked: true })).toBe(
      'cancelled: Given up: the intent is committed.',
    );
  });

  test('of an intent that has no expiry goes on', () => {
    const intent = bridged({ entries: [{ schema: 'debit' }] });
    const { meta } = intent.record;
    const record = { ...intent.record, meta: { ...meta, proofs: meta.proofs.slice(2) } };
    const wish = { action: 'prepare', entry: entryOf(intent), isRepeatRequested: false } as const;
    expect(callStateOf(wish, { ...intent, record, accepted: [] }, before)).toEqual({
      isEndless: true,
    });
  });

  test('of what a bridge does not do is over, and an abort is made on schedule', () => {
    const words = [{ status: 'failed', reason: 'core.bridge-unsupported-operation' }];
    const intent = bridged({ status: 'rejected', entries: [{ schema: 'debit' }] });
    const entry = entryOf(intent);
    const { record } = bridged({
      entries: [{ schema: 'debit', handle: entry }],
      words: words.map((word) => ({ ...word, handle: entry })),
    });
    const accepted = [record.meta.proofs.length - 1];
    const abort = { action: 'abort', entry, isRepeatRequested: false } as const;
    expect(callStateOf(abort, { ...intent, record, accepted }, before)).toEqual({
      isEndless: false,
    });
    for (const isAsked of [false, true])
      expect(
        callStateOf(
          { action: 'prepare', entry, isRepeatRequested: isAsked },
          { ...intent, record, accepted },
          before,
        ),
      ).toMatchObject({ end: { status: 'cancelled' } });
  });
});

describe('what was decided', () => {
  test.each([
    ['commit', 'committed', ['prepared'], 'endless'],
    [
      'commit',
      'committed',
      ['prepared', 'committed'],
      'delivered: The bridge has reported committed.',
    ],
    [
      'commit',
      'completed',
      ['prepared', 'committed'],
      'delivered: The bridge has reported committed.',
    ],
    ['abort', 'aborted', [], 'endless'],
    ['abort', 'aborted', ['prepared'], 'endless'],
    ['abort', 'aborted', ['prepared', 'aborted'], 'delivered: The bridge has reported aborted.'],
    ['abort', 'rejected', ['failed'], 'on schedule'],
    ['abort', 'rejected', ['failed', 'aborted'], 'delivered: The bridge has reported aborted.'],
  ] as const)(
    'a %s of an intent that is %s, reported %j: %s',
    (action, status, reported, expected) => {
      expect(standing(action, status, reported)).toBe(expected);
      expect(standing(action, status, reported, { moment: '2030-01-01T00:00:00.000Z' })).toBe(
        expected,
      );
    },
  );

  test('is asked for again on demand, on schedule', () => {
    const isAsked = true;
    expect(standing('commit', 'completed', ['prepared', 'committed'], { isAsked })).toBe(
      'on schedule',
    );
    expect(standing('abort', 'rejected', ['aborted'], { isAsked })).toBe('on schedule');
    expect(standing('commit', 'committed', ['prepared'], { isAsked })).toBe('endless');
  });
});

test('of an entry that is not at a bridge nothing was reported', () => {
  const wish = { action: 'commit', entry: 'deb_0', isRepeatRequested: false } as const;
  expect(callStateOf(wish, bridged({ status: 'committed' }), before)).toEqual({ isEndless: true });
});

test('a status is always told, on schedule', () => {
  expect(standing('status', 'completed')).toBe('on schedule');
  expect(standing('status', 'pending')).toBe('on schedule');
});
