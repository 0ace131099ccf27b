/** An explanation in plain lines: who calls, each question, its rules, and the answer. Rulings 30 to 34. */

import type { Callers } from '../../shared/access/principals.ts';
import { type EvaluatedRule, type Missing, requirements } from '../../shared/ledger/access.ts';
import type { LedgerError } from '../../shared/ledger/errors.ts';
import { lineOf, nameOf } from '../../shared/ledger/kind.ts';
import { namesIn } from '../../shared/ledger/matcher.ts';
import type { Rule } from '../../shared/ledger/rule.ts';
import { coverageOf, type RuleSource } from '../../shared/ledger/rule-source.ts';
import type { AccessDecision, EvaluatedQuery } from '../../shared/port/permission-query.ts';
import { statusOf } from '../../shared/port/status.ts';
import type { Explanation } from './explanation.ts';

/** A permission query as JSON, with the rules that are about it. */
interface QueryDocument {
  readonly query: string;
  readonly ledger: string;
  readonly isGranted: boolean;
  readonly isOpen: boolean;
  readonly rules: readonly {
    readonly source: string;
    readonly number: number;
    readonly isGranted: boolean;
    readonly why: string;
    readonly rule: Rule;
  }[];
}

/** An explanation as JSON: its result, the queries that lead to it, and those about the claims of an intent. */
export function documentOf(explained: Explanation) {
  const { request, ledger, open, verdicts, rights, error, whenEmpty, isUnsaid } = explained;
  return {
    ...{ request, ledger, isGranted: error === undefined },
    ...(open !== undefined && { open }),
    ...(error && { error: errorDocument(error) }),
    ...(whenEmpty && { whenEmpty: errorDocument(whenEmpty) }),
    ...(isUnsaid && { isUnsaid }),
    queries: verdicts.map((one) => queryDocument(one, explained)),
    rights: rights.map((one) => queryDocument(one, explained)),
  };
}

function errorDocument({ reason, detail }: LedgerError) {
  return { status: statusOf[reason], reason, detail };
}

function queryDocument(verdict: AccessDecision, { callers }: Explanation): QueryDocument {
  const { ledger, isGranted, isOpen, ways } = verdict;
  const rules = nearestIn(verdict).filter(({ weighed }) => !isElse(weighed));
  return {
    ...{ query: questionOf(verdict), ledger, isGranted, isOpen },
    rules: rules.map((nearest) => ({
      source: placeOf(nearest.weighed.source),
      number: numberOf(nearest.weighed),
      isGranted: nearest.weighed.missing === undefined,
      why: whyOf(nearest, ways.length === 1, callers),
      rule: nearest.weighed.rule,
    })),
  };
}

/** The lines of an explanation, with the rules of each question, or of the first one only. */
export function pageOf(explained: Explanation, isAll: boolean): string[] {
  const { request, ledger, open, callers, verdicts, rights, error } = explained;
  const head = [`${request}, ledger ${ledger}`, ...(callers ? callersIn(callers) : [])];
  if (open !== undefined) return [...head, '', `Granted: no rule is asked. ${open}`];
  const [first, ...others] = verdicts;
  return [
    ...head,
    ...(first ? ['', ...detailsOf(first, explained)] : []),
    ...(first ? othersIn(first, others, explained, isAll) : []),
    ...(rights.length > 0 ? ['', 'The claims of the intent need:'] : []),
    ...(isAll
      ? rights.flatMap((one) => detailsOf(one, explained))
      : summariesOf(rights, explained)),
    '',
    ...(error ? refused(explained) : granted(explained)),
  ];
}

function callersIn({ authors, bearer }: Callers): string[] {
  const lines = (authors ?? []).map((one) => `  signed by ${principalOf(one)}`);
  if (bearer) lines.push(`  with a token of ${principalOf(bearer.known)}`);
  return lines.length > 0 ? lines : ['  by a stranger: there is neither a body nor a token'];
}

function principalOf({
  handle,
  public: key,
  circles,
}: NonNullable<Callers['authors']>[number]): string {
  const name = handle ?? 'no signer of this ledger';
  const said = [name, ...(key === undefined ? [] : [`key ${key}`])].join(', ');
  return circles.size === 0 ? said : `${said}, member of ${[...circles].join(', ')}`;
}

