/**
 * Reads the decision table of `access-table.md`: the cast, and a question for each row. How a row is written is
 * said at the top of the table.
 */
import { readFileSync } from 'node:fs';
import type { Caller, Question } from '../../shared/ledger/access.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Principal } from '../../shared/ledger/matcher.ts';
import type { Conditions, Rule, VerifiedBearer } from '../../shared/ledger/rule.ts';
import {
  ownersRules,
  type RuleSource,
  ruleSourceOf,
  rulesAbout,
  serverRules,
  withPolicies,
} from '../../shared/ledger/rule-source.ts';

/** A row of the table, ready to be asked. */
export interface Row {
  readonly rules: string;
  readonly caller: string;
  readonly question: string;
  /** `yes`, `no`, or the places of the rules that grant it. */
  readonly granted: string;
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

type Cells = Readonly<Record<string, string>>;

const passing = ['intent.canReadAnyClaimWallet', 'wallet.canSpendAllChangedRouteTargets'];
const text = readFileSync(new URL('access-table.md', import.meta.url), 'utf8');
const [, ...chapters] = text.split('\n## ');
const [cast = ''] = chapters;
const [callers = [], records = [], policies = []] = tablesIn(cast);

/** The sections of the table, in its order. */
export const sections: readonly Section[] = chapters.slice(1).map((chapter) => ({
  title: chapter.slice(0, chapter.indexOf('\n')),
  rows: tablesIn(chapter).flat() as unknown as Row[],
}));

/** The question of a row, and the rules that stand when it is asked. */
export function asked(row: Row): { question: Question; standings: RuleSource[] } {
  const [, action = '', record = '', handle = '', change = ''] =
    /^(\S+) (\S+) (\S+) ?(.*)$/.exec(row.question.replace(/ some (\S+)$/, ' $1 some')) ?? [];
  const named = records.find((each) => each['record'] === handle);
  const subject = handle === 'some' ? undefined : subjectOf(named, row, change);
  const known = new Map(
    policies.map((policy) => [policy['policy'] ?? '', { rules: rulesOf(policy) }]),
  );
  return {
    question: {
      action,
      record,
      subject,
      caller: callerOf(row, named?.['owner']),
      passes: (invoke) => passing.includes(invoke),
    },
    standings: withPolicies(partsOf(row.rules, '; ').map(standingIn), known),
  };
}

/** A value written as YAML writes it in a line: words need no quotes. */
function flowOf(flow: string): unknown {
  const json = flow.replaceAll(/"(?:[^"\\]|\\.)*"|[^\s{}[\]:,]+/g, (word) =>
    /^(".*"|true|false|null|-?\d+)$/.test(word) ? word : JSON.stringify(word),
  );
  return JSON.parse(json);
}

/** The rows of every table in a text, by the names of their columns. */
function tablesIn(chapter: string): Cells[][] {
  const tables = chapter.split('\n\n').filter((part) => part.startsWith('|'));
  return tables.map((table) => {
    const [head = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [head[i], cell])));
  });
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function partsOf(list: string, separator: string): string[] {
  return list.split(separator).filter((part) => part !== '');
}

function subjectOf(named: Cells | undefined, row: Row, change: string): Question['subject'] {
  if (!named) throw new Error(`No such record: ${row.question}`);
  const data = flowOf(named['data'] ?? '') as Conditions;
  return { data, ...(change !== '' && { change: flowOf(change) as Conditions }) };
}

/** The standing that is written as `<what it stands on>: <rule>`, or as a policy that stands by itself. */
function standingIn(written: string): RuleSource {
  const [, place = '', name = '', rule = ''] =
    /^([\w-]+)(?: ([\w-]+))?(?:: (.*))?$/.exec(written) ?? [];
  if (place === 'policy') {
    const policy = policies.find((each) => each['policy'] === name);
    if (!policy) throw new Error(`No such policy: ${written}`);
    return { place, name, rules: rulesOf(policy) };
  }
  if (place === 'server')
    return { place, rules: rule === 'defaults' ? serverRules : [ruleOf(rule)] };
  const access = rule === 'defaults' ? ownersRules : [ruleOf(rule)];
  return ruleSourceOf(place as Kind, { handle: name, access });
}

function rulesOf(policy: Cells): Rule[] {
  return rulesAbout(policy['record'] ?? '', partsOf(policy['rules'] ?? '', '; ').map(ruleOf));
}

function ruleOf(written: string): Rule {
  const [, action = '', second, more = '{}'] =
    /^([\w-]+)(?: ([\w-]+))?(?: (\{.*\}))?$/.exec(written) ?? [];
  if (action === '') throw new Error(`No rule: ${written}`);
  if (action === 'policy' && second !== undefined) return { policy: second };
  return { action, ...(second && { record: second }), ...(flowOf(more) as Rule) };
}

/** Who signed, and whose token came with it. */
function callerOf({ caller }: Row, owner: string | undefined): Caller {
  const names = partsOf(caller, ', ');
  const [token] = names.flatMap((name) => /^token (\w+)( bound)?$/.exec(name) ?? []).slice(1, 2);
  const bearer = token === undefined ? undefined : bearerOf(token, caller.endsWith('bound'), owner);
  const [signed = 'nobody'] = names.filter((name) => !name.startsWith('token '));
  if (signed === 'nobody') return { bearer };
  if (signed === 'unsigned') return { authors: [], bearer };
  return { authors: signed.split(' and ').map((name) => partyOf(name, owner)), bearer };
}

function bearerOf(name: string, hsh: boolean, owner: string | undefined): VerifiedBearer {
  const claims = flowOf(castOf(name)['token says'] ?? '') as Pick<
    VerifiedBearer,
    'iss' | 'sub' | 'aud'
  >;
  const { handle, key } = castOf(name);
  const isSubject = name === 'app' || [handle, key].includes(claims.sub);
  return { sub: undefined, ...claims, hsh, isSubject, principal: partyOf(name, owner) };
}

/** A party as the action layer knows it: what it does not know is undefined. */
function partyOf(name: string, owner: string | undefined): Principal {
  const { handle, key, schema, custom = '', circles = '' } = castOf(name);
  return {
    handle: handle || undefined,
    public: key || undefined,
    format: key && 'ed25519-raw',
    schema: schema || undefined,
    custom: custom === '' ? undefined : flowOf(custom),
    circles: new Set(partsOf(circles, ', ')),
    owns: new Set([
      ...(name === owner ? (['record'] as const) : []),
      ...(name === 'dan' ? (['ledger'] as const) : []),
    ]),
  };
}

function castOf(name: string): Cells {
  const found = callers.find((each) => each['caller'] === name);
  if (!found) throw new Error(`Nobody is called ${name}.`);
  return found;
}
