/**
 * Whatever is asked of them, memory and DynamoDB answer alike. Goal: everything tested against
 * memory holds for the table. Method: random commits on few names, so that they meet; each answer
 * is compared, and in the end everything that can be read.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kind, lineOf, nameWithin } from '../../shared/ledger/kind.ts';
import { isDropped, type RecordData, type Version } from '../../shared/ledger/record.ts';
import type { Deliveries } from '../../shared/port/deliveries.ts';
import type { Commit, Conflict, Store, Write } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoDeliveries, dynamoStore } from '../../shared/store/store.ts';
import { newScope } from '../contract/store.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { type MemoryStore, memoryStore } from '../fixture/memory.ts';
import { withoutShards } from '../fixture/shards.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  proved,
  publicNamed,
  revised,
  writeOf,
} from '../fixture/version.ts';

const tableName = 'model';
const handles = ['a', 'b', 'c'];
const keys = ['k1', 'k2'].map(publicNamed);
const kindsUsed = [
  'wallet',
  'symbol',
  'signer',
  'intent',
  'effect',
  'signer-factor',
  'circle',
  'circle-signer',
  'bridge',
  'domain',
  'anchor',
  'schema',
  'policy',
  'report',
] as const;
/** What the names of a kind are made of, and whether its records belong to others. */
const namesOf = (kind: Kind): readonly string[] =>
  lineOf(kind).within
    ? handles.flatMap((parent) => handles.map((own) => nameWithin(parent, own)))
    : handles;
const parentsOf = (kind: Kind) => (lineOf(kind).within ? handles : [undefined]);
const signals = ['wallet-created', 'wallet-dropped'];
let database: Database;
type Tested = Store & { readonly deliveries: Deliveries };
let table: Tested;
/** The same, where each balance has shards from the first. Decision 125. */
let divided: Tested;

beforeAll(async () => {
  database = await startDatabase();
  await database.createTable(tableName);
  const options = { client: tableClient({ endpoint: database.endpoint }), tableName };
  const received = dynamoDeliveries(options);
  table = { ...dynamoStore(options), deliveries: received };
  const inShards = withoutShards(dynamoStore({ ...options, shards: { first: 4 } }));
  divided = { ...inShards, deliveries: received };
});

afterAll(() => database.stop());

const handle = fc.constantFrom(...handles);
const kind = fc.constantFrom(...kindsUsed, 'wallet', 'wallet', 'symbol', 'signer', 'bridge');
const index = fc.nat({ max: 30 });
const signal = fc.constantFrom(...signals);
const someKeys = fc.subarray(keys);
/** Another record that one names; the first of each kind is there from the beginning. */
const tie = fc.option(fc.oneof(fc.constant('a'), handle));
const amount = fc.bigInt({ min: -30n, max: 60n });

/** A millisecond that a move states, or at which a wallet is fenced. */
const moment = fc.nat({ max: 20 });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('create'), kind, handle, signal, someKeys, tie }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('revise'),
      index,
      handle: fc.option(handle),
      signal,
      someKeys,
      tie,
      lets: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('prove'), index, count: fc.integer({ min: 1, max: 3 }) }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('drop'),
      index,
      closes: fc.boolean(),
      abandons: fc.boolean(),
      releases: someKeys,
    }),
  },
  fc.record({ does: fc.constant('replay'), index }),
  fc.record({ does: fc.constant('watch'), wallet: index }),
  fc.record({ does: fc.constant('fence'), wallet: index, atMs: moment }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant('open'), wallet: index, symbol: index }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('move'),
      wallet: index,
      other: index,
      symbol: handle,
      amount,
      needs: fc.option(amount),
      statedMs: fc.integer({ min: 1, max: 40 }),
    }),
  },
);
type Step = (typeof step)['generate'] extends (...a: never[]) => { readonly value: infer S }
  ? S
  : never;

interface World {
  readonly table: Tested;
  readonly memory: MemoryStore;
  readonly scope: string;
  /** Every version that was ever stored, so that what is done to one may come too late. */
  readonly known: Version[];
}

const pickOf = (versions: readonly Version[], at: number): Version | undefined =>
  versions[at % Math.max(versions.length, 1)];
const ofKind = ({ known }: World, wanted: Kind) => known.filter((one) => one.kind === wanted);

