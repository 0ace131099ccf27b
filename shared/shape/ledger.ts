/** What a ledger's data may look like. Ruling 24. */
import * as z from 'zod';
import { AddressHandle, commonData, NameHandle } from './record.ts';

/** The settings of a ledger; those not known here are kept as they are. */
const Config = z.looseObject({
  'intent.expiryThresholdMinutes': z.number().positive().exactOptional(),
  'anchor.walletRequired': z.boolean().exactOptional(),
  'proof.maxAgeSeconds': z.number().positive().exactOptional(),
  'access.strategy': z.literal(['record-based', 'policy-based']).exactOptional(),
  'limits.aggregated.enabled': z.boolean().exactOptional(),
  'oauth.provider': AddressHandle.exactOptional(),
  'oauth.tokenSeconds': z.int().positive().exactOptional(),
});

export const LedgerData = z.strictObject({
  handle: NameHandle,
  signer: AddressHandle.exactOptional(),
  config: Config.exactOptional(),
  ...commonData,
});
export type LedgerData = z.infer<typeof LedgerData>;
