/** What the ledger knows of all that an intent names: wallets, symbols, balances, and its own rules. */
import { cellOf, type Sheet, type Turnover } from '../ledger/balance.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { cellsOf, type Facts, type NetMove, namesOf } from '../ledger/settle.ts';
import type { Claim, IntentData } from '../shape/intent.ts';
import type { Call } from './action.ts';
import type { Balance, Move, Opening, Scope, Want } from './ports.ts';

export interface Scene {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
  readonly wallets: ReadonlyMap<string, Version>;
  readonly symbols: ReadonlyMap<string, Version>;
  readonly balances: ReadonlyMap<string, Balance>;
}

/** The claims of an intent's data, which was checked when it came. */
export function claimsOf(data: LedgerRecord['data']): readonly Claim[] {
  return (data as unknown as IntentData).claims;
}

/** What must be read to settle the claims, and to know who may. */
export function sceneWants(scope: Scope, claims: readonly Claim[]): Want[] {
  const { wallets, symbols } = namesOf(claims);
  return [
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
    { what: 'rulebook', scope },
    ...[...wallets].map((handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const),
    ...[...symbols].map((handle) => ({ what: 'record', scope, kind: 'symbol', handle }) as const),
    ...[...cellsOf(claims).values()].map(
      ({ wallet, symbol }) => ({ what: 'balance', scope, wallet, symbol }) as const,
    ),
  ];
}

/** What was found, as `sceneWants` asked for it. */
export function sceneIn(claims: readonly Claim[], found: readonly unknown[]): Scene {
  const names = namesOf(claims);
  const wallets = [...names.wallets];
  const symbols = [...names.symbols];
  const [home, rulebook, ...rest] = found as [Version | undefined, Rulebook | undefined];
  const records = rest as (Version | undefined)[];
  const balances = (rest as (Balance | undefined)[]).slice(wallets.length + symbols.length);
  return {
    home: home?.record,
    rulebook,
    wallets: present(wallets, records),
    symbols: present(symbols, records.slice(wallets.length)),
    balances: present([...cellsOf(claims).values()].map(cellName), balances),
  };
}

/** Reads all that the claims name, in one round trip. */
export async function readScene(
  { services, ledger }: Call,
  claims: readonly Claim[],
): Promise<Scene> {
  return sceneIn(claims, await services.store.load(sceneWants(ledger.handle, claims)));
}

/** What settling needs of the scene. */
export function factsOf({ wallets, symbols, balances }: Scene): Facts {
  return {
    wallets: new Set(wallets.keys()),
    symbols: new Set(symbols.keys()),
    bridged: bridgedIn(wallets),
    sheet: sheetOf(balances),
  };
}

/** The balances that will move and do not exist yet. Decision 12. */
export function openingsOf(
  { services, ledger }: Call,
  scene: Scene,
  moves: readonly NetMove[],
): Opening[] {
  return moves
    .filter((move) => !scene.balances.has(cellName(move)))
    .map(({ wallet, symbol }) => ({
      scope: ledger.handle,
      luid: services.luids('bal', services.clock()),
      wallet,
      walletLuid: luidOf(scene.wallets, wallet),
      symbol,
      symbolLuid: luidOf(scene.symbols, symbol),
    }));
}

/** The moves of balances, each of the wallet that was read. */
export function movesOf(scope: Scope, scene: Scene, moves: readonly NetMove[]): Move[] {
  return moves.map((move) => ({
    scope,
    walletLuid: luidOf(scene.wallets, move.wallet),
    ...move,
  }));
}

/** The wallets whose money a bridge keeps. */
function bridgedIn(wallets: ReadonlyMap<string, Version>): ReadonlySet<string> {
  const bridged = [...wallets].filter(([, { record }]) => record.data['bridge'] !== undefined);
  return new Set(bridged.map(([handle]) => handle));
}

function cellName({ wallet, symbol }: Pick<Turnover, 'wallet' | 'symbol'>): string {
  return cellOf(wallet, symbol);
}

/** What was found, by name. */
function present<Item>(
  names: readonly string[],
  items: readonly (Item | undefined)[],
): ReadonlyMap<string, Item> {
  const byName = new Map<string, Item>();
  for (const [index, name] of names.entries()) {
    const item = items[index];
    if (item !== undefined) byName.set(name, item);
  }
  return byName;
}

function sheetOf(balances: ReadonlyMap<string, Balance>): Sheet {
  return new Map([...balances].map(([cell, { available }]) => [cell, available]));
}

function luidOf(versions: ReadonlyMap<string, Version>, handle: string): string {
  const luid = versions.get(handle)?.record.luid;
  if (luid === undefined) throw new Error(`An intent that settles names ${handle}, which exists.`);
  return luid;
}
