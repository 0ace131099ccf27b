/**
 * Refuses rules and policies with conditions on what none of their records has: such a rule grants nothing or, by `$ne`,
 * everything. Decision 158.
 */
import type { Kind } from '../ledger/kind.ts';
import { namesIn, type OneOf } from '../ledger/matcher.ts';
import {
  anythingIn,
  assertMembers,
  type KnownMembers,
  membersOfRecord,
} from '../ledger/path-member.ts';
import type { Rule } from '../ledger/rule.ts';
import { any } from '../ledger/rule-source.ts';
import { dataMembersOf } from '../shape/body.ts';
import { subjects } from '../shape/subject.ts';

/** The members of what a proof asks for, which `change` sees. Ruling 34. */
const proofMembers: readonly string[] = ['status', 'labels'];

/** Refuses with `record.invalid` a rule about these records with a condition that leads to none of their members. */
export function assertRuleMembers({ filter, change }: Rule, covered: OneOf): void {
  const members = dataMembersOfAll(covered);
  assertMembers(filter, anythingIn(members), "the data of the rule's records");
  assertMembers(
    change,
    anythingIn([...members, ...proofMembers]),
    'what the rule sees of a change',
  );
}

/** The members that the filter of a policy about these records sees: those of their data as well by themselves. */
export function membersSeenIn(covered: OneOf): KnownMembers {
  const data = dataMembersOfAll(covered);
  return { ...anythingIn([...membersOfRecord, ...data]), data };
}

function dataMembersOfAll(covered: OneOf): readonly string[] {
  const names = namesIn(covered).map((name) => name.replace(/-proof$/, ''));
  const kinds = names.includes(any) ? subjects : (names as readonly Kind[]);
  return [...new Set(kinds.flatMap(dataMembersOf))];
}
