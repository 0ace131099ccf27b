/**
 * The rulebook: how many records of a ledger lay down rules for others, so that whoever creates or
 * proves reads one item to know whether there is a rule to look for. Rulings 38, 65 and 66.
 */
import type { Kind } from './kind.ts';
import type { LedgerRecord } from './record.ts';

/**
 * What is counted: domains, the schemas and policies of each kind of record, and whoever grants access in
 * the whole ledger. Ruling 31.
 */
export type Rule = 'domain' | 'access' | `schema ${string}` | `policy ${string}`;

/** How many records lay down each rule; absent for none. */
export type Rulebook = Readonly<Partial<Record<Rule, number>>>;

/** A record of this status lays down no rules. Rulings 36 and 66. */
const inactive = 'inactive';

/** The rules that a record lays down, as it stands; none for most. */
export function rulesOf(kind: Kind, { data, meta }: Pick<LedgerRecord, 'data' | 'meta'>): Rule[] {
  const access: Rule[] = meta.status !== inactive && grantsAccess(kind, data) ? ['access'] : [];
  if (kind === 'domain') return ['domain', ...access];
  return kind === 'schema' || kind === 'policy' ? [`${kind} ${data['record']}`, ...access] : access;
}

/** Whether data of this kind grants access to more than its own record. */
function grantsAccess(kind: Kind, data: LedgerRecord['data']): boolean {
  const isPolicy = kind === 'policy' && data.schema === 'access';
  const rules = isPolicy ? data['values'] : data['access'];
  const isWide = isPolicy || kind === 'circle' || kind === 'domain';
  return isWide && Array.isArray(rules) && rules.length > 0;
}

/** Whether a rulebook counts any record that lays down the rule. */
export function hasRule(rulebook: Rulebook | undefined, rule: Rule): boolean {
  return (rulebook?.[rule] ?? 0) > 0;
}
