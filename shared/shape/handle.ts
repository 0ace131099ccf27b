/** What handles look like. Ruling 11. */
import * as z from 'zod';

export const handleLengthMax = 256;

/** A handle of a ledger or a domain. */
export const NameHandle = z
  .string()
  .max(handleLengthMax)
  .regex(/^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/);

/** Every other handle: `[schema:]handle[@domain]`. */
export const AddressHandle = z
  .string()
  .max(handleLengthMax)
  .regex(/^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/);
