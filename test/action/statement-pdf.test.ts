/**
 * Goal: the PDF of a statement is whole for any number of entries and any text, has its pages numbered, and is the same
 * for the same statement.
 */
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupedAmount, shownText } from '../../shared/report/pdf-text.ts';
import { statementPdf, type WalletStatement } from '../../shared/report/statement-pdf.ts';

const statement = (count: number, more: Partial<WalletStatement> = {}): WalletStatement => ({
  ...{ ledger: 'main', report: 'r-1', wallet: 'alice', symbol: 'usd', digits: 2 },
  ...{ start: '2026-10-01T00:00:00.000Z', end: '2026-11-01T00:00:00.000Z' },
  ...{ opening: 100_00n, closing: 100_00n + BigInt(count), letterhead: [] },
  rows: Array.from({ length: count }, (_, index) => ({
    ...{ moment: '2026-10-02T10:00:00.000Z', intent: `pay-${index}`, counterparty: 'bob' },
    ...{ amount: 1n, balance: 100_01n + BigInt(index) },
  })),
  ...more,
});

/** The texts of a PDF, page by page. */
async function pagesOf(of: WalletStatement): Promise<string[][]> {
  const bytes = Buffer.from(await statementPdf(of));
  const text = bytes.toString('latin1');
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .filter((stream) => stream.includes(' Tj'))
    .map((stream) =>
      [...stream.matchAll(/<([0-9A-F]*)> Tj/g)].map(([, hex = '']) =>
        Buffer.from(hex, 'hex').toString('latin1'),
      ),
    );
}

describe('a statement of', () => {
  test.each([0, 1, 40, 200])('%i entries has each with its balance', async (count) => {
    const pages = await pagesOf(statement(count));
    const texts = pages.flat();
    for (let index = 0; index < count; index += 1) expect(texts).toContain(`pay-${index}`);
    expect(texts.filter((text) => text === 'Closing balance')).toHaveLength(2);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      expect(page).toContain('Counterparty');
    }
    const carried = texts.filter((text) => text === 'Carried forward');
    expect(carried).toHaveLength(pages.length - 1);
    expect(texts.filter((text) => text === 'Brought forward')).toHaveLength(pages.length - 1);
    expect(pages.length).toBe({ 0: 1, 1: 1, 40: 2, 200: 6 }[count]);
  });

  test('the same entries is the same, byte by byte', async () => {
    const [one, other] = [await statementPdf(statement(50)), await statementPdf(statement(50))];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
  });

  test('any texts is made', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(text, { maxLength: 6 }),
        async (one, two, letterhead) => {
          const rows = [
            {
              ...{ moment: '2026-10-02T10:00:00.000Z', intent: one, counterparty: two },
              ...{ amount: -(10n ** 37n), balance: 10n ** 37n },
            },
          ];
          const bytes = await statementPdf(
            statement(0, { rows, letterhead, wallet: one, symbol: two }),
          );
          expect(bytes.length).toBeGreaterThan(1_000);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a long reference is shown whole', async () => {
    const intent = 'payout-'.repeat(36);
    const [row] = statement(1).rows;
    if (!row) throw new Error('There is no row.');
    const [texts = []] = await pagesOf(statement(0, { rows: [{ ...row, intent }] }));
    expect(texts.join('')).toContain(intent);
  });
});

test.each([
  ['Győr–Bank ß €', 'Gyor–Bank ß €'],
  ['東京 Ω', '?? ?'],
  ['a\u0000b\nc', 'a b c'],
  ['e\u0301 \ud800', 'é ?'],
])('the text %j is shown as %j', (text, shown) => expect(shownText(text)).toBe(shown));

test.each([
  [0n, 0, '0'],
  [-5n, 2, '-0.05'],
  [123456789n, 2, '1,234,567.89'],
  [100n, 0, '100'],
  [-1000n, 0, '-1,000'],
])('the amount %s of %i decimals is %s', (amount, digits, text) =>
  expect(groupedAmount(amount, digits)).toBe(text),
);
