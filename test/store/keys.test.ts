/** Every key says what its item is, and keys sort as their items should. */
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../shared/ledger/kind.ts';
import {
  asideKeyOf,
  balanceKeyOf,
  changeKeyOf,
  deliveryKeyOf,
  dueKeyOf,
  dueRangeOf,
  dueShardCount,
  eventKeyOf,
  headKeyOf,
  holderKeyOf,
  indexKeyOf,
  itemOf,
  listKeyOf,
  outboxKeyOf,
  outboxPlaceOf,
  outboxShardCount,
  pointerKeyOf,
  sealKeyOf,
  secretKeyOf,
  shardOf,
  toldKeyOf,
  usageKeyOf,
} from '../../shared/store/keys.ts';
import { created, newLuid, proved, publicNamed, revised, transferred } from '../fixture/version.ts';

const scope = 'acme/eu:1';
const wallet = created('wallet', 'ach:alice@bank.io');
const intent = transferred('pay');
const { luid } = wallet.record;
const handle = 'ach:alice@bank.io';
const kind: Kind = 'wallet';
const digest = 'ab'.repeat(32);
const effect = created('effect', 'hook', { signal: 'wallet-created' });
const delivery = { scope, subject: effect.record.luid, luid: newLuid('evd') };
const dueMs = Date.parse('2026-03-01T12:34:56.789Z');
const publicKey = publicNamed('ada');

describe('an item is told by its key', () => {
  test.each([
    [headKeyOf(scope, kind, handle), { item: 'head', scope, kind, handle }],
    [headKeyOf('', 'ledger', scope), { item: 'head', scope: '', kind: 'ledger', handle: scope }],
    [usageKeyOf(scope, kind, handle), { item: 'usage', scope, kind, handle }],
    [balanceKeyOf(scope, handle, 'usd'), { item: 'balance', scope, wallet: handle, symbol: 'usd' }],
    [pointerKeyOf(scope, kind, luid), { item: 'pointer', scope, luid }],
    [
      pointerKeyOf(scope, 'intent', intent.record.luid),
      { item: 'list', scope, kind: 'intent', luid: intent.record.luid },
    ],
    [listKeyOf(scope, wallet), { item: 'list', scope, kind, luid }],
    [changeKeyOf(scope, luid, 42), { item: 'change', scope, luid, change: 42 }],
    [
      sealKeyOf(scope, kind, { digest, public: publicKey }),
      { item: 'seal', scope, kind, digest, public: publicKey },
    ],
    [holderKeyOf(scope, publicKey), { item: 'holder', scope, public: publicKey }],
    [secretKeyOf(scope), { item: 'secret', scope }],
    [
      indexKeyOf(scope, effect) ?? { pk: '', sk: '' },
      {
        item: 'index',
        scope,
        kind: 'effect',
        value: 'wallet-created',
        luid: effect.record.luid,
      },
    ],
    [asideKeyOf(scope, outboxKeyOf(scope, wallet).sk), { item: 'aside', scope, luid, change: 1 }],
    [toldKeyOf(scope, 3), { item: 'told', scope, shard: 3 }],
    [deliveryKeyOf(delivery), { item: 'delivery', ...delivery }],
    [eventKeyOf(delivery), { item: 'event', scope, luid: delivery.luid }],
    [dueKeyOf(delivery, dueMs), { item: 'due', ...delivery, dueMs }],
    [outboxKeyOf(scope, wallet), { item: 'outbox', scope, shard: shardOf(luid), luid, change: 1 }],
  ])('%o', ({ pk, sk }, name) => {
    expect(itemOf(pk, sk)).toEqual(name);
  });

  test.each([
    ['acme#nothing#x', '#'],
    ['acme#wallet#alice', 'other'],
    ['acme#signer#ada', 'balance#usd'],
    ['acme#luid#$wlt.x', 'other'],
    ['acme#list#nothing', 'x'],
    ['acme#seal#nothing#x#y', '#'],
    ['acme#index#nothing#signal#x', '$eff.x'],
    ['acme#index#effect#handle#x', '$eff.x'],
    ['acme#index#wallet#signal#x', '$wlt.x'],
    ['acme#due#1', dueKeyOf(delivery, dueMs).sk],
  ])('%s %s is none of ours', (pk, sk) => {
    expect(itemOf(pk, sk)).toBeUndefined();
  });
});

test('a list sorts by the time of the data, and an intent stays in its place', () => {
  const later = created('wallet', 'bob');
  expect(listKeyOf(scope, wallet).sk < listKeyOf(scope, later).sk).toBe(true);
  expect(listKeyOf(scope, revised(wallet)).sk > listKeyOf(scope, later).sk).toBe(true);
  expect(listKeyOf(scope, proved(wallet))).toEqual(listKeyOf(scope, wallet));
  const { luid: intentLuid } = intent.record;
  expect(listKeyOf(scope, intent)).toEqual(pointerKeyOf(scope, 'intent', intentLuid));
});

test('changes sort by their number', () => {
  const numbers = [1, 9, 10, 99, 100_000, 9_999_999_999];
  const sks = numbers.map((change) => changeKeyOf(scope, luid, change).sk);
  expect(sks.toSorted()).toEqual(sks);
});

test('the outbox of a record lies in one shard, those of many in all', () => {
  const shards = Array.from({ length: 200 }, () => shardOf(newLuid('int')));
  expect(new Set(shards).size).toBe(outboxShardCount);
  const next = proved(wallet, 2);
  const [first, second] = [outboxKeyOf(scope, wallet), outboxKeyOf(scope, next)];
  expect(second.pk).toBe(first.pk);
  expect(second.sk > first.sk).toBe(true);
});

test('the place of an outbox entry tells the moment of its last change', () => {
  const next = proved(wallet, 2);
  const { sk } = outboxKeyOf(scope, next);
  const momentMs = Date.parse(next.steps[1]?.moment ?? '');
  expect(outboxPlaceOf(sk)).toEqual({ momentMs, luid, change: 3 });
});

test('only kinds that are found by a member are in an index, while they have it', () => {
  expect(indexKeyOf(scope, wallet)).toBeUndefined();
  expect(indexKeyOf(scope, created('effect', 'none'))).toBeUndefined();
  expect(indexKeyOf(scope, revised(effect, { handle: 'other' }))).toEqual(
    indexKeyOf(scope, effect),
  );
});

test('markers lie in their range from the millisecond in which they are due', () => {
  const isIn = (nowMs: number) => {
    const { pk, sk } = dueKeyOf(delivery, dueMs);
    const shards = Array.from({ length: dueShardCount }, (_, shard) => dueRangeOf(shard, nowMs));
    return shards.some((range) => range.pk === pk && range.from <= sk && sk <= range.to);
  };
  expect([dueMs - 1, dueMs, dueMs + 1].map(isIn)).toEqual([false, true, true]);
});
