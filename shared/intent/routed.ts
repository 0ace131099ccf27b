/** Routing of an instruction: from addresses and routes to wallets and bridges. Rulings 42, 43 and 54. */
import { isGoverned } from '../access/rule-sources.ts';
import { balanceKeyOf, type Entry, volumesOf } from '../ledger/balance.ts';
import { resultOr } from '../ledger/budget.ts';
import { bridged, type KnownBridges } from '../ledger/grouping.ts';
import { resolvedIn } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import {
  drawing,
  type KnownWallets,
  type RoutedWallet,
  type Routing,
  route,
} from '../ledger/routing.ts';
import { hasCounter } from '../ledger/rulebook.ts';
import { isClosed, isVouchedFor } from '../ledger/vouching.ts';
import type { Call } from '../port/action.ts';
import { isInactive } from '../record/inactive.ts';
import { readerFor } from '../record/reader.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { Claim } from '../shape/intent.ts';
import { sawBridge } from './bridges-ahead.ts';
import { type Instruction, type IntentContext, instructionOf } from './context.ts';
import { watchedIn } from './frozen.ts';

const bridgeUnjudged = 'The conditions of a bridge take too much work to judge.';

type Needed = Routing & { readonly is: 'needed' };
type WalletContext = Pick<IntentContext, 'rulebook' | 'wallets'>;

/** One intent of a thread: its claims, and the entries that result from them. */
export interface ThreadPart {
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
  context: IntentContext,
  instruction: Instruction,
): Promise<Exclude<Routing, { is: 'needed' }> | { is: 'routed'; thread: readonly ThreadPart[] }> {
  const { patternMaker } = call.services;
  const routing = await readingFor(call, context, (known) =>
    route(instruction, known, patternMaker),
  );
  if (routing.is === 'refused') return routing;
  await readBridges(
    call,
    context,
    routing.thread.flatMap(({ entries }) => entries),
  );
  const wallets = walletsIn(context);
  const bridges = bridgesIn(context);
  return resultOr<Exclude<Routing, { is: 'needed' }>>(
    () =>
      open(
        context,
        routing.thread.map((part) => ({
          ...part,
          entries: bridged(part, wallets, bridges, instruction, patternMaker),
        })),
      ),
    () => ({ is: 'refused', reason: 'core.routing-failed', detail: bridgeUnjudged }),
  );
}

/**
 * The wallets from which an intent takes behind those that its claims name: on the routes of its debits as they are
 * now, and as its entries were resolved. Reads nothing where no wallet has such a route.
 */
export async function drawnBy(
  call: Call,
  context: WalletContext,
  record: LedgerRecord,
): Promise<Version[]> {
  const { patternMaker } = call.services;
  const instruction = instructionOf(record.data);
  const { wallets } = await readingFor(call, context, (known) =>
    drawing(instruction, known, patternMaker),
  );
  const paying = resolvedIn(record).flatMap(({ schema, wallet }) =>
    schema === 'debit' ? wallet : [],
  );
  const unread = paying.filter((handle) => !context.wallets.has(handle));
  if (unread.length > 0) await readWallets(call, context.wallets, unread);
  const all = new Set([...wallets, ...paying]);
  return [...all].flatMap((handle) => context.wallets.get(handle) ?? []);
}

/** Follows routes, and reads the wallets that this takes. */
async function readingFor<Found extends { readonly is: string }>(
  call: Call,
  context: WalletContext,
  follow: (known: KnownWallets) => Found,
): Promise<Exclude<Found, Needed>> {
  let found = follow(walletsIn(context));
  while (isNeeded(found)) {
    await readWallets(call, context.wallets, found.wallets);
    found = follow(walletsIn(context));
  }
  return found as Exclude<Found, Needed>;
}

function isNeeded(found: { readonly is: string }): found is Needed {
  return found.is === 'needed';
}

