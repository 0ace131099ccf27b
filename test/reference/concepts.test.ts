/**
 * Goal: a concept page tells of its members what the shapes say, no more and no less, and each guarantee on it names the rule
 * and a test that shows it. The examples are compared with real answers in `test/functions/concept.test.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../shared/ledger/kind.ts';
import { concepts } from '../../shared/reference/guide.ts';
import { fieldsOf } from './fields-of.ts';

const folder = 'shared/reference/concepts';
const textOf = (name: string) => readFileSync(`${folder}/${name}.md`, 'utf8');
const lineCountMax = 90;

/** Members that every record has; the page of records tells of them. */
const common =
  /^(luid|hash|data|meta|data\.(access|custom|domain|schema|parent)|meta\.(proofs|status|moment|owners|labels|domain|action|change|leaf|drop.*))$/;

interface Told {
  /** Names of schemas of the OpenAPI document; a later one does not change what an earlier one says. */
  readonly of: readonly string[];
  /** The paths that the table tells of; by default all that are not common. */
  readonly only?: RegExp;
  readonly but?: RegExp;
  /** Common members that the table tells of as well. */
  readonly also?: RegExp;
}

/** What each table of a page tells of, in the order of the tables. */
const told: Readonly<Record<string, readonly Told[]>> = {
  ledger: [{ of: ['CreateLedger'] }],
  record: [
    {
      of: ['WalletChange', 'UpdateWallet'],
      only: /^(luid|hash|data\.handle|data\.(schema|access|custom|domain|parent)|meta\.\w+)$/,
    },
  ],
  proof: [{ of: ['Proof'] }],
  signer: [
    { of: ['CreateSigner', 'Signer'] },
    { of: ['SignerKey'] },
    { of: ['CreateSignerFactor', 'SignerFactor'], also: /^data\.schema$/ },
  ],
  symbol: [{ of: ['CreateSymbol'] }],
  wallet: [{ of: ['CreateWallet', 'Wallet'], but: /routes\[\]/ }],
  balance: [
    { of: ['Balance'], also: /^(data\.schema|meta\.moment)$/ },
    { of: ['Entry'], also: /^data\.schema$/ },
  ],
  intent: [{ of: ['CreateIntent', 'Intent'], but: /claims\[\]/ }],
  claim: [{ of: ['CreateIntent'], only: /claims\[\]/ }],
  hold: [{ of: ['CreateIntent'], only: /^data\.config(\.commit|\.expiry)?$/ }],
  reversal: [{ of: ['CreateIntent'], only: /reverses/ }],
  batch: [{ of: ['CreateIntentBatch'], only: /^(data|mode)$/ }],
  limit: [{ of: ['Limit'], also: /^meta\.(status|moment)$/ }],
  route: [{ of: ['CreateWallet'], only: /routes/ }],
  bridge: [{ of: ['CreateBridge'], also: /^data\.schema$/ }],
  domain: [{ of: ['CreateDomain'], also: /^data\.domain$/ }],
  circle: [{ of: ['CreateCircle'] }, { of: ['CreateCircleSigner'] }],
  rule: [{ of: ['AccessRule'] }],
  policy: [{ of: ['CreatePolicy'], also: /^data\.schema$/ }],
  schema: [{ of: ['CreateSchema'], also: /^data\.schema$/ }],
  anchor: [{ of: ['CreateAnchor'] }],
  effect: [{ of: ['CreateEffect'] }],
  monitor: [{ of: ['CreateEffect'], only: /^data\.balance/ }],
  report: [{ of: ['CreateReport'], also: /^data\.(schema|custom)$/ }],
  log: [{ of: ['LogProof'] }],
  witness: [{ of: ['CreateLedger'], only: /witnesses/ }],
  receipt: [{ of: ['Receipt'], but: /signers\.\w+\./ }],
};

/** The data of a kind as answers have them: more than what authors may write. */
function answeredIn(name: string): [path: string, type: string][] {
  if (!/^Create(?!IntentBatch)/.test(name)) return [];
  return [...fieldsOf(`${name.replace(/^Create/, '')}Data`)].map(([path, type]) => [
    `data.${path}`,
    type,
  ]);
}

/** The rows that a table must have, each with its type, in alphabetical order. */
function rowsOf({ of, only, but, also }: Told): string[] {
  const fields = new Map(
    of.toReversed().flatMap((name) => [...answeredIn(name), ...fieldsOf(name)]),
  );
  const isTold = (path: string) =>
    only ? only.test(path) : (!common.test(path) || also?.test(path)) && !but?.test(path);
  return [...fields].flatMap(([path, type]) => (isTold(path) ? `${path}: ${type}` : [])).sort();
}

/** The tables of fields of a page: the member and the type of each row. */
function tablesOf(text: string): string[][] {
  const header =
    '| member | type | set by | changes | meaning |\n| --- | --- | --- | --- | --- |\n';
  return text
    .split(header)
    .slice(1)
    .map((table) => table.slice(0, table.indexOf('\n\n')).split('\n').map(rowOf).sort());
}

/** `member: type` of a row, all of whose five cells say something. */
function rowOf(row: string): string {
  const cells = /^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$/.exec(row);
  return cells ? `${cells[1]?.replaceAll('`', '')}: ${cells[2]}` : `no row: ${row}`;
}

test('each page is listed, and each that is listed is there', () => {
  const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
  expect(concepts.map(({ name }) => name).sort()).toEqual(names.sort());
});

test('each kind of record has its page', () => {
  const told = concepts.flatMap((page) => page.kinds ?? []);
  expect(told.sort()).toEqual(Object.keys(kinds).sort());
});

test('the page of records tells which kinds can be updated and dropped', () => {
  const rows = [...textOf('record').matchAll(/^\| ([a-z, ]+) \| (yes|no) \| (yes|no) \|$/gm)];
  const said = rows.flatMap(([, names = '', updates, drops]) =>
    names.split(', ').map((name) => [name, updates === 'yes', drops === 'yes']),
  );
  const lines = Object.values(kinds).map(({ title, updates, drops }) => [
    title.toLowerCase(),
    updates,
    drops,
  ]);
  expect(said.sort()).toEqual(lines.sort());
});

describe.each(concepts)('$name', ({ name }) => {
  const text = textOf(name);

  test('has its title, says what it is and why the word, and is short', () => {
    const [first, , ...rest] = text.split('\n');
    expect(first).toMatch(/^# [A-Z]/);
    expect(rest[0]).toMatch(/^[A-Z]/);
    expect(text).toContain('\n**Why the word.** ');
    expect(text.replace(/^```json\n.*?^```$/ms, '').split('\n').length).toBeLessThan(lineCountMax);
  });

  test('names for each guarantee the rule and a test', () => {
    const [, guarantees = ''] = /^## Guarantees\n\n(.*?)\n\n/ms.exec(text) ?? [];
    const lines = guarantees.split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(/^- \*\*.*\(Rulings? \d[\d, and]*; `test\/[\w/.-]+\.test\.ts`\)$/);
      for (const [, path = ''] of line.matchAll(/`(test\/[\w/.-]+)`/g))
        expect([path, existsSync(path)]).toEqual([path, true]);
    }
  });

  test('tells of its members as the shapes have them', () => {
    expect(tablesOf(text)).toEqual((told[name] ?? []).map(rowsOf));
  });
});
