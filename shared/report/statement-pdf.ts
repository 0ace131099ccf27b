/**
 * The statement of a wallet as a PDF, A4: letterhead, period, opening balance, one row for each entry with the balance
 * after it, and closing balance. The same statement makes the same bytes.
 */
import type { PDFFont, PDFPage, PDFDocument as Pdf } from '@cantoo/pdf-lib';
import { groupedAmount, shownText, wrapped } from './pdf-text.ts';

/** One row of the table. */
export interface StatementRow {
  /** ISO 8601 UTC. */
  readonly moment: string;
  /** The handle of the intent. */
  readonly intent: string;
  /** The other wallet or address; empty where an entry has none. */
  readonly counterparty: string;
  /** In the smallest unit; negative for a debit. */
  readonly amount: bigint;
  readonly balance: bigint;
}

/** The content of a statement. Amounts are in the smallest unit of the symbol. */
export interface WalletStatement {
  readonly ledger: string;
  /** The handle of the report. */
  readonly report: string;
  readonly wallet: string;
  readonly symbol: string;
  /** The decimals of the symbol. */
  readonly digits: number;
  /** The interval in ISO 8601 UTC: `start` included, `end` excluded. */
  readonly start: string;
  readonly end: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly rows: readonly StatementRow[];
  /** The sender: its name and the lines of its address. The name of the ledger stands in its place when it is empty. */
  readonly letterhead: readonly string[];
}

const [pageWidth, pageHeight] = [595.28, 841.89];
const margin = { side: 48, top: 54, bottom: 62 } as const;
const right = pageWidth - margin.side;
const small = 8;
const normal = 9;
const rowGap = 6;
const lineHeight = 10.5;
const ink = [0.13, 0.15, 0.2] as const;
const gray = [0.42, 0.45, 0.5] as const;
const ruleGray = [0.8, 0.82, 0.85] as const;
const bandGray = [0.95, 0.955, 0.965] as const;
type Tone = readonly [number, number, number];

/** The columns of the table. Amounts stand at the right of theirs. */
const columns = [
  { title: 'Date (UTC)', left: margin.side + 4, width: 82, isRight: false },
  { title: 'Reference', left: 138, width: 132, isRight: false },
  { title: 'Counterparty', left: 278, width: 104, isRight: false },
  { title: 'Amount', left: 386, width: 74, isRight: true },
  { title: 'Balance', left: 464, width: 79, isRight: true },
] as const;
type RowTexts = readonly [string, string, string, string, string];

/** The bytes of the PDF. */
export async function statementPdf(statement: WalletStatement): Promise<Uint8Array> {
  // Only a report that makes a PDF loads the library.
  const { PDFDocument, StandardFonts, rgb } = await import('@cantoo/pdf-lib');
  const pdf = await PDFDocument.create();
  const writer = new PdfWriter({
    pdf,
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    colorOf: (tone) => rgb(...tone),
  });
  describe(pdf, statement);
  writePages(writer, statement);
  writeFeet(writer, statement);
  return pdf.save();
}

/** The properties of the document. Its moment is the end of the period, so that the bytes stay the same. */
function describe(pdf: Pdf, { wallet, symbol, ledger, start, end }: WalletStatement): void {
  const moment = new Date(end);
  pdf.setTitle(shownText(`Statement of ${wallet}, ${symbol}, ${start} to ${end}`));
  pdf.setAuthor(shownText(ledger));
  pdf.setProducer('Countersign');
  pdf.setCreator('Countersign');
  pdf.setCreationDate(moment);
  pdf.setModificationDate(moment);
}

function writePages(writer: PdfWriter, statement: WalletStatement): void {
  const { rows, opening, closing, digits, start, end } = statement;
  const shown = (amount: bigint) => groupedAmount(amount, digits);
  writer.addPage();
  writeLetterhead(writer, statement);
  writeSummary(writer, statement);
  writeTableHead(writer);
  writeRow(writer, [dayOf(start), 'Opening balance', '', '', shown(opening)], true);
  let balance = opening;
  for (const row of rows) {
    const { moment, intent, counterparty, amount } = row;
    const cells: RowTexts = [
      timeOf(moment),
      intent,
      counterparty,
      shown(amount),
      shown(row.balance),
    ];
    if (!writer.hasRoom(rowHeightOf(writer, cells) + carriedHeight)) {
      writeRow(writer, ['', 'Carried forward', '', '', shown(balance)], true);
      writer.addPage();
      writeShortHead(writer, statement);
      writeTableHead(writer);
      writeRow(writer, ['', 'Brought forward', '', '', shown(balance)], true);
    }
    writeRow(writer, cells, false);
    balance = row.balance;
  }
  writeRow(writer, [dayOf(end), 'Closing balance', '', '', shown(closing)], true);
}