/** A question, and each rule with what is missing of it. */
function detailsOf(verdict: AccessDecision, explained: Explanation): string[] {
  const lines = [headOf(verdict, explained)];
  if (verdict.isOpen) return [...lines, `  The ledger ${verdict.ledger} has no rules: it is open.`];
  let source: RuleSource | undefined;
  for (const one of nearestIn(verdict)) {
    if (one.weighed.source !== source) lines.push(`  ${placeOf(one.weighed.source)}`);
    source = one.weighed.source;
    lines.push(...ruleLines(one, verdict.ways.length === 1, explained));
  }
  return lines;
}

/** A rule: its verdict and, where it is about the question, its text. */
function ruleLines(nearest: Nearest, isOneWay: boolean, { callers }: Explanation): string[] {
  const { weighed } = nearest;
  const sign = weighed.missing === undefined ? '✓' : isElse(weighed) ? '·' : '✗';
  const why = whyOf(nearest, isOneWay, callers);
  const line = `    ${sign} rule ${numberOf(weighed)}: ${why}`;
  return isElse(weighed) ? [line] : [line, `      ${textOf(weighed.rule)}`];
}

function headOf(verdict: AccessDecision, { ledger }: Explanation): string {
  const sign = verdict.isGranted ? '✓' : '✗';
  const by = verdict.ledger === ledger ? '' : `, by the rules of ledger ${verdict.ledger}`;
  return `${sign} ${questionOf(verdict)}${by}`;
}

/** A question, as `update wallet w1` or `query or read some wallet`. */
function questionOf({ query }: AccessDecision): string {
  const { action, kind, about = kind, record, draft, or = [] } = query;
  const data = record?.data ?? draft?.data;
  const isNamed = data?.handle !== undefined || record !== undefined;
  const quantity = data ? '' : query.extent === 'all' ? 'every ' : 'some ';
  const isNew = draft !== undefined && action === 'create';
  const domain = record?.meta.domain ?? draft?.domain ?? query.domain;
  const ways = [[action, about] as const, ...or].map(([way, of]) =>
    of === kind ? way : `${way} ${of} on`,
  );
  return [
    [...new Set(ways)].join(' or '),
    ` ${isNew ? 'a new ' : quantity}${lineOf(kind).title.toLowerCase()}`,
    data && isNamed ? ` ${nameOf(kind, data)}` : '',
    domain === undefined ? '' : ` in domain ${domain}`,
  ].join('');
}

/** The questions after the first: other ways to be granted it, and how it is refused. */
function othersIn(
  first: AccessDecision,
  verdicts: readonly AccessDecision[],
  explained: Explanation,
  isAll: boolean,
): string[] {
  const others = verdicts.filter((one) => questionOf(one) !== questionOf(first));
  if (others.length === 0) return [];
  return [
    ...['', 'Then it is asked whether the caller may:'],
    ...(isAll
      ? others.flatMap((one) => detailsOf(one, explained))
      : summariesOf(others, explained)),
  ];
}

function summariesOf(verdicts: readonly AccessDecision[], explained: Explanation): string[] {
  const lines = verdicts.map((one) => `  ${headOf(one, explained)}${byOf(one)}`);
  return [...new Set(lines)];
}

/** The first rule that grants. */
function byOf(verdict: AccessDecision): string {
  if (verdict.isOpen) return `: ledger ${verdict.ledger} is open`;
  const granting = nearestIn(verdict).find(({ weighed }) => weighed.missing === undefined);
  if (!granting) return '';
  const { weighed } = granting;
  return `: ${placeOf(weighed.source)}, rule ${numberOf(weighed)}`;
}

function granted({ verdicts, rights, isUnsaid, whenEmpty }: Explanation): string[] {
  const by = verdicts.findLast(({ isGranted }) => isGranted);
  const isSifted = verdicts.some(
    ({ query, isOpen }) => !isOpen && ['query', 'lookup'].includes(query.action),
  );
  return [
    `Granted${by ? byOf(by) : ''}.`,
    ...(isSifted
      ? ['Rows are asked about one by one: what the caller may not read is left out.']
      : []),
    ...(whenEmpty ? [`An empty list is refused: ${saidBy(whenEmpty)}`] : []),
    ...(rights.some(({ isGranted }) => !isGranted)
      ? ['The intent waits for the signature of another signer, who may do the rest.']
      : []),
    ...unsaidIn(isUnsaid),
  ];
}

