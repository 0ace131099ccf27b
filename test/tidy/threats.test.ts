/** Goal: what the threat model says is shown by tests is shown by tests that are there, and none is forgotten. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const path = 'shared/ledger/THREATS.md';
const document = readFileSync(path, 'utf8');
const between = ' › ';

/** The rows of the tables, each with the tests that it names: file and name. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attack|---) /.test(line))
  .map((row) => ({ row, named: [...row.matchAll(/`([a-z-]+\/[a-z-]+)` \*([^*]+)\*/g)] }));
const named = rows.flatMap((one) =>
  one.named.map(([, file = '', name = '']) => ({ file: `test/${file}.test.ts`, name })),
);

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

test('every row of the threat model has three cells, and names a test', () => {
  expect(rows.length).toBeGreaterThan(50);
  const odd = rows.filter(({ row, named: some }) => row.split('|').length !== 5 || !some.length);
  expect(odd.map(({ row }) => row)).toEqual([]);
});

test('nothing in a row looks like a test and is none', () => {
  const spans = rows.flatMap(({ row, named: some }) => {
    const cell = row.split('|')[3] ?? '';
    return cell.split('<br>').length === some.length ? [] : [row];
  });
  expect(spans).toEqual([]);
});

test('every test that the threat model names is there', () => {
  const missing = named.filter(
    ({ file, name }) => !existsSync(file) || !namesIn(file).includes(name),
  );
  expect(missing).toEqual([]);
});

test('every test that was written for the threat model is named there', () => {
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
