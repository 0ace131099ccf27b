/** The patterns of texts in bodies, apart from their shapes: refusals put them into words also where no body has a shape. */

export const handleLengthMax = 256;

/** A handle of a ledger or a domain. Ruling 11. */
export const namePattern = /^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/;

/** Every other handle: `[schema:]handle[@domain]`. */
export const addressPattern = /^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/;

/** The name of a secret of a bridge. Decision 22. */
export const secretPattern = /^\{\{ secret\.[\w-]{1,64} \}\}$/;

/** Printable ASCII with at least one secret; braces are allowed in placeholders only. RFC 9110 5.5. */
export const headerValuePattern =
  /^(?=.*\{\{)(?:[\x20-\x7a\x7c\x7e]|\{\{ secret\.[\w-]{1,64} \}\})+$/;

/** The name of an HTTP header, a token. RFC 9110 5.1. */
export const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** A digest of 32 bytes. */
export const hexPattern = /^[A-Fa-f0-9]{64}$/;

const characters = `1 to ${handleLengthMax} letters A to Z and a to z, digits, and any of`;

/** The patterns in words, by their sources: a regular expression says little to most who read one. */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [namePattern.source, `${characters} _ - : . = $ / +, without a luid's beginning such as $wlt.`],
  [
    addressPattern.source,
    `${characters} _ - + . (with 'schema:' before, or '@domain' behind, of the same characters)`,
  ],
  [secretPattern.source, 'the name of a secret, such as {{ secret.token }}'],
  [headerValuePattern.source, 'ASCII that names a secret, such as Bearer {{ secret.token }}'],
  [headerNamePattern.source, 'the name of an HTTP header, such as x-api-key'],
  [hexPattern.source, '64 hexadecimal digits'],
]);
