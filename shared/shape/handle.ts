/** The shapes of handles. Ruling 11. */
import * as z from 'zod/mini';
import { addressPattern, handleLengthMax, namePattern } from './patterns.ts';

/** Names that every reader of URLs takes out of a path, encoded or not: what they name could not be reached. */
const unreachable = ['.', '..'];

/** Checks a name that is a part of a path. */
export const reachable = [
  z.refine<string>((name) => !unreachable.includes(name), 'must NOT be . or ..'),
  z.meta({ not: { enum: unreachable } }),
] as const;

/** A handle of a ledger or a domain. */
export const NameHandle = z
  .string()
  .check(z.maxLength(handleLengthMax), z.regex(namePattern), ...reachable);

/** Every other handle: `[schema:]handle[@domain]`. */
export const AddressHandle = z
  .string()
  .check(z.maxLength(handleLengthMax), z.regex(addressPattern), ...reachable);
