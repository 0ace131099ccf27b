/** What a wallet's data may look like. */
import * as z from 'zod';
import { AddressHandle, commonData } from './record.ts';

export const WalletData = z.strictObject({
  handle: AddressHandle,
  /** Where its money really is. Ruling 54. */
  bridge: AddressHandle.exactOptional(),
  ...commonData,
});
export type WalletData = z.infer<typeof WalletData>;
