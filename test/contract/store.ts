/**
 * The contract of a store, as tests that any implementation passes: `test/store` runs them against
 * memory and against DynamoDB. Each test has a ledger of its own, so they may share a table.
 */
import { describe, expect, test } from 'vitest';
import { luidMaker } from '../../shared/crypto/luid.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Balance, Commit, Move, Store } from '../../shared/port/ports.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import {
  commitOf,
  created,
  dropped,
  handedOver,
  newLuid,
  newToken,
  nextMs,
  openingOf,
  proofBy,
  proved,
  publicNamed,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';

const scopeLuidOf = luidMaker();

/** A ledger that no other test uses. */
export function newScope(): string {
  return `ledger-${scopeLuidOf('ldg', nextMs()).slice(5)}`;
}

/** Makes two wallets and a symbol, with this balance in each wallet. */
export async function walletsWith(store: Store, scope: string, available: bigint) {
  const [alice, bob, usd] = await storedOf(store, scope, [
    created('wallet', 'alice'),
    created('wallet', 'bob'),
    created('symbol', 'usd'),
  ]);
  await store.open([openingOf(scope, alice, usd), openingOf(scope, bob, usd)]);
  const given = available > 0n ? [moveOf(scope, alice, available, 0n)] : [];
  expect(await store.commit(movesOf(scope, given))).toEqual([]);
  return { alice, bob, usd };
}

/** A move of the dollar balance of a wallet. */
export function moveOf(scope: string, wallet: Version, amount: bigint, needs = -amount): Move {
  const { luid, data } = wallet.record;
  return {
    scope,
    wallet: data.handle,
    walletLuid: luid,
    symbol: 'usd',
    amount,
    needs,
    statedMs: nextMs(),
  };
}

/** A commit of an intent that makes these moves. */
export function movesOf(scope: string, moves: readonly Move[]): Commit {
  const intent = transferred(newLuid('int').slice(5));
  return { token: newToken(), writes: [writeOf(scope, intent)], moves };
}

async function storedOf<const Versions extends readonly Version[]>(
  store: Store,
  scope: string,
  versions: Versions,
): Promise<Versions> {
  for (const version of versions) {
    expect(await store.commit(commitOf(writeOf(scope, version)))).toEqual([]);
  }
  return versions;
}

async function headOf(store: Store, scope: string, version: Version) {
  const { kind, record } = version;
  const [found] = await store.load([{ what: 'record', scope, kind, handle: record.data.handle }]);
  return found;
}

async function pointerOf(store: Store, scope: string, version: Version) {
  const { kind, record } = version;
  const [found] = await store.load([{ what: 'pointer', scope, kind, luid: record.luid }]);
  return found;
}

async function availableOf(store: Store, scope: string, wallet: Version) {
  const { handle } = wallet.record.data;
  const [found] = await store.load([{ what: 'balance', scope, wallet: handle, symbol: 'usd' }]);
  return found?.available;
}

/** Runs the contract against the store that is there once the tests run. */
export function describeStore(name: string, storeNow: () => Store): void {
  describeRecords(name, storeNow);
  describeHistories(name, storeNow);
  describeLists(name, storeNow);
  describeKeys(name, storeNow);
  describeBalances(name, storeNow);
  describeEnds(name, storeNow);
}

function describeRecords(name: string, storeNow: () => Store): void {
  describe(`records in ${name}`, () => {
    test.each([
      created('signer', 'ada', { public: publicNamed('ada') }),
      created('symbol', 'usd', { factor: 100 }),
      created('wallet', 'ach:alice@bank.io', { custom: { name: 'Ålîçe 💶', none: null } }),
      transferred('t-1'),
    ])('a created $kind is found by its handle and by its luid', async (version) => {
      const [store, scope] = [storeNow(), newScope()];
      await storedOf(store, scope, [version]);
      const { kind, record } = version;
      expect(await headOf(store, scope, version)).toEqual(version);
      expect(await pointerOf(store, scope, version)).toEqual({
        kind,
        luid: record.luid,
        handle: record.data.handle,
      });
    });

    test('a ledger is kept by the server, outside of any ledger', async () => {
      const store = storeNow();
      const ledger = created('ledger', newScope());
      await storedOf(store, '', [ledger]);
      expect(await headOf(store, '', ledger)).toEqual(ledger);
    });

    test('what is not there is not found, and the order of wants is kept', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [ada] = await storedOf(store, scope, [created('signer', 'ada')]);
      const wanted = { what: 'record', scope, kind: 'signer', handle: 'ada' } as const;
      const found = await store.load([
        { what: 'record', scope, kind: 'wallet', handle: 'ada' },
        wanted,
        { what: 'pointer', scope, kind: 'intent', luid: '$int.unknown' },
        { what: 'pointer', scope, kind: 'wallet', luid: ada.record.luid },
        { what: 'balance', scope, wallet: 'ada', symbol: 'usd' },
        { what: 'holder', scope, public: publicNamed('ada') },
        { what: 'secret', scope },
        wanted,
        { what: 'record', scope, kind: 'signer', handle: 'x'.repeat(5000) },
        { what: 'pointer', scope, kind: 'intent', luid: '' },
      ]);
      const nothing = undefined;
      expect(found).toEqual([
        nothing,
        ada,
        nothing,
        nothing,
        nothing,
        nothing,
        nothing,
        ada,
        nothing,
        nothing,
      ]);
      expect(await store.load([])).toEqual([]);
    });

    test('a taken handle stops a create, and nothing of the commit is stored', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [ada] = await storedOf(store, scope, [created('signer', 'ada')]);
      const [other, bystander] = [created('signer', 'ada'), created('signer', 'eve')];
      const commit = commitOf(writeOf(scope, bystander), writeOf(scope, other));
      expect(await store.commit(commit)).toEqual([{ what: 'handle', write: 1 }]);
      expect(await headOf(store, scope, other)).toEqual(ada);
      expect(await pointerOf(store, scope, other)).toBeUndefined();
      expect(await headOf(store, scope, bystander)).toBeUndefined();
      expect(await store.list(scope, 'signer', { index: 0, limit: 10 })).toEqual([ada]);
    });

    test('an update takes the place of the version that was read, and of no other', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const [second, rival] = [revised(first, { custom: { n: 1 } }), revised(first)];
      expect(await store.commit(commitOf(writeOf(scope, second, first)))).toEqual([]);
      expect(await store.commit(commitOf(writeOf(scope, rival, first)))).toEqual([
        { what: 'stale', write: 0 },
      ]);
      expect(await headOf(store, scope, first)).toEqual(second);
    });

    test('an update of a record that never was is stale', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const first = created('wallet', 'alice');
      const commit = commitOf(writeOf(scope, revised(first), first));
      expect(await store.commit(commit)).toEqual([{ what: 'stale', write: 0 }]);
    });

    test('of many commits on one version exactly one is stored', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const rivals = Array.from({ length: 20 }, (_, n) => revised(first, { custom: { n } }));
      const outcomes = await Promise.all(
        rivals.map((next) => store.commit(commitOf(writeOf(scope, next, first)))),
      );
      const winners = rivals.filter((_, index) => outcomes[index]?.length === 0);
      expect(winners).toHaveLength(1);
      expect(await headOf(store, scope, first)).toEqual(winners[0]);
    });

    test('a renamed record is found by its new handle, and the old one is free', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const alicia = revised(alice, { handle: 'alicia' });
      expect(await store.commit(commitOf(writeOf(scope, alicia, alice)))).toEqual([]);
      expect(await headOf(store, scope, alice)).toBeUndefined();
      expect(await headOf(store, scope, alicia)).toEqual(alicia);
      expect(await pointerOf(store, scope, alice)).toMatchObject({ handle: 'alicia' });
      await storedOf(store, scope, [created('wallet', 'alice')]);
    });

    test('a record cannot take the handle of another one, nor change a stale version', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice, bob] = await storedOf(store, scope, [
        created('wallet', 'alice'),
        created('wallet', 'bob'),
      ]);
      const toBob = writeOf(scope, revised(alice, { handle: 'bob' }), alice);
      expect(await store.commit(commitOf(toBob))).toEqual([{ what: 'handle', write: 0 }]);
      const newer = revised(alice);
      await store.commit(commitOf(writeOf(scope, newer, alice)));
      const toCarol = writeOf(scope, revised(alice, { handle: 'carol' }), alice);
      expect(await store.commit(commitOf(toCarol))).toEqual([{ what: 'stale', write: 0 }]);
      expect(await headOf(store, scope, alice)).toEqual(newer);
      expect(await headOf(store, scope, bob)).toEqual(bob);
    });

    test('nothing of one ledger is seen through another', async () => {
      const store = storeNow();
      const [one, other] = [newScope(), newScope()];
      const { alice, usd } = await walletsWith(store, one, 5n);
      const wallet = { scope: other, kind: 'wallet', handle: 'alice' } as const;
      expect(
        await store.load([
          { what: 'record', ...wallet },
          { what: 'pointer', scope: other, kind: 'wallet', luid: alice.record.luid },
          { what: 'balance', scope: other, wallet: 'alice', symbol: 'usd' },
        ]),
      ).toEqual([undefined, undefined, undefined]);
      expect(await store.list(other, 'wallet', { index: 0, limit: 10 })).toEqual([]);
      expect(await store.balances(other, 'alice')).toEqual([]);
      expect(await store.past(other, alice.record.luid, 1, 10)).toEqual([]);
      expect(await store.open([openingOf(other, alice, usd)])).toBe(false);
      await storedOf(store, other, [created('wallet', 'alice')]);
    });

    test('the store can be reached', async () => {
      expect(await storeNow().isReachable()).toBe(true);
    });
  });
}

