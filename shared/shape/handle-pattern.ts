/** The patterns of handles, apart from their shapes: refusals put them into words also where no body has a shape. Ruling 11. */

export const handleLengthMax = 256;

/** A handle of a ledger or a domain. */
export const namePattern = /^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/;

/** Every other handle: `[schema:]handle[@domain]`. */
export const addressPattern = /^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/;

const characters = `1 to ${handleLengthMax} letters A to Z and a to z, digits, and any of`;

/** The patterns in words, by their sources: a regular expression says little to most who read one. */
export const handleWords: ReadonlyMap<string, string> = new Map([
  [namePattern.source, `${characters} _ - : . = $ / +, without a luid's beginning such as $wlt.`],
  [
    addressPattern.source,
    `${characters} _ - + . (with 'schema:' before, or '@domain' behind, of the same characters)`,
  ],
]);
