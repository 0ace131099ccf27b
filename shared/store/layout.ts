/**
 * The layout of a busy ledger and of its busy lists, which only grows. Who writes uses a new layout from its `sinceMs` on;
 * who looks for a record does so as soon as the layout is known. By then every process knows it, since none uses for long
 * what it has read (`known-layouts.ts`). Decisions 124 and 159.
 */
import { shareOf } from '../crypto/luid.ts';
import { type Kind, keepsPlace } from '../ledger/kind.ts';
import { isDropped, type Version } from '../ledger/record.ts';
import type { Listing } from '../port/catalog.ts';
import type { Layout, ListLayout } from '../port/layouts.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Commit, Scope, Write } from '../port/ports.ts';
import {
  bookListPartitionsOf,
  expiryMarkAttribute,
  expiryMarkKey,
  expiryShardCountMax,
  type Key,
  layoutAttributesOf,
  listKeyOf,
  listPartitionsOf,
  maySpread,
  outboxShardsOf,
  rulebookKeyOf,
  spreadCounts,
  textOf,
} from './keys.ts';
import {
  freshLayout,
  freshMs,
  knownLayout,
  layoutIn,
  layoutOfList,
  noteLayout,
  quiet,
  readingTime,
} from './known-layouts.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { type Deadline, deadlineIn } from './retry.ts';
import { updateOne } from './try-to.ts';

/**
 * The time from storing a layout to its use: more than a process uses an older one, with the longest time of a request
 * and the difference of two clocks.
 */
const noticeMs = 10_000;
/**
 * The time from the first change by this release to items that the release before cannot read: longer than both of them
 * run, or than it takes to go back.
 */
const denseNoticeMs = 3_600_000;
/**
 * The time from knowing that a layout is stored until every process knows it: more than any uses what it read before.
 * Each counts by its own clock, so their difference says nothing.
 */
const knownMs = freshMs + 200;
/** The age of a layout whose notice goes on by which a commit that was turned away asks whether it has ended. */
export const noticedMs = 500;
/** The time after which throttles are those of a new layout, in milliseconds: commits take it at their next attempt. */
const settleMs = 5_000;
/** The time after which those in its new partitions count: by then, what had waited for it is stored. */
const crampedMs = 1_000;
/** The age of a layout by which a worker looks for what was left over, in milliseconds: it looks again and again. */
const leftOverMs = 60_000;

/** The layout of a ledger: what was read just now, or else from the table. */
export async function layoutOf(
  table: Table,
  scope: Scope,
  deadline: Deadline = deadlineIn(table.deadlineMs),
): Promise<Layout> {
  return freshLayout(table, scope) ?? readLayout(table, scope, deadline);
}

/** The layout of a ledger as it is stored. */
export async function readLayout(
  table: Table,
  scope: Scope,
  deadline: Deadline = deadlineIn(table.deadlineMs),
): Promise<Layout> {
  const read = readingTime();
  const key = rulebookKeyOf(scope);
  const item = (await itemsAt(table, [key], deadline)).get(textOf(key));
  noteLayout(table, scope, item, read);
  return layoutIn(item);
}

/**
 * The items at the keys, by the text of their key. The layouts of these ledgers that are not known to be dense, and were
 * not read just now, are read with them.
 */
export async function itemsAndLayoutsAt(
  table: Table,
  keys: readonly Key[],
  scopes: readonly Scope[],
  deadline: Deadline,
): Promise<ReadonlyMap<string, Item>> {
  const unknown = [...new Set(scopes)].filter(
    (scope) => !isKnownDense(table, scope) && !freshLayout(table, scope),
  );
  const read = readingTime();
  const found = await itemsAt(table, [...keys, ...unknown.map(rulebookKeyOf)], deadline);
  for (const scope of unknown)
    noteLayout(table, scope, found.get(textOf(rulebookKeyOf(scope))), read);
  return found;
}

/** The partitions with a list. */
export async function listPartitionsIn(
  table: Table,
  listing: Listing,
  deadline: Deadline,
): Promise<string[]> {
  const { scope, kind, within } = listing;
  return listPartitionsOf(scope, kind, await listCountIn(table, listing, deadline), within);
}

/** The number of partitions over which a list is spread. */
async function listCountIn(
  table: Table,
  { scope, kind }: Listing,
  deadline: Deadline,
): Promise<number> {
  if (!maySpread({ scope, kind })) return quiet.count;
  return layoutOfList(await layoutOf(table, scope, deadline), kind).count;
}

/**
 * Reads a list that is spread over so many partitions; anew where it has grown meanwhile. A layout is not in use for as
 * long as what was read before is fresh, but later a record may move to a partition that nobody has read.
 */
