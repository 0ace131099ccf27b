/** Four eyes on money: a quorum is met by different signers, and never by those alone who made the intent. Ruling 93 */
import { describe, expect, test } from 'vitest';
import {
  type IntentStatus,
  isSeenByOthers,
  namesKeys,
  type Vote,
  votesFor,
} from '../../shared/ledger/four-eyes.ts';

/**
 * `ann` is a signer, `ann/2` the same by another key, `?k` a key of nobody. `+` marks a maker, `-` a proof that does not
 * agree, and `bob=ann` a key of bob that was of ann when the proof was stored.
 */
const voteOf = (text: string): Vote => {
  const isMaker = text.startsWith('+');
  const agrees = !text.startsWith('-');
  const [name = '', formerly] = text.replace(/^[+-]/, '').split('=');
  const [handle = '', key = '1'] = name.split('/');
  const known = handle.startsWith('?') ? {} : { handle };
  const facts = {
    public: `${handle} ${key}`,
    circles: new Set<string>(),
    owns: new Set<'record'>(),
  };
  return { principal: { ...known, ...facts }, formerly, isMaker, agrees };
};
/** `a|b` means those of these names, `*` everyone, `?k` that very key. */
const testOf = (text: string) => ({
  namesKeys: text.startsWith('?'),
  isMeant: ({ handle, public: key }: Vote['principal']) =>
    text === '*' || text.split('|').some((name) => name === handle || key === `${name} 1`),
});
const listOf = (text: string) => text.split(' ').filter((part) => part !== '');

test.each<[quorum: string, votes: string, expected: boolean]>([
  ['', '+ann', true],
  ['ann', '', false],
  ['ann', '+bob', false],
  ['ann', '+bob ann', true],
  ['ann', '+ann bob', true],
  ['ann', '+ann', false],
  ['ann', '+ann ann/2', false],
  ['ann', '+ann +bob', true],
  ['ann', '+ann -bob', false],
  ['ann', '+bob -ann', false],
  ['ann', '+ann +?k', false],
  ['ann', '+?k ann', true],
  ['ann bob', '+ann bob', true],
  ['ann ann', '+ann ann/2', false],
  ['* *', '+ann ann/2', false],
  ['* *', '+ann bob', true],
  ['* *', '+?k ?j', false],
  ['?k ?j', '+?k ?j', true],
  ['?k', '+?k', false],
  ['?k', '+ann ?k', true],
  // A key that moved on to another signer is of both.
  ['* *', '+ann bob=ann', false],
  ['* *', '+ann ?k=ann', false],
  ['* *', '+ann bob=ann cat', true],
  ['bob cat', 'bob cat=bob', false],
  // The key of one joins two that were apart.
  ['* *', '+ann/2 bob/2 ann=bob', false],
  ['* * *', '+ann bob bob/2', false],
])('[%s] by [%s]: %s', (quorum, votes, expected) => {
  const seen = isSeenByOthers(listOf(quorum).map(testOf), listOf(votes).map(voteOf));
  expect(seen).toBe(expected);
});

describe('a proof', () => {
  const principal = { handle: 'ann', public: 'k', circles: new Set<string>(), owns: new Set() };
  const votes = (status: IntentStatus, proof: object) =>
    votesFor(
      status,
      { proofs: [{ public: 'k', ...proof }], owners: ['k'] } as never,
      () => principal as Vote['principal'],
    ).map(({ agrees, formerly, isMaker }) => [agrees, formerly, isMaker]);
  const origin = 'key-pair';

  test.each<[says: string, custom: object | undefined, moves: boolean, givesUp: boolean]>([
    ['nothing', undefined, true, false],
    ['that it consents', { status: 'committed' }, true, false],
    ['that it does not', { status: 'rejected' }, false, false],
    ['that it gives up', { status: 'aborted' }, false, true],
    ['what a bridge reports', { handle: 'deb_1', status: 'prepared' }, false, false],
    ['what a bridge reports in the end', { handle: 'deb_1', status: 'aborted' }, false, false],
    ['something of a handle', { handle: 'note' }, false, false],
  ])('that says %s is a vote of its maker', (_, custom, moves, givesUp) => {
    const proof = { origin, signer: 'ann', custom };
    expect(votes('committed', proof)).toEqual([[moves, 'ann', true]]);
    expect(votes('prepared', proof)).toEqual([[moves, 'ann', true]]);
    expect(votes('aborted', proof)).toEqual([[givesUp, 'ann', true]]);
  });

  test('is of a maker where its key owns the intent, by itself or by a key that has handed over to it', () => {
    const meta = { proofs: [{ public: 'k', origin }], owners: ['former'] } as never;
    const isMaker = (owns: readonly 'record'[]) =>
      votesFor(
        'committed',
        meta,
        () => ({ owns: new Set(owns) }) as unknown as Vote['principal'],
      )[0]?.isMaker;
    expect([isMaker(['record']), isMaker([])]).toEqual([true, false]);
  });

  test('of the ledger is no vote', () => {
    expect(votes('committed', { custom: { status: 'pending' } })).toEqual([]);
  });
});

describe('a matcher names its keys', () => {
  test.each([
    [{ public: 'k' }, true],
    [{ public: { $in: ['k'] } }, true],
    [{ public: { $eq: 'k' } }, true],
    [{ $ledger: 'owner' }, true],
    [{ $in: [{ public: 'k' }, { public: 'j' }] }, true],
    [{ $in: [{ public: 'k' }, { handle: 'ann' }] }, false],
    [{ public: { $exists: true } }, false],
    [{ public: { $ne: 'k' } }, false],
    [{ $record: 'owner' }, false],
    [{ handle: 'ann' }, false],
    [{}, false],
  ] as const)('%j: %s', (matcher, expected) => {
    expect(namesKeys(matcher)).toBe(expected);
  });
});
