/**
 * Goal: through issues, transfers, holds, captures, releases, reversals, batches and freezes, each command ends as a day
 * book says that it must, and afterwards every balance at every moment, and every running balance, is that of the book;
 * also when the ledger is killed in the middle of commands, and in the audit. Rulings 81, 82, 87, 90, 92 and 94.
 */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  type Reply,
  signed,
  unique,
} from '../fixture/client.ts';
import {
  type DayBook,
  type DayClaim,
  type DayIntent,
  heldAt,
  hold,
  isPossible,
  isUndoable,
  leftOf,
  move,
  newDayBook,
  release,
  undoing,
  undone,
} from '../fixture/day-book.ts';
import { audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { sharedHome } from '../fixture/served.ts';

type Command =
  | { readonly do: 'settle' | 'hold'; readonly claims: readonly DayClaim[] }
  /** Ends a hold: takes this part of its first claim, all of it, or nothing. */
  | { readonly do: 'capture'; readonly pick: number; readonly part: number }
  | { readonly do: 'abort'; readonly pick: number }
  | { readonly do: 'reverse'; readonly pick: number; readonly part: number }
  | {
      readonly do: 'batch';
      readonly mode: 'independent' | 'atomic';
      readonly lists: readonly (readonly DayClaim[])[];
    }
  | { readonly do: 'freeze' | 'thaw'; readonly wallet: string };

const wallets = ['ann', 'bob', 'cat'];
const symbols = ['eur', 'usd'];
const key = newKey();
const runs = process.env['MODEL_RUNS'];
const runCount = Number(runs ?? 12);
/** Pages of the gate take this time; those of a person who sets their number take what they need. */
const limit = runs === undefined ? { interruptAfterTimeLimit: 60_000 } : {};
const roundCount = 4;

const claim: fc.Arbitrary<DayClaim> = fc
  .record({
    action: fc.constantFrom('issue', 'transfer', 'transfer', 'transfer', 'destroy'),
    from: fc.nat(wallets.length - 1),
    step: fc.integer({ min: 1, max: wallets.length - 1 }),
    symbol: fc.constantFrom(...symbols),
    amount: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ action, from, step, symbol, amount }) => ({
    action: action as DayClaim['action'],
    source: action === 'issue' ? '' : String(wallets[from]),
    target: action === 'destroy' ? '' : String(wallets[(from + step) % wallets.length]),
    ...{ symbol, amount },
  }));
const claims = fc.array(claim, { minLength: 1, maxLength: 3 });
const pick = fc.nat(9);
const part = fc.integer({ min: 1, max: 25 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: claims.map((some) => ({ do: 'settle' as const, claims: some })) },
  { weight: 5, arbitrary: claims.map((some) => ({ do: 'hold' as const, claims: some })) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('capture' as const), pick, part }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('abort' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick, part }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      mode: fc.constantFrom('independent' as const, 'atomic' as const),
      lists: fc.array(claims, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      wallet: fc.constantFrom(...wallets),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('thaw' as const), wallet: fc.constantFrom(...wallets) }),
  },
);
const opening: Command = {
  do: 'settle',
  claims: wallets.flatMap((target) =>
    symbols.map((symbol) => ({ action: 'issue' as const, source: '', target, symbol, amount: 50 })),
  ),
};

async function newBank(home: Client): Promise<Client> {
  const ledger = await newLedger(home, key);
  for (const handle of symbols) await ledger.make('symbols', { handle, factor: 1 }, key);
  for (const handle of wallets) await ledger.make('wallets', { handle }, key);
  return ledger;
}

function sentOf({ action, source, target, symbol, amount }: DayClaim): Json {
  return {
    action,
    ...(action !== 'issue' && { source }),
    ...(action !== 'destroy' && { target }),
    ...{ symbol, amount },
  };
}

/** The moment that the ledger stated for a status. */
function momentIn({ meta }: Item, status: string): string {
  const said = meta.proofs.find(
    ({ origin, custom }) => origin === undefined && custom?.['status'] === status,
  );
  return String(said?.custom?.['moment']);
}

