/**
 * The rulebook: how many records of a ledger lay down rules for others, so that whoever creates or
 * proves reads one item to know whether there is a rule to look for. Rulings 38, 65 and 66. It also keeps
 * that somebody once said who may do what in the ledger, whatever became of it. Ruling 31, Decision 47.
 */
import type { Kind } from './kind.ts';
import { isDropped, type LedgerRecord, type Version } from './record.ts';
import { isByPolicy, rulesOfLedger } from './standing.ts';
import { inactive } from './vouching.ts';

/** What is counted: domains, and the schemas and policies of each kind of record. */
export type Rule = 'domain' | `schema ${string}` | `policy ${string}`;

/** The mark of a ledger that is governed: above none for ever, once a rule for all of it began. */
export const governed = 'access';

/** How many records lay down each rule; absent for none. Beside them the mark. */
export type Rulebook = Readonly<Partial<Record<Rule | typeof governed, number>>>;

type Ruling = Pick<LedgerRecord, 'data' | 'meta'>;

/** The rules that a record lays down and that are counted; none for most. */
export function rulesOf(kind: Kind, { data }: Ruling): Rule[] {
  if (kind === 'domain') return ['domain'];
  return kind === 'schema' || kind === 'policy' ? [`${kind} ${data['record']}`] : [];
}

/** Whether a record says who may do what in its whole ledger, so that no longer everybody may everything. */
export function governs(kind: Kind, record: Ruling): boolean {
  if (kind === 'ledger') return rulesOfLedger(record).length > 0 || isByPolicy(record);
  return record.meta.status !== inactive && grantsAccess(kind, record.data);
}

/** The same, of a version that may be absent, or the last one of a record. */
export function isGoverning(version: Version | undefined): boolean {
  return version !== undefined && !isDropped(version) && governs(version.kind, version.record);
}

/** Whether data of this kind grants access to more than its own record. */
function grantsAccess(kind: Kind, data: LedgerRecord['data']): boolean {
  const isPolicy = kind === 'policy' && data.schema === 'access';
  const rules = isPolicy ? data['values'] : data['access'];
  const isWide = isPolicy || kind === 'circle' || kind === 'domain';
  return isWide && Array.isArray(rules) && rules.length > 0;
}

/** Whether a rulebook counts any record that lays down the rule, or has the mark. */
export function hasRule(rulebook: Rulebook | undefined, rule: Rule | typeof governed): boolean {
  return (rulebook?.[rule] ?? 0) > 0;
}
