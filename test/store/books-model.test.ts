/**
 * Goal: the books agree with the balances that every commit left behind, at every moment. Method: random intents run
 * through the actions of the ledger, with routes and manual commits; after each of them the balances are noted with its
 * moment. The commits go to a table as well, whose relay works at random times and often twice. In the end the books of
 * the table, and those in memory, say what was noted.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Books } from '../../shared/port/books.ts';
import type { Store } from '../../shared/port/ports.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoBooks, dynamoOutbox, dynamoStore } from '../../shared/store/store.ts';
import { toldOf } from '../contract/books.ts';
import { claimOf, type Json, proofOf, signed, unique } from '../fixture/client.ts';
import { type Database, startDatabase } from '../fixture/database.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const scope = 'main';
/** What comes to carol goes on to dave, in an intent of its own. */
const wallets = ['alice', 'bob', 'carol', 'dave'];
let database: Database;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const wallet = fc.constantFrom(...wallets);
const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('issue', 'transfer', 'transfer', 'destroy'),
      source: wallet,
      target: wallet,
      amount: fc.integer({ min: 1, max: 40 }),
      isManual: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('committed', 'aborted') }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('published', 'published twice') }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

/** The balances at a moment: what is there in all, and what is reserved. */
type Noted = Readonly<Record<string, readonly [amount: number, reserved: number]>>;

test('every balance at every moment is what the commits left behind', async () => {
  await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 24 }), play), {
    numRuns: 25,
  });
});

async function play(deeds: readonly Deed[]): Promise<void> {
  const tableName = unique('model');
  await database.createTable(tableName);
  const options = { client: tableClient({ endpoint: database.endpoint }), tableName };
  const twin = { store: dynamoStore(options), outbox: dynamoOutbox(options) };
  const ports = { ...twin, books: dynamoBooks(options) };
  const desk = await openDesk((memory) => mirrored(memory, twin.store));
  // Later than anything that was made before: luids only count on.
  const time = { nowMs: Date.now() + 60_000 };
  // Each reading of the clock is later than the one before, so that every commit has a moment of its own.
  const services = { ...desk.services, clock: () => (time.nowMs += 1) };
  await furnish(desk);
  const notes = new Map<number, Noted>();
  const waiting: LedgerRecord[] = [];
  for (const one of deeds) {
    if (one.does.startsWith('published')) {
      const told = await toldOf(ports, scope);
      await ports.books.keep(told, time.nowMs + 60_000);
      if (one.does === 'published twice') await ports.books.keep(told.toReversed(), time.nowMs);
      await ports.outbox.markPublished(told.map(({ entry }) => entry));
      continue;
    }
    await act({ ...desk, services }, one, waiting);
    notes.set(time.nowMs, await balancesIn(desk.services.store));
    time.nowMs += 5;
  }
  for (const [ms, noted] of notes) {
    expect(await bookedAt(ports.books, ms)).toEqual(noted);
    expect(await bookedAt(desk.services.books, ms)).toEqual(noted);
  }
}

/** A store whose commits go to another one, too. */
function mirrored(memory: Store, other: Store): Partial<Store> {
  return {
    open: async (openings) => {
      expect(await other.open(openings)).toBe(true);
      return memory.open(openings);
    },
    commit: async (commit) => {
      const conflicts = await memory.commit(commit);
      expect(await other.commit(commit)).toEqual(conflicts);
      return conflicts;
    },
  };
}

async function furnish({ make }: Desk): Promise<void> {
  await make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['dave', 'carol', 'bob', 'alice']) {
    const routes = [{ action: 'forward', target: 'dave' }];
    await make('wallet', { handle, ...(handle === 'carol' && { routes }) });
  }
}

async function act({ run, services, key }: Desk, one: Deed, waiting: LedgerRecord[]) {
  if (!('source' in one)) {
    const intent = waiting.shift();
    if (!intent) return;
    const { luid, hash } = intent;
    const moment = new Date().toISOString();
    const body = proofOf(hash, key, { moment, status: one.does });
    await run(prove('intent'), { services, path: { id: luid }, body });
    return;
  }
  const { does, source, target, amount, isManual } = one;
  const text = {
    issue: `issue ${target} ${amount} usd`,
    transfer: `transfer ${source} ${target} ${amount} usd`,
    destroy: `destroy ${source} ${amount} usd`,
  }[does as 'issue'];
  const config: Json = isManual ? { config: { commit: 'manual' } } : {};
  const body = signed({ handle: unique('intent'), claims: [claimOf(text)], ...config }, key);
  const intent = await run(createIntent, { services, body });
  if (intent.meta.status === 'prepared') waiting.push(intent);
}

async function balancesIn(store: Store): Promise<Noted> {
  const rows = wallets.map(async (handle) => {
    const [{ available = 0n, reserved = 0n } = {}] = await store.balances(scope, handle);
    return [handle, [Number(available + reserved), Number(reserved)]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** The sums of the books; those of the wallets are what the supply gave. */
async function bookedAt(books: Books, ms: number): Promise<Noted> {
  const names = [
    ...wallets.map((one) => ({ scope, wallet: one, symbol: 'usd' })),
    { scope, symbol: 'usd' },
  ];
  const totals = await books.totals(scope, names, ms);
  const amounts = totals.map(({ credits, debits }) => Number(credits - debits));
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  return Object.fromEntries(
    wallets.map((one, index) => [one, [amounts[index] ?? 0, Number(totals[index]?.reserved)]]),
  );
}
