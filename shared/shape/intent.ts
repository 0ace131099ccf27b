/** What an intent's data may look like. Ruling 45. */
import * as z from 'zod/mini';
import { Custom } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

/** A wallet or a symbol, by its handle or with the author's notes. Both forms are echoed as sent. */
const Party = z.union([
  AddressHandle,
  z.strictObject({ handle: AddressHandle, custom: z.exactOptional(Custom) }),
]);
export type Party = z.infer<typeof Party>;

/** In the symbol's smallest unit, 1 to 2^53 − 1. Ruling 39. */
const amount = z.int().check(z.minimum(1));

/** What authors note of one claim. Ruling 77. */
const custom = z.exactOptional(Custom);

const Issue = z.strictObject({
  action: z.literal('issue'),
  target: Party,
  symbol: Party,
  amount,
  custom,
});
const Transfer = z.strictObject({
  action: z.literal('transfer'),
  source: Party,
  target: Party,
  symbol: Party,
  amount,
  custom,
});
const Destroy = z.strictObject({
  action: z.literal('destroy'),
  source: Party,
  symbol: Party,
  amount,
  custom,
});
const limit = {
  action: z.literal('limit'),
  wallet: Party.check(z.describe('The wallet that is limited.')),
  symbol: Party.check(z.describe('The symbol of which it is limited.')),
  custom,
};
/** What bounds what a wallet has of a symbol, or its transfers of 24 hours. Ruling 41. */
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
/** A claim that moves nothing, and bounds what others may move. */
export type LimitClaim = z.infer<typeof Limit>;
export type Metric = LimitClaim['metric'];

const Claim = z.discriminatedUnion('action', [Issue, Transfer, Destroy, Limit]);
/** One line of an intent. */
export type Claim = z.infer<typeof Claim>;

export const IntentData = z.strictObject({
  handle: AddressHandle,
  claims: z.array(Claim).check(z.minLength(1), z.maxLength(40)),
  /** Whether the ledger commits by itself what is prepared, or waits for somebody's word. Ruling 51. */
  config: z.exactOptional(
    z.strictObject({ commit: z.exactOptional(z.literal(['auto', 'manual'])) }),
  ),
  ...commonData,
});
export type IntentData = z.infer<typeof IntentData>;
