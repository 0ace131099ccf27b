/**
 * Goal: the books of the example bridge: whatever the ledger asks, in whatever order and however often, and
 * wherever the process ends meanwhile, no money is moved twice, none is lost, and each call has one answer.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Bank, openBank } from '../../localstack/bank/bank.ts';
import type { BankEntry, BankEntryCall, BankReport } from '../../localstack/bank/books.ts';
import { RefusedCallError } from '../../localstack/bank/call-error.ts';

// In memory where there is such a place: thousands of lines are put on the disk one by one.
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folder = mkdtempSync(join(place, 'countersign-books-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const newPath = () => {
  count += 1;
  return join(folder, `${count}.jsonl`);
};

const openings = [
  { account: '1001', balance: 100 },
  { account: '1002', balance: 0 },
  { account: '1009', balance: 'closed' },
] as const;

function opened(path: string, clock?: () => number): Bank {
  const bank = openBank('blue', path, clock);
  for (const opening of openings) bank.open(opening, 'usd');
  return bank;
}

type Told = Pick<BankEntry, 'schema' | 'account' | 'amount'> & Partial<BankEntry>;

const intentOf = (handle: string) => ({ handle: `pay-${handle}`, hash: `hash-${handle}` });

function callOf(action: BankEntryCall['action'], handle: string, told: Told): BankEntryCall {
  const intent = intentOf(handle);
  if (action !== 'prepare') return { action, handle, intent };
  return { action, intent, entry: { symbol: 'usd', handle, ...told } };
}

/** What a call comes to: the report's status or reason, or why it was not taken. */
function outcomeOf(bank: Bank, call: BankEntryCall): string {
  try {
    const { report } = bank.take(call);
    return report.reason ?? report.status;
  } catch (error) {
    if (error instanceof RefusedCallError) return `${error.status} ${error.reason}`;
    throw error;
  }
}

/** A row is a call and, after two spaces, its outcome; an account, its balance and what is held; or a restart. */
function check(page: string): void {
  const path = newPath();
  const told = new Map<string, Told>();
  let bank = opened(path);
  for (const row of page.trim().split('\n')) {
    const [what = '', outcome] = row.trim().split(/ {2,}/);
    const [action = '', ...words] = what.split(' ');
    if (action === 'restart') {
      bank.close();
      bank = opened(path);
    } else if (action === 'account') {
      const { balance, held } = bank.books.accounts.get(words[0] ?? '') ?? {};
      expect(`${balance} ${held}`, row).toBe(outcome);
    } else {
      const call = callIn(action as BankEntryCall['action'], words, told);
      expect(outcomeOf(bank, call), row).toBe(outcome);
    }
  }
  bank.close();
}

/** The call of a row; entries are told when they are prepared. */
function callIn(
  action: BankEntryCall['action'],
  [handle = '', account = '', amount, symbol = 'usd']: readonly string[],
  told: Map<string, Told>,
): BankEntryCall {
  const schema = handle.startsWith('deb') ? 'debit' : 'credit';
  const entry = { schema, account, amount: Number(amount), symbol } as const;
  if (action === 'prepare') told.set(handle, entry);
  return callOf(action, handle, told.get(handle) ?? entry);
}

