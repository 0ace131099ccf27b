/** What a wallet's data may look like. */
import * as z from 'zod';
import { AddressHandle, commonData } from './record.ts';

export const WalletData = z.strictObject({
  handle: AddressHandle,
  ...commonData,
});
export type WalletData = z.infer<typeof WalletData>;
