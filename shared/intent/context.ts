/** The context of an intent: all that it names, with the record and the rules of the ledger. */
import { candidatesOf, handleOf } from '../ledger/address.ts';
import { balanceKeyOf, type Entry } from '../ledger/balance.ts';
import type { BalanceStates } from '../ledger/balance-state.ts';
import { isLimit, type Setting, settingsOf } from '../ledger/limit.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { type NetMove, namesOf, type SettlementFacts } from '../ledger/settle.ts';
import type { Call } from '../port/action.ts';
import type { Balance, BalanceOpening } from '../port/ports.ts';
import { limitsDays } from '../record/author.ts';
import { isInactive } from '../record/inactive.ts';
import { walletMeant } from '../record/meaning.ts';
import type { Reader } from '../record/reader.ts';
import type { Claim, ClaimReference, IntentData } from '../shape/intent.ts';
import { wholeUntil } from './whole.ts';

/** Undefined marks an item that was read and does not exist. */
type Lookup<Item> = Map<string, Item | undefined>;

export interface IntentContext {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
  readonly wallets: Lookup<Version>;
  readonly symbols: Lookup<Version>;
  /** By `balanceKeyOf`. */
  readonly balances: Lookup<Balance>;
  readonly bridges: Lookup<Version>;
  /** The intents that are undone, by handle. Ruling 92. */
  readonly reversed: Lookup<Version>;
}

/** The parts of an intent that routing works on. */
export type Instruction = Pick<IntentData, 'claims' | 'reverses'> &
  Pick<LedgerRecord['data'], 'schema' | 'custom'>;

/** The claims of an intent's data; its shape was checked on arrival. */
export function claimsOf(data: LedgerRecord['data']): readonly Claim[] {
  return (data as unknown as IntentData).claims;
}

export function instructionOf(data: LedgerRecord['data']): Instruction {
  return data as unknown as Instruction;
}

/** Reads the context of claims, usually all that settling needs. The guessed bridges save a round trip. */
export async function readIntentContext(
  reader: Reader,
  { claims, reverses }: { readonly claims: readonly Claim[]; readonly reverses?: string },
  bridges: readonly string[] = [],
): Promise<IntentContext> {
  const { wallets, symbols, cells: walletSymbols } = namesIn(claims);
  const undone = reverses === undefined ? [] : [reverses];
  const [home, rulebook, ofWallets, ofSymbols, balances, guessed, reversed] = await Promise.all([
    reader.home(),
    reader.rulebook(),
    reader.records('wallet', wallets),
    reader.recent('symbol', symbols),
    reader.balances(walletSymbols),
    reader.recent('bridge', bridges),
    reader.records('intent', undone),
  ]);
  return {
    home,
    rulebook,
    wallets: known(wallets, ofWallets),
    symbols: known(symbols, ofSymbols),
    balances: known(walletSymbols.map(balanceKeyFor), balances),
    bridges: new Map([...known(bridges, guessed)].filter(([, bridge]) => bridge !== undefined)),
    reversed: known(undone, reversed),
  };
}

/** Reads busy balances with all their shards, which a refusal depends on, as far as it takes to settle. Decision 125. */
export async function readWhole(
  { services, ledger }: Call,
  { balances }: Pick<IntentContext, 'balances'>,
  settles: () => boolean,
): Promise<void> {
  const keep = (read: ReadonlyMap<string, Balance | undefined>): void => {
    for (const [key, balance] of read) balances.set(key, balance);
  };
  const whole = await wholeUntil(services.store, ledger.handle, balances, (read) => {
    keep(read);
    return settles();
  });
  keep(whole);
}

/** The input of the settlement at a moment. */
export function factsOf(
  context: IntentContext,
  claims: readonly Claim[],
  moment: string,
): SettlementFacts {
  const { wallets } = namesOf(claims);
  return {
    wallets: new Set([...wallets].filter((handle) => walletOf(context, handle) !== undefined)),
    symbols: new Set(
      [...context.symbols].flatMap(([handle, symbol]) => (symbol === undefined ? [] : handle)),
    ),
    balances: balanceStatesOf(context.balances),
    ...(limitsDays(context.home) && { countsAt: moment }),
  };
}

