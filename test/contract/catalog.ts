/** The contract of a catalog, as tests that any implementation passes beside its store. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDropped, type Version } from '../../shared/ledger/record.ts';
import { type Term, termsOf } from '../../shared/ledger/term.ts';
import type { Catalog, EntryVersion, Listing } from '../../shared/port/catalog.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store } from '../../shared/port/ports.ts';
import { listKeyOf, shardOf } from '../../shared/store/keys.ts';
import { toldBy } from '../fixture/told.ts';
import {
  commitOf,
  created,
  dropped,
  nextMs,
  proved,
  revised,
  transferred,
  waiting as undecided,
  writeOf,
} from '../fixture/version.ts';
import { stored, waiting } from './outbox.ts';
import { newScope } from './store.ts';

/** A store, its outbox and its catalog. */
export interface CatalogPorts {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly catalog: Catalog;
}

const statusTerm = (value: string): Term => ({ field: 'meta.status', value });
const active = statusTerm('active');
const luidsOf = (versions: readonly Version[]) => versions.map(({ record }) => record.luid);

/** The waiting entries of the outbox, with their versions. */
async function toldOf({ outbox }: CatalogPorts, scope: string): Promise<EntryVersion[]> {
  return toldBy(outbox, await waiting(outbox, scope));
}

/** Writes index entries for all waiting entries of the outbox. */
async function keepAll(ports: CatalogPorts, scope: string): Promise<void> {
  expect(await ports.catalog.keep(await toldOf(ports, scope))).toEqual([]);
}

