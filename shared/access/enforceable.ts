/** Refuses policies that say what no request could ever meet: they would be taken and mean nothing. Decision 107. */
import { LedgerError } from '../ledger/errors.ts';
import { intentStatuses } from '../ledger/four-eyes.ts';
import { derivedMembers, derivedPath } from '../ledger/intent-subject.ts';
import { anythingIn, assertMembers, memberOf } from '../ledger/path-member.ts';
import type { StatusValue } from '../ledger/policy.ts';
import type { Rule } from '../ledger/rule.ts';
import { rulesAbout } from '../ledger/rule-source.ts';
import type { PolicyData } from '../shape/policy.ts';
import { assertRuleMembers, membersSeenIn } from './rule-members.ts';

/** Refuses with `record.invalid` a policy of which a part could not be enforced. */
export function assertEnforceable(policy: PolicyData): void {
  const { schema, record, values } = policy;
  if (schema === 'status') assertStatuses(record, values as readonly StatusValue[]);
  if (schema === 'access') assertRules(record, values as unknown as readonly Rule[]);
  assertFilter(policy);
  assertFilterMembers(policy);
}

/** Refuses statuses of intents that the ledger alone gives. */
function assertStatuses(record: string, values: readonly StatusValue[]): void {
  if (kindOf(record) !== 'intent') return;
  const known: readonly unknown[] = intentStatuses;
  const odd = values.flatMap(statusesIn).find((status) => !known.includes(status));
  if (odd === undefined) return;
  const detail = `No quorum can decide the status ${quoted(odd)} of an intent, only ${known.join(', ')}.`;
  throw new LedgerError('record.invalid', detail, { status: odd });
}

function statusesIn({ status }: StatusValue): readonly (string | null)[] {
  if (status === undefined) return [];
  return typeof status === 'object' && status !== null ? status.$in : [status];
}

/** Refuses rules about what no record of the policy is or has: they reach the records of the policy alone. Ruling 30. */
function assertRules(record: string, rules: readonly Rule[]): void {
  assertCovered(record, rules);
  for (const rule of rules) assertRuleMembers(rule, rule.record ?? record);
}

function assertCovered(record: string, rules: readonly Rule[]): void {
  const index = rules.findIndex((rule) => rulesAbout(record, [rule]).length === 0);
  if (index < 0) return;
  const detail = `Rule ${index} of the policy is about other records than the policy, which is about ${record}.`;
  throw new LedgerError('record.invalid', detail, { rule: index });
}

/** Members derived from the claims are there for the statuses of intents alone, and compared by what they have. */
function assertFilter({ schema, record, filter = {} }: PolicyData): void {
  const isOfStatus = schema === 'status';
  if (!(isOfStatus ? ['intent', 'any'] : ['intent']).includes(kindOf(record))) return;
  const derived = Object.keys(filter).filter((path) => derivedMembers.includes(memberOf(path)));
  const odd = derived.find((path) => !(isOfStatus && derivedPath.test(path)));
  if (odd === undefined) return;
  const why = isOfStatus
    ? 'needs the symbol of a sum, one without a dot, or a fact of wallets, as amounts.usd or wallets.handle'
    : 'is for policies about the status of intents';
  throw new LedgerError('record.invalid', `Filter '${odd}' ${why}.`, { filter: odd });
}

/** Refuses a path that no such record has: a policy of four eyes that never applies lets every intent pass. */
function assertFilterMembers({ schema, record, filter }: PolicyData): void {
  const isOfIntents = schema === 'status' && ['intent', 'any'].includes(kindOf(record));
  const derived = isOfIntents ? derivedMembers : [];
  assertMembers(
    filter,
    { ...anythingIn(derived), ...membersSeenIn(record) },
    "the policy's records",
  );
}

/** The kind, for a policy about it or about the proofs of its records. Ruling 77. */
function kindOf(record: string): string {
  return record.replace(/-proof$/, '');
}

function quoted(status: string | null): string {
  return status === null ? 'null' : `'${status}'`;
}
