/**
 * Goal: the guide's app works: each block can be pasted, in its order, on a fresh ledger, and prints what the guide shows below it; `…` stands for
 * any text. Its table is in order in the end.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../fixture/python.ts';
import { type Block, openTerminal } from '../fixture/terminal.ts';

// Reports do not wait for what other machines may still be storing.
const { folder, blocksOf, paste, portOf, interrupt, close } = openTerminal({
  REPORT_DELAY_MS: '0',
});
afterAll(close);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const patternOf = (shown: string) =>
  new RegExp(`^${shown.split('…').map(escaped).join('[\\s\\S]*')}$`);

/** The command that it ends with, which most blocks write a file for. */
const titleOf = ({ script }: Block) => script.trimEnd().split('\n').at(-1) ?? '';

const blocks = await blocksOf('functions/GUIDE.md');
const removal = blocks.pop()?.script ?? '';

test.each(blocks.map((block) => [titleOf(block), block] as const))('%s', async (_, block) => {
  const { script, shown } = block;
  const { out } = await paste(script);
  if (shown !== undefined) expect(out).toMatch(patternOf(shown));
});

test('the statement for people is a PDF', () => {
  const pdf = readFileSync(join(folder, 'market/statement.pdf'));
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.length).toBeGreaterThan(1_000);
});

test.skipIf(python === undefined)('the same is paid from Python, where one is', async () => {
  const guide = readFileSync('functions/GUIDE.md', 'utf8');
  const [, block = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? [];
  const script = block.replaceAll('3000', portOf('3000'));
  const { out } = await paste(
    `PYTHONPATH=shared/client/python ${python} - <<'end'\n${script}end\n`,
  );
  expect(out).toBe('completed\n');
});

test('what the guide made is removed when the ledger has ended', async () => {
  expect(removal).toBe('rm -r market\n');
  await interrupt();
  await paste(removal);
});

test('only the start, the client and the removal print nothing that the guide shows', () => {
  const silent = blocks.filter(({ shown }) => shown === undefined);
  expect(silent.map(({ script }) => script.split('\n')[0])).toEqual([
    expect.stringMatching(/npm start$/),
    "cat > market/client.ts <<'end'",
  ]);
  expect(blocks.length).toBeGreaterThan(15);
});
