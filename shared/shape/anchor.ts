/** What an anchor's data may look like: a name by which a wallet is found. Ruling 64. */
import * as z from 'zod';
import { Custom } from './proof.ts';
import { AddressHandle, commonData, createBodyOf } from './record.ts';

/** An address, alone or with the author's notes. */
const Place = z.union([
  AddressHandle,
  z.strictObject({ handle: AddressHandle, custom: Custom.exactOptional() }),
]);

export const AnchorData = z.strictObject({
  handle: AddressHandle,
  target: Place,
  wallet: AddressHandle.exactOptional(),
  symbol: AddressHandle.exactOptional(),
  source: Place.exactOptional(),
  ...commonData,
});
export type AnchorData = z.infer<typeof AnchorData>;

/** Asks for anchors by conditions on dot paths of their data, as filters of effects are written. */
export const LookupBody = createBodyOf(z.looseObject({}));