/** The height of the row that ends a page. */
const carriedHeight = lineHeight + rowGap;

function writeLetterhead(writer: PdfWriter, { letterhead, ledger, report }: WalletStatement): void {
  const [name, ...address] = letterhead.length > 0 ? letterhead : [ledger];
  const top = writer.y;
  writer.write(name ?? '', { left: margin.side, size: 15, isBold: true, width: 300 });
  for (const line of address)
    writer.write(line, { left: margin.side, size: small, tone: gray, width: 300 });
  const below = writer.y;
  writer.y = top;
  writer.write('Statement of account', { right, size: 15, isBold: true, width: 230 });
  writer.write(report, { right, size: small, tone: gray, width: 190 });
  writer.y = Math.min(below, writer.y) - 8;
  writer.rule(1.2, ink);
  writer.y -= 18;
}

function writeSummary(writer: PdfWriter, statement: WalletStatement): void {
  const { wallet, symbol, ledger, start, end, rows, opening, closing, digits } = statement;
  const credits = rows.filter(({ amount }) => amount > 0n);
  const debits = rows.filter(({ amount }) => amount < 0n);
  const sumOf = (own: readonly StatementRow[]) =>
    groupedAmount(
      own.reduce((sum, { amount }) => sum + amount, 0n),
      digits,
    );
  const left = [
    ['Wallet', wallet],
    ['Ledger', ledger],
    ['Symbol', symbol],
    ['Period', `${timeOf(start)} to ${timeOf(end)} UTC`],
  ] as const;
  const sums = [
    ['Opening balance', groupedAmount(opening, digits)],
    [`Credits (${credits.length})`, sumOf(credits)],
    [`Debits (${debits.length})`, sumOf(debits)],
    ['Closing balance', groupedAmount(closing, digits)],
  ] as const;
  const top = writer.y;
  for (const [label, value] of left) {
    const y = writer.y;
    writer.write(label, { left: margin.side, size: small, tone: gray });
    writer.y = y;
    writer.write(value, { left: margin.side + 48, size: normal, width: 240 });
    writer.y -= 3;
  }
  const below = writer.y;
  writer.y = top;
  for (const [index, [label, value]] of sums.entries()) {
    const y = writer.y;
    const isBold = index === sums.length - 1;
    writer.write(label, { left: 350, size: small, tone: isBold ? ink : gray, isBold });
    writer.y = y;
    writer.write(value, { right: right - 4, size: normal, isBold, fits: 110 });
    writer.y -= 3;
  }
  writer.y = Math.min(below, writer.y) - 14;
}

/** The head of a page after the first. */
function writeShortHead(writer: PdfWriter, statement: WalletStatement): void {
  const { wallet, symbol, start, end, letterhead, ledger } = statement;
  const y = writer.y;
  writer.write(letterhead[0] ?? ledger, {
    left: margin.side,
    size: normal,
    isBold: true,
    width: 200,
  });
  const below = writer.y;
  writer.y = y;
  const about = `Wallet ${wallet} · ${symbol} · ${timeOf(start)} to ${timeOf(end)} UTC`;
  writer.write(about, { right, size: small, tone: gray, width: 290 });
  writer.y = Math.min(below, writer.y) - 8;
}

function writeTableHead(writer: PdfWriter): void {
  writer.band(lineHeight + rowGap);
  const y = writer.y;
  for (const { title, left, width, isRight } of columns) {
    writer.y = y - rowGap / 2;
    const place = isRight ? { right: left + width } : { left };
    writer.write(title, { ...place, size: small, isBold: true, tone: gray });
  }
  writer.y = y - lineHeight - rowGap;
}

function writeRow(writer: PdfWriter, cells: RowTexts, isBold: boolean): void {
  const top = writer.y;
  const height = rowHeightOf(writer, cells);
  for (const [index, { left, width, isRight }] of columns.entries()) {
    writer.y = top - rowGap / 2;
    const place = isRight ? { right: left + width, fits: width } : { left, width };
    writer.write(cells[index] ?? '', { ...place, size: normal - 0.5, isBold });
  }
  writer.y = top - height;
  writer.rule(0.4, ruleGray);
}

