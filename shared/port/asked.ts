/** What requests ask of the rules, and what the rules say. Rulings 30 to 35. */
import type { Weighed } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData } from '../ledger/record.ts';

/** What a request asks of the rules. */
export interface Asked {
  readonly action: string;
  readonly kind: Kind;
  /** The record as it stands; absent for one that is to be made, and for lists. */
  readonly record?: LedgerRecord | undefined;
  /** The data of a record that is to be made, and its domain. */
  readonly draft?: { readonly data: RecordData; readonly domain?: string | undefined };
  /** That being the owner of the record, and what stands on it, grants nothing. */
  readonly isForOthers?: true;
  /** The domain that a list is limited to, or that a path tells: its rules are asked as well. */
  readonly domain?: string;
  /** The record that those of a list belong to: its rules are asked as well. */
  readonly within?: string;
  /** That the rules of all domains are asked as well, since the records of a list lie in any of them. */
  readonly isEverywhere?: true;
  /**
   * Of which records it is asked when none is named. `some`: whether a rule lets the caller do it to any; that
   * everybody could own one is no such rule. `all`: whether to each that there could be. Ruling 71.
   */
  readonly extent?: 'some' | 'all';
  /** What the request alters. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** What is asked about when it is not the kind itself: a kind, `<kind>-proof` or `any`. */
  readonly about?: string;
  /** The kind of `about` when it is another one: then of a record that would lie beside this one, or in it. */
  readonly beside?: Kind;
  /** Other ways of asking for the same: any of them is enough. Ruling 33. */
  readonly or?: readonly (readonly [action: string, record: string])[];
}

/** One way of asking, with every rule as it was weighed for it. */
export interface Way {
  readonly action: string;
  readonly record: string;
  readonly weighed: readonly Weighed[];
}

/** What was asked, and what the rules said. */
export interface Verdict {
  readonly asked: Asked;
  /** The handle of the ledger whose rules decide. Decision 40. */
  readonly ledger: string;
  /** Whether nobody has laid down a rule there, so that everything is granted. Ruling 31. */
  readonly isOpen: boolean;
  /** How it was asked; no rule is weighed in an open ledger. */
  readonly ways: readonly Way[];
  readonly isGranted: boolean;
}

/** What adding a proof to a record of this kind asks. Ruling 33. */
export function provingOf(kind: Kind) {
  return { action: 'update', kind, or: [['create', `${kind}-proof`]] } as const;
}
