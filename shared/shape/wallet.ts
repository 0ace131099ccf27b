/** What a wallet's data may look like. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';

/** How many routes a wallet has at most. */
const routeCountMax = 100;

/** Conditions on a claim as the wallet sees it; a route without any is for all claims. */
const Filter = z.exactOptional(z.record(z.string(), z.unknown()));

const Accepting = z.strictObject({ action: z.literal('accept'), filter: Filter });
const Passing = z.strictObject({
  action: z.literal(['credit', 'debit', 'forward']),
  filter: Filter,
  /** The address of another wallet. */
  target: AddressHandle,
});

const Route = z.discriminatedUnion('action', [Accepting, Passing]);
/** What becomes of a claim that reaches a wallet. Ruling 43. */
export type Route = z.infer<typeof Route>;

export const WalletData = z.strictObject({
  handle: AddressHandle,
  /** Where its money really is. Ruling 54. */
  bridge: z.exactOptional(AddressHandle),
  /** In order: the first one that fits a claim decides. */
  routes: z.exactOptional(z.array(Route).check(z.maxLength(routeCountMax))),
  ...commonData,
});
export type WalletData = z.infer<typeof WalletData>;
