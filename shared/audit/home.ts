/**
 * Invariants 2 and 3, at a handle: its balances are not below their floor, belong to the record that
 * is there, and are counted, so that it cannot end or change its handle beside them.
 */
import type { Scope } from '../action/ports.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Item } from '../store/request.ts';
import type { Named } from './source.ts';
import { type Subject, type Violation, violationOf } from './violation.ts';

/** What a wallet has of a symbol, as it is stored. */
export interface Row {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
  readonly luid: string;
  /** The luid of the wallet. */
  readonly owner: string;
  readonly available: bigint;
  readonly reserved: bigint;
}

/** What lies at a handle. */
export interface Home {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly handle: string;
  readonly luid: string | undefined;
  readonly rows: readonly Row[];
  readonly usage: Item | undefined;
}

type Finding = Generator<Violation, void, undefined>;

/** The lowest amount that a balance may have. Limits of wallets will be found here. Ruling 41. */
const floor = 0n;

/** What lies at one handle, from its items. */
export function homeOf(members: readonly Named[]): Home | undefined {
  const rows = members.flatMap(rowOf);
  const [first] = members;
  const name = first?.name;
  if (!name) return undefined;
  const head = members.find((member) => member.name.item === 'head')?.item;
  const usage = members.find((member) => member.name.item === 'usage')?.item;
  const place = { scope: name.scope, luid: head?.['luid'] as string | undefined, rows, usage };
  if (name.item === 'head' || name.item === 'usage' || name.item === 'refers')
    return { ...place, kind: name.kind, handle: name.handle };
  return name.item === 'balance' ? { ...place, kind: 'wallet', handle: name.wallet } : undefined;
}

/** A balance row, of an item that is one. */
export function rowOf({ name, item }: Named): Row[] {
  if (name.item !== 'balance') return [];
  const { luid, wallet, available, reserved = 0n } = item;
  return [
    {
      scope: name.scope,
      wallet: name.wallet,
      symbol: name.symbol,
      luid: String(luid),
      owner: String(wallet),
      available: BigInt(available as bigint),
      reserved: BigInt(reserved as bigint),
    },
  ];
}

/** What is wrong at a handle. */
export function* checkHome(home: Home): Finding {
  const { scope, kind, handle, luid, rows, usage } = home;
  const subject: Subject = { scope, kind, handle, ...(luid !== undefined && { luid }) };
  for (const row of rows) yield* checkRow(row, luid, subject);
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

function* checkRow(row: Row, luid: string | undefined, subject: Subject): Finding {
  const { symbol, owner, available, reserved } = row;
  if (available < floor)
    yield violationOf(2, subject, `The balance of ${symbol} is below its limit.`, {
      expected: `${floor} or more`,
      found: available,
    });
  if (reserved < 0n)
    yield violationOf(2, subject, `The reserved amount of ${symbol} is negative.`, {
      expected: '0 or more',
      found: reserved,
    });
  const whose = luid === undefined ? 'to no wallet that exists' : 'to another wallet';
  if (owner !== luid)
    yield violationOf(3, subject, `The balance of ${symbol} belongs ${whose}.`, {
      expected: luid,
      found: owner,
    });
}
