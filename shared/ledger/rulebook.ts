/**
 * The rulebook: how many records of a ledger lay down rules for others, so that whoever creates or
 * proves reads one item to know whether there is a rule to look for. Rulings 38, 65 and 66.
 */
import type { Kind } from './kind.ts';

/** What is counted: domains, and the schemas and policies of each kind of record. */
export type Rule = 'domain' | `schema ${string}` | `policy ${string}`;

/** How many records lay down each rule; absent for none. */
export type Rulebook = Readonly<Partial<Record<Rule, number>>>;

/** The rule that a record of this kind and data lays down; undefined for most. */
export function ruleOf(kind: Kind, data: Readonly<Record<string, unknown>>): Rule | undefined {
  if (kind === 'domain') return 'domain';
  return kind === 'schema' || kind === 'policy' ? `${kind} ${data['record']}` : undefined;
}

/** Whether a rulebook counts any record that lays down the rule. */
export function hasRule(rulebook: Rulebook | undefined, rule: Rule): boolean {
  return (rulebook?.[rule] ?? 0) > 0;
}
