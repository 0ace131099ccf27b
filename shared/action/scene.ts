/** What the ledger knows of all that an intent names: wallets, symbols, balances, bridges, and its own rules. */
import { candidatesOf, handleOf } from '../ledger/address.ts';
import { cellOf, type Entry, turnoversOf } from '../ledger/balance.ts';
import { bridged } from '../ledger/grouping.ts';
import { isLimit, type Setting, settingsOf } from '../ledger/limit.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { type RoutedWallet, type Routing, route } from '../ledger/routing.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { type Facts, type NetMove, namesOf } from '../ledger/settle.ts';
import type { Sheet } from '../ledger/sheet.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { Claim, IntentData, Party } from '../shape/intent.ts';
import type { Call } from './action.ts';
import { limitsDays } from './author.ts';
import type { Balance, Found, Opening, Scope, Want } from './ports.ts';

/** Undefined stands for what was looked for and is not there. */
type Known<Item> = Map<string, Item | undefined>;

export interface Scene {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
  readonly wallets: Known<Version>;
  readonly symbols: Known<Version>;
  /** By `cellOf`. */
  readonly balances: Known<Balance>;
  readonly bridges: Known<Version>;
}

/** One intent of a thread: what it claims, and the entries that come of it. */
export interface Part {
  readonly claims: readonly Claim[];
  readonly entries: readonly Entry[];
  /** The place in the thread of the intent that it comes from; absent for the first one. */
  readonly from?: number;
}

/** What somebody asks the ledger to do, as far as it is routed. */
export type Wish = Pick<IntentData, 'claims'> & Pick<LedgerRecord['data'], 'schema' | 'custom'>;

/** The claims of an intent's data, which was checked when it came. */
export function claimsOf(data: LedgerRecord['data']): readonly Claim[] {
  return (data as unknown as IntentData).claims;
}

/** The wish that is in an intent's data. */
export function wishOf(data: LedgerRecord['data']): Wish {
  return data as unknown as Wish;
}