/** One request, and what the book makes of its effect. */
interface Step {
  readonly send: (ledger: Client) => Promise<Reply>;
  /** How it must end. */
  readonly expected: string;
  /** What became of it, read afresh, when no answer came. */
  readonly found: (ledger: Client) => Promise<Item | undefined>;
  readonly book: (item: Item) => void;
}

/** The step of an intent with further data, and of its effect once it is completed or held. */
function stepOf(
  day: DayBook,
  some: readonly DayClaim[],
  { more = {}, isHeld = false, undoes }: { more?: Json; isHeld?: boolean; undoes?: DayIntent },
): Step {
  const handle = unique('intent');
  const body = signed({ handle, claims: some.map(sentOf), ...more }, key);
  const isFine = isPossible(day, some) && (undoes === undefined || isUndoable(undoes, some));
  return {
    send: (ledger) => ledger.post('/intents', body),
    expected: isFine ? (isHeld ? 'prepared' : 'completed') : 'rejected',
    found: (ledger) => intentOf(ledger, handle),
    book: (item) => {
      booked(day, item, some, isHeld);
      if (undoes) undone(undoes, some);
    },
  };
}

async function intentOf(ledger: Client, handle: string): Promise<Item | undefined> {
  const { status, body } = await ledger.get(`/intents/${handle}`);
  return status === 200 ? body : undefined;
}

/** Enters a new intent that is completed, or held. */
function booked(day: DayBook, item: Item, some: readonly DayClaim[], isHeld: boolean): void {
  const { luid, hash, data } = item;
  const entered = { handle: data.handle, luid, hash, claims: some };
  if (isHeld) {
    hold(day, some, momentIn(item, 'prepared'));
    day.intents.push({ ...entered, status: 'held', left: new Map() });
  } else {
    move(day, some, momentIn(item, 'committed'));
    day.intents.push({ ...entered, status: 'completed', left: leftOf(some) });
  }
}

/** The step that ends a hold. */
function endOf(day: DayBook, held: DayIntent, part: number | undefined): Step {
  const [first, ...rest] = held.claims as [DayClaim, ...DayClaim[]];
  const isPart = part !== undefined && part < first.amount;
  const taken = isPart ? [{ ...first, amount: part }, ...rest] : held.claims;
  const custom =
    part === undefined
      ? { status: 'aborted' }
      : { status: 'committed', ...(isPart && { capture: [{ claim: 0, amount: part }] }) };
  return {
    send: (ledger) => ledger.prove('intents', held as unknown as Item, key, custom),
    expected: part === undefined ? 'rejected' : 'completed',
    found: async (ledger) => {
      const item = await intentOf(ledger, held.handle);
      return item?.meta.status === 'prepared' ? undefined : item;
    },
    book: (item) => {
      const moment = momentIn(item, part === undefined ? 'aborted' : 'committed');
      release(day, held.claims, moment);
      held.status = part === undefined ? 'aborted' : 'completed';
      if (part === undefined) return;
      move(day, taken, moment);
      for (const [name, amount] of leftOf(taken)) held.left.set(name, amount);
    },
  };
}

/** The steps of a command; none when there is nothing that it could be about. */
function stepsOf(day: DayBook, one: Command): Step[] {
  switch (one.do) {
    case 'settle':
      return [stepOf(day, one.claims, {})];
    case 'hold':
      return [stepOf(day, one.claims, { more: { config: { commit: 'manual' } }, isHeld: true })];
    case 'capture':
    case 'abort': {
      const held = day.intents.filter(({ status }) => status === 'held');
      const meant = held[one.pick % Math.max(1, held.length)];
      return meant ? [endOf(day, meant, one.do === 'abort' ? undefined : one.part)] : [];
    }
    case 'reverse': {
      const ended = day.intents.filter(({ status }) => status === 'completed');
      const undoes = ended[one.pick % Math.max(1, ended.length)];
      if (!undoes) return [];
      const some = [undoing(undoes.claims[one.pick % undoes.claims.length] as DayClaim, one.part)];
      return [stepOf(day, some, { more: { reverses: undoes.handle }, undoes })];
    }
    default:
      return [];
  }
}

