/**
 * The rulebook counts the records of a ledger that lay down rules for others. A create or a proof reads this one item
 * to know whether it must read such rules at all. It also marks for ever that access to the ledger was once restricted.
 * Rulings 31, 38, 65 and 66, Decision 47.
 */
import type { Kind } from './kind.ts';
import { isDropped, type LedgerRecord, type Version } from './record.ts';
import { isByPolicy, rulesOfLedger } from './rule-source.ts';
import { inactive } from './vouching.ts';

/** The counters: domains, and the schemas and policies of each kind of record. */
export type RulebookCounter = 'domain' | `schema ${string}` | `policy ${string}`;

/** Marks a governed ledger. The count never returns to zero once a rule for the whole ledger was laid down. */
export const governed = 'access';

/** The number of records behind each counter, absent for none, and the mark. */
export type Rulebook = Readonly<Partial<Record<RulebookCounter | typeof governed, number>>>;

type Ruling = Pick<LedgerRecord, 'data' | 'meta'>;

/** The counters that a record adds to. */
export function countersOf(kind: Kind, { data }: Ruling): RulebookCounter[] {
  if (kind === 'domain') return ['domain'];
  return kind === 'schema' || kind === 'policy' ? [`${kind} ${data['record']}`] : [];
}

/** True when a record restricts access to the whole ledger, which is open to everyone before. */
export function governs(kind: Kind, record: Ruling): boolean {
  if (kind === 'ledger') return rulesOfLedger(record).length > 0 || isByPolicy(record);
  return record.meta.status !== inactive && grantsAccess(kind, record.data);
}

/** As `governs`, for a version that may be absent or dropped. */
export function isGoverning(version: Version | undefined): boolean {
  return version !== undefined && !isDropped(version) && governs(version.kind, version.record);
}

/** True when the rules in data of this kind reach beyond their own record. */
function grantsAccess(kind: Kind, data: LedgerRecord['data']): boolean {
  const isPolicy = kind === 'policy' && data.schema === 'access';
  const rules = isPolicy ? data['values'] : data['access'];
  const isWide = isPolicy || kind === 'circle' || kind === 'domain';
  return isWide && Array.isArray(rules) && rules.length > 0;
}

export function hasCounter(
  rulebook: Rulebook | undefined,
  rule: RulebookCounter | typeof governed,
): boolean {
  return (rulebook?.[rule] ?? 0) > 0;
}
