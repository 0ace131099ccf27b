/** The shapes of a circle, and of a circle signer, which links one member. Ruling 36. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';

export const CircleData = z.strictObject({
  handle: AddressHandle,
  ...commonData,
});
export type CircleData = z.infer<typeof CircleData>;

/** A link has no handle: its signer identifies it within the circle. */
export const CircleSignerData = z.strictObject({
  circle: AddressHandle,
  signer: AddressHandle,
  ...commonData,
});
export type CircleSignerData = z.infer<typeof CircleSignerData>;
