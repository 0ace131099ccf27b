/**
 * Goal: each recipe can be pasted after the page that begins, in any order, and prints what its page shows below it; `…` stands
 * for any text. Method: the recipes run in the reverse of their order, on one server. Its table is in order in the end.
 * `UPDATE_DOCS=1` writes what was printed into the pages where they show something else.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recipes } from '../../shared/reference/guide.ts';
import { python } from '../fixture/python.ts';
import { type Block, openTerminal } from '../fixture/terminal.ts';

// Reports do not wait for what other machines may still be storing.
const { folder, blocksOf, paste, portOf, interrupt, close } = openTerminal({
  REPORT_DELAY_MS: '0',
});
afterAll(close);

const pathOf = (name: string) => `shared/reference/recipes/${name}.md`;
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8');
const titleOf = (name: string) => /^# (.*)\n/.exec(textOf(name))?.[1] ?? '';
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const patternOf = (shown: string) =>
  new RegExp(`^${shown.split('…').map(escaped).join('[\\s\\S]*')}$`);

/** Runs a block, and compares what it prints with what the page shows. */
async function run(name: string, { script, shown }: Block): Promise<void> {
  const { out } = await paste(script);
  if (shown === undefined) return;
  if (process.env['UPDATE_DOCS'] && !patternOf(shown).test(out))
    return writeFileSync(
      pathOf(name),
      textOf(name).replace(`\n\`\`\`\n\n\`\`\`\n${shown}\`\`\``, (text) =>
        text.replace(/\n```\n\n```\n[\s\S]*$/, `\n\`\`\`\n\n\`\`\`\n${out}\`\`\``),
      ),
    );
  expect(out).toMatch(patternOf(shown));
}

const [start, ...others] = recipes.map(({ name }) => name);

test('each page is listed, and each that is listed is there', () => {
  const names = readdirSync('shared/reference/recipes').map((file) => file.replace(/\.md$/, ''));
  expect(recipes.map(({ name }) => name).sort()).toEqual(names.sort());
});

test('the guide leads to each page', () => {
  const guide = readFileSync('functions/GUIDE.md', 'utf8');
  const links = recipes.map(({ name }) => `[${titleOf(name)}](../${pathOf(name)})`);
  expect(links.filter((link) => !guide.includes(link))).toEqual([]);
});

test.each(recipes)('$name: the problem, what to paste, and why it is safe', ({ name }) => {
  const text = textOf(name);
  const [, , problem] = text.split('\n');
  expect(titleOf(name)).toMatch(/^[A-Z]/);
  expect(problem).toMatch(/^[A-Z].*[.?]$/);
  expect(text).toContain('\n```sh\n');
  expect(text).toContain('\n**Why it is safe.** ');
});

test('the server starts, and the client is there', async () => {
  const blocks = await blocksOf(pathOf(String(start)));
  for (const block of blocks) await run(String(start), block);
  expect(existsSync(join(folder, 'app/client.ts'))).toBe(true);
});

test.each(others.toReversed())('%s', async (name) => {
  const blocks = await blocksOf(pathOf(name));
  expect(blocks.every(({ shown }) => shown !== undefined)).toBe(true);
  for (const block of blocks) await run(name, block);
});

test('payments find what they made when they are pasted again', async () => {
  const [block] = await blocksOf(pathOf('retry'));
  const { out } = await paste(block?.script ?? '');
  expect(out).toContain('the same intent\n');
});

test('the statement for people is a PDF', () => {
  const pdf = readFileSync(join(folder, 'app/statement.pdf'));
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.length).toBeGreaterThan(1_000);
});

const inPython = others.flatMap((name) =>
  [...textOf(name).matchAll(/^```python\n(.*?)^```\n\n```\n(.*?)^```$/gms)].map(
    ([, script = '', shown = '']) => ({ name, script, shown }),
  ),
);

test('several recipes are told in Python, too', () => {
  expect(inPython.length).toBeGreaterThan(3);
});

test.skipIf(python === undefined).each(inPython)(
  'from Python, where one is: $name',
  async ({ script, shown }) => {
    const own = script.replaceAll('3000', portOf('3000'));
    const { out } = await paste(`PYTHONPATH=shared/client/python ${python} - <<'end'\n${own}end\n`);
    expect(out).toBe(shown);
  },
);

test('the table is in order when the server has ended', async () => {
  await interrupt();
  const { out } = await paste('npx countersign audit --all --data app/data');
  expect(out).toContain('in order');
});
