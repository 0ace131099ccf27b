import { describe, expect, test } from 'vitest';
import { type Entry, entriesOf } from '../../shared/ledger/balance.ts';
import {
  advancesOf,
  bridgedIn,
  consentsIn,
  dueOf,
  entriesOfResolved,
  expiryOf,
  extendedOf,
  finalStatuses,
  isAhead,
  isOfTimes,
  isPending,
  notBeforeOf,
  pendingOf,
  reservedAtOf,
  resolvedOf,
  statedExpiryOf,
  statusSince,
  stepsOf,
  threadOf,
  unsupportedOf,
  waitsLong,
  watchedFrom,
} from '../../shared/ledger/intent.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import type { Proof } from '../../shared/shape/proof.ts';

const moment = '2024-01-01T00:00:00.000Z';
const luid = '$int.1';
const claims: readonly Claim[] = [
  { action: 'issue', target: 'alice', symbol: 'usd', amount: 100 },
  { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 40 },
  { action: 'destroy', source: 'bob', symbol: 'usd', amount: Number.MAX_SAFE_INTEGER },
];
const refusal = { reason: 'core.insufficient-balance', detail: 'Too little.' } as const;
const happy = ['prepared', 'committed', 'completed'];
const sad = ['failed', 'aborted', 'rejected'];

/** Entry handles that count up, whatever the schema. */
function counted(): (schema: 'debit' | 'credit') => string {
  let count = 0;
  return (schema) => {
    count += 1;
    return `${schema === 'debit' ? 'deb' : 'cre'}_${count}`;
  };
}
const resolved = resolvedOf(claims.flatMap(entriesOf), counted());
const saidOf = (statuses: readonly string[]) => [
  pendingOf(luid, moment),
  ...advancesOf({ statuses, moment, resolved, failure: refusal }),
];

describe('an intent that settles', () => {
  const advances = saidOf(happy);

  test('is pending, prepared, committed and completed', () => {
    expect(advances.map(({ status }) => status)).toEqual([
      'pending',
      'prepared',
      'committed',
      'completed',
    ]);
  });

  test('is resolved entry by entry before it is prepared, debit before credit', () => {
    const common = { symbol: 'usd', status: 'resolved', moment };
    const max = Number.MAX_SAFE_INTEGER;
    expect(advances.map(({ statements: words }) => words)).toEqual([
      [{ luid, status: 'pending', moment }],
      [
        { ...common, handle: 'cre_1', schema: 'credit', wallet: 'alice', amount: 100, inputs: [0] },
        { ...common, handle: 'deb_2', schema: 'debit', wallet: 'alice', amount: 40, inputs: [1] },
        { ...common, handle: 'cre_3', schema: 'credit', wallet: 'bob', amount: 40, inputs: [1] },
        { ...common, handle: 'deb_4', schema: 'debit', wallet: 'bob', amount: max, inputs: [2] },
        { status: 'prepared', moment },
      ],
      [{ status: 'committed', moment }],
      [{ status: 'completed', moment }],
    ]);
  });

  test('has one change for each status, with the proofs that stood after it', () => {
    expect(stepsOf(advances, 2, moment)).toEqual([
      { action: 'create', status: 'pending', moment, proofs: 3 },
      { action: 'update', status: 'prepared', moment, proofs: 8 },
      { action: 'update', status: 'committed', moment, proofs: 9 },
      { action: 'update', status: 'completed', moment, proofs: 10 },
    ]);
  });
});

describe('an intent that is refused', () => {
  const advances = saidOf(sad);

  test('is pending, failed with the reason, aborted and rejected', () => {
    expect(advances).toEqual([
      { status: 'pending', statements: [{ luid, status: 'pending', moment }] },
      {
        status: 'failed',
        statements: [
          { status: 'failed', moment, reason: 'core.insufficient-balance', detail: 'Too little.' },
        ],
      },
      { status: 'aborted', statements: [{ status: 'aborted', moment }] },
      { status: 'rejected', statements: [{ status: 'rejected', moment }] },
    ]);
  });

  test('has one change for each status', () => {
    expect(stepsOf(advances, 1, moment).map(({ proofs }) => proofs)).toEqual([2, 3, 4, 5]);
  });
});

