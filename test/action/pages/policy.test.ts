/**
 * Goal: where a policy applies, a record has no status and no label but by the proofs that the policy asks for. Rulings
 * 66, 75 and 77, Decisions 28 and 29.
 */
import { describe, test } from 'vitest';
import { check } from '../../fixture/ledger-page.ts';

const records = `
  symbol usd
  wallet alice
  wallet bob
`;

test('without a policy anybody says anything', () =>
  check(`${records}
    wallet alice odd by eve               odd
    labels alice vip by eve               vip
  `));

test('a policy is about its kind of records alone', () =>
  check(`${records}
    policy wallet status active
    wallet alice odd by eve               record.status-policy-violation
    symbol usd odd by eve                 odd
    labels alice vip by eve               vip
  `));

test('a policy for any kind is about all', () =>
  check(`${records}
    policy any status active
    wallet alice odd by eve               record.status-policy-violation
    symbol usd odd by eve                 record.status-policy-violation
    symbol usd active by eve              active
  `));

describe('a status', () => {
  test('that no value of the policy allows is refused, whoever asks', () =>
    check(`${records}
      policy wallet status active by ann, frozen by bob
      wallet alice odd by ann             record.status-policy-violation
      wallet alice odd by alice           record.status-policy-violation
    `));

  test('is brought by whom its value names; the proof of another is kept without effect', () =>
    check(`${records}
      policy wallet status active by ann, frozen by bob
      wallet alice active by bob          created
      wallet alice active by alice        created
      wallet alice active by ann          active
      wallet alice frozen by ann          active
      wallet alice frozen by bob          frozen
    `));

  test('of two is brought by both, in any order', () =>
    check(`${records}
      policy wallet status active by ann and bob
      wallet alice active by ann          created
      wallet alice active by ann          created
      wallet alice active by bob          active
      wallet bob active by bob            created
      wallet bob active by ann            active
    `));

  test('of any two is not brought by one', () =>
    check(`${records}
      policy wallet status active by everyone and everyone
      wallet alice active by ann          created
      wallet alice active by ann          created
      wallet alice active by bob          active
    `));

  test('takes new proofs each time: those that brought it count no more', () =>
    check(`${records}
      policy wallet status active by ann and bob, frozen by ann
      wallet alice active by ann          created
      wallet alice active by bob          active
      wallet alice frozen by ann          frozen
      wallet alice active by bob          frozen
      wallet alice active by ann          active
    `));

  test('of two values takes one of them', () =>
    check(`${records}
      policy wallet status active by ann and bob, active by cat
      wallet alice active by ann          created
      wallet bob active by cat            active
      wallet alice active by bob          active
    `));

  test('of an intent is the ledger’s', () =>
    check(`${records}
      policy any status active
      issue alice 5 usd                   completed
      balance alice                       5 usd
    `));
});

describe('a label', () => {
  test('that no value of the policy allows is refused', () =>
    check(`${records}
      policy wallet labels vip, old by ann
      labels alice odd by ann             record.labels-policy-violation
      labels alice vip by eve             vip
    `));

  test('is brought by whom its value names', () =>
    check(`${records}
      policy wallet labels vip, old by ann
      labels alice old by eve             none
      labels alice old by ann             old
      labels alice vip by eve             old, vip
    `));

  test('that one record alone may have is given to one', () =>
    check(`${records}
      policy wallet labels one first
      labels alice first by eve           first
      labels bob first by eve             record.labels-policy-violation
      labels alice first by eve           first
    `));
});

test('a policy that is inactive asks nothing, until it is active again', () =>
  check(`${records}
    policy wallet status active
    wallet alice odd by eve               record.status-policy-violation
    policy wallet-status inactive by owner   inactive
    wallet alice odd by eve               odd
    policy wallet-status active by owner  active
    wallet bob odd by eve                 record.status-policy-violation
  `));