export async function readSpread<Found>(
  table: Table,
  listing: Listing,
  deadline: Deadline,
  read: (count: number) => Promise<Found>,
): Promise<Found> {
  let count = await listCountIn(table, listing, deadline);
  for (;;) {
    const found = await read(count);
    const now = keepsPlace(listing.kind) ? count : await listCountIn(table, listing, deadline);
    if (now === count) return found;
    count = now;
  }
}

/** The partitions with the list of the books of a symbol. */
export async function bookListPartitionsIn(
  table: Table,
  scope: Scope,
  symbol: string,
  deadline: Deadline,
): Promise<string[]> {
  return bookListPartitionsOf(scope, symbol, (await layoutOf(table, scope, deadline)).count);
}

/** The shards of the outbox of a ledger. */
export async function shardsIn(table: Table, scope: Scope, deadline: Deadline): Promise<number[]> {
  return outboxShardsOf((await layoutOf(table, scope, deadline)).count);
}

/** The shards in which entries may have been left over, some time ago. */
export async function shardsLeft(table: Table, scope: Scope): Promise<number[]> {
  const layout = freshLayout(table, scope, leftOverMs) ?? (await readLayout(table, scope));
  return outboxShardsOf(layout.count);
}

/** A list of a ledger; that of intents stands for all that is spread with them. */
type ListOfLedger = Pick<Listing, 'scope' | 'kind'>;

/** Stores the next larger layout, unless this one was replaced meanwhile. The notice begins anew with each attempt. */
export async function growLayout(
  table: Table,
  { scope, kind }: ListOfLedger,
  layout: Layout,
  nowMs: number,
): Promise<void> {
  const { count } = layoutOfList(layout, kind);
  const next = spreadCounts.find((one) => one > count);
  if (next === undefined) return;
  const begunMs = performance.now();
  if (keepsPlace(kind)) await markExpiries(table);
  const actionNow = () => {
    const since = Math.ceil(nowMs + performance.now() - begunMs) + noticeMs;
    return {
      TableName: table.tableName,
      Key: rulebookKeyOf(scope),
      UpdateExpression: 'SET #count = :next, #before = :count, #since = :since',
      ConditionExpression:
        count === quiet.count ? 'attribute_not_exists(#count)' : '#count = :count',
      ExpressionAttributeNames: namesOf(kind),
      ExpressionAttributeValues: { ':next': next, ':count': count, ':since': since },
    };
  };
  await updateOne(table, actionNow, deadlineIn(table.deadlineMs));
}

function namesOf(kind: Kind): { '#count': string; '#before': string; '#since': string } {
  const { count, before, since } = layoutAttributesOf(kind);
  return { '#count': count, '#before': before, '#since': since };
}

/** Marks an imported ledger that has grown, before it is in use. */
export async function markGrown(table: Table, scope: Scope): Promise<void> {
  if ((await readLayout(table, scope)).count > quiet.count) await markExpiries(table);
}

/** Marks that spread intents may have markers, before there can be any. Decision 135. */
async function markExpiries(table: Table): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: expiryMarkKey,
    UpdateExpression: `SET ${expiryMarkAttribute} = :count`,
    ExpressionAttributeValues: { ':count': expiryShardCountMax },
  };
  await updateOne(table, action, deadlineIn(table.deadlineMs));
}

/**
 * Stores a larger layout of a list whose partitions of a number were throttled, unless one is on its way or was just
 * begun. Decision 139.
 */
export async function growThrottled(
  table: Table,
  list: ListOfLedger,
  spread: number,
): Promise<void> {
  const layout = await layoutOf(table, list.scope);
  const { before, sinceMs } = layoutOfList(layout, list.kind);
  const waitMs = spread >= before ? crampedMs : settleMs;
  if (Date.now() < sinceMs + waitMs) return;
  await growNow(table, list, layout);
}

/**
 * Stores a larger layout of a quiet ledger whose markers were throttled, or with a wallet that is about to take more than
 * one list does: by the time the list is full, some of the notice is over.
 */
export async function growAhead(table: Table, scope: Scope): Promise<void> {
  const layout = await layoutOf(table, scope);
  if (layout.count === quiet.count) await growNow(table, { scope, kind: 'intent' }, layout);
}

/**
 * Stores a larger layout, and ends its notice once every process knows it. The commit that asks for it goes on meanwhile.
 * Decision 139.
 */
async function growNow(table: Table, list: ListOfLedger, layout: Layout): Promise<void> {
  await growLayout(table, list, layout, Date.now());
  const { count, sinceMs } = layoutOfList(await readLayout(table, list.scope), list.kind);
  if (count === layoutOfList(layout, list.kind).count || sinceMs <= Date.now()) return;
  // A notice that is not ended is over by itself.
  setTimeout(() => void endNotice(table, list, count).catch(() => undefined), knownMs);
}