function describeHistories(name: string, storeNow: () => Store): void {
  describe(`histories in ${name}`, () => {
    test('superseded versions are found by the changes that they hold', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const second = proved(first, 3);
      const third = revised(second);
      const fourth = proved(third, 2);
      for (const [next, previous] of [
        [second, first],
        [third, second],
        [fourth, third],
      ] as const) {
        expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
      }
      const { luid } = first.record;
      // The changes are: 1 | 2 3 4 | 5 | and 6 7, which are current.
      expect(await store.past(scope, luid, 1, 1)).toEqual([first]);
      expect(await store.past(scope, luid, 1, 2)).toEqual([first, second]);
      expect(await store.past(scope, luid, 3, 3)).toEqual([second]);
      expect(await store.past(scope, luid, 4, 5)).toEqual([second, third]);
      expect(await store.past(scope, luid, 5, 100)).toEqual([third]);
      expect(await store.past(scope, luid, 6, 7)).toEqual([]);
      expect(await store.past(scope, luid, 1, Number.MAX_SAFE_INTEGER)).toHaveLength(3);
      expect(await store.past(scope, luid, 2, 1)).toEqual([]);
    });

    test('an intent that moves on by proofs keeps its history and its pointer', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('intent', 'pay')]);
      const second = proved(first, 2, 'completed');
      expect(await store.commit(commitOf(writeOf(scope, second, first)))).toEqual([]);
      expect(await store.past(scope, first.record.luid, 1, 9)).toEqual([first]);
      expect(await headOf(store, scope, first)).toEqual(second);
      expect(await pointerOf(store, scope, first)).toMatchObject({ handle: 'pay' });
    });

    test('a dropped record frees its handle, and keeps its luid and its history', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const second = proved(first);
      const last = dropped(second);
      await store.commit(commitOf(writeOf(scope, second, first)));
      expect(await store.commit(commitOf(writeOf(scope, last, second)))).toEqual([]);
      expect(await headOf(store, scope, first)).toBeUndefined();
      expect(await store.list(scope, 'wallet', { index: 0, limit: 10 })).toEqual([]);
      expect(await pointerOf(store, scope, first)).toEqual({
        kind: 'wallet',
        luid: first.record.luid,
        handle: 'alice',
        dropped: 3,
      });
      const [heir] = await storedOf(store, scope, [created('wallet', 'alice')]);
      expect(await headOf(store, scope, heir)).toEqual(heir);
      expect(await store.past(scope, first.record.luid, 1, 9)).toEqual([first, second, last]);
      expect(await store.past(scope, first.record.luid, 3, 3)).toEqual([last]);
    });

    test('a dropped record is dropped once', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const outcomes = await Promise.all(
        [dropped(first), dropped(first)].map((last) =>
          store.commit(commitOf(writeOf(scope, last, first))),
        ),
      );
      expect(outcomes.filter((obstacles) => obstacles.length === 0)).toHaveLength(1);
      expect(outcomes.flat()).toEqual([{ what: 'stale', write: 0 }]);
    });

    test('a creating proof is accepted once, even after the record has ended', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const first = created('wallet', 'alice');
      const { luid, hash, meta } = first.record;
      const write = { ...writeOf(scope, first), replayGuards: meta.proofs };
      expect(await store.commit(commitOf(write))).toEqual([]);
      const again = { ...writeOf(scope, created('wallet', 'alice')), replayGuards: meta.proofs };
      expect(await store.commit(commitOf(again))).toEqual([
        { what: 'handle', write: 0 },
        { what: 'replayed', write: 0, luid, hash },
      ]);
      await store.commit(commitOf(writeOf(scope, dropped(first), first)));
      const replayed = [{ what: 'replayed', write: 0, luid, hash }];
      expect(await store.commit(commitOf(again))).toEqual(replayed);
      const inUpperCase = meta.proofs.map((proof) => ({
        ...proof,
        digest: proof.digest.toUpperCase(),
      }));
      expect(await store.commit(commitOf({ ...again, replayGuards: inUpperCase }))).toEqual(
        replayed,
      );
      const anew = [proofBy('owner', hash, { moment: 'later' })];
      expect(await store.commit(commitOf({ ...again, replayGuards: [...anew, ...anew] }))).toEqual(
        [],
      );
    });

    test('a dated proof makes one record of any kind, an undated one makes one of each', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const madeBy = (kind: Kind, seals: readonly Proof[]) => {
        const write = { ...writeOf(scope, created(kind, newLuid('any'))), replayGuards: seals };
        return { write, made: store.commit(commitOf(write)) };
      };
      const { hash } = created('wallet', 'alice').record;
      const [dated, undated] = [proofBy('owner', hash, { moment: 'now' }), proofBy('owner', hash)];
      const first = madeBy('wallet', [dated, undated]);
      expect(await first.made).toEqual([]);
      const { luid, hash: firstHash } = first.write.next.record;
      const replayed = [{ what: 'replayed', write: 0, luid, hash: firstHash }];
      expect(await madeBy('circle', [dated]).made).toEqual(replayed);
      expect(await madeBy('circle', [undated, dated]).made).toEqual(replayed);
      expect(await madeBy('wallet', [undated]).made).toEqual(replayed);
      expect(await madeBy('circle', [undated]).made).toEqual([]);
    });
  });
}

