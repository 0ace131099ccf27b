/**
 * Goal: the audit believes no capture that nobody decided, and no time that nobody gave, also when the ledger itself has
 * signed it. Rulings 87 to 89.
 */
import { describe, expect, test } from 'vitest';
import { checkCaptured } from '../../shared/audit/captured.ts';
import { checkExpiry } from '../../shared/audit/intent.ts';
import { checkTimes } from '../../shared/audit/times.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { created, proofBy } from '../fixture/version.ts';

const claim = { action: 'transfer', source: 'a', target: 'b', symbol: 'usd', amount: 50 };
const subject = { scope: 'main', kind: 'intent', handle: 'hold' } as const;

/** An intent with these statements, each by its author (`ann-signer`) or by the ledger. */
function intent(
  words: readonly (readonly [by: 'ann-signer' | 'system', custom: object])[],
  config?: object,
): Version {
  const version = created('intent', 'hold', { claims: [claim], ...(config && { config }) });
  const { record } = version;
  const proofs = words.map(([by, custom]) => proofBy(by, record.hash, { ...custom } as never));
  return { ...version, record: { ...record, meta: { ...record.meta, proofs, status: 'pending' } } };
}

const facts = (found: Iterable<{ readonly fact: string }>) => [...found].map(({ fact }) => fact);

describe('a capture', () => {
  const other = 'The ledger states another capture than its decision.';
  const audited = (capture: unknown, captured: unknown) =>
    facts(
      checkCaptured(
        intent([
          ['ann-signer', { status: 'committed', ...(capture !== undefined && { capture }) }],
          ['system', { status: 'committed', ...(captured !== undefined && { captured }) }],
        ]),
        subject,
      ),
    );
  const part = (amount: unknown, number: unknown = 0) => [{ claim: number, amount }];

  test.each<[string, unknown, unknown]>([
    ['of a part', part(20), part(20)],
    ['of the whole', part(50), undefined],
    ['of nothing that is named', undefined, undefined],
    ['that had no meaning in an earlier release', 'all of it', undefined],
  ])('%s is as it was decided', (_, capture, captured) => {
    expect(audited(capture, captured)).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    ['of more than was decided', part(20), part(30)],
    ['that was decided and is not stated', part(20), undefined],
    ['that nobody decided', undefined, part(20)],
    ['of more than was held', part(60), part(60)],
    ['of a claim that there is not', part(1, 7), part(1, 7)],
    ['that is none', part(20), 'much'],
  ])('%s is found', (_, capture, captured) => {
    expect(audited(capture, captured)).toEqual([other]);
  });
});

describe('the times of an intent', () => {
  const at = (hour: number) => `2026-06-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const pending = { luid: '$int.1', status: 'pending', moment: at(1), expiry: at(9) };
  const audited = (words: Parameters<typeof intent>[0], config?: object) =>
    facts(checkTimes(intent(words, config), subject));
  const extended = (expiry: unknown) => ({ status: 'extended', expiry, moment: at(2) });
  const notBefore = at(5);
  const later = { ...pending, notBefore };

  test('are right when the author gave them, and extended them', () => {
    expect(audited([['system', pending]])).toEqual([]);
    expect(
      audited(
        [
          ['system', { ...later, expiry: at(9) }],
          ['ann-signer', extended('2026-06-01T10:00:00Z')],
          ['system', extended(at(10))],
          ['system', { status: 'due', moment: at(5) }],
          ['system', { status: 'prepared', moment: at(6) }],
        ],
        { notBefore, expiry: at(9) },
      ),
    ).toEqual([]);
  });

  test('are others than the author gave', () => {
    const other = 'The ledger states other times than the intent.';
    expect(audited([['system', later]])).toEqual([other]);
    expect(audited([['system', pending]], { notBefore })).toEqual([other]);
    expect(audited([['system', pending]], { expiry: at(8) })).toEqual([other]);
    const odd = 'The times of the intent cannot be read.';
    expect(audited([['system', pending]], { expiry: 7 })).toEqual([odd]);
  });

  test('did not keep it from taking effect before', () => {
    const early: Parameters<typeof audited>[0] = [
      ['system', later],
      ['system', { status: 'prepared', moment: at(4) }],
    ];
    expect(audited(early, { notBefore })).toEqual(['The intent took effect before its moment.']);
  });

  test.each<[string, Parameters<typeof intent>[0]]>([
    ['by nobody', [['system', extended(at(10))]]],
    [
      'to another moment',
      [
        ['ann-signer', extended(at(11))],
        ['system', extended(at(10))],
      ],
    ],
    [
      'to an earlier moment',
      [
        ['ann-signer', extended(at(8))],
        ['system', extended(at(8))],
      ],
    ],
  ])('were extended %s', (_, words) => {
    expect(audited([['system', pending], ...words])).toEqual([
      'Nobody extended the intent as the ledger states.',
    ]);
  });

  test('have come, and nobody begins it', () => {
    const head = intent([['system', later]], { notBefore });
    const history = { kind: 'intent', head: { version: head }, pasts: [] } as never;
    const found = (hour: number) => facts(checkExpiry(history, Date.parse(at(hour))));
    expect(found(5)).toEqual([]);
    expect(found(6)).toEqual(['The moment of the intent has passed, and nobody begins it.']);
  });
});
