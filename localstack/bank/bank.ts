/**
 * The bank: its books, and the journal that they are read back from. Each call is decided, written and
 * applied in one go, without waiting in between, so that no two calls can see the same money.
 */
import {
  apply,
  type Books,
  type Decision,
  decide,
  type EntryCall,
  emptyBooks,
  idOf,
  type Report,
  type Step,
} from './books.ts';
import { openJournal } from './journal.ts';

/** An account to open, with so much on it, or closed for good. */
export interface Opening {
  readonly account: string;
  readonly balance: number | 'closed';
}

export interface Bank {
  readonly books: Books;
  /** Opens an account; one that is there stays as it is. Whether it is new. */
  readonly open: (opening: Opening, symbol: string) => boolean;
  /** Does what the ledger asks for, at most once; answers what to report. */
  readonly take: (call: EntryCall) => Decision;
  /** Notes that the ledger has accepted a report. */
  readonly sent: (report: Report) => void;
  readonly close: () => void;
}

/** Opens the bank of this name, as its journal says. */
export function openBank(name: string, journalPath: string, clock: () => number = Date.now): Bank {
  const books = emptyBooks(name);
  const journal = openJournal<Step>(journalPath, (step) => apply(books, step));
  const keep = (step: Step) => {
    journal.append(step);
    apply(books, step);
  };
  return {
    books,
    open: ({ account, balance }, symbol) => {
      if (books.accounts.has(account)) return false;
      const isOpen = balance !== 'closed';
      keep({ step: 'open', account, symbol, balance: isOpen ? balance : 0, isOpen });
      return true;
    },
    take: (call) => {
      const decision = decide(books, call, new Date(clock()).toISOString());
      if (decision.step) keep(decision.step);
      return decision;
    },
    sent: ({ handle, status }) => {
      if (books.unsent.has(idOf({ handle, status }))) keep({ step: 'sent', handle, status });
    },
    close: () => journal.close(),
  };
}