/** Carries out a command, and expects the end that the book foretells. */
async function carryOut(ledger: Client, day: DayBook, one: Command): Promise<void> {
  if (one.do === 'freeze' || one.do === 'thaw') return freeze(ledger, day, one);
  if (one.do === 'batch') return sendBatch(ledger, day, one);
  for (const step of stepsOf(day, one)) {
    const reply = await step.send(ledger);
    expect([one, reply.status < 300, reply.text]).toEqual([one, true, expect.any(String)]);
    const { status } = reply.body.meta;
    expect([one, status, outcomeOf(reply.body)]).toEqual([one, step.expected, expect.anything()]);
    if (isBooked(step, reply.body)) step.book(reply.body);
  }
}

async function freeze(
  ledger: Client,
  { frozen }: DayBook,
  one: Command & { readonly do: 'freeze' | 'thaw' },
): Promise<void> {
  const { body } = await ledger.get(`/wallets/${one.wallet}`);
  const status = one.do === 'freeze' ? 'inactive' : 'active';
  const reply = await ledger.prove('wallets', body, key, { status });
  expect([reply.status, reply.body.meta.status]).toEqual([200, status]);
  if (one.do === 'freeze') frozen.add(one.wallet);
  else frozen.delete(one.wallet);
}

/** The intents of a batch that settle; undefined where the whole batch is refused. */
function batchIn(day: DayBook, { mode, lists }: Command & { readonly do: 'batch' }) {
  const trial = { ...day, available: new Map(day.available), lines: [], intents: [] };
  const fine = lists.map((some) => {
    const isFine = isPossible(trial, some);
    if (isFine) move(trial, some, '');
    return isFine;
  });
  return mode === 'atomic' && fine.includes(false) ? undefined : fine;
}

async function sendBatch(
  ledger: Client,
  day: DayBook,
  one: Command & { readonly do: 'batch' },
): Promise<void> {
  const bodies = one.lists.map((some) =>
    signed({ handle: unique('batched'), claims: some.map(sentOf) }, key),
  );
  const fine = batchIn(day, one);
  const reply = await ledger.post('/intents/!batch', { mode: one.mode, data: bodies });
  if (!fine) {
    expect([one, reply.status]).toEqual([one, 422]);
    for (const { data } of bodies)
      expect(await intentOf(ledger, String(data['handle']))).toBeUndefined();
    return;
  }
  const statuses = reply.items.map(({ meta }) => meta.status);
  expect([one, statuses]).toEqual([one, fine.map((is) => (is ? 'completed' : 'rejected'))]);
  for (const [index, some] of one.lists.entries())
    if (fine[index]) booked(day, reply.items[index] as Item, some, false);
}

/** All moments of a book, and those just before them. */
function momentsOf({ lines }: DayBook): string[] {
  const all = new Set(lines.map(({ moment }) => moment));
  return [...all].flatMap((moment) => [new Date(Date.parse(moment) - 1).toISOString(), moment]);
}

/** The balances that the ledger answers for a moment, as the book shows them. */
async function heldBy(ledger: Client, wallet: string, moment: string) {
  const { status, items, text } = await ledger.get(
    `/wallets/${wallet}/balances?moment=${encodeURIComponent(moment)}`,
  );
  expect([status, text]).toEqual([200, text]);
  const amountOf = (symbol: string, schema: string) =>
    BigInt(
      String(
        items.find(({ data }) => data['symbol'] === symbol && data['schema'] === schema)?.data[
          'amount'
        ] ?? 0,
      ),
    );
  return symbols.map((symbol) => {
    const reserved = amountOf(symbol, 'reserved');
    return { balance: amountOf(symbol, 'available') + reserved, reserved };
  });
}

/** Expects each balance at each moment, and each running balance, to be that of the book. */
async function compare(ledger: Client, day: DayBook): Promise<void> {
  // What a wallet held before it was made is asked for by nobody.
  const moments = momentsOf(day).slice(2);
  for (const moment of moments)
    for (const wallet of wallets)
      expect([wallet, moment, await heldBy(ledger, wallet, moment)]).toEqual([
        wallet,
        moment,
        symbols.map((symbol) => heldAt(day, wallet, symbol, moment)),
      ]);
  for (const wallet of wallets)
    for (const symbol of symbols) await compareEntries(ledger, day, wallet, symbol);
}