/** The luids in the index under a term, newest first. */
async function mentionedIn({ catalog }: CatalogPorts, listing: Listing, term: Term) {
  const places = await catalog.indexEntriesOf(listing, term, { limit: 1_000 });
  return places.map(({ luid }) => luid);
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeCatalog(name: string, portsNow: () => CatalogPorts, runCount = 500): void {
  describe(`the catalog in ${name}`, () => {
    test('lists the records of a kind, the newest first, from where it is told', async () => {
      const { store, catalog } = portsNow();
      const scope = newScope();
      const [a, b, c] = ['a', 'b', 'c'].map((handle) => created('wallet', handle)) as [
        Version,
        Version,
        Version,
      ];
      await stored(store, scope, a, b, c, created('symbol', 'usd'));
      const listing: Listing = { scope, kind: 'wallet' };
      const places = await catalog.listed(listing, { limit: 10 });
      expect(places).toEqual(
        [c, b, a].map((version) => ({
          at: listKeyOf(scope, version).sk,
          luid: version.record.luid,
          name: version.record.data.handle,
        })),
      );
      expect(places.map(({ at }) => at)).toEqual([c, b, a].map(catalog.placeOf));
      const luids = async (stretch: object) =>
        (await catalog.listed(listing, { limit: 10, ...stretch })).map(({ luid }) => luid);
      const ms = Date.parse(b.record.meta.moment);
      expect(await luids({ limit: 2 })).toEqual(luidsOf([c, b]));
      expect(await luids({ upTo: places[1]?.at })).toEqual(luidsOf([b, a]));
      expect(await luids({ upTo: ms })).toEqual(luidsOf([b, a]));
      expect(await luids({ sinceMs: ms })).toEqual(luidsOf([c, b]));
      expect(await luids({ sinceMs: ms, upTo: ms })).toEqual(luidsOf([b]));
      expect(await luids({ sinceMs: ms + 1, upTo: ms })).toEqual([]);
    });

    test('mentions what was kept, under its terms, in the order of the list', async () => {
      const ports = portsNow();
      const scope = newScope();
      const old = created('wallet', 'old', { custom: { city: 'Split' } });
      const young = created('wallet', 'young', { custom: { city: 'Split', 'not ascii': 'é#~' } });
      await stored(ports.store, scope, old, young);
      const listing: Listing = { scope, kind: 'wallet' };
      const split = { field: 'data.custom.city', value: 'Split' };
      expect(await mentionedIn(ports, listing, split)).toEqual([]);
      await keepAll(ports, scope);
      expect(await mentionedIn(ports, listing, split)).toEqual(luidsOf([young, old]));
      for (const term of termsOf('wallet', young.record))
        expect(await mentionedIn(ports, listing, term)).toContain(young.record.luid);
      const [place] = await ports.catalog.indexEntriesOf(listing, split, { limit: 1 });
      expect(place).toMatchObject({ luid: young.record.luid, name: 'young' });
      expect(place?.at).toBe(ports.catalog.placeOf(young));
      const older = { upTo: Date.parse(old.record.meta.moment), limit: 5 };
      expect(await ports.catalog.indexEntriesOf(listing, split, older)).toHaveLength(1);
    });

    test('mentions nothing of one scope, kind or field in another', async () => {
      const ports = portsNow();
      const [scope, other] = [newScope(), newScope()];
      await stored(ports.store, scope, created('wallet', 'alice'));
      await keepAll(ports, scope);
      const isThere = async (listing: Listing, term: Term) =>
        (await mentionedIn(ports, listing, term)).length;
      const term = statusTerm('created');
      expect(await isThere({ scope, kind: 'wallet' }, term)).toBe(1);
      expect(await isThere({ scope: other, kind: 'wallet' }, term)).toBe(0);
      expect(await isThere({ scope, kind: 'symbol' }, term)).toBe(0);
      expect(await isThere({ scope, kind: 'wallet', within: 'x' }, term)).toBe(0);
      expect(await isThere({ scope, kind: 'wallet' }, { ...term, field: 'word' })).toBe(0);
      expect(await isThere({ scope, kind: 'wallet' }, { ...term, value: 'create' })).toBe(0);
    });

    test('mentions of nested records those of the same list', async () => {
      const ports = portsNow();
      const scope = newScope();
      const factor = created('signer-factor', 'phone', { signer: 'alice', schema: 'key-pair' });
      await stored(ports.store, scope, created('signer', 'alice'), factor);
      await keepAll(ports, scope);
      const term = { field: 'data.schema', value: 'key-pair' };
      const luids = (within: string) =>
        mentionedIn(ports, { scope, kind: 'signer-factor', within }, term);
      expect(await luids('alice')).toEqual(luidsOf([factor]));
      expect(await luids('bob')).toEqual([]);
      const [place] = await ports.catalog.indexEntriesOf(
        { scope, kind: 'signer-factor', within: 'alice' },
        term,
        { limit: 1 },
      );
      expect(place?.name).toBe('alice/phone');
    });

    test('ends the mentions of a version with the next one, and of a record with its end', async () => {
      const ports = portsNow();
      const scope = newScope();
      const listing: Listing = { scope, kind: 'wallet' };
      const first = created('wallet', 'alice', { custom: { city: 'Split' } });
      await stored(ports.store, scope, first);
      await keepAll(ports, scope);
      const second = revised(first, { custom: { city: 'Zadar' } });
      const third = proved(second);
      await storedAfter(ports.store, scope, first, second, third);
      await keepAll(ports, scope);
      const city = (value: string) => ({ field: 'data.custom.city', value });
      expect(await mentionedIn(ports, listing, city('Split'))).toEqual([]);
      expect(await mentionedIn(ports, listing, city('Zadar'))).toEqual(luidsOf([third]));
      expect(await mentionedIn(ports, listing, statusTerm('created'))).toEqual([]);
      expect(await mentionedIn(ports, listing, active)).toEqual(luidsOf([third]));
      const last = dropped(third);
      await storedAfter(ports.store, scope, third, last);
      await keepAll(ports, scope);
      expect(await mentionedIn(ports, listing, city('Zadar'))).toEqual([]);
      expect(await mentionedIn(ports, listing, active)).toEqual([]);
    });

    test('an intent is mentioned once under what its versions share, and under its status', async () => {
      const ports = portsNow();
      const scope = newScope();
      const first = undecided('pay', nextMs());
      const listing: Listing = { scope, kind: 'intent' };
      const word = (value: string) => mentionedIn(ports, listing, { field: 'word', value });
      const isThere = async (...words: readonly string[]) => {
        for (const value of words) expect(await word(value)).toEqual(luidsOf([first]));
      };
      const isGone = async (...words: readonly string[]) => {
        for (const value of words) expect(await word(value)).toEqual([]);
      };
      await stored(ports.store, scope, first);
      await keepAll(ports, scope);
      await isThere('alice', 'usd', 'transfer', 'pending');
      let last = first;
      // Two versions at once, of which one has the status of the version before.
      for (const statuses of [
        ['processing'],
        ['processing'],
        ['pending'],
        ['pending', 'committed'],
      ]) {
        for (const status of statuses) {
          const next = proved(last, 1, status);
          await storedAfter(ports.store, scope, last, next);
          last = next;
        }
        await keepAll(ports, scope);
        await ports.outbox.markPublished(await ports.catalog.tail(scope));
        const now = last.record.meta.status;
        await isThere('alice', now);
        await isGone(...['pending', 'processing', 'committed'].filter((one) => one !== now));
      }
      const final = proved(last, 1, 'completed');
      await storedAfter(ports.store, scope, last, final, proved(final, 1, 'completed'));
      await keepAll(ports, scope);
      await isThere('alice', 'usd', 'transfer', 'completed');
      await isGone('pending', 'processing', 'committed');
    });

    // Goal: no current index entry is lost, however many writers there are, and however late.
    test('several keep it at once, late and repeatedly, and nothing is lost', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('wallet' as const, 'intent' as const),
          turns,
          (kind, all) => play(portsNow(), kind, all),
        ),
        { numRuns: runCount },
      );
    });

    test('what is told and not mentioned yet is its tail, the newest of it', async () => {
      const ports = portsNow();
      const scope = newScope();
      const alice = created('wallet', 'alice');
      await stored(ports.store, scope, alice, transferred('pay'));
      const tail = await ports.catalog.tail(scope);
      expect(tail.map(({ kind, handle }) => `${kind} ${handle}`).sort()).toEqual([
        'intent pay',
        'wallet alice',
      ]);
      expect(await ports.catalog.tail(newScope())).toEqual([]);
      await ports.outbox.markPublished(tail);
      expect(await ports.catalog.tail(scope)).toEqual([]);
    });

    test('a whole tail has all that is told and not mentioned yet, also behind the newest of it', async () => {
      const { store, catalog } = portsNow();
      const scope = newScope();
      const wallets: Version[] = [];
      while (wallets.length < 270) {
        const wallet = created('wallet', `w-${wallets.length}`);
        if (shardOf(wallet.record.luid) === 0) wallets.push(wallet);
      }
      for (let first = 0; first < wallets.length; first += 15)
        await stored(store, scope, ...wallets.slice(first, first + 15));
      const handles = wallets.map(({ record }) => record.data.handle);
      const tail = await catalog.tail(scope, 'whole');
      expect(tail.map(({ handle }) => handle).sort()).toEqual([...handles].sort());
      const newest = (await catalog.tail(scope)).map(({ handle }) => handle);
      expect(newest).toEqual(expect.arrayContaining(handles.slice(-100)));
    });

    test('a version that cannot be mentioned keeps no other from it', async () => {
      const ports = portsNow();
      const scope = newScope();
      const alice = created('wallet', 'alice');
      await stored(ports.store, scope, alice, created('wallet', 'bob'));
      const told = await toldOf(ports, scope);
      const broken = {
        get custom(): never {
          throw new Error('unreadable');
        },
        handle: 'alice',
      };
      const spoiled = told.map((one) =>
        one.entry.handle === 'alice'
          ? { ...one, version: { ...alice, record: { ...alice.record, data: broken } } }
          : one,
      );
      const unkept = await ports.catalog.keep(spoiled as unknown as EntryVersion[]);
      expect(unkept.map(({ entry, why }) => [entry.handle, why])).toEqual([
        ['alice', 'unreadable'],
      ]);
      const found = await mentionedIn(ports, { scope, kind: 'wallet' }, statusTerm('created'));
      expect(found).toHaveLength(1);
    });
  });
}