function describeLists(name: string, storeNow: () => Store): void {
  describe(`lists in ${name}`, () => {
    test('records come newest first, page by page, beyond one batch', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const all = Array.from({ length: 230 }, (_, index) => created('wallet', `w${index}`));
      await Promise.all(all.map((version) => store.commit(commitOf(writeOf(scope, version)))));
      const newest = all.toReversed();
      const page = (index: number, limit: number) => store.list(scope, 'wallet', { index, limit });
      expect(await page(0, 100)).toEqual(newest.slice(0, 100));
      expect(await page(1, 100)).toEqual(newest.slice(100, 200));
      expect(await page(2, 100)).toEqual(newest.slice(200));
      expect(await page(3, 100)).toEqual([]);
      expect(await page(7, 7)).toEqual(newest.slice(49, 56));
      expect(await store.list(scope, 'signer', { index: 0, limit: 10 })).toEqual([]);
    });

    test('new data moves a record to the front, a mere proof does not', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [one, two] = await storedOf(store, scope, [
        created('wallet', 'one'),
        created('wallet', 'two'),
        created('wallet', 'three'),
      ]);
      const [newOne, provedTwo] = [revised(one, { handle: 'uno' }), proved(two)];
      await store.commit(commitOf(writeOf(scope, newOne, one), writeOf(scope, provedTwo, two)));
      const listed = await store.list(scope, 'wallet', { index: 0, limit: 10 });
      expect(listed.map(({ record }) => record.data.handle)).toEqual(['uno', 'three', 'two']);
      expect(listed[0]).toEqual(newOne);
      expect(listed[2]).toEqual(provedTwo);
    });

    test('an intent is found by its luid even when the clock was set back', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [before, intent] = [transferred('before'), transferred('late')];
      const meta = { ...intent.record.meta, moment: '2020-01-01T00:00:00.000Z' };
      const late = { ...intent, record: { ...intent.record, meta } };
      const after = transferred('after');
      await storedOf(store, scope, [after, before, late]);
      expect(await pointerOf(store, scope, late)).toMatchObject({ handle: 'late' });
      const listed = await store.list(scope, 'intent', { index: 0, limit: 9 });
      expect(listed).toEqual([after, late, before]);
    });

    test('intents stay in the order of their creation', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [one, two] = await storedOf(store, scope, [transferred('one'), transferred('two')]);
      const next = proved(one);
      await store.commit(commitOf(writeOf(scope, next, one)));
      expect(await store.list(scope, 'intent', { index: 0, limit: 10 })).toEqual([two, next]);
    });
  });
}

