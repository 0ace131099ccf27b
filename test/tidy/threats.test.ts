/**
 * Goal: what the threat model, and the page for auditors, say is shown by tests is shown by tests that are there, and none
 * is forgotten.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const between = ' › ';

/** The rows of the tables of a document, each with the tests that it names: file and name. */
function rowsOf(path: string) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (attack|claim|---) /.test(line))
    .map((row) => ({ row, named: [...row.matchAll(/`([a-z-]+\/[a-z-]+)` \*([^*]+)\*/g)] }));
}

function namedIn(rows: ReturnType<typeof rowsOf>) {
  return rows.flatMap((one) =>
    one.named.map(([, file = '', name = '']) => ({ file: `test/${file}.test.ts`, name })),
  );
}

/** The names of all tests of a file, each below those of its groups, as they are written. */
function namesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023);
  const names: string[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const called = ts.isCallExpression(node) ? calledBy(node) : undefined;
    if (called?.what === 'test') names.push([...groups, called.name].join(between));
    const within = called?.what === 'describe' ? [...groups, called.name] : groups;
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, []);
  return names;
}

/** Which test or group a call makes: `test('…')` as well as `test.concurrent.each(…)('…')`. */
function calledBy({ expression, arguments: [first] }: ts.CallExpression) {
  if (!first || !ts.isStringLiteralLike(first)) return undefined;
  let root: ts.Expression = expression;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  return ts.isIdentifier(root) ? { what: root.text, name: first.text } : undefined;
}

test('the names of tests are read from their files', () => {
  const names = namesIn('test/tidy/threats.test.ts');
  expect(names).toContain('the names of tests are read from their files');
  const grouped = namesIn('test/functions/tenant.test.ts');
  expect(grouped).toContain('an endpoint of one ledger knows nothing of another › $method $path');
});

describe.each([
  ['the threat model', 'shared/ledger/THREATS.md', 50],
  ['the page for auditors', 'shared/log/AUDITOR.md', 14],
])('%s', (_, path, leastCount) => {
  const rows = rowsOf(path);

  test('has rows of three cells, and each names a test', () => {
    expect(rows.length).toBeGreaterThan(leastCount);
    const odd = rows.filter(({ row, named }) => row.split('|').length !== 5 || !named.length);
    expect(odd.map(({ row }) => row)).toEqual([]);
  });

  test('has nothing in a row that looks like a test and is none', () => {
    const spans = rows.flatMap(({ row, named }) => {
      const cell = row.split('|')[3] ?? '';
      return cell.split('<br>').length === named.length ? [] : [row];
    });
    expect(spans).toEqual([]);
  });

  test('names tests that are there', () => {
    const missing = namedIn(rows).filter(
      ({ file, name }) => !existsSync(file) || !namesIn(file).includes(name),
    );
    expect(missing).toEqual([]);
  });
});

test('the page for auditors is one page, to which the threat model leads', () => {
  const page = readFileSync('shared/log/AUDITOR.md', 'utf8');
  expect(page.split('\n').length).toBeLessThan(50);
  expect(readFileSync('shared/ledger/THREATS.md', 'utf8')).toContain('(../log/AUDITOR.md)');
});

test('every test that was written for the threat model is named there', () => {
  const named = namedIn(rowsOf('shared/ledger/THREATS.md'));
  const files = readdirSync('test/functions')
    .filter((name) => name.startsWith('threat-'))
    .map((name) => `test/functions/${name}`);
  expect(files.length).toBeGreaterThan(2);
  const forgotten = files.flatMap((file) =>
    namesIn(file)
      .filter((name) => !named.some((one) => one.file === file && one.name === name))
      .map((name) => `${file}: ${name}`),
  );
  expect(forgotten).toEqual([]);
});