/** The thread, or a failure when one of its bridges is inactive. Ruling 69. */
function open(
  context: IntentContext,
  thread: readonly ThreadPart[],
): Exclude<Routing, { is: 'needed' }> {
  const closed = bridgesCalled(context, thread).find(({ record }) => isClosed(record));
  if (!closed) return { is: 'routed', thread };
  const { handle } = closed.record.data;
  const detail = `Bridge ${handle} is inactive and takes no new entries.`;
  const wallets = thread.flatMap(({ entries }) =>
    entries.flatMap(({ holder, bridge }) =>
      bridge === handle && holder !== 'supply' ? holder.wallet : [],
    ),
  );
  const disclosures = wallets.map((wallet) => ({
    detail: `Wallet ${wallet} lies at a bridge that is inactive and takes no new entries.`,
    wallets: [wallet],
  }));
  return { is: 'refused', reason: 'core.bridge-unreachable', detail, disclosures };
}

/** The bridges of the entries of a thread. */
function bridgesCalled({ bridges }: IntentContext, thread: readonly ThreadPart[]): Version[] {
  const named = thread.flatMap(({ entries }) => entries.flatMap(({ bridge }) => bridge ?? []));
  return [...new Set(named)].flatMap((handle) => bridges.get(handle) ?? []);
}

/** Reads the bridges and balances of entries, in one round trip and only those that are unknown. */
async function readBridges(
  call: Call,
  context: IntentContext,
  entries: readonly Entry[],
): Promise<void> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const volumes = [...volumesOf(entries).values()].filter(
    (walletSymbol) => !context.balances.has(balanceKeyOf(walletSymbol.wallet, walletSymbol.symbol)),
  );
  const touched = new Set(
    entries.flatMap(({ holder }) => (holder === 'supply' ? [] : holder.wallet)),
  );
  const named = [...touched].flatMap((handle) => {
    const bridge = context.wallets.get(handle)?.record.data['bridge'];
    if (typeof bridge !== 'string') return [];
    sawBridge(services, scope, handle, bridge);
    return bridge;
  });
  const bridges = [...new Set(named)].filter((handle) => !context.bridges.has(handle));
  if (volumes.length + bridges.length === 0) return;
  const reader = readerFor(call);
  const [balances, records] = await Promise.all([
    reader.balances(volumes),
    reader.recent('bridge', bridges),
  ]);
  for (const [index, { wallet, symbol }] of volumes.entries())
    context.balances.set(balanceKeyOf(wallet, symbol), balances[index]);
  for (const [index, handle] of bridges.entries()) context.bridges.set(handle, records[index]);
}

/**
 * The versions that the commit depends on, each once: routed wallets, those that a freeze has marked, and bridges that are
 * called. Rulings 43, 69 and 94.
 */
export function decidingIn(context: IntentContext, thread: readonly ThreadPart[]): Version[] {
  const routing = [...context.wallets.values()].flatMap((wallet) => {
    const { routes = [] } = (wallet?.record.data ?? {}) as Partial<RoutedWallet>;
    return wallet && routes.length > 0 ? wallet : [];
  });
  const watched = watchedIn(
    context,
    thread.flatMap(({ entries }) => entries),
  );
  const all = [...routing, ...watched, ...bridgesCalled(context, thread)];
  return [...new Map(all.map((version) => [version.record.luid, version])).values()];
}

async function readWallets(
  call: Call,
  into: IntentContext['wallets'],
  handles: readonly string[],
): Promise<void> {
  const found = await readerFor(call).records('wallet', handles);
  for (const [index, handle] of handles.entries()) into.set(handle, found[index]);
}

function walletsIn({ wallets, rulebook }: WalletContext): KnownWallets {
  const hasDomains = hasCounter(rulebook, 'domain');
  return new Map(
    [...wallets].map(([handle, version]) => {
      if (!version) return [handle, undefined];
      const { data, meta } = version.record;
      const wallet = data as unknown as RoutedWallet;
      return [
        handle,
        {
          ...wallet,
          ...(hasDomains && { lies: meta }),
          ...(isInactive(version) && { isInactive: true }),
        },
      ];
    }),
  );
}

function bridgesIn(context: IntentContext): KnownBridges {
  const isOpen = !isGoverned(context);
  return new Map(
    [...context.bridges].flatMap(([handle, version]) => {
      if (!version) return [];
      const { record } = version;
      const data = record.data as unknown as BridgeData;
      return [[handle, { data, isVouchedFor: isVouchedFor(record, isOpen) }] as const];
    }),
  );
}