/** The limits that claims set, on the wallets behind their addresses. Ruling 42. */
export function settingsIn(context: IntentContext, claims: readonly Claim[]): Setting[] {
  return settingsOf(claims, ({ wallet }) => limitedWallet(context, wallet));
}

/** The wallets of limit claims, in the order of the claims. */
export function limitedWalletsOf(context: IntentContext, claims: readonly Claim[]): string[] {
  return claims.filter(isLimit).map(({ wallet }) => limitedWallet(context, wallet));
}

/** The wallet that a claim debits or limits; where it credits one, the wallet before any route. Ruling 42. */
export function walletOf(
  { wallets, rulebook }: Pick<IntentContext, 'wallets' | 'rulebook'>,
  handle: string,
  side: Entry['schema'] = 'debit',
): Version | undefined {
  return walletMeant(handle, side, wallets, rulebook);
}

/** Balances to open before their first move. Decision 12. */
export function openingsOf(
  { services, ledger }: Call,
  context: IntentContext,
  moves: readonly NetMove[],
): BalanceOpening[] {
  return moves
    .filter((move) => context.balances.get(balanceKeyFor(move)) === undefined)
    .map(({ wallet, symbol }) => {
      const version = context.wallets.get(wallet);
      return {
        scope: ledger.handle,
        luid: services.luids('bal', services.clock()),
        wallet,
        walletLuid: luidOf(context.wallets, wallet),
        walletChange: version?.change ?? 0,
        ...(version && isInactive(version) && { isWatched: true as const }),
        symbol,
        symbolLuid: luidOf(context.symbols, symbol),
      };
    });
}

/** The luid of a wallet in a settled intent. */
export function walletLuidOf({ wallets }: IntentContext, handle: string): string {
  return luidOf(wallets, handle);
}

/** The handles of all wallets that the claims may mean. */
export function walletsNamed(claims: readonly Claim[]): string[] {
  return namesIn(claims).wallets;
}

/** All names in the claims: wallets by every reading of their addresses, symbols, and the balances of both. */
function namesIn(claims: readonly Claim[]) {
  const names = namesOf(claims);
  const wallets = [...new Set([...names.wallets].flatMap(candidatesOf))];
  const walletSymbols = claims.flatMap((claim) => {
    const symbol = handleOf(claim.symbol);
    const wallets = [...namesOf([claim]).wallets];
    return wallets.flatMap(candidatesOf).map((wallet) => ({ wallet, symbol }));
  });
  const distinct = new Map(
    walletSymbols.map((walletSymbol) => [balanceKeyFor(walletSymbol), walletSymbol]),
  );
  return { wallets, symbols: [...names.symbols], cells: [...distinct.values()] };
}

function balanceKeyFor({
  wallet,
  symbol,
}: {
  readonly wallet: string;
  readonly symbol: string;
}): string {
  return balanceKeyOf(wallet, symbol);
}

function known<Item>(names: readonly string[], items: readonly (Item | undefined)[]): Lookup<Item> {
  return new Map(names.map((name, index) => [name, items[index]]));
}

function balanceStatesOf(balances: Lookup<Balance>): BalanceStates {
  return new Map(
    [...balances].flatMap(([walletSymbol, balance]) => (balance ? [[walletSymbol, balance]] : [])),
  );
}

function limitedWallet(context: IntentContext, reference: ClaimReference): string {
  const handle = handleOf(reference);
  return walletOf(context, handle)?.record.data.handle ?? handle;
}

function luidOf(versions: Lookup<Version>, handle: string): string {
  const luid = versions.get(handle)?.record.luid;
  if (luid === undefined) throw new Error(`An intent that settles names ${handle}, which exists.`);
  return luid;
}
