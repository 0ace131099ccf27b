/** A rule as it was weighed, in words: where it stands, whether it grants, and what was missing. Rulings 30 to 34. */

import type { Callers } from '../../shared/access/caller.ts';
import type { Missing, Weighed } from '../../shared/ledger/access.ts';
import { namesIn } from '../../shared/ledger/matcher.ts';
import type { Rule } from '../../shared/ledger/rule.ts';
import { coverageOf, type Standing } from '../../shared/ledger/standing.ts';
import type { Verdict, Way } from '../../shared/port/asked.ts';

/** A rule, and the way of asking for which it came nearest to granting. */
export interface Nearest {
  readonly weighed: Weighed;
  readonly way: Way;
}

/** In this order a rule is looked at, so that one to which a later thing is missing came nearer. */
const order: readonly Missing[] = [
  'action',
  'record',
  'domain',
  'place',
  'circle',
  'signer',
  'bearer',
  'filter',
  'change',
  'invoke',
  'work',
];

/** Each rule once, for the way of asking for which it came nearest. */
export function nearestIn({ ways }: Pick<Verdict, 'ways'>): Nearest[] {
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

/** Where rules stand: `circle operators`, `policy audit, named by ledger bank`. */
export function placeOf({ place, name = '', covers, namedAt }: Standing): string {
  if (place === 'server') return 'the server';
  if (place === 'record') return `${covers} ${name}`;
  return `${place} ${name}${namedAt ? `, named by ${placeOf(namedAt)}` : ''}`;
}

/** Its number among those that stand there. */
export function numberOf({ rule, standing }: Weighed): number {
  return standing.rules.indexOf(rule) + 1;
}

/** Whether a rule is about something else than what is asked. */
export function isElse({ missing }: Weighed): boolean {
  return missing === 'action' || missing === 'record';
}

/** Whether it grants, or what is missing of it. */
export function whyOf({ weighed, way }: Nearest, isOneWay: boolean, callers?: Callers): string {
  const { rule, standing, missing } = weighed;
  if (missing === undefined) return isOneWay ? 'grants it' : `grants ${way.action}`;
  if (!isElse(weighed)) return lackOf(missing, weighed, callers);
  if (rule.policy !== undefined) return `names policy ${saidOf(rule.policy)}`;
  return `grants ${saidOf(rule.action)} on ${saidOf(coverageOf(rule, standing))}`;
}

function saidOf(said: Rule['action']): string {
  return said === undefined ? 'nothing' : namesIn(said).join(' or ');
}

function lackOf(missing: Missing, { rule, standing }: Weighed, callers?: Callers): string {
  const { name = '' } = standing.namedAt ?? standing;
  const lacks: Readonly<Partial<Record<Missing, string>>> = {
    domain: `reaches no further than the domain ${standing.domain ?? standing.namedAt?.domain}`,
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

/** The rule as it was laid down, its members in the order in which one reads them. */
export function textOf(rule: Rule): string {
  const { action, record, signer, bearer, invoke, filter, change, policy } = rule;
  return JSON.stringify({ action, record, signer, bearer, invoke, filter, change, policy });
}
