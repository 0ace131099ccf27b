/** The shape of an anchor: a name by which a wallet is found. Ruling 64. */
import * as z from 'zod/mini';
import { Custom } from './proof.ts';
import { AddressHandle, commonData, createBodyOf } from './record.ts';

/** An address, alone or with the author's `custom`. */
const Place = z.union([
  AddressHandle,
  z.strictObject({ handle: AddressHandle, custom: z.exactOptional(Custom) }),
]);

export const AnchorData = z.strictObject({
  handle: AddressHandle,
  target: Place,
  wallet: z.exactOptional(AddressHandle),
  symbol: z.exactOptional(AddressHandle),
  source: z.exactOptional(Place),
  ...commonData,
});
export type AnchorData = z.infer<typeof AnchorData>;

/** Finds anchors by conditions on dotted paths of their data, in the form of an effect's filter. */
export const LookupBody = createBodyOf(z.looseObject({}));