function describeKeys(name: string, storeNow: () => Store): void {
  describe(`keys in ${name}`, () => {
    const [key, newKey] = [publicNamed('k'), publicNamed('k2')];
    const holderOf = async (store: Store, scope: string, publicKey: string) =>
      (await store.load([{ what: 'holder', scope, public: publicKey }]))[0]?.signer;

    test('a key belongs to one signer of a ledger', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ada = { ...writeOf(scope, created('signer', 'ada')), holds: [key, key] };
      expect(await store.commit(commitOf(ada))).toEqual([]);
      expect(await holderOf(store, scope, key)).toBe('ada');
      const eve = { ...writeOf(scope, created('signer', 'eve')), holds: [newKey, key] };
      expect(await store.commit(commitOf(eve))).toEqual([{ what: 'holder', write: 0 }]);
      expect(await holderOf(store, scope, newKey)).toBeUndefined();
      expect(await holderOf(store, newScope(), key)).toBeUndefined();
    });

    test('a signer changes keys, and the old one is free for others', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ada = created('signer', 'ada');
      await store.commit(commitOf({ ...writeOf(scope, ada), holds: [key] }));
      const next = revised(ada);
      const change = { ...writeOf(scope, next, ada), holds: [newKey], releases: [key] };
      expect(await store.commit(commitOf(change))).toEqual([]);
      const eve = { ...writeOf(scope, created('signer', 'eve')), holds: [key] };
      expect(await store.commit(commitOf(eve))).toEqual([]);
      const again = { ...writeOf(scope, revised(next), next), releases: [key] };
      expect(await store.commit(commitOf(again))).toEqual([{ what: 'holder', write: 0 }]);
      expect(await holderOf(store, scope, key)).toBe('eve');
      expect(await holderOf(store, scope, newKey)).toBe('ada');
    });

    test('a key that hands over is kept as such, and no signer takes it again', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const found = async (publicKey: string) =>
        (await store.load([{ what: 'holder', scope, public: publicKey }]))[0];
      const ada = created('signer', 'ada', { public: key, format: 'ed25519-raw' });
      await store.commit(commitOf({ ...writeOf(scope, ada), holds: [key] }));
      const next = handedOver(scope, ada, newKey);
      const change = { ...writeOf(scope, next, ada), holds: [newKey], releases: [key] };
      expect(await store.commit(commitOf(change))).toEqual([]);
      const { luid } = ada.record;
      expect(await found(key)).toEqual({ luid, successor: newKey });
      expect(await found(newKey)).toEqual({ signer: 'ada', luid, predecessors: [key] });
      const taken = [{ what: 'holder', write: 0 }];
      const eve = { ...writeOf(scope, created('signer', 'eve')), holds: [key] };
      expect(await store.commit(commitOf(eve))).toEqual(taken);
      const back = { ...writeOf(scope, revised(next), next), holds: [key] };
      expect(await store.commit(commitOf(back))).toEqual(taken);
      const third = publicNamed('k3');
      const again = handedOver(scope, next, third);
      const onward = { ...writeOf(scope, again, next), holds: [third], releases: [newKey] };
      expect(await store.commit(commitOf(onward))).toEqual([]);
      expect(await found(third)).toEqual({
        ...{ signer: 'ada', luid },
        predecessors: [newKey, key],
      });
      const plain = revised(again, { public: publicNamed('k4') });
      const { predecessors: _, ...meta } = plain.record.meta;
      const last = { ...plain, record: { ...plain.record, meta } };
      const end = { ...writeOf(scope, last, again), holds: [publicNamed('k4')], releases: [third] };
      expect(await store.commit(commitOf(end))).toEqual([]);
      expect(await found(third)).toBeUndefined();
      expect(await found(publicNamed('k4'))).toEqual({ signer: 'ada', luid });
    });

    test('a key that has taken over is kept by its record, and no other one of its signer touches it', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ada = created('signer', 'ada', { public: key, format: 'ed25519-raw' });
      const phone = created('signer-factor', 'phone', { signer: 'ada', public: newKey });
      await store.commit(commitOf({ ...writeOf(scope, ada), holds: [key] }));
      await store.commit(commitOf(writeOf(scope, phone)));
      const next = handedOver(scope, ada, newKey);
      const change = { ...writeOf(scope, next, ada), holds: [newKey], releases: [key] };
      expect(await store.commit(commitOf(change))).toEqual([]);
      // The factor showed the key before, and was decided about before it was taken over.
      const taken = [{ what: 'holder', write: 0 }];
      const late = { ...writeOf(scope, revised(phone), phone), holds: [newKey] };
      expect(await store.commit(commitOf(late))).toEqual(taken);
      const end = { ...writeOf(scope, dropped(phone), phone), releases: [newKey] };
      expect(await store.commit(commitOf(end))).toEqual(taken);
      const again = { ...writeOf(scope, revised(next), next), holds: [newKey] };
      expect(await store.commit(commitOf(again))).toEqual([]);
      const [found] = await store.load([{ what: 'holder', scope, public: newKey }]);
      const { luid } = ada.record;
      expect(found).toEqual({ signer: 'ada', luid, predecessors: [key] });
    });

    test('a key is of one record of its signer, and no other one gives it up', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ada = created('signer', 'ada', { public: key, format: 'ed25519-raw' });
      const phone = created('signer-factor', 'phone', { signer: 'ada', public: key });
      await store.commit(commitOf(writeOf(scope, ada)));
      await store.commit(commitOf(writeOf(scope, phone)));
      const next = revised(ada);
      await store.commit(commitOf({ ...writeOf(scope, next, ada), holds: [key] }));
      const taken = [{ what: 'holder', write: 0 }];
      const noted = { ...writeOf(scope, revised(phone), phone), holds: [key] };
      expect(await store.commit(commitOf(noted))).toEqual(taken);
      const end = { ...writeOf(scope, dropped(phone), phone), releases: [key] };
      expect(await store.commit(commitOf(end))).toEqual(taken);
      const [found] = await store.load([{ what: 'holder', scope, public: key }]);
      expect(found).toEqual({ signer: 'ada', luid: ada.record.luid });
    });

    test('a renamed signer takes its keys along', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ada = created('signer', 'ada');
      await store.commit(commitOf({ ...writeOf(scope, ada), holds: [key] }));
      const write = writeOf(scope, revised(ada, { handle: 'adele' }), ada);
      expect(await store.commit(commitOf({ ...write, holds: [key] }))).toEqual([]);
      expect(await holderOf(store, scope, key)).toBe('adele');
    });

    test('a ledger, its signer and its secret are stored together, once', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const wrapped = Uint8Array.from({ length: 60 }, (_, index) => 255 - index);
      const secret = { scope, public: key, wrapped };
      const make = (): Commit => ({
        token: newToken(),
        writes: [
          writeOf('', created('ledger', scope)),
          { ...writeOf(scope, created('signer', 'system')), holds: [key] },
        ],
        secrets: [secret],
      });
      expect(await store.commit(make())).toEqual([]);
      const [found] = await store.load([{ what: 'secret', scope }]);
      expect(found?.public).toBe(key);
      expect(Uint8Array.from(found?.wrapped ?? [])).toEqual(wrapped);
      expect(await store.commit(make())).toEqual([
        { what: 'handle', write: 0 },
        { what: 'handle', write: 1 },
        { what: 'holder', write: 1 },
      ]);
      const orphan = { ...commitOf(writeOf('', created('ledger', newScope()))), secrets: [secret] };
      expect(await store.commit(orphan)).toEqual([{ what: 'handle', write: 0 }]);
    });

    test('the secret of a ledger is replaced by whoever has read it, and keeps the one before', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(60).fill(byte)) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      const signer = created('signer', 'system');
      const secrets = [{ scope, public: key, wrapped: first }];
      expect(await store.commit({ ...commitOf(writeOf(scope, signer)), secrets })).toEqual([]);
      const next = revised(signer);
      const former = { public: key, wrapped: first, untilMs: nextMs() };
      const rotated = (previous: Version, version: Version, replaces: Uint8Array): Commit => ({
        ...commitOf({ ...writeOf(scope, version, previous), holds: [newKey] }),
        secrets: [{ scope, public: newKey, wrapped: second, former, replaces }],
      });
      expect(await store.commit(rotated(signer, next, first))).toEqual([]);
      const [found] = await store.load([{ what: 'secret', scope }]);
      expect([found?.public, found?.former?.public, found?.former?.untilMs]).toEqual([
        newKey,
        key,
        former.untilMs,
      ]);
      expect([found?.wrapped, found?.former?.wrapped].map((one) => one?.[0])).toEqual([2, 1]);
      const late = await store.commit(rotated(next, revised(next), third));
      expect(late).toEqual([{ what: 'stale', write: 0 }]);
      const [same] = await store.load([{ what: 'secret', scope }]);
      expect(same?.wrapped[0]).toBe(2);
    });
  });
}

