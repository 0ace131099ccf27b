/** Routing of an instruction: from addresses and routes to wallets and bridges. Rulings 42, 43 and 54. */
import { isGoverned } from '../access/standings.ts';
import { cellOf, type Entry, turnoversOf } from '../ledger/balance.ts';
import { bridged, type KnownBridges } from '../ledger/grouping.ts';
import type { Version } from '../ledger/record.ts';
import { type RoutedWallet, type Routing, route } from '../ledger/routing.ts';
import { hasRule } from '../ledger/rulebook.ts';
import { isClosed, isVouchedFor } from '../ledger/vouching.ts';
import { judgedOr } from '../ledger/work.ts';
import type { Call } from '../port/action.ts';
import { readerFor } from '../record/reader.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { Claim } from '../shape/intent.ts';
import { sawBridge } from './bridges-ahead.ts';
import type { Scene, Wish } from './scene.ts';

const bridgeUnjudged = 'The conditions of a bridge take too much work to judge.';

/** One intent of a thread: its claims, and the entries that result from them. */
export interface Part {
  readonly claims: readonly Claim[];
  readonly entries: readonly Entry[];
  /** The index in the thread of the intent that it was forwarded from; absent for the first one. */
  readonly from?: number;
}

/**
 * Routes an instruction and reads what it leads to: further wallets, their bridges and the balances. Returns the
 * thread, or the failure reason. Rulings 42, 43 and 54.
 */
export async function routed(
  call: Call,
  scene: Scene,
  wish: Wish,
): Promise<Exclude<Routing, { is: 'needed' }> | { is: 'routed'; thread: readonly Part[] }> {
  const { patternMaker } = call.services;
  let routing = route(wish, walletsIn(scene), patternMaker);
  while (routing.is === 'needed') {
    await readWallets(call, scene.wallets, routing.wallets);
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
  return judgedOr<Exclude<Routing, { is: 'needed' }>>(
    () =>
      open(
        scene,
        routing.thread.map((part) => ({
          ...part,
          entries: bridged(part, wallets, bridges, wish, patternMaker),
        })),
      ),
    () => ({ is: 'refused', fault: 'core.routing-failed', detail: bridgeUnjudged }),
  );
}

/** The thread, or a failure when one of its bridges is inactive. Ruling 69. */
function open(scene: Scene, thread: readonly Part[]): Exclude<Routing, { is: 'needed' }> {
  const closed = bridgesAsked(scene, thread).find(({ record }) => isClosed(record));
  if (!closed) return { is: 'routed', thread };
  const { handle } = closed.record.data;
  const detail = `Bridge ${handle} is inactive and takes no new entries.`;
  const wallets = thread.flatMap(({ entries }) =>
    entries.flatMap(({ holder, bridge }) =>
      bridge === handle && holder !== 'supply' ? holder.wallet : [],
    ),
  );
  const tellings = wallets.map((wallet) => ({
    detail: `Wallet ${wallet} lies at a bridge that is inactive and takes no new entries.`,
    wallets: [wallet],
  }));
  return { is: 'refused', fault: 'core.bridge-unreachable', detail, tellings };
}

/** The bridges of the entries of a thread. */
function bridgesAsked({ bridges }: Scene, thread: readonly Part[]): Version[] {
  const named = thread.flatMap(({ entries }) => entries.flatMap(({ bridge }) => bridge ?? []));
  return [...new Set(named)].flatMap((handle) => bridges.get(handle) ?? []);
}

/** Reads the bridges and balances of entries, in one round trip and only those that are unknown. */
async function readBridges(call: Call, scene: Scene, entries: readonly Entry[]): Promise<void> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const cells = [...turnoversOf(entries).values()].filter(
    (cell) => !scene.balances.has(cellOf(cell.wallet, cell.symbol)),
  );
  const touched = new Set(
    entries.flatMap(({ holder }) => (holder === 'supply' ? [] : holder.wallet)),
  );
  const named = [...touched].flatMap((handle) => {
    const bridge = scene.wallets.get(handle)?.record.data['bridge'];
    if (typeof bridge !== 'string') return [];
    sawBridge(services, scope, handle, bridge);
    return bridge;
  });
  const bridges = [...new Set(named)].filter((handle) => !scene.bridges.has(handle));
  if (cells.length + bridges.length === 0) return;
  const reader = readerFor(call);
  const [balances, records] = await Promise.all([
    reader.balances(cells),
    reader.records('bridge', bridges),
  ]);
  for (const [index, { wallet, symbol }] of cells.entries())
    scene.balances.set(cellOf(wallet, symbol), balances[index]);
  for (const [index, handle] of bridges.entries()) scene.bridges.set(handle, records[index]);
}

/** The versions that the commit depends on: routed wallets, and bridges that are called. Rulings 43 and 69. */
export function decidingIn(scene: Scene, thread: readonly Part[]): Version[] {
  const routing = [...scene.wallets.values()].flatMap((wallet) => {
    const { routes = [] } = (wallet?.record.data ?? {}) as Partial<RoutedWallet>;
    return wallet && routes.length > 0 ? wallet : [];
  });
  return [...routing, ...bridgesAsked(scene, thread)];
}

async function readWallets(
  call: Call,
  into: Scene['wallets'],
  handles: readonly string[],
): Promise<void> {
  const found = await readerFor(call).records('wallet', handles);
  for (const [index, handle] of handles.entries()) into.set(handle, found[index]);
}

function walletsIn({ wallets, rulebook }: Scene): ReadonlyMap<string, RoutedWallet | undefined> {
  const hasDomains = hasRule(rulebook, 'domain');
  return new Map(
    [...wallets].map(([handle, version]) => {
      const wallet = version && (version.record.data as unknown as RoutedWallet);
      return [handle, wallet && hasDomains ? { ...wallet, lies: version.record.meta } : wallet];
    }),
  );
}

function bridgesIn(scene: Scene): KnownBridges {
  const isOpen = !isGoverned(scene);
  return new Map(
    [...scene.bridges].flatMap(([handle, version]) => {
      if (!version) return [];
      const { record } = version;
      const data = record.data as unknown as BridgeData;
      return [[handle, { data, isVouchedFor: isVouchedFor(record, isOpen) }] as const];
    }),
  );
}
