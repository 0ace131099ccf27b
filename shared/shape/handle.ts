/** The shapes of handles. Ruling 11. */
import * as z from 'zod/mini';

export const handleLengthMax = 256;

/** Names that every reader of URLs takes out of a path, encoded or not: what they name could not be reached. */
const unreachable = ['.', '..'];

/** Checks a name that is a part of a path. */
export const reachable = [
  z.refine<string>((name) => !unreachable.includes(name), 'must NOT be . or ..'),
  z.meta({ not: { enum: unreachable } }),
] as const;

const name = /^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/;
const address = /^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/;
const characters = `1 to ${handleLengthMax} letters A to Z and a to z, digits, and any of`;

/** The patterns of handles in words, for refusals: a regular expression says little to most who read one. */
export const handleWords: ReadonlyMap<string, string> = new Map([
  [name.source, `${characters} _ - : . = $ / +, without a luid's beginning such as $wlt.`],
  [
    address.source,
    `${characters} _ - + . (with 'schema:' before, or '@domain' behind, of the same characters)`,
  ],
]);

/** A handle of a ledger or a domain. */
export const NameHandle = z
  .string()
  .check(z.maxLength(handleLengthMax), z.regex(name), ...reachable);

/** Every other handle: `[schema:]handle[@domain]`. */
export const AddressHandle = z
  .string()
  .check(z.maxLength(handleLengthMax), z.regex(address), ...reachable);