/** The write that a step asks for, if there is anything to do it to. */
async function writeFor(world: World, one: Step): Promise<Write | undefined> {
  const { scope, known } = world;
  if (one.does === 'create') {
    const next = created(one.kind, one.handle, dataOf(one.kind, [one.handle], one));
    const seals = next.record.meta.proofs.slice(0, 1);
    return withKeys({ ...writeOf(scope, next), replayGuards: seals }, one.someKeys);
  }
  const previous = 'index' in one ? pickOf(known, one.index) : undefined;
  if (!previous || isDropped(previous)) return undefined;
  const { updates, drops } = lineOf(previous.kind);
  if (one.does === 'prove') return writeOf(scope, proved(previous, one.count), previous);
  if (one.does === 'replay') return replayOf(scope, previous);
  if (one.does === 'drop' && drops) return dropOf(world, previous, one);
  return one.does === 'revise' && updates ? revisionOf(scope, previous, one) : undefined;
}

function revisionOf(
  scope: string,
  previous: Version,
  one: Step & { readonly does: 'revise' },
): Write {
  const { kind: ofKind, record } = previous;
  const { renames, within } = lineOf(ofKind);
  const name = (renames && one.handle) || record.data.handle;
  const data = { ...dataOf(ofKind, [name, record.data.handle], one), handle: name };
  // What belongs to another record goes on belonging to it.
  const kept = within ? { ...data, [within]: record.data[within] } : data;
  const releases = one.lets ? keys.filter((key) => !one.someKeys.includes(key)) : [];
  return withKeys(writeOf(scope, revised(previous, kept), previous), one.someKeys, releases);
}

/** What records of a kind have beside their names: whom they name, and what they are found by. */
function dataOf(
  of: Kind,
  own: readonly string[],
  { signal: value, tie: named }: { readonly signal: string; readonly tie: string | null },
): Partial<RecordData> {
  switch (of) {
    case 'wallet':
      return named ? { bridge: named, routes: drawingOn(named, own) } : {};
    case 'effect':
      return { signal: value, action: named ? { schema: 'bridge', bridge: named } : {} };
    case 'signer-factor':
      return { signal: value, signer: named ?? 'a' };
    case 'circle-signer':
      return { circle: named ?? 'a' };
    case 'anchor':
      return named ? { wallet: named } : {};
    case 'schema':
      return { record: value };
    case 'policy':
      return {
        record: value,
        extend: named ? othersFrom(named, own) : [],
      };
    default:
      return {};
  }
}

/** Nothing names itself, nor the name that it gives up. */
function othersFrom(named: string, own: readonly string[]): string[] {
  return handles.filter((each) => each >= named && !own.includes(each));
}

/** Some of the wallets that have the others pay for them. */
function drawingOn(named: string, own: readonly string[]): object[] {
  return othersFrom(named, own).map((target) => ({ action: 'debit', target }));
}

function withKeys(write: Write, holds: readonly string[], releases: readonly string[] = []): Write {
  const { kind: of } = write.next;
  return of === 'signer' || of === 'signer-factor' ? { ...write, holds, releases } : write;
}

function replayOf(scope: string, { kind: ofKind, record }: Version): Write {
  const { naming = 'handle' } = lineOf(ofKind);
  const next = created(ofKind, String(record.data[naming]), record.data);
  return { ...writeOf(scope, next), replayGuards: record.meta.proofs.slice(0, 1) };
}

async function dropOf(
  { scope, memory }: World,
  previous: Version,
  one: Step & { readonly does: 'drop' },
): Promise<Write> {
  const write = withKeys(writeOf(scope, dropped(previous), previous), [], one.releases);
  if (previous.kind !== 'wallet') return write;
  const rows = await memory.balances(scope, previous.record.data.handle);
  return { ...write, abandons: one.abandons, ...(one.closes && { closes: rows }) };
}

/** The commit of moves that a step asks for. */
function movesFor(world: World, one: Step & { does: 'move' }): Commit | undefined {
  const { scope } = world;
  const [from, to] = [one.wallet, one.other].map((at) => pickOf(ofKind(world, 'wallet'), at));
  if (!from || !to) return undefined;
  const moveOf = (wallet: Version, by: bigint, needs: bigint) => ({
    scope,
    wallet: wallet.record.data.handle,
    walletLuid: wallet.record.luid,
    symbol: one.symbol,
    amount: by,
    needs,
    statedMs: one.statedMs,
  });
  const moves = [moveOf(from, one.amount, one.needs ?? -one.amount)];
  const isOther = from.record.data.handle !== to.record.data.handle;
  if (isOther) moves.push(moveOf(to, -one.amount, -100n));
  return { ...commitOf(writeOf(scope, created('intent', newLuid('int').slice(5)))), moves };
}

