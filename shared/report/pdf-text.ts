/** Texts and amounts as a PDF shows them with its standard fonts, which hold the characters of Western Europe. */
import type { PDFFont } from '@cantoo/pdf-lib';

/** The characters of Windows-1252 above ASCII, without controls. PDF 32000-1, annex D.2. */
const western =
  '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ' +
  Array.from({ length: 96 }, (_, index) => String.fromCharCode(0xa0 + index)).join('');
const known = new Set(western);

/**
 * A text that the standard fonts can show. A character that they lack is shown without its accent, or as `?`; line
 * breaks and other controls are spaces.
 */
export function shownText(text: string): string {
  return [...text.normalize('NFC')]
    .map((character) => {
      if (/\p{Cc}/u.test(character)) return ' ';
      if (isShown(character)) return character;
      const bare = [...character.normalize('NFKD')].filter((part) => !/\p{M}/u.test(part)).join('');
      return bare !== '' && [...bare].every(isShown) ? bare : '?';
    })
    .join('');
}

function isShown(character: string): boolean {
  return (character >= ' ' && character <= '~') || known.has(character);
}

/** An amount with its decimals and separated thousands, as `-1,234.50` for -123450 of two digits. */
export function groupedAmount(amount: bigint, digits: number): string {
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0');
  const at = text.length - digits;
  const whole = text.slice(0, at).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(at)}`}`;
}

/** The lines of a text that are no wider than a column, broken at spaces where it has any. */
export function wrapped(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let rest = shownText(text);
  while (rest !== '') {
    const length = fittingLength(rest, font, size, width);
    const space = length < rest.length ? rest.lastIndexOf(' ', length) : -1;
    const end = space > 0 ? space : length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return lines.length > 0 ? lines : [''];
}

/** The length of the longest start of a text that fits; at least one character. */
function fittingLength(text: string, font: PDFFont, size: number, width: number): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (font.widthOfTextAtSize(text.slice(0, middle), size) <= width) low = middle;
    else high = middle - 1;
  }
  return low;
}
