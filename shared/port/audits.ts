/** The last audit of each ledger, as whoever ran it has noted it. Decision 121. */
import type { Scope } from './ports.ts';

export interface NotedAudit {
  /** Its start, in milliseconds: what was stored later it may not have seen. */
  readonly startMs: number;
  /** The violations in the ledger, and in the server's records of ledgers. */
  readonly findings: number;
  /** True when it ended at its first finding, so that there may be more. */
  readonly isPartial: boolean;
  /** The records and proofs of the ledger that were checked. */
  readonly records: number;
  readonly proofs: number;
  /** The release that checked them. */
  readonly semver: string;
}

export interface Audits {
  /** The last audit of a ledger; undefined before the first. One read unit. */
  last(scope: Scope): Promise<NotedAudit | undefined>;
  /** Notes an audit in place of an earlier one; false when a later one is noted already. */
  note(scope: Scope, audit: NotedAudit): Promise<boolean>;
}
