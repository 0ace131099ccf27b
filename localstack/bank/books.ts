/**
 * The books of the bank: accounts, holds, and the state of every entry that the ledger asked for. Pure functions:
 * `decide` returns the step that a call requires, the journal stores it, and `apply` changes the books. So the steps of
 * the journal give the same books again.
 */
import { assert } from '../../shared/ledger/assert.ts';
import { RefusedCallError } from './call-error.ts';

export interface Account {
  readonly symbol: string;
  readonly isOpen: boolean;
  balance: bigint;
  /** The sum of prepared debits: still in the balance, and no longer available. */
  held: bigint;
}

/** A debit or a credit of an account, which the ledger asks for. Ruling 54. */
export interface BankEntry {
  readonly handle: string;
  readonly schema: 'debit' | 'credit';
  readonly account: string;
  readonly symbol: string;
  readonly amount: number;
}

/** The intent of an entry: a report is a proof over its hash. */
export interface IntentName {
  readonly handle: string;
  readonly hash: string;
}

export type BankEntryCall =
  | { readonly action: 'prepare'; readonly entry: BankEntry; readonly intent: IntentName }
  | {
      readonly action: 'commit' | 'abort';
      readonly handle: string;
      readonly intent: IntentName;
    };

/** The `custom` of a proof on the intent, which reports on an entry by its handle. Ruling 56. */
export interface BankReport {
  readonly handle: string;
  readonly status: 'prepared' | 'failed' | 'committed' | 'aborted';
  /** The bank's own number of the entry. */
  readonly coreId?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly moment: string;
}

/** A report, and the intent that gets it as a proof. */
export interface OwedReport {
  readonly intent: IntentName;
  readonly report: BankReport;
}

/** One line of the journal. */
export type JournalStep =
  | {
      readonly step: 'open';
      readonly account: string;
      readonly symbol: string;
      readonly balance: number;
      readonly isOpen: boolean;
    }
  | ({ readonly step: 'prepare'; readonly entry: BankEntry } & OwedReport)
  | ({ readonly step: 'commit' | 'abort' } & OwedReport)
  /** The ledger has accepted a report. */
  | {
      readonly step: 'sent';
      readonly handle: string;
      readonly status: BankReport['status'];
    };

/** The state of an entry. `entry` is absent when it was aborted before its prepare came. */
interface Known {
  readonly intent: IntentName;
  readonly entry?: BankEntry;
  /** The reports on the prepare, and on the commit or abort. */
  readonly first?: BankReport;
  readonly last?: BankReport;
}

export interface BankBooks {
  /** The bank, which is also the domain of its addresses. */
  readonly name: string;
  readonly accounts: Map<string, Account>;
  readonly entries: Map<string, Known>;
  /** Reports that the ledger has not accepted yet. */
  readonly unsent: Map<string, OwedReport>;
}

export function emptyBooks(name: string): BankBooks {
  return { name, accounts: new Map(), entries: new Map(), unsent: new Map() };
}

/** The result of a call: a report, and the step that must be in the journal before the report is sent. */
export interface Decision {
  readonly report: BankReport;
  /** Absent for a repeated call: the report is that of the first one. */
  readonly step?: JournalStep;
}

/** Decides a call. The same call always has the same result. Ruling 57, Decision 67. */
export function decide(books: BankBooks, call: BankEntryCall, moment: string): Decision {
  const handle = call.action === 'prepare' ? call.entry.handle : call.handle;
  const known = books.entries.get(handle);
  if (known && known.intent.hash !== call.intent.hash)
    throw new RefusedCallError(
      409,
      'intent-unrelated',
      `The entry ${handle} belongs to another intent.`,
    );
  if (call.action === 'prepare') return begun(books, call, known, moment);
  return ended(call, known, moment);
}