/** What must be read first to settle claims, and to know who may: mostly it is all. */
export function sceneWants(scope: Scope, claims: readonly Claim[]): Want[] {
  const names = namesIn(claims);
  return [
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
    { what: 'rulebook', scope },
    ...names.wallets.map((handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const),
    ...names.symbols.map((handle) => ({ what: 'record', scope, kind: 'symbol', handle }) as const),
    ...names.cells.map((cell) => ({ what: 'balance', scope, ...cell }) as const),
  ];
}

/** What was found, as `sceneWants` asked for it. */
export function sceneIn(claims: readonly Claim[], found: readonly unknown[]): Scene {
  const { wallets, symbols, cells } = namesIn(claims);
  const [home, rulebook, ...rest] = found as [Version | undefined, Rulebook | undefined];
  const records = rest as (Version | undefined)[];
  const balances = (rest as (Balance | undefined)[]).slice(wallets.length + symbols.length);
  return {
    home: home?.record,
    rulebook,
    wallets: known(wallets, records),
    symbols: known(symbols, records.slice(wallets.length)),
    balances: known(cells.map(cellName), balances),
    bridges: new Map(),
  };
}

/** Reads what the claims name, in one round trip. */
export async function readScene(
  { services, ledger }: Call,
  claims: readonly Claim[],
): Promise<Scene> {
  return sceneIn(claims, await services.store.load(sceneWants(ledger.handle, claims)));
}

/**
 * Routes a wish as far as it goes, and reads what that leads to: further wallets, the bridges that are
 * called, and the balances that are touched. Rulings 42, 43 and 54.
 */
export async function routed(
  call: Call,
  scene: Scene,
  wish: Wish,
): Promise<Exclude<Routing, { is: 'needed' }> | { is: 'routed'; thread: readonly Part[] }> {
  const { patternMaker } = call.services;
  let routing = route(wish, walletsIn(scene), patternMaker);
  while (routing.is === 'needed') {
    const { wallets } = routing;
    await readMore(call, scene.wallets, wallets, (scope, handle) => ({
      ...{ what: 'record', scope, kind: 'wallet', handle },
    }));
    routing = route(wish, walletsIn(scene), patternMaker);
  }
  if (routing.is === 'refused') return routing;
  await readBridges(
    call,
    scene,
    routing.thread.flatMap(({ entries }) => entries),
  );
  const wallets = walletsIn(scene);
  const bridges = bridgesIn(scene);
  const thread = routing.thread.map((part) => ({
    ...part,
    entries: bridged(part, wallets, bridges, wish, patternMaker),
  }));
  return { is: 'routed', thread };
}

/** What settling needs of the scene at a moment. */
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

/** The limits that claims set, on the wallets that their addresses lead to. Ruling 42. */
export function settingsIn(scene: Scene, claims: readonly Claim[]): Setting[] {
  return settingsOf(claims, ({ wallet }) => limitedWallet(scene, wallet));
}

/** The wallets that limit claims are about, claim by claim. */
export function limitedWalletsOf(scene: Scene, claims: readonly Claim[]): string[] {
  return claims.filter(isLimit).map(({ wallet }) => limitedWallet(scene, wallet));
}

/** The wallet that a claim means by a handle; undefined when there is none. Ruling 42. */
export function walletOf({ wallets }: Scene, handle: string): Version | undefined {
  for (const candidate of candidatesOf(handle)) {
    const wallet = wallets.get(candidate);
    if (wallet) return wallet;
  }
  return undefined;
}

/** The balances that will move and do not exist yet. Decision 12. */
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

/** The luid of a wallet that an intent which settles touches. */
export function walletLuidOf({ wallets }: Scene, handle: string): string {
  return luidOf(wallets, handle);
}

/** Reads the bridges of the wallets and the balances that entries touch, as far as they are not known. */
async function readBridges(call: Call, scene: Scene, entries: readonly Entry[]): Promise<void> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const cells = [...turnoversOf(entries).values()].filter(
    (cell) => !scene.balances.has(cellName(cell)),
  );
  const touched = new Set(
    entries.flatMap(({ holder }) => (holder === 'supply' ? [] : holder.wallet)),
  );
  const named = [...touched].flatMap((handle) => {
    const bridge = scene.wallets.get(handle)?.record.data['bridge'];
    return typeof bridge === 'string' ? bridge : [];
  });
  const bridges = [...new Set(named)].filter((handle) => !scene.bridges.has(handle));
  if (cells.length + bridges.length === 0) return;
  const found: readonly unknown[] = await services.store.load([
    ...cells.map(({ wallet, symbol }) => ({ what: 'balance', scope, wallet, symbol }) as const),
    ...bridges.map((handle) => ({ what: 'record', scope, kind: 'bridge', handle }) as const),
  ] as readonly Want[]);
  for (const [index, cell] of cells.entries())
    scene.balances.set(cellName(cell), found[index] as Balance | undefined);
  for (const [index, handle] of bridges.entries())
    scene.bridges.set(handle, found[cells.length + index] as Version | undefined);
}

async function readMore(
  { services, ledger }: Call,
  into: Known<Version>,
  handles: readonly string[],
  wantOf: (scope: Scope, handle: string) => Want & { readonly what: 'record' },
): Promise<void> {
  const found: readonly Found<Want & { what: 'record' }>[] = await services.store.load(
    handles.map((handle) => wantOf(ledger.handle, handle)),
  );
  for (const [index, handle] of handles.entries()) into.set(handle, found[index]);
}

function walletsIn({ wallets }: Scene): ReadonlyMap<string, RoutedWallet | undefined> {
  return new Map(
    [...wallets].map(([handle, version]) => [
      handle,
      version && (version.record.data as unknown as RoutedWallet),
    ]),
  );
}

function bridgesIn({ bridges }: Scene): ReadonlyMap<string, BridgeData> {
  return new Map(
    [...bridges].flatMap(([handle, version]) =>
      version ? [[handle, version.record.data as unknown as BridgeData] as const] : [],
    ),
  );
}

/** All that the claims may mean: wallets by any of their addresses, symbols, and the balances of these. */
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

/** What was found, by name. */
function known<Item>(names: readonly string[], items: readonly (Item | undefined)[]): Known<Item> {
  return new Map(names.map((name, index) => [name, items[index]]));
}

function sheetOf(balances: Known<Balance>): Sheet {
  return new Map([...balances].flatMap(([cell, balance]) => (balance ? [[cell, balance]] : [])));
}

function limitedWallet(scene: Scene, party: Party): string {
  const handle = handleOf(party);
  return walletOf(scene, handle)?.record.data.handle ?? handle;
}

function luidOf(versions: Known<Version>, handle: string): string {
  const luid = versions.get(handle)?.record.luid;
  if (luid === undefined) throw new Error(`An intent that settles names ${handle}, which exists.`);
  return luid;
}
