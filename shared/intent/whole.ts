/**
 * Busy balances before a refusal, and before a limit: what some of their shards have does not tell what the balance has, so
 * they are read whole, and decided by once more. Decision 125.
 */
import { balanceKeyOf } from '../ledger/balance.ts';
import type { NetMove } from '../ledger/net-move.ts';
import { isPartial } from '../ledger/shards.ts';
import type { Balance, Scope, Store } from '../port/ports.ts';

/** By `balanceKeyOf`; undefined marks one that was read and does not exist. */
type ReadBalances = ReadonlyMap<string, Balance | undefined>;

/**
 * The ways to read all shards: one after the other, which shows what there is for a debit to take, and as they were at
 * one moment, which alone shows that there was too little.
 */
const ways = ['rough', 'exact'] as const;

/** The outcome that balances lead to, as they were read. */
interface JudgedMoves {
  readonly outcome: { readonly settles: boolean };
  readonly moves: readonly NetMove[];
}

/**
 * True where the balances suffice as they were read: it settles, and sets no limit on one of which only some shards were
 * read, since these do not tell whether it is kept.
 */
export function areEnough(balances: ReadBalances, { outcome, moves }: JudgedMoves): boolean {
  if (!outcome.settles) return false;
  return !moves.some(({ wallet, symbol, settings }) => {
    const { shards } = balances.get(balanceKeyOf(wallet, symbol)) ?? {};
    return settings.length > 0 && isPartial(shards);
  });
}

/**
 * Reads those of the balances that have shards with all of them, in one way and the other, until they suffice. However many
 * were read before, that was not of one moment. Decision 139.
 */
export async function wholeUntil(
  store: Pick<Store, 'load'>,
  scope: Scope,
  balances: ReadBalances,
  suffice: (balances: ReadBalances) => boolean,
): Promise<ReadBalances> {
  const divided = [...balances.values()].flatMap((one) =>
    one?.shards ? { wallet: one.wallet, symbol: one.symbol } : [],
  );
  let whole = balances;
  for (const way of divided.length > 0 ? ways : []) {
    if (suffice(whole)) break;
    const found = await store.load(
      divided.map((name) => ({ what: 'balance', scope, ...name, whole: way }) as const),
    );
    const read = divided.map(
      ({ wallet, symbol }, index) => [balanceKeyOf(wallet, symbol), found[index]] as const,
    );
    whole = new Map([...whole, ...read]);
  }
  return whole;
}
