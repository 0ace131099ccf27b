/** The shape of a wallet and its routes. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';

const routeCountMax = 100;

/** Conditions on a claim; a route without them applies to all claims. */
const Filter = z.exactOptional(z.record(z.string(), z.unknown()));

const Accepting = z.strictObject({ action: z.literal('accept'), filter: Filter });
const Passing = z.strictObject({
  action: z.literal(['credit', 'debit', 'forward']),
  filter: Filter,
  /** The address of another wallet. */
  target: AddressHandle,
});

const Route = z.discriminatedUnion('action', [Accepting, Passing]);
/** The rule for a claim that reaches a wallet. Ruling 43. */
export type Route = z.infer<typeof Route>;

export const WalletData = z.strictObject({
  handle: AddressHandle,
  /** The bridge to the bank that holds its money. Ruling 54. */
  bridge: z.exactOptional(AddressHandle),
  /** In order: the first route that fits a claim decides. */
  routes: z.exactOptional(z.array(Route).check(z.maxLength(routeCountMax))),
  ...commonData,
});
export type WalletData = z.infer<typeof WalletData>;
