/** The shape of a ledger and its settings. Ruling 24. */
import * as z from 'zod/mini';
import { AddressHandle, commonData, NameHandle } from './record.ts';

/** A witness: its key as a vkey, and the address below which it takes checkpoints. Ruling 100. */
const Witness = z.strictObject({ key: z.string(), url: z.string() });
const witnessCountMax = 8;
/** That of a token of a signer, as the ledger takes it: a day. */
const tokenSecondsMax = 86_400;

/** The settings of a ledger. Unknown ones are stored as they are. */
const Config = z.looseObject({
  'intent.expiryThresholdMinutes': z.exactOptional(z.number().check(z.positive())),
  'intent.expiryMaxMinutes': z.exactOptional(z.number().check(z.positive())),
  'anchor.walletRequired': z.exactOptional(z.boolean()),
  'proof.maxAgeSeconds': z.exactOptional(z.number().check(z.positive())),
  'access.strategy': z.exactOptional(z.literal(['record-based', 'policy-based'])),
  'limits.aggregated.enabled': z.exactOptional(z.boolean()),
  'log.witnesses': z.exactOptional(z.array(Witness).check(z.maxLength(witnessCountMax))),
  'oauth.provider': z.exactOptional(AddressHandle),
  'oauth.tokenSeconds': z.exactOptional(z.int().check(z.positive(), z.maximum(tokenSecondsMax))),
});

export const LedgerData = z.strictObject({
  handle: NameHandle,
  signer: z.exactOptional(AddressHandle),
  config: z.exactOptional(Config),
  ...commonData,
});
export type LedgerData = z.infer<typeof LedgerData>;
