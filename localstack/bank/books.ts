/**
 * The books of the bank: its accounts, what is held on them, and what became of every entry that the
 * ledger asked for. Nothing here waits or writes. `decide` says which step a call asks for, the journal
 * keeps that step, and `apply` makes it count; so what is read back from the journal gives the same books.
 */
import { assert } from '../../shared/ledger/assert.ts';
import { Refused } from './refused.ts';

export interface Account {
  readonly symbol: string;
  readonly isOpen: boolean;
  balance: bigint;
  /** What prepared debits will take: it is still there, and nobody else may have it. */
  held: bigint;
}

/** What the ledger asks for: to take an amount from an account, or to bring it there. Ruling 54. */
export interface Entry {
  readonly handle: string;
  readonly schema: 'debit' | 'credit';
  readonly account: string;
  readonly symbol: string;
  readonly amount: number;
}

/** The intent that an entry is of: a report is a proof over its hash. */
export interface IntentName {
  readonly handle: string;
  readonly hash: string;
}

/** One call of the ledger about an entry. */
export type EntryCall =
  | { readonly action: 'prepare'; readonly entry: Entry; readonly intent: IntentName }
  | {
      readonly action: 'commit' | 'abort';
      readonly handle: string;
      readonly intent: IntentName;
    };

/** What the ledger is told: the `custom` of a proof on the intent, which names the entry. Ruling 56. */
export interface Report {
  readonly handle: string;
  readonly status: 'prepared' | 'failed' | 'committed' | 'aborted';
  /** The bank's own number of the entry. */
  readonly coreId?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly moment: string;
}

/** A report, and the intent that it goes to. */
export interface Owed {
  readonly intent: IntentName;
  readonly report: Report;
}

/** One line of the journal. */
export type Step =
  | {
      readonly step: 'open';
      readonly account: string;
      readonly symbol: string;
      readonly balance: number;
      readonly isOpen: boolean;
    }
  | ({ readonly step: 'prepare'; readonly entry: Entry } & Owed)
  | ({ readonly step: 'commit' | 'abort' } & Owed)
  /** The ledger has accepted a report. */
  | {
      readonly step: 'sent';
      readonly handle: string;
      readonly status: Report['status'];
    };

/** What became of an entry. One that was aborted before it was ever prepared is remembered as well. */
interface Kept {
  readonly intent: IntentName;
  readonly entry?: Entry;
  /** What was reported of the prepare, and of the commit or abort. */
  readonly first?: Report;
  readonly last?: Report;
}

export interface Books {
  /** The bank, which is also the domain of its addresses. */
  readonly name: string;
  readonly accounts: Map<string, Account>;
  readonly entries: Map<string, Kept>;
  /** Reports that the ledger has not accepted yet. */
  readonly unsent: Map<string, Owed>;
}

export function emptyBooks(name: string): Books {
  return { name, accounts: new Map(), entries: new Map(), unsent: new Map() };
}

/** What a call comes to: a report, and the step that must be in the journal before it is sent. */
export interface Decision {
  readonly report: Report;
  /** Absent when the same was asked before: then it is the report of then, and nothing else happens. */
  readonly step?: Step;
}

/** Decides what a call comes to; it never comes to two different things. Ruling 57, Decision 67. */
export function decide(books: Books, call: EntryCall, moment: string): Decision {
  const handle = call.action === 'prepare' ? call.entry.handle : call.handle;
  const kept = books.entries.get(handle);
  if (kept && kept.intent.hash !== call.intent.hash)
    throw new Refused(409, 'intent-unrelated', `The entry ${handle} is of another intent.`);
  if (call.action === 'prepare') return begun(books, call, kept, moment);
  return ended(call, kept, moment);
}

function begun(
  books: Books,
  { entry, intent }: EntryCall & { readonly action: 'prepare' },
  kept: Kept | undefined,
  moment: string,
): Decision {
  const { handle } = entry;
  if (kept?.entry && !isSame(kept.entry, entry))
    throw new Refused(409, 'entry-duplicated', `The entry ${handle} was another one before.`);
  if (kept?.first) return { report: kept.first };
  const report = { handle, ...prepared(books, entry, kept), moment };
  return { report, step: { step: 'prepare', entry, intent, report } };
}

function ended(
  { action, handle, intent }: Exclude<EntryCall, { readonly action: 'prepare' }>,
  kept: Kept | undefined,
  moment: string,
): Decision {
  const { first, last } = kept ?? {};
  const status = action === 'commit' ? 'committed' : 'aborted';
  if (last?.status === status) return { report: last };
  if (last || (action === 'commit' && first?.status !== 'prepared'))
    throw new Refused(
      409,
      'entry-rejected',
      `The entry ${handle} is ${(last ?? first)?.status ?? 'unknown'} and cannot be ${status}.`,
    );
  const coreId = first?.coreId;
  const report: Report = { handle, status, ...(coreId && { coreId }), moment };
  return { report, step: { step: action, intent, report } };
}

/** Whether the bank will do it: a prepared entry can always be committed. */
function prepared(
  { name, accounts, entries }: Books,
  { handle, schema, account: number, symbol, amount }: Entry,
  kept: Kept | undefined,
): Pick<Report, 'status' | 'coreId' | 'reason' | 'detail'> {
  const failed = (reason: string, detail: string) =>
    ({ status: 'failed', reason: `bridge.${reason}`, detail }) as const;
  const account = accounts.get(number);
  if (kept?.last) return failed('entry-aborted', `The entry ${handle} was aborted before it came.`);
  if (account?.symbol !== symbol)
    return failed('account-not-found', `${name} has no account ${number} in ${symbol}.`);
  if (!account.isOpen) return failed('account-inactive', `The account ${number} is closed.`);
  if (schema === 'debit' && BigInt(amount) > account.balance - account.held)
    return failed(
      'account-insufficient-balance',
      `The account ${number} does not have ${amount} ${symbol}.`,
    );
  return { status: 'prepared', coreId: `${name}-${entries.size + 1}` };
}

/** Makes a step of the journal count. */
export function apply(books: Books, line: Step): void {
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
  const kept = books.entries.get(report.handle) ?? { intent };
  books.unsent.set(idOf(report), { intent, report });
  if (line.step === 'prepare') {
    books.entries.set(report.handle, { ...kept, entry: line.entry, first: report });
    if (report.status === 'prepared') move(books, line.entry, 'prepare');
    return;
  }
  books.entries.set(report.handle, { ...kept, last: report });
  if (kept.entry && kept.first?.status === 'prepared') move(books, kept.entry, line.step);
}

/** A debit is held, then taken or let go; a credit is brought when it is committed and not before. */
function move(books: Books, entry: Entry, action: EntryCall['action']): void {
  const account = books.accounts.get(entry.account);
  assert(account, 'a prepared entry has an account');
  const amount = BigInt(entry.amount);
  if (entry.schema === 'credit') {
    if (action === 'commit') account.balance += amount;
    return;
  }
  account.held += action === 'prepare' ? amount : -amount;
  if (action === 'commit') account.balance -= amount;
  assert(account.held >= 0n && account.held <= account.balance, 'what is held is there');
}

/** Names a report: of an entry there is one for each status. */
export function idOf({ handle, status }: Pick<Report, 'handle' | 'status'>): string {
  return `${handle} ${status}`;
}

function isSame(one: Entry, other: Entry): boolean {
  return (['schema', 'account', 'symbol', 'amount'] as const).every(
    (name) => one[name] === other[name],
  );
}
