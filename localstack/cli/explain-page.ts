/** An explanation as people read it, on a terminal of 100 columns. */

import type { Callers } from '../../shared/access/caller.ts';
import { statusOf } from '../../shared/http/status.ts';
import type { LedgerError } from '../../shared/ledger/errors.ts';
import { lineOf, nameOf } from '../../shared/ledger/kind.ts';
import type { Standing } from '../../shared/ledger/standing.ts';
import type { Verdict } from '../../shared/port/asked.ts';
import {
  isElse,
  type Nearest,
  nearestIn,
  numberOf,
  placeOf,
  textOf,
  whyOf,
} from './explain-rule.ts';
import type { Explanation } from './explanation.ts';

const widthMax = 100;
const indent = '     ';

/** The lines that say whether a request is granted, and why; with all rules of each question, or of the first. */
export function pageOf(explained: Explanation, isAll: boolean): string[] {
  const { request, ledger, open, callers, verdicts, rights, refusal } = explained;
  const head = [`${request}, ledger ${ledger}`, ...(callers ? callersIn(callers) : [])];
  if (open !== undefined) return [...head, '', ...wrapped(`Granted: no rule is asked. ${open}`)];
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
    ...(refusal ? refused(explained) : granted(explained)),
  ];
}

/** Who calls, a line for each. */
function callersIn({ authors, bearer }: Callers): string[] {
  const lines = (authors ?? []).map((one) => `  signed by ${partyOf(one)}`);
  if (bearer) lines.push(`  with a token of ${partyOf(bearer.known)}`);
  const nobody = '  by nobody who is known: there is neither a body nor a token';
  return (lines.length > 0 ? lines : [nobody]).flatMap((line) => wrapped(line, indent));
}

function partyOf({
  handle,
  public: key,
  circles,
}: NonNullable<Callers['authors']>[number]): string {
  const name = handle ?? 'somebody who is no signer here';
  const said = [name, ...(key === undefined ? [] : [`key ${key}`])].join(', ');
  return circles.size === 0 ? said : `${said}, member of ${[...circles].join(', ')}`;
}

/** A question, and every rule with what is missing of it. */
function detailsOf(verdict: Verdict, explained: Explanation): string[] {
  const lines = [headOf(verdict, explained)];
  const open = `${indent}Nobody has laid down a rule for the ledger ${verdict.ledger}: it is open.`;
  if (verdict.isOpen) return [...lines, open];
  let standing: Standing | undefined;
  for (const one of nearestIn(verdict)) {
    if (one.weighed.standing !== standing) lines.push(`   ${placeOf(one.weighed.standing)}`);
    standing = one.weighed.standing;
    lines.push(...ruleLines(one, verdict.ways.length === 1, explained));
  }
  return lines;
}

/** A rule: whether it grants or why not and, where it is about what is asked, what it says. */
function ruleLines(nearest: Nearest, isOneWay: boolean, { callers }: Explanation): string[] {
  const { weighed } = nearest;
  const hanging = `${indent}  `;
  const sign = weighed.missing === undefined ? '✓' : isElse(weighed) ? '·' : '✗';
  const why = whyOf(nearest, isOneWay, callers);
  const line = `${indent}${sign} rule ${numberOf(weighed)}: ${why}`;
  const said = isElse(weighed) ? [] : wrapped(`${hanging}${textOf(weighed.rule)}`, hanging);
  return [...wrapped(line, hanging), ...said];
}

function headOf(verdict: Verdict, { ledger }: Explanation): string {
  const sign = verdict.isGranted ? '✓' : '✗';
  const by = verdict.ledger === ledger ? '' : `, by the rules of ledger ${verdict.ledger}`;
  return `${sign} ${questionOf(verdict)}${by}`;
}

/** What was asked, as `update wallet w1` or `query or read some wallet`. */
function questionOf({ asked }: Verdict): string {
  const { action, kind, about = kind, record, draft, or = [] } = asked;
  const data = record?.data ?? draft?.data;
  const isNamed = data?.handle !== undefined || record !== undefined;
  const quantity = data ? '' : asked.extent === 'all' ? 'every ' : 'some ';
  const isNew = draft !== undefined && action === 'create';
  const domain = record?.meta.domain ?? draft?.domain ?? asked.domain;
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
  first: Verdict,
  verdicts: readonly Verdict[],
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

function summariesOf(verdicts: readonly Verdict[], explained: Explanation): string[] {
  const lines = verdicts.map((one) => `${indent}${headOf(one, explained)}${byOf(one)}`);
  return [...new Set(lines)].flatMap((line) => wrapped(line, `${indent}  `));
}

/** Which rule grants: the first one that does. */
function byOf(verdict: Verdict): string {
  if (verdict.isOpen) return `: ledger ${verdict.ledger} is open`;
  const granting = nearestIn(verdict).find(({ weighed }) => weighed.missing === undefined);
  if (!granting) return '';
  const { weighed } = granting;
  return `: ${placeOf(weighed.standing)}, rule ${numberOf(weighed)}`;
}

function granted({ verdicts, rights, isUnsaid, whenEmpty }: Explanation): string[] {
  const by = verdicts.findLast(({ isGranted }) => isGranted);
  const isSifted = verdicts.some(
    ({ asked, isOpen }) => !isOpen && ['query', 'lookup'].includes(asked.action),
  );
  return [
    `Granted${by ? byOf(by) : ''}.`,
    ...(isSifted
      ? ['Rows are asked about one by one: what the caller may not read is left out.']
      : []),
    ...(whenEmpty ? [`An empty list is refused: ${saidBy(whenEmpty)}`] : []),
    ...(rights.some(({ isGranted }) => !isGranted)
      ? ['The intent waits for a signature of somebody who may do the rest.']
      : []),
    ...unsaidIn(isUnsaid),
  ];
}

function refused({ refusal, record, verdicts, isUnsaid }: Explanation): string[] {
  if (!refusal) return [];
  // What may not be read is refused like what is not there; whoever explains may know which it is. Ruling 71.
  const isUnseen = verdicts.some(({ asked }) => asked.extent === 'all');
  return [
    ...wrapped(`Refused: ${saidBy(refusal)}`),
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
    ? ['Nothing was said of the data, which rules may ask about: --body says it.']
    : [];
}

/** A text in lines of at most the width, broken after spaces and commas where it can be. */
function wrapped(text: string, hanging = ''): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > widthMax) {
    const part = rest.slice(0, widthMax);
    const end = Math.max(part.lastIndexOf(' '), part.lastIndexOf(',')) + 1;
    const length = end > hanging.length + 1 ? end : widthMax;
    lines.push(rest.slice(0, length).trimEnd());
    rest = `${hanging}${rest.slice(length)}`;
  }
  return [...lines, rest];
}
