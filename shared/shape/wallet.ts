/** What a wallet's data may look like. */
import * as z from 'zod';
import { AddressHandle, commonData } from './record.ts';

/** How many routes a wallet has at most. */
const routeCountMax = 100;

/** Conditions on a claim as the wallet sees it; a route without any is for all claims. */
const Filter = z.record(z.string(), z.unknown()).exactOptional();

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
  bridge: AddressHandle.exactOptional(),
  /** In order: the first one that fits a claim decides. */
  routes: z.array(Route).max(routeCountMax).exactOptional(),
  ...commonData,
});
export type WalletData = z.infer<typeof WalletData>;
