/** Every key says what its item is, and keys sort as their items should. */
import { describe, expect, test } from 'vitest';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import {
  asideKeyOf,
  assetKeyOf,
  attemptsKeyOf,
  auditKeyOf,
  balanceKeyOf,
  bookBlockKeyOf,
  bookKeyOf,
  changeKeyOf,
  clientKeyOf,
  deliveryKeyOf,
  drawingKeysOf,
  dueKeyOf,
  dueRangeOf,
  dueShardCount,
  eventKeyOf,
  expiryKeyOf,
  headKeyOf,
  holderKeyOf,
  importKeyOf,
  indexKeyOf,
  indexKeysOf,
  itemOf,
  listedBookKeyOf,
  listKeyOf,
  listPartitionOf,
  monitorKeyOf,
  oldReplayGuardKeyOf,
  outboxKeyOf,
  outboxPlaceOf,
  outboxShardCount,
  ownEventKeyOf,
  placesPartitionOf,
  pointerKeyOf,
  publishedKeyOf,
  refersKeyOf,
  refersKeysOf,
  refersShardCount,
  replayGuardKeyOf,
  rulebookKeyOf,
  secretKeyOf,
  secretsKeyOf,
  shardOf,
  termPartitionOf,
  textOf,
  totalSkOf,
  usageKeyOf,
  usedKeyOf,
  wholeBooksKeyOf,
  workKeyOf,
} from '../../shared/store/keys.ts';
import {
  created,
  newLuid,
  proved,
  publicNamed,
  revised,
  transferred,
  waiting,
} from '../fixture/version.ts';

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
const pending = waiting('later', dueMs);
const publicKey = publicNamed('ada');
const book = { scope, wallet: handle, symbol: 'usd' };
const supply = { scope, symbol: 'usd' };
const bookPlace = `-P73z51J${luid}#2000`;
const factor = created('signer-factor', 'phone', { signer: 'ann' });
const link = created('circle-signer', 'ann', { circle: 'staff' });
const anchor = created('anchor', '555', { wallet: handle });

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
      replayGuardKeyOf(scope, kind, { digest, public: publicKey }),
      { item: 'seal', scope, kind, digest, public: publicKey },
    ],
    [
      replayGuardKeyOf(scope, kind, { digest, public: publicKey, custom: { moment: 'now' } }),
      { item: 'seal', scope, digest, public: publicKey },
    ],
    [holderKeyOf(scope, publicKey), { item: 'holder', scope, public: publicKey }],
    [secretKeyOf(scope), { item: 'secret', scope }],
    [importKeyOf(scope), { item: 'import', scope }],
    [auditKeyOf(scope), { item: 'audit', scope }],
    [secretsKeyOf(scope, luid), { item: 'secrets', scope, luid }],
    [clientKeyOf(scope, 'abc-_'), { item: 'client', scope, id: 'abc-_' }],
    [assetKeyOf(scope, luid, 'csv', 12), { item: 'asset', scope, luid, asset: 'csv', number: 12 }],
    [workKeyOf(scope, luid, dueMs), { item: 'work', scope, luid, dueMs }],
    [
      expiryKeyOf(scope, pending) ?? { pk: '', sk: '' },
      { item: 'expiry', scope, luid: pending.record.luid, dueMs },
    ],
    [rulebookKeyOf(scope), { item: 'rulebook', scope }],
    [bookKeyOf(book), { item: 'book', ...book }],
    [bookKeyOf(supply), { item: 'book', ...supply }],
    [
      { ...bookKeyOf(book), sk: bookPlace },
      { item: 'entry', ...book, place: bookPlace, luid },
    ],
    [bookBlockKeyOf({ ...bookKeyOf(book), sk: bookPlace }, 'a-hash'), { item: 'entries', ...book }],
    [
      { ...bookKeyOf(supply), sk: totalSkOf(bookPlace) },
      { item: 'totals', ...supply, place: bookPlace },
    ],
    [listedBookKeyOf(book), { item: 'listed-book', ...book }],
    [listedBookKeyOf(supply), { item: 'listed-book', ...supply }],
    [listedBookKeyOf(book, 64), { item: 'listed-book', ...book }],
    [listedBookKeyOf(supply, 64), { item: 'listed-book', ...supply }],
    [monitorKeyOf(scope, luid), { item: 'monitor', scope, luid }],
    [wholeBooksKeyOf(scope), { item: 'books', scope }],
    [refersKeyOf(scope, { kind, handle }, luid), { item: 'refers', scope, kind, handle }],
    [
      headKeyOf(scope, 'signer-factor', 'ann/phone'),
      { item: 'head', scope, kind: 'signer-factor', handle: 'ann/phone' },
    ],
    [
      pointerKeyOf(scope, 'circle-signer', link.record.luid),
      { item: 'pointer', scope, luid: link.record.luid },
    ],
    [
      listKeyOf(scope, factor),
      { item: 'list', scope, kind: 'signer-factor', luid: factor.record.luid },
    ],
    [
      listKeyOf(scope, link),
      { item: 'list', scope, kind: 'circle-signer', luid: link.record.luid },
    ],
    [
      indexKeyOf(scope, anchor) ?? { pk: '', sk: '' },
      { item: 'index', scope, kind: 'anchor', value: handle, luid: anchor.record.luid },
    ],
    [usedKeyOf(scope, 'abc'), { item: 'used', scope, name: 'abc' }],
    [
      attemptsKeyOf({ scope, who: 'abc', startMs: dueMs }),
      { item: 'attempts', scope, who: 'abc', startMs: dueMs },
    ],
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
    [
      indexKeysOf(scope, wallet)[0] ?? { pk: '', sk: '' },
      { item: 'mention', scope, kind: 'wallet', luid, change: 1 },
    ],
    [asideKeyOf(scope, outboxKeyOf(scope, wallet).sk), { item: 'aside', scope, luid, change: 1 }],
    [publishedKeyOf(scope, 3), { item: 'told', scope, shard: 3 }],
    [
      { pk: placesPartitionOf(scope, luid), sk: 'abc' },
      { item: 'places', scope },
    ],
    [publishedKeyOf(scope, 9), { item: 'told', scope, shard: 9 }],
    [deliveryKeyOf(delivery), { item: 'delivery', ...delivery }],
    [deliveryKeyOf({ ...delivery, spread: 0 }), { item: 'delivery', ...delivery }],
    [deliveryKeyOf({ ...delivery, spread: 9 }), { item: 'delivery', ...delivery, spread: 9 }],
    [ownEventKeyOf(delivery), { item: 'event', scope, luid: delivery.luid }],
    [
      eventKeyOf({ scope, event: 'evt_0', name: 'n' }),
      { item: 'brought', scope, event: 'evt_0', name: 'n' },
    ],
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
    ['acme#term#nothing##meta.status#created', indexKeysOf(scope, wallet)[0]?.sk ?? ''],
    ['acme#due#1', dueKeyOf(delivery, dueMs).sk],
    ['acme#work', workKeyOf(scope, luid, dueMs).sk],
    ['acme#expiry#1', expiryKeyOf(scope, pending)?.sk ?? ''],
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

