/**
 * The bank: its books, and the journal that restores them. Each call is decided, written and applied synchronously, so
 * that no two calls can reserve the same money.
 */
import {
  apply,
  type BankBooks,
  type BankEntryCall,
  type BankReport,
  type Decision,
  decide,
  emptyBooks,
  idOf,
  type JournalStep,
} from './books.ts';
import { openJournal } from './journal.ts';

/** An account to open, with its first balance, or closed. */
export interface AccountOpening {
  readonly account: string;
  readonly balance: number | 'closed';
}

export interface Bank {
  readonly books: BankBooks;
  /** Opens an account; false when it exists, and then it stays as it is. */
  readonly open: (opening: AccountOpening, symbol: string) => boolean;
  /** Carries out a call of the ledger, at most once; returns the report. */
  readonly take: (call: BankEntryCall) => Decision;
  /** Records that the ledger has accepted a report. */
  readonly sent: (report: BankReport) => void;
  readonly close: () => void;
}

/** Opens the bank of this name, with the books that its journal restores. */
export function openBank(name: string, journalPath: string, clock: () => number = Date.now): Bank {
  const books = emptyBooks(name);
  const journal = openJournal<JournalStep>(journalPath, (step) => apply(books, step));
  const append = (step: JournalStep) => {
    journal.append(step);
    apply(books, step);
  };
  return {
    books,
    open: ({ account, balance }, symbol) => {
      if (books.accounts.has(account)) return false;
      const isOpen = balance !== 'closed';
      append({ step: 'open', account, symbol, balance: isOpen ? balance : 0, isOpen });
      return true;
    },
    take: (call) => {
      const decision = decide(books, call, new Date(clock()).toISOString());
      if (decision.step) append(decision.step);
      return decision;
    },
    sent: ({ handle, status }) => {
      if (books.unsent.has(idOf({ handle, status }))) append({ step: 'sent', handle, status });
    },
    close: () => journal.close(),
  };
}
