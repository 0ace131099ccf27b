/** The contract of an outbox, as tests that any implementation passes beside its store. */
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Outbox, OutboxEntry } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import { outboxShardCount, shardOf } from '../../shared/store/keys.ts';
import {
  commitOf,
  created,
  dropped,
  proved,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';
import { newScope } from './store.ts';

/** A store and its outbox. */
export interface OutboxPorts {
  readonly store: Store;
  readonly outbox: Outbox;
}

/** Commits the versions one after the other; each replaces the one before of its luid. */
export async function stored(store: Store, scope: string, ...versions: readonly Version[]) {
  const latest = new Map<string, Version>();
  for (const next of versions) {
    const { luid } = next.record;
    const write = writeOf(scope, next, latest.get(luid));
    expect(await store.commit(commitOf(write))).toEqual([]);
    latest.set(luid, next);
  }
}

/** All waiting entries of a ledger, shard by shard. */
export async function waiting(outbox: Outbox, scope: string): Promise<OutboxEntry[]> {
  const shards = Array.from({ length: outboxShardCount }, (_, shard) =>
    outbox.oldest(scope, shard, 1000),
  );
  return (await Promise.all(shards)).flat();
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeOutbox(name: string, portsNow: () => OutboxPorts): void {
  describe(`the outbox in ${name}`, () => {
    test('a stored version waits in the shard of its record, with all that it tells', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const next = transferred('pay');
      const custom = { wallet: 'bob', symbol: 'usd', amount: '1500' };
      const signals = [
        { signal: 'intent-created', change: 1 },
        { signal: 'balance-received', change: 4, custom },
      ];
      await store.commit(commitOf({ scope, next, signals }));
      const { luid, meta } = next.record;
      const momentMs = Date.parse(meta.moment);
      const shard = shardOf(luid);
      const [entry] = await outbox.oldest(scope, shard, 10);
      const told = { kind: 'intent', luid, handle: 'pay', change: 4, momentMs, signals };
      expect(entry).toEqual({ scope, shard, place: expect.any(String), ...told });
      expect(await waiting(outbox, scope)).toEqual([entry]);
    });

    test('what happens to ledgers waits with the server', async () => {
      const { store, outbox } = portsNow();
      const ledger = created('ledger', newScope());
      await stored(store, '', ledger);
      const entries = await waiting(outbox, '');
      const own = entries.filter(({ luid }) => luid === ledger.record.luid);
      expect(own).toMatchObject([{ scope: '', handle: ledger.record.data.handle, change: 1 }]);
      expect(await outbox.versions(own)).toEqual([ledger]);
    });

    test('the ledgers come some at a time, and one that changes comes again', async () => {
      const { store, outbox } = portsNow();
      const ledgers = ['a', 'b', 'c'].map((name) => created('ledger', `${newScope()}-${name}`));
      await stored(store, '', ...ledgers);
      const [first] = ledgers as [Version];
      const handles = ledgers.map(({ record }) => record.data.handle);
      const found: string[] = [];
      let place: string | undefined;
      for (;;) {
        const page = await outbox.ledgers(2, place);
        found.push(...page.map(({ handle }) => handle));
        if (page.length < 2) break;
        if (place === undefined)
          expect(await store.commit(commitOf(writeOf('', revised(first), first)))).toEqual([]);
        place = page.at(-1)?.place;
      }
      expect(found.filter((handle) => handles.includes(handle)).slice(-3)).toEqual([
        ...handles.slice(1),
        handles[0],
      ]);
    });

    test('what was not stored is not told, and nothing of another ledger is', async () => {
      const { store, outbox } = portsNow();
      const [scope, other] = [newScope(), newScope()];
      const alice = created('wallet', 'alice');
      await stored(store, scope, alice);
      const rival = commitOf(writeOf(scope, created('wallet', 'alice')));
      expect(await store.commit(rival)).toHaveLength(1);
      expect(await waiting(outbox, scope)).toHaveLength(1);
      expect(await waiting(outbox, other)).toEqual([]);
    });

    test('the entries of a record come in the order of its changes, some at a time', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const versions = [created('wallet', 'alice')];
      while (versions.length < 7) versions.push(proved(versions.at(-1) as Version, 2));
      await stored(store, scope, ...versions);
      const shard = shardOf((versions[0] as Version).record.luid);
      const first = await outbox.oldest(scope, shard, 3);
      const second = await outbox.oldest(scope, shard, 3, first.at(-1)?.place);
      const third = await outbox.oldest(scope, shard, 3, second.at(-1)?.place);
      const all = [first, second, third];
      expect(all.map((entries) => entries.map(({ change }) => change))).toEqual([
        [1, 3, 5],
        [7, 9, 11],
        [13],
      ]);
      expect(await outbox.oldest(scope, shard, 3, third.at(-1)?.place)).toEqual([]);
      expect(await outbox.oldest(scope, shard, 100)).toEqual(all.flat());
      const moments = versions.map(({ steps }) => Date.parse(steps.at(-1)?.moment ?? ''));
      expect(all.flat().map(({ momentMs }) => momentMs)).toEqual(moments);
    });

    test('an entry finds its version, whatever became of the record', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const alice = created('wallet', 'alice');
      const alicia = revised(alice, { handle: 'alicia' });
      const settled = proved(alicia, 3);
      const bob = created('wallet', 'bob');
      const heir = created('wallet', 'alice');
      const gone = dropped(bob);
      await stored(store, scope, alice, alicia, settled, bob, gone, heir);
      const entries = await waiting(outbox, scope);
      const byPlace = new Map(entries.map((entry) => [`${entry.luid} ${entry.change}`, entry]));
      const versions = [gone, settled, alice, heir, bob, alicia];
      const ordered = versions.map(
        ({ record, change }) => byPlace.get(`${record.luid} ${change}`) as OutboxEntry,
      );
      expect(await outbox.versions(ordered)).toEqual(versions);
      expect(await outbox.versions([])).toEqual([]);
    });

    test('an entry of a version that never was finds none, beside those that find theirs', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const alice = created('wallet', 'alice');
      await stored(store, scope, alice);
      const [entry] = (await waiting(outbox, scope)) as [OutboxEntry];
      const strays = [
        { ...entry, change: 2 },
        { ...entry, luid: '$wlt.00000000000000000' },
        { ...entry, kind: 'symbol' as const, change: 9 },
      ];
      const nothing = undefined;
      expect(await outbox.versions([...strays, entry])).toEqual([nothing, nothing, nothing, alice]);
    });

    test('what was told is forgotten, and may be forgotten again', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const wallets = Array.from({ length: 60 }, (_, index) => created('wallet', `w${index}`));
      const write = (next: Version) => writeOf(scope, next);
      await store.commit(commitOf(...wallets.slice(0, 20).map(write)));
      await store.commit(commitOf(...wallets.slice(20, 40).map(write)));
      await store.commit(commitOf(...wallets.slice(40).map(write)));
      const entries = await waiting(outbox, scope);
      expect(entries).toHaveLength(60);
      const [kept, ...told] = entries;
      await outbox.markPublished([...told, ...told.slice(0, 3)]);
      expect(await waiting(outbox, scope)).toEqual([kept]);
      await outbox.markPublished(told);
      await outbox.markPublished([]);
      expect(await waiting(outbox, scope)).toEqual([kept]);
    });

    test('what was set aside is out of the way, once, and does not come back', async () => {
      const { store, outbox } = portsNow();
      const scope = newScope();
      const alice = created('wallet', 'alice');
      await stored(store, scope, alice, proved(alice));
      const [first, second] = (await waiting(outbox, scope)) as [OutboxEntry, OutboxEntry];
      await Promise.all([outbox.setAside(first, 'No.'), outbox.setAside(first, 'No.')]);
      expect(await waiting(outbox, scope)).toEqual([second]);
      await outbox.markPublished([second]);
      await outbox.setAside(second, 'Too late.');
      expect(await waiting(outbox, scope)).toEqual([]);
    });
  });
}
