/**
 * The layouts of ledgers that this process has read: attributes of a rulebook, which is read anyway. None is
 * used for longer than `freshMs` without asking again, but to look in more places than there are. Decision 124.
 */
import { type Kind, keepsPlace } from '../ledger/kind.ts';
import type { Layout, ListLayout } from '../port/layouts.ts';
import type { Scope } from '../port/ports.ts';
import { isLayoutAttribute, kindOfLayoutAttribute, layoutAttributesOf } from './keys.ts';
import type { Item, Table, TableClient } from './request.ts';

/** The layout of a ledger that was never busy. */
export const quiet: ListLayout = { count: 1, before: 1, sinceMs: 0 };

/** The time for which a process uses a layout that it has read, in milliseconds. */
export const freshMs = 2_000;
/** The ledgers that a process remembers. */
const knownCountMax = 10_000;

/**
 * The time before a reading, by two clocks: one may be set back, and the one that nobody sets may stand still while a
 * machine is suspended.
 */
interface ReadingTime {
  readonly atMs: number;
  readonly begunMs: number;
}

interface KnownLayout {
  readonly layout: Layout;
  readonly read: ReadingTime;
}

/** The time of a reading that begins now. */
export function readingTime(): ReadingTime {
  return { atMs: Date.now(), begunMs: performance.now() };
}

/** The layouts by connection, then by table and ledger. */
const all = new WeakMap<TableClient, Map<string, KnownLayout>>();

/** Remembers the layout in the rulebook of a ledger, or in none, as it was read after that time. */
export function noteLayout(
  table: Table,
  scope: Scope,
  item: Item | undefined,
  read: ReadingTime,
): void {
  const known = all.get(table.client) ?? new Map<string, KnownLayout>();
  if (known.size >= knownCountMax) known.clear();
  known.set(nameOf(table, scope), { layout: layoutIn(item), read });
  all.set(table.client, known);
}

/** The layout of a ledger that was read last, however long ago; that of a quiet one where none was. */
export function knownLayout(table: Table, scope: Scope): Layout {
  return all.get(table.client)?.get(nameOf(table, scope))?.layout ?? quiet;
}

/** The layout of a ledger, if it was read just now. */
export function freshLayout(
  table: Table,
  scope: Scope,
  ageMsMax: number = freshMs,
): Layout | undefined {
  const known = all.get(table.client)?.get(nameOf(table, scope));
  if (!known) return undefined;
  const now = readingTime();
  const ageMs = now.atMs - known.read.atMs;
  const isFresh = ageMs >= 0 && Math.max(ageMs, now.begunMs - known.read.begunMs) < ageMsMax;
  return isFresh ? known.layout : undefined;
}

/** The layout that a rulebook has. */
export function layoutIn(item: Item = {}): Layout {
  const { dense } = item;
  const kinds = Object.keys(item).flatMap((name) => kindOfLayoutAttribute(name) ?? []);
  const lists = Object.fromEntries(kinds.map((kind) => [kind, storedIn(item, kind)]));
  return {
    ...storedIn(item, 'intent'),
    ...(kinds.length > 0 && { lists }),
    ...(dense !== undefined && { denseMs: Number(dense) }),
  };
}

function storedIn(item: Item, kind: Kind): ListLayout {
  const names = layoutAttributesOf(kind);
  const { [names.count]: count, [names.before]: before = count, [names.since]: since = 0 } = item;
  if (count === undefined) return quiet;
  return { count: Number(count), before: Number(before), sinceMs: Number(since) };
}

/** The layout of one list. */
export function layoutOfList(layout: Layout, kind: Kind): ListLayout {
  return keepsPlace(kind) ? layout : (layout.lists?.[kind] ?? quiet);
}

/** True when another process may know of the ledger that it is dense. */
export function mayBeDense({ count, denseMs }: Layout): boolean {
  return count > quiet.count || denseMs !== undefined;
}

/** The counts of a rulebook: all but its key and its layout. */
export function countsIn({ pk: _pk, sk: _sk, ...rest }: Item): (readonly [string, number])[] {
  return Object.entries(rest)
    .filter(([name]) => !isLayoutAttribute(name))
    .map(([name, count]) => [name, Number(count)] as const);
}

function nameOf({ tableName }: Table, scope: Scope): string {
  return `${tableName} ${scope}`;
}
