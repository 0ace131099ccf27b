/** What a matcher of signers may look like. Its conditions are judged by `shared/ledger/match.ts`. Ruling 32. */
import * as z from 'zod';
import { AddressHandle } from './handle.ts';

const Text = z.string().max(256);
const Texts = z.array(Text).max(100);

/** A text, or conditions on one. */
export const Fact = z.union([
  Text,
  z.strictObject({
    $eq: Text.exactOptional(),
    $ne: Text.exactOptional(),
    $gt: Text.exactOptional(),
    $gte: Text.exactOptional(),
    $lt: Text.exactOptional(),
    $lte: Text.exactOptional(),
    $in: Texts.exactOptional(),
    $nin: Texts.exactOptional(),
    $regex: Text.exactOptional(),
    $exists: z.boolean().exactOptional(),
  }),
]);

export const SignerMatcher = z.strictObject({
  handle: Fact.exactOptional(),
  public: Fact.exactOptional(),
  format: Fact.exactOptional(),
  schema: Fact.exactOptional(),
  custom: z.record(z.string(), z.unknown()).exactOptional(),
  $circle: z
    .union([AddressHandle, z.strictObject({ $in: z.array(AddressHandle).min(1).max(32) })])
    .exactOptional(),
  $record: z.literal('owner').exactOptional(),
  $ledger: z.literal('owner').exactOptional(),
  get $in() {
    return z.array(SignerMatcher).min(1).max(16).exactOptional();
  },
});