function refused({ error, record, verdicts, isUnsaid }: Explanation): string[] {
  if (!error) return [];
  // A record that may not be read is refused like one that is not there; an operator may know which it is. Ruling 71.
  const isUnseen = verdicts.some(({ query }) => query.extent === 'all');
  return [
    `Refused: ${saidBy(error)}`,
    ...(verdicts.length === 0 ? ['No rule was asked.'] : []),
    ...(isUnseen
      ? [record ? 'It is there, which the caller may not know.' : 'It is not there.']
      : []),
    ...unsaidIn(isUnsaid),
  ];
}

function saidBy({ reason, detail }: LedgerError): string {
  return `${statusOf[reason]} ${reason}, '${detail}'`;
}

function unsaidIn(isUnsaid = false): string[] {
  return isUnsaid
    ? ['There is no body, and rules may ask about its data: give one with --body.']
    : [];
}

/** A rule, and the way of asking for which it came nearest to granting. */
interface Nearest {
  readonly weighed: EvaluatedRule;
  readonly way: EvaluatedQuery;
}

/** The order in which a rule is checked: the later the missing part, the nearer the rule came to granting. */
const order: readonly Missing[] = ['action', 'record', ...requirements];

/** Each rule once, for the way of asking for which it came nearest. */
function nearestIn({ ways }: Pick<AccessDecision, 'ways'>): Nearest[] {
  const [first] = ways;
  return (first?.weighed ?? []).map((_, index) => {
    const all = ways.flatMap((way) => {
      const weighed = way.weighed[index];
      return weighed ? [{ weighed, way }] : [];
    });
    return all.reduce((best, one) => (distanceOf(one) < distanceOf(best) ? one : best));
  });
}

function distanceOf({ weighed: { missing } }: Nearest): number {
  return missing === undefined ? 0 : order.length - order.indexOf(missing);
}

/** The source of rules: `circle operators`, `policy audit, named by ledger bank`. */
function placeOf({ place, name = '', covers, namedAt }: RuleSource): string {
  if (place === 'server') return 'the server';
  if (place === 'record') return `${covers} ${name}`;
  return `${place} ${name}${namedAt ? `, named by ${placeOf(namedAt)}` : ''}`;
}

/** Its number among the rules of its source. */
function numberOf({ rule, source }: EvaluatedRule): number {
  return source.rules.indexOf(rule) + 1;
}

/** True for a rule about something else than the question. */
function isElse({ missing }: EvaluatedRule): boolean {
  return missing === 'action' || missing === 'record';
}

function whyOf({ weighed, way }: Nearest, isOneWay: boolean, callers?: Callers): string {
  const { rule, source, missing } = weighed;
  if (missing === undefined) return isOneWay ? 'grants it' : `grants ${way.action}`;
  if (!isElse(weighed)) return lackOf(missing, weighed, callers);
  if (rule.policy !== undefined) return `names policy ${saidOf(rule.policy)}`;
  return `grants ${saidOf(rule.action)} on ${saidOf(coverageOf(rule, source))}`;
}

function saidOf(said: Rule['action']): string {
  return said === undefined ? 'nothing' : namesIn(said).join(' or ');
}

function lackOf(missing: Missing, { rule, source }: EvaluatedRule, callers?: Callers): string {
  const { name = '' } = source.namedAt ?? source;
  const lacks: Readonly<Partial<Record<Missing, string>>> = {
    domain: `reaches no further than the domain ${source.domain ?? source.namedAt?.domain}`,
    place: 'is for owners, who cannot grant this to themselves',
    circle: `means members of ${name}, and the caller is none`,
    signer: othersThan(callers),
    bearer: callers?.bearer ? 'means another token' : 'asks for a token, and there is none',
    filter: rule.about?.length
      ? 'the record is not what it, or its policy, is about'
      : 'the record is not as its filter says',
    change: 'what changes is not as it says',
    invoke: `the check ${rule.invoke} does not pass`,
    work: 'its patterns take too much work to judge',
  };
  return lacks[missing] ?? missing;
}

function othersThan(callers?: Callers): string {
  if (callers?.authors) return 'means others than those who signed';
  return callers?.bearer
    ? 'means others than whose token it is'
    : 'asks for a signer, and there is none';
}

/** The rule as it is stored, its members in reading order. */
function textOf(rule: Rule): string {
  const { action, record, signer, bearer, invoke, filter, change, policy } = rule;
  return JSON.stringify({ action, record, signer, bearer, invoke, filter, change, policy });
}