async function commitBoth(world: World, commit: Commit): Promise<void> {
  const obstacles: readonly Conflict[] = await world.memory.commit(commit);
  expect(await world.table.commit(commit)).toEqual(obstacles);
  if (obstacles.length === 0) world.known.push(...commit.writes.map(({ next }) => next));
}

async function fenceBoth(
  { table: tested, memory, scope, known }: World,
  one: Step & { does: 'fence' },
) {
  const { record } =
    pickOf(
      known.filter(({ kind }) => kind === 'wallet'),
      one.wallet,
    ) ?? {};
  if (!record) return;
  const wallet = { handle: record.data.handle, luid: record.luid };
  await memory.fence(scope, wallet, one.atMs);
  await tested.fence(scope, wallet, one.atMs);
}

async function take(world: World, one: Step): Promise<void> {
  if (one.does === 'open') {
    const wallet = pickOf(ofKind(world, 'wallet'), one.wallet);
    const symbol = pickOf(ofKind(world, 'symbol'), one.symbol);
    if (!wallet || !symbol) return;
    const { scope, memory, table: tested } = world;
    const opening = {
      scope,
      luid: newLuid('bal'),
      wallet: wallet.record.data.handle,
      walletLuid: wallet.record.luid,
      walletChange: wallet.change,
      symbol: symbol.record.data.handle,
      symbolLuid: symbol.record.luid,
    };
    expect(await tested.open([opening])).toBe(await memory.open([opening]));
    return;
  }
  if (one.does === 'fence') return fenceBoth(world, one);
  if (one.does === 'watch') {
    const { handle = '' } = pickOf(ofKind(world, 'wallet'), one.wallet)?.record.data ?? {};
    const rows = await world.memory.balances(world.scope, handle);
    await world.memory.watch(world.scope, rows);
    await world.table.watch(world.scope, rows);
    return;
  }
  if (one.does === 'move') {
    const commit = movesFor(world, one);
    if (commit) await commitBoth(world, commit);
    return;
  }
  const write = await writeFor(world, one);
  if (write) await commitBoth(world, commitOf(write));
}

/** Everything that can be read of a world. */
async function sightOf(store: Tested, { scope, known }: World) {
  const luids = [...new Map(known.map((one) => [one.record.luid, one.kind]))];
  return {
    records: await store.load(
      kindsUsed.flatMap((used) =>
        namesOf(used).map((name) => ({ what: 'record', scope, kind: used, handle: name }) as const),
      ),
    ),
    rulebook: await store.load([{ what: 'rulebook', scope }]),
    indexed: await Promise.all(
      (['anchor', 'schema', 'policy'] as const).flatMap((used) =>
        [...handles, ...signals].map((value) => store.indexed(scope, used, value)),
      ),
    ),
    pointers: await store.load(
      luids.map(([luid, ofLuid]) => ({ what: 'pointer', scope, kind: ofLuid, luid }) as const),
    ),
    holders: await store.load(keys.map((key) => ({ what: 'holder', scope, public: key }) as const)),
    pasts: await Promise.all(luids.map(([luid]) => store.past(scope, luid, 1, 100))),
    middles: await Promise.all(luids.map(([luid]) => store.past(scope, luid, 2, 3))),
    balances: await Promise.all(handles.map((name) => store.balances(scope, name))),
    subscribers: await Promise.all(
      signals.map((named) => store.deliveries.subscribers(scope, named)),
    ),
    lists: await Promise.all(
      kindsUsed.flatMap((used) =>
        parentsOf(used).map((parent) => store.list(scope, used, { index: 0, limit: 100 }, parent)),
      ),
    ),
    seconds: await Promise.all(
      kindsUsed.flatMap((used) =>
        parentsOf(used).map((parent) => store.list(scope, used, { index: 1, limit: 2 }, parent)),
      ),
    ),
  };
}

test.each([
  ['memory and DynamoDB answer alike', () => table],
  ['memory and DynamoDB with shards answer alike', () => divided],
] as const)('%s', async (_, testedNow) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const tested = testedNow();
      const world: World = { table: tested, memory: memoryStore(), scope: newScope(), known: [] };
      for (const named of ['bridge', 'signer', 'circle', 'wallet', 'policy'] as const)
        await commitBoth(world, commitOf(writeOf(world.scope, created(named, 'a'))));
      for (const one of steps) await take(world, one);
      expect(await sightOf(tested, world)).toEqual(await sightOf(world.memory, world));
    }),
    { numRuns: 80 },
  );
});
