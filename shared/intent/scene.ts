/** The context of an intent: all that it names, with the record and the rules of the ledger. */
import { walletMeant } from '../access/addressed.ts';
import { candidatesOf, handleOf } from '../ledger/address.ts';
import { cellOf } from '../ledger/balance.ts';
import { isLimit, type Setting, settingsOf } from '../ledger/limit.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { type Facts, type NetMove, namesOf } from '../ledger/settle.ts';
import type { Sheet } from '../ledger/sheet.ts';
import type { Call } from '../port/action.ts';
import type { Balance, Opening } from '../port/ports.ts';
import { limitsDays } from '../record/author.ts';
import type { Reader } from '../record/reader.ts';
import type { Claim, IntentData, Party } from '../shape/intent.ts';

/** Undefined marks an item that was read and does not exist. */
type Lookup<Item> = Map<string, Item | undefined>;

export interface Scene {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
  readonly wallets: Lookup<Version>;
  readonly symbols: Lookup<Version>;
  /** By `cellOf`. */
  readonly balances: Lookup<Balance>;
  readonly bridges: Lookup<Version>;
}

/** The parts of an intent that routing works on. */
export type Wish = Pick<IntentData, 'claims'> & Pick<LedgerRecord['data'], 'schema' | 'custom'>;

/** The claims of an intent's data; its shape was checked on arrival. */
export function claimsOf(data: LedgerRecord['data']): readonly Claim[] {
  return (data as unknown as IntentData).claims;
}

export function wishOf(data: LedgerRecord['data']): Wish {
  return data as unknown as Wish;
}

/** Reads the context of claims, usually all that settling needs. The guessed bridges save a round trip. */
export async function readScene(
  reader: Reader,
  claims: readonly Claim[],
  bridges: readonly string[] = [],
): Promise<Scene> {
  const { wallets, symbols, cells } = namesIn(claims);
  const [home, rulebook, ofWallets, ofSymbols, balances, guessed] = await Promise.all([
    reader.home(),
    reader.rulebook(),
    reader.records('wallet', wallets),
    reader.records('symbol', symbols),
    reader.balances(cells),
    reader.records('bridge', bridges),
  ]);
  return {
    home,
    rulebook,
    wallets: known(wallets, ofWallets),
    symbols: known(symbols, ofSymbols),
    balances: known(cells.map(cellName), balances),
    bridges: new Map([...known(bridges, guessed)].filter(([, bridge]) => bridge !== undefined)),
  };
}

/** The input of the settlement at a moment. */
export function factsOf(scene: Scene, claims: readonly Claim[], moment: string): Facts {
  const { wallets } = namesOf(claims);
  return {
    wallets: new Set([...wallets].filter((handle) => walletOf(scene, handle) !== undefined)),
    symbols: new Set(
      [...scene.symbols].flatMap(([handle, symbol]) => (symbol === undefined ? [] : handle)),
    ),
    sheet: sheetOf(scene.balances),
    ...(limitsDays(scene.home) && { countsAt: moment }),
  };
}

/** The limits that claims set, on the wallets behind their addresses. Ruling 42. */
export function settingsIn(scene: Scene, claims: readonly Claim[]): Setting[] {
  return settingsOf(claims, ({ wallet }) => limitedWallet(scene, wallet));
}

/** The wallets of limit claims, in the order of the claims. */
export function limitedWalletsOf(scene: Scene, claims: readonly Claim[]): string[] {
  return claims.filter(isLimit).map(({ wallet }) => limitedWallet(scene, wallet));
}

/** The wallet that a claim debits or limits. Credited wallets are found by routing. Ruling 42. */
export function walletOf({ wallets, rulebook }: Scene, handle: string): Version | undefined {
  return walletMeant(handle, 'debit', wallets, rulebook);
}

/** Balances to open before their first move. Decision 12. */
export function openingsOf(
  { services, ledger }: Call,
  scene: Scene,
  moves: readonly NetMove[],
): Opening[] {
  return moves
    .filter((move) => scene.balances.get(cellName(move)) === undefined)
    .map(({ wallet, symbol }) => ({
      scope: ledger.handle,
      luid: services.luids('bal', services.clock()),
      wallet,
      walletLuid: luidOf(scene.wallets, wallet),
      symbol,
      symbolLuid: luidOf(scene.symbols, symbol),
    }));
}

/** The luid of a wallet in a settled intent. */
export function walletLuidOf({ wallets }: Scene, handle: string): string {
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
  const cells = claims.flatMap((claim) => {
    const symbol = handleOf(claim.symbol);
    const parties = [...namesOf([claim]).wallets];
    return parties.flatMap(candidatesOf).map((wallet) => ({ wallet, symbol }));
  });
  const distinct = new Map(cells.map((cell) => [cellName(cell), cell]));
  return { wallets, symbols: [...names.symbols], cells: [...distinct.values()] };
}

function cellName({
  wallet,
  symbol,
}: {
  readonly wallet: string;
  readonly symbol: string;
}): string {
  return cellOf(wallet, symbol);
}

function known<Item>(names: readonly string[], items: readonly (Item | undefined)[]): Lookup<Item> {
  return new Map(names.map((name, index) => [name, items[index]]));
}

function sheetOf(balances: Lookup<Balance>): Sheet {
  return new Map([...balances].flatMap(([cell, balance]) => (balance ? [[cell, balance]] : [])));
}

function limitedWallet(scene: Scene, party: Party): string {
  const handle = handleOf(party);
  return walletOf(scene, handle)?.record.data.handle ?? handle;
}

function luidOf(versions: Lookup<Version>, handle: string): string {
  const luid = versions.get(handle)?.record.luid;
  if (luid === undefined) throw new Error(`An intent that settles names ${handle}, which exists.`);
  return luid;
}
