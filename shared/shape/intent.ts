/** The shape of an intent and its claims. Ruling 45. */
import * as z from 'zod/mini';
import { Custom } from './proof.ts';
import { AddressHandle, commonData, Moment } from './record.ts';

/** A wallet or a symbol, by its handle, or with the author's `custom`. Both forms are returned as sent. */
const ClaimReference = z.union([
  AddressHandle,
  z.strictObject({ handle: AddressHandle, custom: z.exactOptional(Custom) }),
]);
export type ClaimReference = z.infer<typeof ClaimReference>;

/** In the symbol's smallest unit, 1 to 2^53 − 1. Ruling 39. */
const amount = z.int().check(z.minimum(1));

/** Free-form data of the authors about one claim. Ruling 77. */
const custom = z.exactOptional(Custom);

const Issue = z.strictObject({
  action: z.literal('issue'),
  target: ClaimReference,
  symbol: ClaimReference,
  amount,
  custom,
});
const Transfer = z.strictObject({
  action: z.literal('transfer'),
  source: ClaimReference,
  target: ClaimReference,
  symbol: ClaimReference,
  amount,
  custom,
});
const Destroy = z.strictObject({
  action: z.literal('destroy'),
  source: ClaimReference,
  symbol: ClaimReference,
  amount,
  custom,
});
const limit = {
  action: z.literal('limit'),
  wallet: ClaimReference.check(z.describe('The wallet that is limited.')),
  symbol: ClaimReference.check(z.describe('The symbol of which it is limited.')),
  custom,
};
/** Sets a limit on a balance, or on its transfers in 24 hours. Ruling 41. */
const Limit = z.discriminatedUnion('metric', [
  z.strictObject({
    ...limit,
    metric: z.literal('minBalance'),
    amount: z.int().check(z.describe('The least balance; it may be below zero.')),
  }),
  z.strictObject({
    ...limit,
    metric: z.literal(['maxBalance', 'dailyCount', 'dailyAmount']),
    amount: z
      .int()
      .check(z.minimum(0), z.describe('The most: in the smallest unit, or a number of transfers.')),
  }),
]);
/** A claim that moves no value and sets a limit. */
export type LimitClaim = z.infer<typeof Limit>;
export type LimitMetric = LimitClaim['metric'];

const Claim = z.discriminatedUnion('action', [Issue, Transfer, Destroy, Limit]);
/** One line of an intent. */
export type Claim = z.infer<typeof Claim>;

export const IntentData = z.strictObject({
  handle: AddressHandle,
  claims: z.array(Claim).check(z.minLength(1), z.maxLength(40)),
  /** `auto`: the ledger commits a prepared intent. `manual`: it waits for the proof of a signer. Ruling 51. */
  config: z.exactOptional(
    z.strictObject({
      commit: z.exactOptional(z.literal(['auto', 'manual'])),
      /** The moment from which it is rejected, unless it was committed before. Ruling 88. */
      expiry: z.exactOptional(Moment),
      /** The moment from which it takes effect. Until then it is `pending`, and can be aborted. Ruling 89. */
      notBefore: z.exactOptional(Moment),
    }),
  ),
  /** The handle of the intent whose claims are undone. Ruling 92. */
  reverses: z.exactOptional(
    AddressHandle.check(
      z.describe('The handle of the intent that this one undoes, as a whole or in part.'),
    ),
  ),
  ...commonData,
});
export type IntentData = z.infer<typeof IntentData>;