/** Commits versions after one that is stored already. */
async function storedAfter(
  store: Store,
  scope: string,
  first: Version,
  ...rest: readonly Version[]
): Promise<void> {
  let previous = first;
  for (const next of rest) {
    expect(await store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
    previous = next;
  }
}

/** One step of a history in which several writers index, each at its own time. */
type Turn =
  | { readonly what: 'prove'; readonly record: number; readonly status: string }
  | { readonly what: 'revise' | 'drop'; readonly record: number }
  | { readonly what: 'read' | 'keep'; readonly keeper: number };

const recordNumber = fc.nat({ max: 1 });
const keeperNumber = fc.nat({ max: 1 });
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.oneof(
    // With a status that comes back, a late writer could do harm.
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constant('prove' as const),
        record: recordNumber,
        status: fc.constantFrom('created', 'active'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        what: fc.constantFrom('revise' as const, 'drop' as const),
        record: recordNumber,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constantFrom('read' as const, 'keep' as const),
        keeper: keeperNumber,
      }),
    },
  ),
  { minLength: 10, maxLength: 40 },
);

/** Plays the turns in a new ledger; in the end the index must match the records. */
async function play(
  ports: CatalogPorts,
  kind: 'wallet' | 'intent',
  all: readonly Turn[],
): Promise<void> {
  const scope = newScope();
  const records: Version[] = [];
  const inHand = new Map<number, EntryVersion[]>();
  const running: Promise<unknown>[] = [];
  for (const handle of ['a', 'b'])
    records.push(kind === 'intent' ? transferred(handle) : created(kind, handle));
  await stored(ports.store, scope, ...records);
  const change = async (index: number, next: Version) => {
    const previous = records[index] as Version;
    const isNew = isDropped(previous);
    const write = writeOf(scope, next, isNew ? undefined : previous);
    expect(await ports.store.commit(commitOf(write))).toEqual([]);
    records[index] = next;
  };
  for (const turn of all) {
    if (!('keeper' in turn))
      await change(turn.record, nextOf(records[turn.record] as Version, turn));
    else if (turn.what === 'read') inHand.set(turn.keeper, await toldOf(ports, scope));
    else {
      const told = inHand.get(turn.keeper) ?? [];
      // Writers do not wait for each other, and entries are deleted only after they are indexed.
      const done = ports.catalog.keep(told);
      running.push(done.then(() => ports.outbox.markPublished(told.map(({ entry }) => entry))));
    }
  }
  await Promise.all(running);
  await keepAll(ports, scope);
  await expectMentioned(ports, scope, records);
}

function nextOf(version: Version, turn: Turn): Version {
  const { handle } = version.record.data;
  if (isDropped(version)) return created('wallet', handle);
  if (turn.what === 'prove') return proved(version, 1, turn.status);
  if (version.kind === 'intent') return proved(version);
  return turn.what === 'drop' ? dropped(version) : revised(version, { custom: { n: 1 } });
}

async function expectMentioned(ports: CatalogPorts, scope: string, records: readonly Version[]) {
  for (const version of records.filter((one) => !isDropped(one)))
    for (const term of termsOf(version.kind, version.record)) {
      const listing: Listing = { scope, kind: version.kind };
      const places = await ports.catalog.indexEntriesOf(listing, term, { limit: 1_000 });
      const place = ports.catalog.placeOf(version);
      expect(places.map(({ at }) => at)).toContain(place);
    }
}
