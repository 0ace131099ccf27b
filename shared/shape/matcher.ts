/** The shape of a signer matcher. Its conditions are judged by `shared/ledger/match.ts`. Ruling 32. */
import * as z from 'zod/mini';
import { AddressHandle } from './handle.ts';

const Text = z.string().check(z.maxLength(256));
const Texts = z.array(Text).check(z.maxLength(100));

/** A text, or conditions on one. */
export const Fact = z.union([
  Text,
  z.strictObject({
    $eq: z.exactOptional(Text),
    $ne: z.exactOptional(Text),
    $gt: z.exactOptional(Text),
    $gte: z.exactOptional(Text),
    $lt: z.exactOptional(Text),
    $lte: z.exactOptional(Text),
    $in: z.exactOptional(Texts),
    $nin: z.exactOptional(Texts),
    $regex: z.exactOptional(Text),
    $exists: z.exactOptional(z.boolean()),
  }),
]);

export const SignerMatcher = z.strictObject({
  handle: z.exactOptional(Fact),
  public: z.exactOptional(Fact),
  format: z.exactOptional(Fact),
  schema: z.exactOptional(Fact),
  custom: z.exactOptional(z.record(z.string(), z.unknown())),
  $circle: z.exactOptional(
    z.union([
      AddressHandle,
      z.strictObject({ $in: z.array(AddressHandle).check(z.minLength(1), z.maxLength(32)) }),
    ]),
  ),
  $record: z.exactOptional(z.literal('owner')),
  $ledger: z.exactOptional(z.literal('owner')),
  get $in(): z.ZodMiniExactOptional<z.ZodMiniArray<typeof SignerMatcher>> {
    return z.exactOptional(z.array(SignerMatcher).check(z.minLength(1), z.maxLength(16)));
  },
});
