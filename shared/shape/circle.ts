/** What a circle's data may look like, and that of the links to its members. Ruling 36. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';

export const CircleData = z.strictObject({
  handle: AddressHandle,
  ...commonData,
});
export type CircleData = z.infer<typeof CircleData>;

/** A link has no handle: the signer names it within its circle. */
export const CircleSignerData = z.strictObject({
  circle: AddressHandle,
  signer: AddressHandle,
  ...commonData,
});
export type CircleSignerData = z.infer<typeof CircleSignerData>;