function describeBalances(name: string, storeNow: () => Store): void {
  describe(`balances in ${name}`, () => {
    test('opening makes empty balances, once, and leaves those that exist', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob, usd } = await walletsWith(store, scope, 70n);
      const [eur] = await storedOf(store, scope, [created('symbol', 'eur')]);
      const [before] = await store.balances(scope, 'alice');
      const [inUsd, inEur] = [openingOf(scope, alice, usd), openingOf(scope, alice, eur)];
      expect(await store.open([inUsd, inEur, { ...inEur, luid: newLuid('bal') }])).toBe(true);
      expect(await store.open([inUsd, inEur])).toBe(true);
      expect(await store.balances(scope, 'alice')).toEqual([
        {
          luid: inEur.luid,
          wallet: 'alice',
          walletLuid: alice.record.luid,
          symbol: 'eur',
          available: 0n,
          isActive: false,
        },
        before,
      ]);
      expect(before?.available).toBe(70n);
      expect(await store.balances(scope, bob.record.data.handle)).toHaveLength(1);
      expect(await store.open([])).toBe(true);
    });

    test('many balances are opened at once, and each only once by many', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const wallets = Array.from({ length: 45 }, (_, index) => created('wallet', `w${index}`));
      const symbols = Array.from({ length: 45 }, (_, index) => created('symbol', `s${index}`));
      await storedOf(store, scope, [...wallets, ...symbols]);
      const openings = () =>
        wallets.map((wallet, index) => openingOf(scope, wallet, symbols[index] as Version));
      const inFirst = () =>
        symbols.map((symbol) => openingOf(scope, wallets[0] as Version, symbol));
      const calls = [openings(), inFirst(), openings(), inFirst()];
      const opened = await Promise.all(calls.map((one) => store.open(one)));
      expect(opened).toEqual([true, true, true, true]);
      const rows = await store.balances(scope, 'w0');
      expect(rows.map(({ symbol }) => symbol)).toEqual(
        symbols.map(({ record }) => record.data.handle).toSorted(),
      );
      const [first] = wallets as [Version];
      const last = { ...writeOf(scope, dropped(first), first), closes: rows };
      expect(await store.commit(commitOf(last))).toEqual([]);
    });

    test('a balance is opened only for the wallet and the symbol that were named', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      const [carol, eur] = await storedOf(store, scope, [
        created('wallet', 'carol'),
        created('symbol', 'eur'),
      ]);
      const other = newLuid('wlt');
      for (const opening of [
        { ...openingOf(scope, carol, usd), walletLuid: other },
        { ...openingOf(scope, carol, usd), wallet: 'nobody' },
        { ...openingOf(scope, carol, usd), symbolLuid: other },
        { ...openingOf(scope, carol, eur), symbolLuid: other },
        { ...openingOf(scope, carol, eur), symbol: 'nothing' },
        { ...openingOf(scope, alice, usd), walletLuid: other },
      ]) {
        expect(await store.open([opening])).toBe(false);
      }
      expect(await store.balances(scope, 'carol')).toEqual([]);
    });

    test('moves happen together with the record, or not at all', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, 100n);
      const commit = movesOf(scope, [moveOf(scope, bob, 60n, 0n), moveOf(scope, alice, -60n)]);
      expect(await store.commit(commit)).toEqual([]);
      expect(await availableOf(store, scope, alice)).toBe(40n);
      expect(await availableOf(store, scope, bob)).toBe(60n);
      const tooMuch = movesOf(scope, [moveOf(scope, bob, 41n, 0n), moveOf(scope, alice, -41n)]);
      expect(await store.commit(tooMuch)).toEqual([{ what: 'balance', move: 1 }]);
      const [write] = tooMuch.writes;
      expect(write && (await headOf(store, scope, write.next))).toBeUndefined();
      expect(await availableOf(store, scope, bob)).toBe(60n);
      const notCurrent = { ...movesOf(scope, [moveOf(scope, alice, -1n)]), writes: commit.writes };
      expect(await store.commit(notCurrent)).toEqual([{ what: 'handle', write: 0 }]);
      expect(await availableOf(store, scope, alice)).toBe(40n);
    });

    test('what a move needs is a floor of its own', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, 10n);
      const commit = (move: Move) => store.commit(movesOf(scope, [move]));
      expect(await commit(moveOf(scope, alice, 5n, 11n))).toEqual([{ what: 'balance', move: 0 }]);
      expect(await commit(moveOf(scope, alice, 5n, 10n))).toEqual([]);
      expect(await commit(moveOf(scope, bob, -20n, -50n))).toEqual([]);
      expect(await availableOf(store, scope, bob)).toBe(-20n);
      expect(await commit(moveOf(scope, bob, 1n, 0n))).toEqual([{ what: 'balance', move: 0 }]);
      expect(await commit(moveOf(scope, bob, 1n, -20n))).toEqual([]);
    });

    test('a balance that was never opened does not move', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 0n);
      const unknown = { ...moveOf(scope, alice, 1n, 0n), symbol: 'eur' };
      const moves = [moveOf(scope, alice, 1n, 0n), unknown];
      expect(await store.commit(movesOf(scope, moves))).toEqual([{ what: 'balance', move: 1 }]);
    });

    test.each([2n ** 53n + 1n, 10n ** 30n + 1n, 10n ** 37n + 7n])(
      'a balance of %s is exact',
      async (amount) => {
        const [store, scope] = [storeNow(), newScope()];
        const { alice, bob } = await walletsWith(store, scope, amount);
        expect(await availableOf(store, scope, alice)).toBe(amount);
        const tooMuch = moveOf(scope, alice, 0n, amount + 1n);
        expect(await store.commit(movesOf(scope, [tooMuch]))).toHaveLength(1);
        const moves = [moveOf(scope, alice, -amount + 1n), moveOf(scope, bob, amount - 1n, 0n)];
        expect(await store.commit(movesOf(scope, moves))).toEqual([]);
        expect(await availableOf(store, scope, alice)).toBe(1n);
        expect((await store.balances(scope, 'bob'))[0]?.available).toBe(amount - 1n);
      },
    );

    test('a hundred concurrent moves add up', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, bob } = await walletsWith(store, scope, 5050n);
      const amounts = Array.from({ length: 100 }, (_, index) => BigInt(index + 1));
      const outcomes = await Promise.all(
        amounts.map((amount) =>
          store.commit(
            movesOf(scope, [moveOf(scope, alice, -amount), moveOf(scope, bob, amount, 0n)]),
          ),
        ),
      );
      expect(outcomes.flat()).toEqual([]);
      expect(await availableOf(store, scope, alice)).toBe(0n);
      expect(await availableOf(store, scope, bob)).toBe(5050n);
      expect(await store.list(scope, 'intent', { index: 0, limit: 200 })).toHaveLength(101);
    });

    test('concurrent moves never take more than there is', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 7n);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store.commit(movesOf(scope, [moveOf(scope, alice, -1n)]))),
      );
      expect(outcomes.filter((obstacles) => obstacles.length === 0)).toHaveLength(7);
      expect(await availableOf(store, scope, alice)).toBe(0n);
    });
  });
}