test.each([
  ['settles', happy],
  ['is refused', sad],
])('an intent that %s reaches exactly one final status, and it is the last', (_, course) => {
  const statuses = saidOf(course).map(({ status }) => status);
  const finals: readonly string[] = finalStatuses;
  expect(statuses.filter((status) => finals.includes(status))).toEqual([statuses.at(-1)]);
});

/** A proof that says so; the ledger's own have no origin. */
function proofOf(custom?: Proof['custom'], origin?: 'key-pair'): Proof {
  return {
    ...{ method: 'ed25519-v2', public: 'key', digest: 'digest', result: 'result' },
    ...(custom && { custom }),
    ...(origin && { origin }),
  } as Proof;
}

describe('an intent that waits', () => {
  const expiry = '2024-01-01T01:00:00.000Z';
  const recordOf = (status: string, ...proofs: readonly Proof[]) =>
    ({
      luid,
      hash: '',
      data: { handle: 'i' },
      meta: { proofs, status, moment, owners: [] },
    }) as LedgerRecord;
  const { statements: words } = pendingOf(luid, moment, expiry);
  const waiting = recordOf('pending', proofOf(words[0]));

  test('is told until when', () => {
    expect(words).toEqual([{ luid, status: 'pending', moment, expiry }]);
    expect([isPending(waiting), expiryOf(waiting)]).toEqual([true, expiry]);
  });

  test('does not when its status says otherwise', () => {
    const ended = { ...waiting, meta: { ...waiting.meta, status: 'completed' } };
    expect([isPending(ended), expiryOf(ended)]).toEqual([false, undefined]);
  });

  test('is told so by the ledger alone', () => {
    const claimed = { status: 'pending', expiry: '2999-01-01T00:00:00.000Z' };
    expect(expiryOf(recordOf('pending', proofOf(claimed, 'key-pair'), proofOf()))).toBeUndefined();
    const both = recordOf('pending', proofOf(claimed, 'key-pair'), proofOf(words[0]));
    expect(expiryOf(both)).toBe(expiry);
  });

  describe('for its moment', () => {
    const notBefore = '2024-01-01T00:30:00.000Z';
    const { statements } = pendingOf(luid, moment, expiry, notBefore);
    const first = proofOf(statements[0]);
    const due = proofOf(dueOf(moment).statements[0]);
    const later = '2024-01-02T00:00:00.000Z';
    const advance = extendedOf('prepared', later, moment);

    test('is looked at then, and at its expiry once that was done', () => {
      const ahead = recordOf('pending', first, proofOf({ status: 'due' }, 'key-pair'));
      expect([notBeforeOf(ahead), isAhead(ahead)]).toEqual([notBefore, true]);
      expect([watchedFrom(ahead), expiryOf(ahead)]).toEqual([notBefore, expiry]);
      expect(dueOf(moment)).toEqual({ status: 'pending', statements: [{ status: 'due', moment }] });
      for (const record of [recordOf('pending', first, due), recordOf('prepared', first)])
        expect([isAhead(record), watchedFrom(record)]).toEqual([false, expiry]);
      expect(isAhead(waiting)).toBe(false);
      const isLater = threadOf([
        {
          record: { ...ahead, data: { ...ahead.data, config: { notBefore } } },
        } as unknown as Version,
      ]).isLater;
      expect(isLater).toBe(true);
    });

    test('and expires at the last expiry that the ledger stated, and at no other', () => {
      expect(advance).toEqual({
        status: 'prepared',
        statements: [{ status: 'extended', expiry: later, moment }],
      });
      const extended = proofOf(advance.statements[0]);
      const wished = proofOf(
        { status: 'extended', expiry: '2999-01-01T00:00:00.000Z' },
        'key-pair',
      );
      const record = recordOf('prepared', first, wished, extended, wished);
      expect([statedExpiryOf(record), expiryOf(record), watchedFrom(record)]).toEqual([
        later,
        later,
        later,
      ]);
      expect(watchedFrom(recordOf('completed', first, extended))).toBeUndefined();
    });

    test('may wait for long with times of its own, or once it was extended', () => {
      const given = (config?: object) => {
        const record = recordOf('pending', first);
        return { ...record, data: { ...record.data, ...(config && { config }) } } as LedgerRecord;
      };
      const long = [
        given({ notBefore }),
        given({ expiry }),
        recordOf('prepared', proofOf(advance.statements[0])),
      ];
      expect(long.map(waitsLong)).toEqual([true, true, true]);
      expect([given(), given({ commit: 'manual' })].map(waitsLong)).toEqual([false, false]);
    });

    test('states its times apart from its statuses', () => {
      const words = [dueOf(moment), advance].flatMap((one) => one.statements);
      expect(words.map(isOfTimes)).toEqual([true, true]);
      const others = [{ status: 'pending' }, { status: 'extended', handle: 'deb_1' }];
      expect(others.map(isOfTimes)).toEqual([false, false]);
    });
  });

  test('has its status since the last word of another one', () => {
    const says = (status: string, handle?: string) =>
      proofOf({ status, ...(handle !== undefined && { handle }) });
    const proofs = [says('pending'), proofOf(), says('processing'), says('prepared', 'deb_1')];
    const since = (status: string, ...more: readonly Proof[]) =>
      statusSince(recordOf(status, ...proofs, ...more));
    expect(since('processing')).toBe(1);
    expect(since('processing', says('processing'), proofOf())).toBe(1);
    expect(since('pending')).toBe(3);
    expect(since('pending', says('pending'))).toBe(3);
    expect(since('processing', says('pending'), says('processing'))).toBe(5);
    expect(statusSince(recordOf('pending', proofOf()))).toBe(0);
  });

  test('was reserved with the first status that reserves, by the word of the ledger', () => {
    const saying = (status: string, when: string, origin?: 'key-pair') =>
      proofOf({ status, moment: when }, origin);
    const proofs = [
      saying('processing', 'a', 'key-pair'),
      saying('resolved', 'b'),
      saying('processing', 'c'),
      saying('prepared', 'd'),
    ];
    expect(reservedAtOf(recordOf('prepared', ...proofs))).toBe('c');
    expect(reservedAtOf(recordOf('completed', ...proofs.slice(3)))).toBe('d');
    expect(reservedAtOf(waiting)).toBeUndefined();
  });

  test('goes on by updates alone', () => {
    const advances = advancesOf({ statuses: happy, moment, resolved });
    const steps = stepsOf(advances, 3, moment, 'update');
    expect(steps.map(({ action, proofs }) => [action, proofs])).toEqual([
      ['update', 8],
      ['update', 9],
      ['update', 10],
    ]);
  });
});

