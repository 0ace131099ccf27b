/**
 * The field's words. A reader who knows ledgers, DynamoDB and HTTP must not have to learn ours: names that were once
 * used here and mean nothing outside are refused, with the word that replaced them. A type is declared once, so that
 * its name is enough to find it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folders = ['functions', 'infra', 'localstack', 'shared'];
const paths = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
);
const sources = paths.map((path) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
);
const documents = [
  'README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...['functions', 'infra', 'localstack', 'shared', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  ),
];

/** Words of names, each with what is said instead. A name is cut where a capital or a hyphen begins a word. */
const names: Readonly<Record<string, string>> = {
  asked: 'query, or required permission',
  asks: 'requires',
  cell: 'balance key',
  doors: 'strict JSON',
  ground: 'context',
  handling: 'effect on balances',
  happening: 'event',
  lane: 'queue',
  lanes: 'queues',
  lean: 'slim',
  letters: 'dead letters',
  life: 'history, or head',
  lives: 'histories',
  mention: 'index entry',
  mentions: 'index entries',
  obstacle: 'conflict',
  obstacles: 'conflicts',
  parties: 'principals',
  party: 'principal',
  passage: 'step',
  passages: 'steps',
  price: 'cost',
  purse: 'budget',
  scene: 'context',
  seal: 'replay guard',
  seals: 'replay guards',
  sheet: 'balances',
  shelf: 'sorted items',
  silence: 'circuit breaker',
  silences: 'circuit breakers',
  standing: 'rule source, or state of a call',
  standings: 'rule sources',
  tell: 'publish',
  told: 'published',
  turnover: 'volumes',
  voice: 'vote',
  voices: 'votes',
  wish: 'instruction, or request',
  wishes: 'instructions, or requests',
};

/** Names of what is stored or written in an archive. An earlier release wrote them, so they stay. */
const stored: readonly string[] = [
  'shared/archive/collect.ts: told',
  'shared/archive/derive.ts: asked',
  'shared/archive/line.ts: told',
  'shared/archive/save.ts: told',
  'shared/archive/wording.ts: told',
  'shared/store/delivery-action.ts: asked',
  'shared/store/pack.ts: voices',
  'shared/store/projection.ts: seal',
];

/** Words of prose that have no meaning in the field, or another one. */
const prose = [
  'doors',
  'happenings?',
  'obstacles?',
  'passages?',
  'purses?',
  'put-offs?',
  'scenes?',
  'shel(f|ves)',
  'silences',
  'turnovers?',
  'wish(es|ed)?',
];

function identifiersOf(source: ts.SourceFile): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const walk = (node: ts.Node): void => {
    const named = node as { readonly name?: ts.Node };
    if (named.name && ts.isIdentifier(named.name) && !ts.isPropertyAccessExpression(node))
      found.push(named.name);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/dead[ _-]letters?/, 'dead-letter')
    .split(/[ _-]/);
}

/** The comments of a file, each with the number of its line. */
function commentsOf({ text, fileName }: ts.SourceFile): { at: string; text: string }[] {
  return [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map((match) => ({
    at: `${fileName}:${text.slice(0, match.index).split('\n').length}`,
    text: match[0],
  }));
}

test('a type is declared in one file', () => {
  const files = new Map<string, Set<string>>();
  for (const source of sources)
    for (const statement of source.statements)
      if (
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement)
      ) {
        const name = statement.name?.text ?? '';
        files.set(name, (files.get(name) ?? new Set()).add(source.fileName));
      }
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, all]) => all.size > 1).map(([name]) => name)).toEqual([]);
});

test('a name says nothing that the field has another word for', () => {
  const found = sources.flatMap((source) =>
    identifiersOf(source).flatMap(({ text }) =>
      wordsOf(text).some((word) => Object.hasOwn(names, word))
        ? [`${source.fileName}: ${text}`]
        : [],
    ),
  );
  expect([...new Set(found)].sort()).toEqual(stored);
});

test('a file is not named by such a word', () => {
  const found = paths.filter((path) =>
    wordsOf(path.replace(/^.*\//, '').replace('.ts', '')).some((word) =>
      Object.hasOwn(names, word),
    ),
  );
  expect(found).toEqual([]);
});

const unclear = new RegExp(`\\b(${prose.join('|')})\\b`, 'i');

test('comments and documents do not use it either', () => {
  const comments = sources
    .flatMap(commentsOf)
    .filter(({ text }) => unclear.test(text))
    .map(({ at, text }) => `${at} ${unclear.exec(text)?.[0]}`);
  const lines = documents.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        unclear.test(line) ? [`${path}:${index + 1} ${unclear.exec(line)?.[0]}`] : [],
      ),
  );
  expect([...comments, ...lines]).toEqual([]);
});

test('a comment opens with a noun or a verb', () => {
  const found = sources
    .flatMap(commentsOf)
    .filter(({ text }) => /^\/(\*\*?|\/)[\s*]*(What|Whether|Who|Whose|Where|How)\b/.test(text))
    .map(({ at }) => at);
  expect(found).toEqual([]);
});

test('an error is shown by the name of its class', () => {
  const found = sources.flatMap(({ text, fileName }) =>
    [...text.matchAll(/class (\w+) extends Error \{[^}]*?\bname = '(\w+)'/g)]
      .filter(([, ofClass, shown]) => ofClass !== shown)
      .map(([, ofClass]) => `${fileName}: ${ofClass}`),
  );
  expect(found).toEqual([]);
});

test('the glossary has at most 40 rows', () => {
  const readme = readFileSync('shared/README.md', 'utf8');
  const glossary = readme.slice(readme.indexOf('\n## Words'));
  const rows = glossary.match(/^\| (?!word|-)/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThanOrEqual(40);
});