function begun(
  books: BankBooks,
  { entry, intent }: BankEntryCall & { readonly action: 'prepare' },
  known: Known | undefined,
  moment: string,
): Decision {
  const { handle } = entry;
  if (known?.entry && !isSame(known.entry, entry))
    throw new RefusedCallError(
      409,
      'entry-duplicated',
      `The entry ${handle} came with other data before.`,
    );
  if (known?.first) return { report: known.first };
  const report = { handle, ...prepared(books, entry, known), moment };
  return { report, step: { step: 'prepare', entry, intent, report } };
}

function ended(
  { action, handle, intent }: Exclude<BankEntryCall, { readonly action: 'prepare' }>,
  known: Known | undefined,
  moment: string,
): Decision {
  const { first, last } = known ?? {};
  const status = action === 'commit' ? 'committed' : 'aborted';
  if (last?.status === status) return { report: last };
  if (last || (action === 'commit' && first?.status !== 'prepared'))
    throw new RefusedCallError(
      409,
      'entry-rejected',
      `The entry ${handle} is ${(last ?? first)?.status ?? 'unknown'} and cannot be ${status}.`,
    );
  const coreId = first?.coreId;
  const report: BankReport = { handle, status, ...(coreId && { coreId }), moment };
  return { report, step: { step: action, intent, report } };
}

/** Decides whether the bank can do an entry: a prepared one can always be committed. */
function prepared(
  { name, accounts, entries }: BankBooks,
  { handle, schema, account: number, symbol, amount }: BankEntry,
  known: Known | undefined,
): Pick<BankReport, 'status' | 'coreId' | 'reason' | 'detail'> {
  const failed = (reason: string, detail: string) =>
    ({ status: 'failed', reason: `bridge.${reason}`, detail }) as const;
  const account = accounts.get(number);
  if (known?.last)
    return failed('entry-aborted', `The entry ${handle} was aborted before it was prepared.`);
  if (account?.symbol !== symbol)
    return failed('account-not-found', `${name} has no account ${number} in ${symbol}.`);
  if (!account.isOpen) return failed('account-inactive', `The account ${number} is closed.`);
  if (schema === 'debit' && BigInt(amount) > account.balance - account.held)
    return failed(
      'account-insufficient-balance',
      `The account ${number} has less than ${amount} ${symbol} available.`,
    );
  return { status: 'prepared', coreId: `${name}-${entries.size + 1}` };
}

/** Applies a step of the journal to the books. */
export function apply(books: BankBooks, line: JournalStep): void {
  if (line.step === 'open') {
    const { account, symbol, balance, isOpen } = line;
    books.accounts.set(account, { symbol, isOpen, balance: BigInt(balance), held: 0n });
    return;
  }
  if (line.step === 'sent') {
    books.unsent.delete(idOf(line));
    return;
  }
  const { intent, report } = line;
  const known = books.entries.get(report.handle) ?? { intent };
  books.unsent.set(idOf(report), { intent, report });
  if (line.step === 'prepare') {
    books.entries.set(report.handle, { ...known, entry: line.entry, first: report });
    if (report.status === 'prepared') move(books, line.entry, 'prepare');
    return;
  }
  books.entries.set(report.handle, { ...known, last: report });
  if (known.entry && known.first?.status === 'prepared') move(books, known.entry, line.step);
}

/** A debit is held, then taken or released. A credit is added when it is committed. */
function move(books: BankBooks, entry: BankEntry, action: BankEntryCall['action']): void {
  const account = books.accounts.get(entry.account);
  assert(account, 'a prepared entry has an account');
  const amount = BigInt(entry.amount);
  if (entry.schema === 'credit') {
    if (action === 'commit') account.balance += amount;
    return;
  }
  account.held += action === 'prepare' ? amount : -amount;
  if (action === 'commit') account.balance -= amount;
  assert(account.held >= 0n && account.held <= account.balance, 'the balance covers what is held');
}

/** The key of a report: an entry has one for each status. */
export function idOf({ handle, status }: Pick<BankReport, 'handle' | 'status'>): string {
  return `${handle} ${status}`;
}

function isSame(one: BankEntry, other: BankEntry): boolean {
  return (['schema', 'account', 'symbol', 'amount'] as const).every(
    (name) => one[name] === other[name],
  );
}
