/**
 * Goal: the blocks of the front page and of the pages of its first steps can be pasted, one after the other, into a fresh clone, and no link of a document
 * is broken. Method: each block runs in a shell of its own, as in a terminal; the test waits until a server prints that it is ready.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../fixture/receiver.ts';
import { openTerminal } from '../fixture/terminal.ts';

const { blocksOf, paste, heard, portOf, close } = openTerminal();
afterAll(close);

test('each block of the front page does what it says, in its order', async () => {
  const printed = [];
  const blocks = [
    ...(await blocksOf('README.md')),
    ...(await blocksOf('shared/client/README.md', 'Write a client of your own')),
    ...(await blocksOf('localstack/bank/README.md', 'Pay from one bank to another')),
  ];
  for (const { script } of blocks) printed.push((await paste(script)).all);
  const all = printed.join('\n');
  expect(all).toMatch(/^order-17 is completed\.$/m);
  expect(all).toMatch(/^Proven\.$/m);
  expect(all).toContain('completed\n3540 usd\n');
  const proofs = 'created pending resolved resolved prepared committed completed';
  expect(all).toContain(`completed ${proofs}\n`);
  expect(all).toMatch(/pay-\w+ is completed\./);
  expect(all).toMatch(/69500[\s\S]*500/);
});

test('the open ledger is closed by the script of its page, and others are let in', async () => {
  const page = ['localstack/README.md', 'Close a ledger, and let others in'] as const;
  const [owned = '', asked = '', closing = ''] = (await blocksOf(...page)).map(
    ({ script }) => script,
  );
  await paste(owned);
  const { all: answered } = await paste(asked);
  expect(answered).toContain('The intent is completed; every proof of it verifies.');
  expect(answered).toContain('auth.unauthorized');
  const { all: refused } = await paste(closing);
  expect(refused).toContain('POST /wallets: auth.forbidden: Cannot create wallet.\n');
  const block = 'npx countersign watch --key owner.key wallet-created';
  await paste(block);
  const members = `SERVER=http://127.0.0.1:${portOf('3000')}/v2 npx countersign quickstart owner.key`;
  expect((await paste(members)).all).toContain('every proof of it verifies.');
  await until('an event is printed', () => /✓ .+wallet-created/.test(heard(block)));
});

/** All Markdown files. */
function documents(): string[] {
  const folders = ['.github', 'functions', 'infra', 'localstack', 'shared', 'test'];
  const below = folders.flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  );
  return [...readdirSync('.'), ...below].filter((path) => path.endsWith('.md'));
}

/** The text of a document without its code blocks. */
function proseOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^ *```.*?^ *```$/gms, '');
}

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents())('each link of %s leads to a file, and to a heading in it', (path) => {
  const links = [...proseOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  const broken = links.filter(([, to = '', anchor]) => {
    const target = to === '' ? path : join(dirname(path), to);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
