/** Permission queries of requests, and the decisions of the rules on them. Rulings 30 to 35. */
import type { EvaluatedRule } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData } from '../ledger/record.ts';

export interface PermissionQuery {
  readonly action: string;
  readonly kind: Kind;
  /** The current record; absent for one that does not exist yet, and for lists. */
  readonly record?: LedgerRecord | undefined;
  /** Data and domain of a record that is about to be created. */
  readonly draft?: { readonly data: RecordData; readonly domain?: string | undefined };
  /** Ownership of the record, and the rules in it, grant nothing. */
  readonly isForOthers?: true;
  /** The domain that a list is limited to or a path names; its rules count as well. */
  readonly domain?: string;
  /** The record that the listed ones belong to; its rules count as well. */
  readonly within?: string;
  /** The rules of all domains count as well, since the listed records may be in any of them. */
  readonly isEverywhere?: true;
  /**
   * The quantifier of a query that names no record. `some`: true when a rule grants it for any record; that everybody
   * could own a record does not count. `all`: true when it is granted for every possible record. Ruling 71.
   */
  readonly extent?: 'some' | 'all';
  /** The members that the request changes. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** The subject when it is not `kind` itself: a kind, `<kind>-proof` or `any`. */
  readonly about?: string;
  /** The kind of `about` when it is another one; the query is then about a record beside this one, or inside it. */
  readonly placedKind?: Kind;
  /** Alternatives of which one is enough. Ruling 33. */
  readonly or?: readonly (readonly [action: string, record: string])[];
}

/** One alternative of a query, with each rule as it was weighed. */
export interface EvaluatedQuery {
  readonly action: string;
  readonly record: string;
  readonly weighed: readonly EvaluatedRule[];
}

export interface AccessDecision {
  readonly query: PermissionQuery;
  /** The handle of the ledger whose rules decide. Decision 40. */
  readonly ledger: string;
  /** True when this ledger has no rules, so that everything is granted. Ruling 31. */
  readonly isOpen: boolean;
  /** Empty in an open ledger, where no rule is weighed. */
  readonly ways: readonly EvaluatedQuery[];
  readonly isGranted: boolean;
}

/** The permission query for adding a proof to a record of this kind. Ruling 33. */
export function provingOf(kind: Kind) {
  return { action: 'update', kind, or: [['create', `${kind}-proof`]] } as const;
}
