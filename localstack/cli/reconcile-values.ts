/** Reads amounts and dates as external statements write them. Nothing is rounded: what is not exact is refused. */

export interface AmountFormat {
  /** The number of digits after the decimal sign, where amounts are in whole units; absent for smallest units. */
  readonly digits?: number;
  readonly hasDecimalComma: boolean;
}

/** The order of year, month and day in dates. Moments of ISO 8601 are read in any order. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A time of day may follow, and is not compared. Days and months without separators have two digits each. */
const datePatterns: Readonly<Record<DateOrder, RegExp>> = {
  ymd: /^(?<year>\d{4})(?<sign>[-./ ]|(?=\d{4}(?!\d)))(?<month>\d\d?)\k<sign>(?<day>\d\d?)(?:\s+(?<time>.*))?$/,
  dmy: /^(?<day>\d\d?)[-./ ](?<month>\d\d?)[-./ ](?<year>\d{4}|\d\d)(?:\s+(?<time>.*))?$/,
  mdy: /^(?<month>\d\d?)[-./ ](?<day>\d\d?)[-./ ](?<year>\d{4}|\d\d)(?:\s+(?<time>.*))?$/,
};
/** A time of day with its difference from UTC; one without is in UTC. */
const zonedPattern =
  /^(?<hour>\d\d?):(?<minute>\d\d)(?::\d\d(?:[.,]\d+)?)?\s?(?<side>[+-])(?<hours>\d\d):?(?<minutes>\d\d)?$/;
const hourMs = 3_600_000;
const minuteMs = 60_000;

const dayMs = 86_400_000;
const numberPattern = /^([+-]?)(\d+)(?:\.(\d+))?([+-]?)$/;

/**
 * The amount in the smallest unit. A minus stands before or behind, or parentheses around; groups of three digits may
 * be separated. Undefined for any other text, and for more digits than the symbol has.
 */
export function amountOf(
  text: string,
  { digits, hasDecimalComma }: AmountFormat,
): bigint | undefined {
  const [point, group] = hasDecimalComma ? [',', '.'] : ['.', ','];
  const bare = text.trim().replace(/^\((.*)\)$/, '-$1');
  const ungrouped = withoutGroups(bare, group);
  // A separator of groups is no decimal sign: 1.50 and 1.500 would differ a thousandfold.
  if (ungrouped.includes(group)) return undefined;
  const plain = ungrouped.replace(point, '.');
  const [, before = '', whole, fraction = '', behind = ''] = numberPattern.exec(plain) ?? [];
  if (whole === undefined || (before !== '' && behind !== '')) return undefined;
  const length = digits ?? 0;
  if (/[^0]/.test(fraction.slice(length))) return undefined;
  const amount = BigInt(whole + fraction.slice(0, length).padEnd(length, '0'));
  return `${before}${behind}` === '-' ? -amount : amount;
}

/** A text without the separators of thousands: the given one, a space or an apostrophe, each between three digits. */
function withoutGroups(text: string, group: string): string {
  const separators = [group, ' ', '\u00a0', '\u202f', "'", '’'];
  const [, separator] = /^[+-]?\s?[1-9]\d{0,2}([^\d+-])\d{3}(?!\d)/.exec(text) ?? [];
  if (separator === undefined || !separators.includes(separator)) return text;
  const [head = '', ...groups] = text.split(separator);
  const isGrouped = groups.every((part, index) =>
    index < groups.length - 1 ? /^\d{3}$/.test(part) : /^\d{3}(?!\d)/.test(part),
  );
  return isGrouped ? head + groups.join('') : text;
}

/** An amount with its decimal point, as `-12.30` for -1230 of two digits. */
export function amountText(amount: bigint, digits = 0): string {
  const sign = amount < 0n ? '-' : '';
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The day of a date or a moment, in days since 1970, UTC; undefined for any other text. */
export function dayOf(text: string, order: DateOrder): number | undefined {
  const bare = text.trim();
  if (/^\d{4}-\d\d-\d\dT/.test(bare)) {
    const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(bare) ? bare : `${bare}Z`);
    const isReal = dayOf(bare.slice(0, 'YYYY-MM-DD'.length), 'ymd') !== undefined;
    return Number.isNaN(ms) || !isReal ? undefined : Math.floor(ms / dayMs);
  }
  const { year, month, day, time = '' } = datePatterns[order].exec(bare)?.groups ?? {};
  if (year === undefined) return undefined;
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  // `Date` takes the 30th of February for the second of March.
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const sinceMs = timeIn(time);
  return isReal && sinceMs !== undefined
    ? Math.floor((date.getTime() + sinceMs) / dayMs)
    : undefined;
}

/**
 * The milliseconds in UTC from the beginning of a date to the time of day behind it, less than 0 on the day before; 0 for
 * a time without a zone, and undefined for one that no clock shows.
 */
function timeIn(text: string): number | undefined {
  const { hour, minute, side, hours, minutes = 0 } = zonedPattern.exec(text)?.groups ?? {};
  if (hour === undefined) return 0;
  const isReal = Number(hour) < 24 && Number(minute) < 60 && Number(hours) < 24;
  const awayMs = Number(hours) * hourMs + Number(minutes) * minuteMs;
  const localMs = Number(hour) * hourMs + Number(minute) * minuteMs;
  return isReal ? localMs - (side === '-' ? -awayMs : awayMs) : undefined;
}

/** A day as `2026-11-22`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