test('who signs that an intent is to end does not want it, and the ledger wants nothing', () => {
  const says = (status?: unknown) => proofOf({ moment, status }, 'key-pair');
  const consents = [proofOf(undefined, 'key-pair'), says('created'), says('odd'), says(7)];
  const others = [
    says('failed'),
    says('aborted'),
    says('rejected'),
    says('extended'),
    proofOf({ status: 'pending' }),
  ];
  expect(consentsIn([...others, ...consents])).toEqual(consents);
});

test('what a bridge does not do is said by the ledger, and by nobody else', () => {
  const word = unsupportedOf('deb_1', 'Not here.', moment);
  expect(word).toEqual({
    ...{ handle: 'deb_1', status: 'failed', moment, detail: 'Not here.' },
    reason: 'core.bridge-unsupported-operation',
  });
  const resolved = { handle: 'deb_1', schema: 'debit', bridge: 'bank', status: 'resolved' };
  const versionOf = (proof: Proof) =>
    ({
      record: { meta: { proofs: [proofOf(resolved), proof] } },
      accepted: [1],
    }) as unknown as Version;
  const reportedIn = (proof: Proof) => bridgedIn(versionOf(proof))[0]?.reported;
  expect(reportedIn(proofOf(word))).toEqual(['unsupported']);
  expect(reportedIn(proofOf(word, 'key-pair'))).toEqual(['failed']);
});

test('resolved entries move balances as the entries did', () => {
  const [debit, credit] = entriesOf(claims[1] as Claim, 1) as [Entry, Entry];
  const entries = [{ ...debit, bridge: 'bank' }, credit];
  expect(entriesOfResolved(resolvedOf(entries, counted()))).toEqual(entries);
});
