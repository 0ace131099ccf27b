/**
 * Goal: through issues, transfers, holds, captures, releases, reversals, batches and freezes, each command ends as a day
 * book says that it must, and afterwards every balance at every moment, and every running balance, is that of the book;
 * also when the ledger is killed in the middle of commands, and in the audit. Rulings 81, 82, 87, 90, 92 and 94.
 */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Client, clientOf, type Item, newLedger } from '../fixture/client.ts';
import { type DayBook, heldAt, newDayBook } from '../fixture/day-book.ts';
import { type Command, command, opening, symbols, wallets } from '../fixture/day-command.ts';
import { key, type Step, stepOf } from '../fixture/day-step.ts';
import { audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { sharedHome } from '../fixture/served.ts';

const runs = process.env['MODEL_RUNS'];
const runCount = Number(runs ?? 12);
/** Pages of the gate take this time; those of a person who sets their number take what they need. */
const limit = runs === undefined ? { interruptAfterTimeLimit: 30_000 } : {};

async function newBank(home: Client): Promise<Client> {
  const ledger = await newLedger(home, key);
  for (const handle of symbols) await ledger.make('symbols', { handle, factor: 1 }, key);
  for (const handle of wallets) await ledger.make('wallets', { handle }, key);
  return ledger;
}

/** Carries out a command, and expects the end that the book foretells. */
async function carryOut(ledger: Client, day: DayBook, one: Command): Promise<void> {
  const step = stepOf(day, one);
  if (step) await step.heed(await step.send(ledger), ledger);
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

/** Sends commands until the ledger is gone; answers the step without an answer, and tells of each that is sent. */
async function untilKilled(
  ledger: Client,
  day: DayBook,
  commands: Iterator<Command>,
  sent: (does: Command['do']) => void,
): Promise<Step> {
  for (;;) {
    const { value } = commands.next() as { value: Command };
    const step = stepOf(day, value);
    if (!step) continue;
    const sending = step.send(ledger).catch(lostOnly);
    sent(step.does);
    const reply = await sending;
    if (!reply) return step;
    // What the answer is compared with may be asked for as well, and be lost.
    const isHeeded = await step.heed(reply, ledger).then(() => true, lostOnly);
    if (!isHeeded) return step;
  }
}

/** Only a lost answer puts a step in doubt; a wrong one is a finding. */
function lostOnly(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}

/** What is under way when the ledger is killed, and what is killed. */
const intents = ['settle', 'hold', 'capture', 'abort', 'reverse'] as const;
const rounds: readonly (readonly [readonly Command['do'][], 'runtime' | 'with its database'])[] = [
  [intents, 'runtime'],
  [['batch'], 'with its database'],
  [['freeze', 'thaw'], 'runtime'],
  [['batch'], 'runtime'],
  [['freeze', 'thaw'], 'with its database'],
];

test('the same through kill -9 in the middle of commands, and the audit is in order', async () => {
  const data = newDataFolder();
  let runtime: Runtime = await start({ data });
  let ledger = await newBank(clientOf(runtime.url, runtime.key));
  const day = newDayBook();
  await carryOut(ledger, day, opening);
  const page = fc.sample(command, 50_000);
  const commands = page.values();
  for (const [wanted, killed] of rounds) {
    const enough = day.lines.length + 25;
    let doubtful: Promise<Step> | undefined;
    await new Promise<void>((underWay, failed) => {
      doubtful = untilKilled(ledger, day, commands, (does) => {
        if (day.lines.length >= enough && wanted.includes(does)) underWay();
      });
      doubtful.catch(failed);
    });
    await new Promise((done) => setTimeout(done, Math.random() * 30));
    await runtime.kill9(killed);
    const step = await doubtful;
    runtime = await start({ data });
    ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
    await step?.clear(ledger);
  }
  await compare(ledger, day);
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  rmSync(data, { recursive: true });
});
