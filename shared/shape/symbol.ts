/** The shape of a symbol. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';

/** The powers of ten from 1 to 10^15. Ruling 39. */
const factors = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

export const SymbolData = z.strictObject({
  handle: AddressHandle,
  /** The number of smallest units in one unit. */
  factor: z.literal(factors),
  ...commonData,
});
export type SymbolData = z.infer<typeof SymbolData>;
