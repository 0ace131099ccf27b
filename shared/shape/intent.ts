/** What an intent's data may look like. Ruling 45. */
import * as z from 'zod';
import { Custom } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

/** A wallet or a symbol, by its handle or with the author's notes. Both forms are echoed as sent. */
const Party = z.union([
  AddressHandle,
  z.strictObject({ handle: AddressHandle, custom: Custom.exactOptional() }),
]);
export type Party = z.infer<typeof Party>;

/** In the symbol's smallest unit, 1 to 2^53 − 1. Ruling 39. */
const amount = z.int().min(1);

const Issue = z.strictObject({ action: z.literal('issue'), target: Party, symbol: Party, amount });
const Transfer = z.strictObject({
  action: z.literal('transfer'),
  source: Party,
  target: Party,
  symbol: Party,
  amount,
});
const Destroy = z.strictObject({
  action: z.literal('destroy'),
  source: Party,
  symbol: Party,
  amount,
});
const Claim = z.discriminatedUnion('action', [Issue, Transfer, Destroy]);
/** One line of an intent. */
export type Claim = z.infer<typeof Claim>;

export const IntentData = z.strictObject({
  handle: AddressHandle,
  claims: z.array(Claim).min(1).max(40),
  config: z.strictObject({ commit: z.literal('auto').exactOptional() }).exactOptional(),
  ...commonData,
});
export type IntentData = z.infer<typeof IntentData>;