describe('a page of the books:', () => {
  test('a debit is held, then taken', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      account 1001               100 60
      commit deb_1               committed
      account 1001               40 0
    `));

  test('a debit that is aborted is let go', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      abort deb_1                aborted
      account 1001               100 0
    `));

  test('a credit is brought when it is committed, and not before', () =>
    check(`
      prepare cre_1 1002 60 usd  prepared
      account 1002               0 0
      commit cre_1               committed
      account 1002               60 0
      prepare cre_2 1002 5 usd   prepared
      abort cre_2                aborted
      account 1002               60 0
    `));

  test('what is held nobody else may have', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      prepare deb_2 1001 41 usd  bridge.account-insufficient-balance
      prepare deb_3 1001 40 usd  prepared
      prepare deb_4 1001 1 usd   bridge.account-insufficient-balance
      account 1001               100 100
      abort deb_1                aborted
      prepare deb_5 1001 60 usd  prepared
      account 1001               100 100
    `));

  test('what is not there is refused, and an abort of it is fine', () =>
    check(`
      prepare deb_1 1008 1 usd  bridge.account-not-found
      prepare cre_1 1008 1 usd  bridge.account-not-found
      prepare cre_2 1009 1 usd  bridge.account-inactive
      prepare deb_2 1009 1 usd  bridge.account-inactive
      prepare cre_3 1001 1 eur  bridge.account-not-found
      abort deb_1               aborted
      abort cre_2               aborted
      account 1001              100 0
    `));

  test('the same call comes to the same, and moves nothing twice', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      prepare deb_1 1001 60 usd  prepared
      account 1001               100 60
      commit deb_1               committed
      commit deb_1               committed
      prepare deb_1 1001 60 usd  prepared
      account 1001               40 0
      restart
      commit deb_1               committed
      prepare deb_1 1001 60 usd  prepared
      account 1001               40 0
      prepare deb_2 1001 90 usd  bridge.account-insufficient-balance
      prepare cre_1 1001 90 usd  prepared
      commit cre_1               committed
      prepare deb_2 1001 90 usd  bridge.account-insufficient-balance
    `));

  test('an abort that comes first is remembered, so that a late prepare is refused', () =>
    check(`
      abort deb_1                aborted
      restart
      prepare deb_1 1001 60 usd  bridge.entry-aborted
      prepare deb_1 1001 60 usd  bridge.entry-aborted
      commit deb_1               409 bridge.entry-rejected
      abort deb_1                aborted
      account 1001               100 0
    `));

  test('what was decided is not decided otherwise', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      commit deb_1               committed
      abort deb_1                409 bridge.entry-rejected
      prepare deb_2 1001 10 usd  prepared
      abort deb_2                aborted
      commit deb_2               409 bridge.entry-rejected
      commit deb_3               409 bridge.entry-rejected
      prepare deb_4 1001 90 usd  bridge.account-insufficient-balance
      commit deb_4               409 bridge.entry-rejected
      account 1001               40 0
    `));

  test('a handle is one entry for ever', () =>
    check(`
      prepare deb_1 1001 60 usd  prepared
      prepare deb_1 1001 61 usd  409 bridge.entry-duplicated
      account 1001               100 60
    `));

  test('a balance is exact beyond what a double holds', () =>
    check(`
      prepare cre_1 1002 9007199254740991 usd  prepared
      commit cre_1                             committed
      prepare cre_2 1002 9007199254740991 usd  prepared
      commit cre_2                             committed
      restart
      account 1002                             18014398509481982 0
    `));
});

test('an entry is of one intent', () => {
  const bank = opened(newPath());
  bank.take(callOf('prepare', 'deb_1', { schema: 'debit', account: '1001', amount: 5 }));
  const other = { action: 'commit', handle: 'deb_1', intent: intentOf('other') } as const;
  expect(outcomeOf(bank, other)).toBe('409 bridge.intent-unrelated');
  bank.close();
});

/** What may happen: a call, an accepted report, an end of the process, or one in the middle of a line. */
type Happening =
  | { readonly is: 'call'; readonly action: BankEntryCall['action']; readonly index: number }
  | { readonly is: 'accepted' | 'restart' | 'cut-off' };

const entries = fc.array(
  fc.record({
    schema: fc.constantFrom('debit', 'credit'),
    account: fc.constantFrom('1001', '1001', '1002', '1002', '1008', '1009'),
    amount: fc.integer({ min: 1, max: 70 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const happenings = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        is: fc.constant('call'),
        action: fc.constantFrom('prepare', 'prepare', 'commit', 'abort'),
        index: fc.nat(7),
      }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('accepted', 'restart', 'cut-off') }) },
  ),
  { maxLength: 40 },
) as fc.Arbitrary<Happening[]>;

/** An independent account of it all: no running balance, only sums over what every entry came to. */
class Model {
  readonly #told: readonly Told[];
  readonly first = new Map<number, 'prepared' | 'failed'>();
  readonly last = new Map<number, 'committed' | 'aborted'>();

  constructor(told: readonly Told[]) {
    this.#told = told;
  }

  /** What the call must come to. */
  call(action: BankEntryCall['action'], index: number): string {
    const [first, last] = [this.first.get(index), this.last.get(index)];
    if (action === 'prepare') {
      if (first === undefined)
        this.first.set(index, this.#isPossible(index) ? 'prepared' : 'failed');
      return this.first.get(index) ?? '';
    }
    const wanted = action === 'commit' ? 'committed' : 'aborted';
    const isPossible = last === undefined && (action === 'abort' || first === 'prepared');
    if (isPossible) this.last.set(index, wanted);
    return this.last.get(index) === wanted ? wanted : 'refused';
  }

  #isPossible(index: number): boolean {
    const { schema, account, amount } = this.#told[index] as Told;
    if (this.last.has(index) || !['1001', '1002'].includes(account)) return false;
    return schema === 'credit' || amount <= this.balance(account) - this.held(account);
  }

  balance(account: string): number {
    const start = account === '1001' ? 100 : 0;
    return (
      this.#sum(account, (index, { schema, amount }) =>
        this.last.get(index) === 'committed' ? (schema === 'credit' ? amount : -amount) : 0,
      ) + start
    );
  }

  held(account: string): number {
    return this.#sum(account, (index, { schema, amount }) =>
      schema === 'debit' && this.first.get(index) === 'prepared' && !this.last.has(index)
        ? amount
        : 0,
    );
  }

  #sum(account: string, partOf: (index: number, told: Told) => number): number {
    return this.#told.reduce(
      (sum, told, index) => (told.account === account ? sum + partOf(index, told) : sum),
      0,
    );
  }
}

/** The bank and its model side by side, with all that was reported so far. */
class Rehearsal {
  readonly #path = newPath();
  readonly #told: readonly Told[];
  readonly #model: Model;
  readonly #reports = new Map<string, BankReport>();
  readonly #accepted = new Set<string>();
  #nowMs = 1_800_000_000_000;
  #bank: Bank;

  constructor(told: readonly Told[]) {
    this.#told = told;
    this.#model = new Model(told);
    this.#bank = this.#open();
  }

  /** Lets it happen to both, and compares them. */
  let(happening: Happening): void {
    if (happening.is === 'call') this.#call(happening.action, happening.index % this.#told.length);
    else if (happening.is === 'accepted') this.#accept();
    else this.#restart(happening.is === 'cut-off');
    const { accounts, unsent } = this.#bank.books;
    for (const account of ['1001', '1002', '1009']) {
      const { balance, held } = accounts.get(account) ?? {};
      const model = [this.#model.balance(account), this.#model.held(account)].map(BigInt);
      expect([balance, held]).toEqual(model);
    }
    const owed = [...this.#reports.keys()].filter((name) => !this.#accepted.has(name));
    expect([...unsent.keys()].sort()).toEqual(owed.sort());
  }

  end(): void {
    this.#bank.close();
    rmSync(this.#path);
  }

  #open(): Bank {
    return opened(this.#path, () => {
      this.#nowMs += 1;
      return this.#nowMs;
    });
  }

  #call(action: BankEntryCall['action'], index: number): void {
    const call = callOf(action, `entry_${index}`, this.#told[index] as Told);
    const wanted = this.#model.call(action, index);
    if (wanted === 'refused') {
      expect(() => this.#bank.take(call)).toThrow(RefusedCallError);
      return;
    }
    const { report } = this.#bank.take(call);
    expect(report.status).toBe(wanted);
    // Whoever asks again hears the same, word for word: so it is the same proof.
    const name = `${report.handle} ${report.status}`;
    expect(report).toEqual(this.#reports.get(name) ?? report);
    this.#reports.set(name, report);
  }

  #accept(): void {
    const [owed] = this.#bank.books.unsent.values();
    if (!owed) return;
    this.#bank.sent(owed.report);
    this.#accepted.add(`${owed.report.handle} ${owed.report.status}`);
  }

  #restart(isCutOff: boolean): void {
    this.#bank.close();
    if (isCutOff) appendFileSync(this.#path, '{"step":"prepare","entry":{"ha');
    this.#bank = this.#open();
  }
}

test('in any order and however often, with restarts in between, the books are those of the model', () => {
  fc.assert(
    fc.property(entries, happenings, (told, list) => {
      const rehearsal = new Rehearsal(told);
      for (const happening of list) rehearsal.let(happening);
      rehearsal.end();
    }),
    { numRuns: 500 },
  );
});

test('wherever a journal is cut off, the books are those of the lines that are whole', () => {
  const path = newPath();
  let bank = opened(path);
  const pictureOf = ({ books }: Bank) =>
    JSON.stringify([[...books.accounts], [...books.entries], [...books.unsent]], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  // What the books were like when the journal was so long.
  const pictures = new Map([[readFileSync(path).length, pictureOf(bank)]]);
  const debit: Told = { schema: 'debit', account: '1001', amount: 30 };
  for (const action of ['prepare', 'commit'] as const) {
    bank.take(callOf(action, 'deb_1', debit));
    pictures.set(readFileSync(path).length, pictureOf(bank));
  }
  const { report } = bank.take(callOf('abort', 'deb_2', debit));
  pictures.set(readFileSync(path).length, pictureOf(bank));
  bank.sent(report);
  pictures.set(readFileSync(path).length, pictureOf(bank));
  bank.close();
  const bytes = readFileSync(path);
  const lengths = [...pictures.keys()];
  for (let length = lengths[0] ?? 0; length <= bytes.length; length += 1) {
    writeFileSync(path, bytes.subarray(0, length));
    bank = opened(path);
    const whole = lengths.findLast((one) => one <= length) ?? 0;
    expect(pictureOf(bank)).toBe(pictures.get(whole));
    // And the journal goes on from there.
    bank.take(callOf('prepare', 'deb_9', { ...debit, amount: 1 }));
    const picture = pictureOf(bank);
    bank.close();
    bank = opened(path);
    expect(pictureOf(bank)).toBe(picture);
    bank.close();
  }
});

test('a journal that is damaged in the middle is not taken for what it was', () => {
  const path = newPath();
  opened(path).close();
  const [first, ...rest] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [first, '{"step":"prep', ...rest].join('\n'));
  expect(() => opened(path)).toThrow(`${path}:2 is damaged`);
});

test('a bank that was closed does nothing more', () => {
  const path = newPath();
  const bank = opened(path);
  const call = callOf('prepare', 'deb_1', { schema: 'debit', account: '1001', amount: 30 });
  bank.close();
  bank.close();
  expect(() => bank.take(call)).toThrow(`${path} is closed`);
  expect(bank.books.accounts.get('1001')?.held).toBe(0n);
});