/** The entries of a balance, page by page. */
async function entriesOf(ledger: Client, wallet: string, symbol: string): Promise<Item[]> {
  const path = `/wallets/${wallet}/entries?symbol=${symbol}&include=holds&page.limit=7`;
  const entries: Item[] = [];
  for (let cursor = ''; ; ) {
    const { status, items, page } = await ledger.get(`${path}${cursor}`);
    expect(status).toBe(200);
    entries.push(...items);
    if (page.next === undefined) return entries;
    cursor = `&page.cursor=${encodeURIComponent(page.next)}`;
  }
}

async function compareEntries(ledger: Client, day: DayBook, wallet: string, symbol: string) {
  const entries = await entriesOf(ledger, wallet, symbol);
  const shownOf = (one: { schema: unknown; amount: unknown; moment: unknown }) =>
    `${one.moment} ${one.schema} ${one.amount}`;
  const own = day.lines.filter((one) => one.wallet === wallet && one.symbol === symbol);
  const shown = entries.map(({ data }) => shownOf(data as never));
  expect([wallet, symbol, shown.toSorted()]).toEqual([wallet, symbol, own.map(shownOf).sort()]);
  const running = { balance: 0n, reserved: 0n };
  for (const { data } of entries) {
    const amount = BigInt(String(data['amount']));
    if (data['schema'] === 'debit') running.balance -= amount;
    if (data['schema'] === 'credit') running.balance += amount;
    if (data['schema'] === 'reserve') running.reserved += amount;
    if (data['schema'] === 'release') running.reserved -= amount;
    expect([String(data['balance']), String(data['reserved'])]).toEqual([
      String(running.balance),
      String(running.reserved),
    ]);
  }
}

test('every command ends as the day book says, and every balance at every moment is the same', async () => {
  const home = await sharedHome();
  const page = fc.array(command, { minLength: 10, maxLength: 30, size: 'max' });
  const holds = fc.asyncProperty(page, async (commands) => {
    const ledger = await newBank(home);
    const day = newDayBook();
    for (const one of [opening, ...commands]) await carryOut(ledger, day, one);
    await compare(ledger, day);
  });
  await fc.assert(holds, { numRuns: runCount, ...limit, endOnFailure: false });
});

/** Sends steps until the ledger is gone; the one without an answer is in doubt. */
async function untilKilled(
  ledger: Client,
  day: DayBook,
  commands: Iterator<Command>,
): Promise<Step> {
  for (;;) {
    const { value } = commands.next() as { value: Command };
    for (const step of stepsOf(day, value)) {
      const reply = await step.send(ledger).catch(lostOnly);
      if (!reply) return step;
      expect([value, reply.status < 300, reply.body.meta.status]).toEqual([
        value,
        true,
        step.expected,
      ]);
      if (isBooked(step, reply.body)) step.book(reply.body);
    }
  }
}

/** Only a lost answer puts a step in doubt; a wrong one is a finding. */
function lostOnly(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}

/** True for an end that the book enters: all but an intent that failed. */
function isBooked({ expected }: Step, { meta }: Item): boolean {
  const isGivenUp = meta.proofs.some(
    ({ origin, custom }) => origin !== undefined && custom?.['status'] === 'aborted',
  );
  return meta.status === expected && (expected !== 'rejected' || isGivenUp);
}

test('the same through kill -9 in the middle of commands, and the audit is in order', async () => {
  const data = newDataFolder();
  let runtime: Runtime = await start({ data });
  let ledger = await newBank(clientOf(runtime.url, runtime.key));
  const day = newDayBook();
  await carryOut(ledger, day, opening);
  const page = fc.sample(command, { numRuns: 50_000, seed: Date.now() % 1_000_000 });
  const commands = page.values();
  for (let round = 1; round <= roundCount; round += 1) {
    const load = untilKilled(ledger, day, commands);
    const before = day.lines.length;
    while (day.lines.length < before + 25) await new Promise((done) => setTimeout(done, 2));
    await runtime.kill9(round % 2 === 0 ? 'with its database' : 'runtime');
    const doubtful = await load;
    runtime = await start({ data });
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
    const item = await doubtful.found(ledger);
    if (item && isBooked(doubtful, item)) doubtful.book(item);
  }
  await compare(ledger, day);
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  rmSync(data, { recursive: true });
});
