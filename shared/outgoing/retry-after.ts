/**
 * Reads `retry-after`, in seconds or as a date. A recipient must accept all three forms of a date; any other text is
 * ignored. RFC 9110 10.2.3 and 5.6.7.
 */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
const dateForms = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** The seconds to wait from now, at least 0; undefined without a valid header. */
export function retryAfterSecondsOf(value: string, nowMs: number): number | undefined {
  if (/^\d{1,10}$/.test(value)) return Number(value);
  const dateMs = dateMsOf(value, nowMs);
  return dateMs === undefined ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}

function dateMsOf(value: string, nowMs: number): number | undefined {
  const parts = dateForms.map((form) => form.exec(value)?.groups).find((found) => found);
  if (parts === undefined) return undefined;
  const numberOf = (name: string) => Number(parts[name]);
  const day = numberOf('day');
  const date = new Date(0);
  date.setUTCFullYear(
    yearOf(parts['year'] ?? '', nowMs),
    months.indexOf(parts['month'] ?? ''),
    day,
  );
  // `Date` moves a day that its month does not have to the next month.
  if (date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(numberOf('hour'), numberOf('minute'), numberOf('second'));
}

/** Two digits are of this century, unless that is more than 50 years ahead. RFC 9110 5.6.7. */
function yearOf(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const yearNow = new Date(nowMs).getUTCFullYear();
  const year = yearNow - (yearNow % 100) + Number(digits);
  return year > yearNow + 50 ? year - 100 : year;
}
