/** The origins whose pages may read what we answer, when an operator names them. Ruling 80. */

/** What an origin has to be, in words. */
export const originsMust =
  'origins as browsers write them: https://app.bank.example, without a path';

/** Reads origins that commas separate. */
export function originsOf(text: string): readonly string[] {
  const origins = text.split(',');
  if (origins.every(isOrigin)) return origins;
  throw new Error(`ALLOWED_ORIGINS must be ${originsMust}, not '${text}'.`);
}

/** Whether a text is an origin as a browser sends it. RFC 6454 6.1. */
export function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}
