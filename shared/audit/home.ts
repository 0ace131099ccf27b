/**
 * Invariants 2 and 3, at a handle: its balances are within their limits, belong to its record and are counted, so that
 * the record cannot end or change its handle while it has them.
 */

import type { Kind } from '../ledger/kind.ts';
import type { Scope } from '../port/ports.ts';
import type { LimitMetric } from '../shape/intent.ts';
import type { Item } from '../store/request.ts';
import { storedOf } from './history.ts';
import { measures } from './movement.ts';
import type { Owing } from './run.ts';
import type { NamedItem } from './source.ts';
import type { BalanceMeasure } from './sums.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';

/** A balance as it is stored. */
export interface StoredBalance {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
  readonly luid: string;
  /** The luid of the wallet. */
  readonly owner: string;
  readonly available: bigint;
  readonly reserved: bigint;
  /** The number of threads that hold it. */
  readonly holds: bigint;
  /** The limits that were set of it. Ruling 41. */
  readonly lowest: bigint | undefined;
  readonly highest: bigint | undefined;
  readonly hasLimits: boolean;
}

/** The items at a handle. */
export interface Home {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly handle: string;
  readonly luid: string | undefined;
  readonly rows: readonly StoredBalance[];
  readonly usage: Item | undefined;
  /** The bridge that a wallet names; undefined also when only outlines were read. */
  readonly bridge: string | undefined;
}

/** The lowest amount that a balance may have, when no limit says otherwise. Ruling 41. */
const floor = 0n;

export function homeOf(members: readonly NamedItem[]): Home | undefined {
  const rows = members.flatMap(rowOf);
  const [first] = members;
  const name = first?.name;
  if (!name) return undefined;
  const head = members.find((member) => member.name.item === 'head')?.item;
  const usage = members.find((member) => member.name.item === 'usage')?.item;
  const luid = head?.['luid'] as string | undefined;
  const place = { scope: name.scope, luid, rows, usage, bridge: bridgeOf(head) };
  if (name.item === 'head' || name.item === 'usage' || name.item === 'refers')
    return { ...place, kind: name.kind, handle: name.handle };
  return name.item === 'balance' ? { ...place, kind: 'wallet', handle: name.wallet } : undefined;
}

export function rowOf({ name, item }: NamedItem): StoredBalance[] {
  if (name.item !== 'balance') return [];
  const { luid, wallet, available, reserved = 0n, holds = 0n, limits } = item;
  return [
    {
      scope: name.scope,
      wallet: name.wallet,
      symbol: name.symbol,
      luid: String(luid),
      owner: String(wallet),
      available: BigInt(available as bigint),
      reserved: BigInt(reserved as bigint),
      holds: BigInt(holds as bigint),
      lowest: amountOf(limits, 'minBalance'),
      highest: amountOf(limits, 'maxBalance'),
      hasLimits: limits !== undefined,
    },
  ];
}

/** The amounts of a balance, or of one of its shards. */
type HeldAmounts = Omit<BalanceMeasure, 'measure'> &
  Pick<StoredBalance, 'available' | 'reserved' | 'holds'>;

/** The values of a balance, or of one of its shards, measure by measure. */
export function heldIn(row: HeldAmounts): (readonly [BalanceMeasure, bigint])[] {
  const { scope, wallet, symbol, available, reserved, holds } = row;
  const held = { amount: available + reserved, reserved, holds };
  return measures.map((measure) => [{ scope, wallet, symbol, measure }, held[measure]] as const);
}

/** True when a balance is below the floor of the ledger without a limit: only a bridge may back it. */
export function isOnlyBridged({ available, lowest }: StoredBalance): boolean {
  return lowest === undefined && available < floor;
}

/** The balances at a handle that only a bridge may back. */
export function owingAt({ scope, handle: wallet, rows, bridge }: Home): Owing[] {
  if (bridge === undefined) return [];
  return rows
    .filter(isOnlyBridged)
    .map(({ symbol, available }) => ({ scope, wallet, symbol, available, bridge }));
}

function amountOf(limits: unknown, metric: LimitMetric): bigint | undefined {
  const amount = (limits as Partial<Record<LimitMetric, Item>> | undefined)?.[metric]?.['amount'];
  return amount === undefined ? undefined : BigInt(amount as bigint);
}

function bridgeOf(head: Item | undefined): string | undefined {
  if (!head) return undefined;
  const stored = storedOf(head);
  const bridge = 'version' in stored ? stored.version.record.data['bridge'] : undefined;
  return typeof bridge === 'string' ? bridge : undefined;
}

/** Checks the items at a handle. */
export function* checkHome(home: Home): Finding {
  const { scope, kind, handle, luid, rows, usage, bridge } = home;
  const subject: ViolationSubject = { scope, kind, handle, ...(luid !== undefined && { luid }) };
  for (const row of rows) yield* checkRow(row, { luid, bridge }, subject);
  if (kind === 'symbol' && usage && usage['luid'] !== luid)
    yield violationOf(3, subject, 'The mark of a used symbol is of another symbol.', {
      expected: luid,
      found: usage['luid'],
    });
  const counted = kind === 'wallet' ? Number(usage?.['balances'] ?? 0n) : 0;
  if (kind === 'wallet' && counted !== rows.length)
    yield violationOf(3, subject, 'The wallet counts its balances wrongly.', {
      expected: rows.length,
      found: counted,
    });
}

function* checkRow(
  row: StoredBalance,
  { luid, bridge }: Pick<Home, 'luid' | 'bridge'>,
  subject: ViolationSubject,
): Finding {
  const { symbol, owner, available, reserved, holds, lowest, highest } = row;
  // The row of a wallet at a bridge is its position there. Decision 61.
  const least = lowest ?? (bridge === undefined ? floor : undefined);
  if (least !== undefined && available < least)
    yield violationOf(2, subject, `The balance of ${symbol} is below its limit.`, {
      expected: `${least} or more`,
      found: available,
    });
  if (highest !== undefined && available + reserved > highest)
    yield violationOf(2, subject, `The balance of ${symbol} is above its limit.`, {
      expected: `${highest} or less`,
      found: available + reserved,
    });
  if (reserved < 0n)
    yield violationOf(2, subject, `The reserved amount of ${symbol} is negative.`, {
      expected: '0 or more',
      found: reserved,
    });
  if (holds < 0n)
    yield violationOf(2, subject, `Fewer than no intents hold the balance of ${symbol}.`, {
      expected: '0 or more',
      found: holds,
    });
  const whose = luid === undefined ? 'to no wallet that exists' : 'to another wallet';
  if (owner !== luid)
    yield violationOf(3, subject, `The balance of ${symbol} belongs ${whose}.`, {
      expected: luid,
      found: owner,
    });
}