function rowHeightOf(writer: PdfWriter, cells: RowTexts): number {
  const counts = columns.map(({ width, isRight }, index) =>
    isRight ? 1 : writer.linesOf(cells[index] ?? '', normal - 0.5, width).length,
  );
  return Math.max(...counts) * lineHeight + rowGap;
}

/** The foot of every page, written when their number is known. */
function writeFeet(writer: PdfWriter, { report, ledger, symbol, digits }: WalletStatement): void {
  const decimals = digits === 1 ? '1 decimal' : `${digits} decimals`;
  const note = `Amounts in ${symbol}, ${decimals}. Ledger ${ledger} has signed the SHA-256 of this document in report ${report}.`;
  writer.eachPage((number, count) => {
    writer.y = margin.bottom - 16;
    writer.rule(0.4, ruleGray);
    writer.y -= 6;
    const y = writer.y;
    writer.write(note, { left: margin.side, size: 7, tone: gray, width: 410 });
    writer.y = y;
    writer.write(`Page ${number} of ${count}`, { right, size: 7, tone: gray });
  });
}

/** `2026-11-22 16:15`, of a moment. */
function timeOf(moment: string): string {
  return moment.slice(0, 16).replace('T', ' ');
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

interface PdfFonts {
  readonly pdf: Pdf;
  readonly plain: PDFFont;
  readonly bold: PDFFont;
  readonly colorOf: (tone: Tone) => ReturnType<typeof import('@cantoo/pdf-lib').rgb>;
}

interface TextPlace {
  readonly size: number;
  /** The left edge of the text, or its right edge. */
  readonly left?: number;
  readonly right?: number;
  /** The width at which it is wrapped. */
  readonly width?: number;
  /** The width for which it is made smaller, as numbers must not be wrapped. */
  readonly fits?: number;
  readonly isBold?: boolean;
  readonly tone?: Tone;
}

/** The page that is written, from its top to its foot. `y` is the upper edge of what comes next. */
class PdfWriter {
  y = 0;
  readonly #fonts: PdfFonts;
  #page: PDFPage | undefined;

  constructor(fonts: PdfFonts) {
    this.#fonts = fonts;
  }

  addPage(): void {
    this.#page = this.#fonts.pdf.addPage([pageWidth, pageHeight]);
    this.y = pageHeight - margin.top;
  }

  eachPage(write: (number: number, count: number) => void): void {
    const pages = this.#fonts.pdf.getPages();
    for (const [index, page] of pages.entries()) {
      this.#page = page;
      write(index + 1, pages.length);
    }
  }

  hasRoom(height: number): boolean {
    return this.y - height >= margin.bottom;
  }

  linesOf(text: string, size: number, width: number): string[] {
    return wrapped(text, this.#fonts.plain, size, width);
  }

  /** Writes a text and goes below it. */
  write(text: string, place: TextPlace): void {
    const { left = 0, width, fits, isBold = false, tone = ink } = place;
    const font = isBold ? this.#fonts.bold : this.#fonts.plain;
    const size = fits === undefined ? place.size : sizeFor(text, font, place.size, fits);
    const lines = width === undefined ? [shownText(text)] : wrapped(text, font, size, width);
    const color = this.#fonts.colorOf(tone);
    for (const line of lines) {
      const x = place.right === undefined ? left : place.right - font.widthOfTextAtSize(line, size);
      this.#page?.drawText(line, { x, y: this.y - place.size, size, font, color });
      this.y -= Math.max(lineHeight, place.size * 1.25);
    }
  }

  rule(thickness: number, tone: Tone): void {
    const [start, end] = [margin.side, right].map((x) => ({ x, y: this.y }));
    const color = this.#fonts.colorOf(tone);
    if (start && end) this.#page?.drawLine({ start, end, thickness, color });
  }

  /** A gray band behind what comes next. */
  band(height: number): void {
    const color = this.#fonts.colorOf(bandGray);
    const width = right - margin.side;
    this.#page?.drawRectangle({ x: margin.side, y: this.y - height, width, height, color });
  }
}

/** The size at which a text is no wider. */
function sizeFor(text: string, font: PDFFont, size: number, width: number): number {
  return Math.min(size, (size * width) / font.widthOfTextAtSize(text, size));
}