/** Lets a layout be used from now on; not one that is used already. */
async function endNotice(
  table: Table,
  { scope, kind }: ListOfLedger,
  count: number,
): Promise<void> {
  const { '#before': _before, ...names } = namesOf(kind);
  const action = {
    TableName: table.tableName,
    Key: rulebookKeyOf(scope),
    UpdateExpression: 'SET #since = :now',
    ConditionExpression: '#count = :count AND #since > :now',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':count': count, ':now': Date.now() },
  };
  await updateOne(table, action, deadlineIn(table.deadlineMs));
  await readLayout(table, scope);
}

/**
 * Gives each new intent of a busy ledger the number of its partitions, and each version of another kind that of its list. A
 * layout whose notice goes on is read again when it is as old as said. For other kinds it is not read: a layout
 * that is known to be in use stays so, and whoever looks at a list looks in the partitions of smaller layouts too.
 */
export async function spreadOut(
  table: Table,
  commit: Commit,
  ageMsMax: number = freshMs,
): Promise<Commit> {
  const parted = { ...commit, writes: commit.writes.map((write) => partedBy(table, write)) };
  return parted.writes.some(isNewIntent) ? spreadIntents(table, parted, ageMsMax) : parted;
}

async function spreadIntents(table: Table, commit: Commit, ageMsMax: number): Promise<Commit> {
  const deadline = deadlineIn(table.deadlineMs);
  const layoutNow = async (scope: Scope): Promise<Layout> => {
    const layout = await layoutOf(table, scope, deadline);
    const isUsed = layout.sinceMs <= Date.now() || freshLayout(table, scope, ageMsMax);
    return isUsed ? layout : readLayout(table, scope, deadline);
  };
  const writes = commit.writes.map(async (write) =>
    isNewIntent(write) ? spreadBy(await layoutNow(write.scope), write) : write,
  );
  return { ...commit, writes: await Promise.all(writes) };
}

/** True for a write of an intent that was not there before. */
export function isNewIntent({ next, previous }: Write): boolean {
  return next.kind === 'intent' && !previous;
}

/** The number of partitions over which a writer spreads. */
export function countNow({ count, before, sinceMs }: ListLayout): number {
  return Date.now() < sinceMs ? before : count;
}

/**
 * True where items are written in the forms that the release before cannot read: it may not write to the table any more,
 * since the ledger has grown, or none of its processes is left. Decision 141.
 */
export function isDense(layout: Layout): boolean {
  const { denseMs = Number.POSITIVE_INFINITY } = layout;
  return countNow(layout) > quiet.count || Date.now() >= denseMs;
}

/** The same by what is known of a ledger, however old that is: a ledger that is dense stays so. */
export function isKnownDense(table: Table, scope: Scope): boolean {
  return isDense(knownLayout(table, scope));
}

/**
 * True for a change whose entries may share items in forms that the release before cannot read: it came in a block, or its
 * ledger is known as dense. Decision 145.
 */
export function sharesItems(
  table: Table,
  { scope, block }: Pick<OutboxEntry, 'scope' | 'block'>,
): boolean {
  return block !== undefined || isKnownDense(table, scope);
}

/** Sets the time from which a ledger is dense, unless it is set. */
export async function markDense(
  table: Table,
  scope: Scope,
  deadline: Deadline,
  sinceMs: number = Date.now() + denseNoticeMs,
): Promise<void> {
  const action = {
    TableName: table.tableName,
    Key: rulebookKeyOf(scope),
    UpdateExpression: 'SET dense = :since',
    ConditionExpression: 'attribute_not_exists(dense)',
    ExpressionAttributeValues: { ':since': sinceMs },
  };
  await updateOne(table, action, deadline);
  await readLayout(table, scope, deadline);
}

function spreadBy(layout: Layout, write: Write): Write {
  const count = countNow(layout);
  if (count === quiet.count) return write;
  return { ...write, next: { ...write.next, spread: shareOf(write.next.record.luid, count) } };
}

/** The write of a version that lies where its list is now; an intent stays where it is. */
function partedBy(table: Table, write: Write): Write {
  const { next } = write;
  const part = partOf(table, write);
  return part === next.part ? write : { ...write, next: withPart(next, part) };
}

/**
 * The number of the partition of a list in which a version goes; undefined for the first. An entry that keeps its place
 * stays where it is: a page that is read at that moment would miss it, and workers that change a status write no lists.
 */
function partOf(table: Table, { scope, next, previous }: Write): number | undefined {
  const { kind, record } = next;
  const isListed = !keepsPlace(kind) && maySpread({ scope, kind }) && !isDropped(next);
  if (!isListed) return undefined;
  if (previous && listKeyOf(scope, previous).sk === listKeyOf(scope, next).sk) return previous.part;
  return shareOf(record.luid, countNow(layoutOfList(knownLayout(table, scope), kind))) || undefined;
}

function withPart({ part: _before, ...version }: Version, part: number | undefined): Version {
  return part === undefined ? version : { ...version, part };
}
