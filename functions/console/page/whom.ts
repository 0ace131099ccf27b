/** Rules, matchers and conditions as sentences. */
import { lineOf, shortOf } from './text.ts';

export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

/** The detail of a failed attempt: what the target answered, or a text. */
export function detailOf(detail: unknown): string {
  const { httpStatus } = membersOf(detail);
  return httpStatus === undefined ? lineOf(detail) : `HTTP ${lineOf(httpStatus)}`;
}

/** The texts of one name or of several: `"a"`, or `{"$in": ["a", "b"]}`. */
export function namesOf(value: unknown): readonly string[] {
  const several = membersOf(value)['$in'];
  if (Array.isArray(several)) return several.map(lineOf);
  return value === undefined ? [] : [lineOf(value)];
}

/** The members of `access`, or the `values` of a policy: a list of objects. */
export function rulesIn(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

/** The signers that a matcher means, such as "a member of circle managers". */
export function whomOf(matcher: unknown): string {
  const { handle, public: key, $circle, $record, $ledger, $in, ...others } = membersOf(matcher);
  if (Array.isArray($in) && $in.length > 0) return $in.map(whomOf).join(', or ');
  const parts = [
    handle !== undefined && `signer ${plainOrJson(handle)}`,
    key !== undefined && `the key ${shortOf(plainOrJson(key))}`,
    $circle !== undefined && `a member of circle ${namesOf($circle).join(' or ')}`,
    $record !== undefined && 'an owner of the record',
    $ledger !== undefined && 'an owner of the ledger',
    Object.keys(others).length > 0 && `a signer with ${lineOf(others)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', and ') : 'any signer';
}

function plainOrJson(value: unknown): string {
  const { $in, $eq } = membersOf(value);
  return Array.isArray($in) ? $in.map(lineOf).join(' or ') : lineOf($eq ?? value);
}

/** The grant of a rule: "read, query on wallet". */
export function grantOf({ action, record }: Members): string {
  const names = namesOf(record);
  return `${namesOf(action).join(', ')} on ${names.length > 0 ? names.join(', ') : 'this record'}`;
}

/** To whom a rule grants it; a rule without matchers on a circle is for its members. */
export function toWhom({ signer, bearer }: Members, everybody: string): string {
  const parts = [
    signer !== undefined && whomOf(signer),
    bearer !== undefined && `by a token of ${whomOf(membersOf(bearer)['$signer'] ?? bearer)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : everybody;
}

/** The operators of conditions, in words. */
const operatorWords: Readonly<Record<string, string>> = {
  ...{ $eq: 'is', $ne: 'is not', $gt: '>', $gte: '≥', $lt: '<', $lte: '≤' },
  ...{ $in: 'is one of', $nin: 'is none of', $regex: 'matches' },
};

/** Conditions as a text, such as `schema is “payroll” and amounts.usd ≥ 100000 smallest units`. */
export function conditionText(conditions: unknown): string {
  const parts = Object.entries(membersOf(conditions)).flatMap(([path, wanted]) => {
    const tests = Object.entries(membersOf(wanted));
    const isOperators = tests.length > 0 && tests.every(([name]) => name.startsWith('$'));
    return (isOperators ? tests : [['$eq', wanted] as const]).map(([name, operand]) =>
      comparedBy(lineOf(path), name, operand),
    );
  });
  return parts.length > 0 ? parts.join(' and ') : 'always';
}

function comparedBy(path: string, operator: string, operand: unknown): string {
  if (operator === '$exists') return `${path} is ${operand === true ? 'there' : 'absent'}`;
  const words = Object.hasOwn(operatorWords, operator) ? operatorWords[operator] : lineOf(operator);
  const operands = Array.isArray(operand) && /^\$n?in$/.test(operator) ? operand : [operand];
  const unit = path.startsWith('amounts.') ? ' smallest units' : '';
  return `${path} ${words} ${operands.map(quoted).join(', ')}${unit}`;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `“${lineOf(value)}”` : lineOf(value);
}

/** The conditions of a rule, as text; empty without any. */
export function conditionsOf({ filter, change, invoke }: Members): string {
  const parts = [
    filter !== undefined && `where ${conditionText(filter)}`,
    change !== undefined && `where the change says that ${conditionText(change)}`,
    invoke !== undefined && `where ${lineOf(invoke)} holds`,
  ];
  return parts.filter(Boolean).join(', ');
}

/**
 * Why a rule does not grant what was asked, in words: the first of its requirements that does not hold, of an item of an
 * access check. Ruling 35.
 */
export function whyNot({ missing, source, ...rule }: Members): string {
  const { handle } = membersOf(source);
  const reasons: Readonly<Record<string, string>> = {
    domain: 'The record is not in the domain that it reaches.',
    place: 'It is for owners, who cannot grant this to themselves.',
    circle: `You are no member of circle ${lineOf(handle)}.`,
    signer: `You are not ${whomOf(rule['signer'])}.`,
    bearer: 'It takes a token, and this question was signed without one.',
    filter: 'It is for you, but the record is not as it says.',
    change: 'It is for you, but for other changes.',
    invoke: `It is for you, but the check ${lineOf(rule['invoke'])} does not pass.`,
    work: 'Its patterns take too much work to judge.',
  };
  const name = lineOf(missing);
  return Object.hasOwn(reasons, name) ? (reasons[name] ?? '') : `It asks for another ${name}.`;
}