function describeEnds(name: string, storeNow: () => Store): void {
  describe(`balances that end in ${name}`, () => {
    test('a wallet with balances and a symbol that is in use keep their handles', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      for (const record of [alice, usd]) {
        const renamed = writeOf(scope, revised(record, { handle: 'other' }), record);
        expect(await store.commit(commitOf(renamed))).toEqual([{ what: 'used', write: 0 }]);
        const revision = writeOf(scope, revised(record), record);
        expect(await store.commit(commitOf(revision))).toEqual([]);
      }
    });

    test('a wallet with balances keeps its bridge, and may get one', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      await storedOf(store, scope, [created('bridge', 'bank'), created('bridge', 'till')]);
      const revise = (next: Version, previous: Version) =>
        store.commit(commitOf(writeOf(scope, next, previous)));
      const banked = revised(alice, { bridge: 'bank' });
      expect(await revise(banked, alice)).toEqual([]);
      for (const data of [{ bridge: 'till' }, { bridge: undefined }, { handle: 'new' }])
        expect(await revise(revised(banked, data), banked)).toEqual([{ what: 'used', write: 0 }]);
      const noted = revised(banked, { bridge: 'bank', custom: { n: 1 } });
      expect(await revise(noted, banked)).toEqual([]);
      const [carol] = await storedOf(store, scope, [
        created('wallet', 'carol', { bridge: 'bank' }),
      ]);
      const moved = revised(carol, { bridge: 'till' });
      expect(await revise(moved, carol)).toEqual([]);
      const free = revised(moved, { bridge: undefined });
      expect(await revise(free, moved)).toEqual([]);
      await store.open([openingOf(scope, carol, usd)]);
      expect(await revise(revised(free, { bridge: 'bank' }), free)).toEqual([]);
    });

    test('a symbol with balances keeps its factor, however new and empty they are', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [usd, alice] = await storedOf(store, scope, [
        created('symbol', 'usd', { factor: 100 }),
        created('wallet', 'alice'),
      ]);
      const revise = (next: Version, previous: Version) =>
        store.commit(commitOf(writeOf(scope, next, previous)));
      const finer = revised(usd, { factor: 1000 });
      expect(await revise(finer, usd)).toEqual([]);
      await store.open([openingOf(scope, alice, finer)]);
      for (const data of [{ factor: 1 }, { factor: 1, handle: 'eur' }])
        expect(await revise(revised(finer, data), finer)).toEqual([{ what: 'used', write: 0 }]);
      const noted = revised(finer, { factor: 1000, custom: { n: 1 } });
      expect(await revise(noted, finer)).toEqual([]);
    });

    test('a wallet ends with its empty balances', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 0n);
      const closes = await store.balances(scope, 'alice');
      expect(closes).toHaveLength(1);
      const last = { ...writeOf(scope, dropped(alice), alice), closes };
      expect(await store.commit(commitOf(last))).toEqual([]);
      expect(await store.balances(scope, 'alice')).toEqual([]);
    });

    test('a wallet does not end while it holds something', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 1n);
      const closes = await store.balances(scope, 'alice');
      const last = { ...writeOf(scope, dropped(alice), alice), closes };
      expect(await store.commit(commitOf(last))).toEqual([{ what: 'closing', write: 0 }]);
      expect(await headOf(store, scope, alice)).toEqual(alice);
    });

    test('a wallet does not end beside a balance that was opened in between', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 0n);
      const closes = await store.balances(scope, 'alice');
      const [eur] = await storedOf(store, scope, [created('symbol', 'eur')]);
      const end = (rows: readonly Balance[]) =>
        store.commit(commitOf({ ...writeOf(scope, dropped(alice), alice), closes: rows }));
      expect(await end([])).toEqual([{ what: 'closing', write: 0 }]);
      await store.open([openingOf(scope, alice, eur)]);
      expect(await end(closes)).toEqual([{ what: 'closing', write: 0 }]);
      expect(await end(await store.balances(scope, 'alice'))).toEqual([]);
      const [carol] = await storedOf(store, scope, [created('wallet', 'carol')]);
      await store.open([openingOf(scope, carol, eur)]);
      const unseen = commitOf(writeOf(scope, dropped(carol), carol));
      expect(await store.commit(unseen)).toEqual([{ what: 'closing', write: 0 }]);
    });

    test('a wallet ends with hundreds of balances', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const symbols = Array.from({ length: 165 }, (_, index) => created('symbol', `s${index}`));
      await Promise.all(symbols.map((one) => store.commit(commitOf(writeOf(scope, one)))));
      await store.open(symbols.map((symbol) => openingOf(scope, alice, symbol)));
      const closes = await store.balances(scope, 'alice');
      expect(closes).toHaveLength(165);
      const last = { ...writeOf(scope, dropped(alice), alice), closes };
      expect(await store.commit(commitOf(last))).toEqual([]);
      expect(await store.balances(scope, 'alice')).toEqual([]);
    });

    test('a wallet of the same handle does not inherit the moves of an earlier one', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice, usd } = await walletsWith(store, scope, 0n);
      const closes = await store.balances(scope, 'alice');
      await store.commit(commitOf({ ...writeOf(scope, dropped(alice), alice), closes }));
      const stray = movesOf(scope, [moveOf(scope, alice, 5n, 0n)]);
      expect(await store.commit(stray)).toEqual([{ what: 'balance', move: 0 }]);
      const [heir] = await storedOf(store, scope, [created('wallet', 'alice')]);
      expect(await store.open([openingOf(scope, alice, usd)])).toBe(false);
      expect(await store.open([openingOf(scope, heir, usd)])).toBe(true);
      expect(await store.open([openingOf(scope, alice, usd)])).toBe(false);
      expect(await store.commit(stray)).toEqual([{ what: 'balance', move: 0 }]);
      expect(await store.commit(movesOf(scope, [moveOf(scope, heir, 5n, 0n)]))).toEqual([]);
    });

    test('a wallet is renamed again once its balances have ended with another one', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { alice } = await walletsWith(store, scope, 0n);
      const closes = await store.balances(scope, 'alice');
      await store.commit(commitOf({ ...writeOf(scope, dropped(alice), alice), closes }));
      const [heir] = await storedOf(store, scope, [created('wallet', 'alice')]);
      const renamed = writeOf(scope, revised(heir, { handle: 'alicia' }), heir);
      expect(await store.commit(commitOf(renamed))).toEqual([]);
    });
  });
}