test('what belongs to another record is listed with what else belongs to it', () => {
  const partitionOf = (version: Version) => listKeyOf(scope, version).pk;
  const other = created('signer-factor', 'phone', { signer: 'bob' });
  const second = created('signer-factor', 'tablet', { signer: 'ann' });
  expect(partitionOf(second)).toBe(partitionOf(factor));
  expect(partitionOf(other)).not.toBe(partitionOf(factor));
  expect(partitionOf(factor)).toBe(listPartitionOf(scope, 'signer-factor', 'ann'));
  expect(partitionOf(revised(factor, { handle: 'mobile' }))).toBe(partitionOf(factor));
});

test('who refers to a record is counted in one place, and many in all', () => {
  const named = { kind, handle };
  const drawing = drawingKeysOf(scope, named).map(textOf);
  const all = refersKeysOf(scope, named).map(textOf);
  expect(new Set(all).size).toBe(refersShardCount + drawing.length);
  const keys = Array.from({ length: 200 }, () => refersKeyOf(scope, named, newLuid('anc')));
  expect(new Set([...keys.map(textOf), ...drawing])).toEqual(new Set(all));
  expect(refersKeyOf(scope, named, luid)).toEqual(refersKeyOf(scope, named, luid));
  expect(new Set(keys.map(({ pk }) => pk))).toEqual(new Set([headKeyOf(scope, kind, handle).pk]));
});

test('which wallets a wallet pays for is counted apart from its anchors', () => {
  const named = { kind: 'wallet', handle: 'alice' } as const;
  const [apart, ...more] = drawingKeysOf(scope, named);
  expect(more).toEqual([]);
  const wallets = Array.from({ length: 20 }, () => refersKeyOf(scope, named, newLuid('wlt')));
  for (const key of wallets) expect(key).toEqual(apart);
  const anchors = Array.from({ length: 200 }, () => refersKeyOf(scope, named, newLuid('anc')));
  for (const key of anchors) expect(key).not.toEqual(apart);
  const bank = { kind: 'bridge', handle: 'bank' } as const;
  expect(drawingKeysOf(scope, bank)).toEqual([]);
  expect(refersKeysOf(scope, bank)).toHaveLength(refersShardCount);
});

test('a dated proof is remembered in one place for all kinds, any other in one for each', () => {
  const names = Object.keys(kinds) as Kind[];
  const placesOf = (custom: Readonly<Record<string, unknown>>) =>
    new Set(
      names.map((name) => replayGuardKeyOf(scope, name, { digest, public: publicKey, custom }).pk),
    );
  expect(placesOf({ moment: 'now' }).size).toBe(1);
  expect(placesOf({ moment: 5 }).size).toBe(names.length);
  const inUpperCase = { digest: digest.toUpperCase(), public: publicKey };
  expect(replayGuardKeyOf(scope, kind, inUpperCase)).toEqual(
    oldReplayGuardKeyOf(scope, kind, inUpperCase),
  );
  expect(placesOf({})).toContain(oldReplayGuardKeyOf(scope, kind, inUpperCase).pk);
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

describe('the partition of a term', () => {
  const termAt = (value: string, field = 'word') =>
    termPartitionOf({ scope: 'acme', kind: 'wallet', within: 'w' }, { field, value });

  test('is named by the term where that can be part of a key', () => {
    expect(termAt('alice@bank.com')).toBe('acme#term#wallet#w#word#alice@bank.com');
    expect(termAt('x'.repeat(200))).toBe(`acme#term#wallet#w#word#${'x'.repeat(200)}`);
  });

  test.each(['', 'a#b', 'a b', '\u00e9', 'x'.repeat(201), '~x', '\n'])(
    'is named by a hash where %j cannot',
    (value) => {
      expect(termAt(value)).toMatch(/^acme#term#wallet#w#word#~[-\w]{43}$/);
      expect(termAt('x', value)).toMatch(/^acme#term#wallet#w#~[-\w]{43}#x$/);
      expect(termAt(value)).toBe(termAt(value));
      expect(termAt(value)).not.toBe(termAt(`${value}x`));
      expect(
        itemOf(termAt(value), indexKeysOf('acme', created('wallet', 'a'))[0]?.sk ?? ''),
      ).toMatchObject({
        item: 'mention',
      });
    },
  );
});
