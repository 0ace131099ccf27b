/** The shapes of handles. Ruling 11. */
import * as z from 'zod/mini';

export const handleLengthMax = 256;

/** A handle of a ledger or a domain. */
export const NameHandle = z
  .string()
  .check(z.maxLength(handleLengthMax), z.regex(/^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/));

/** Every other handle: `[schema:]handle[@domain]`. */
export const AddressHandle = z
  .string()
  .check(
    z.maxLength(handleLengthMax),
    z.regex(/^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/),
  );
