/** Origins whose pages may read answers, as the operator configures them. Ruling 80. */

/** The expected format, for error messages. */
export const originsMust =
  'origins as browsers write them: https://app.bank.example, without a path';

/** Parses origins between commas; throws for anything else. */
export function originsOf(text: string): readonly string[] {
  const origins = text.split(',');
  if (origins.every(isOrigin)) return origins;
  throw new Error(`ALLOWED_ORIGINS must be ${originsMust}, not '${text}'.`);
}

/** True for an origin as browsers send it. Not by `URL.canParse`: see `shared/outgoing/url.ts`. RFC 6454 6.1. */
export function isOrigin(text: string): boolean {
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}
