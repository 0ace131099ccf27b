/**
 * The pass over the whole table: every item is seen once. Balances are noted, handles are checked, and every pointer is
 * followed to the history of its record; intents come afterwards, in their own order.
 */
import { isLuid } from '../crypto/luid.ts';
import { kindOfLuid } from '../ledger/address.ts';
import { keepsPlace } from '../ledger/kind.ts';
import { keyOfItem, nameOfItem, textOf } from '../store/keys.ts';
import { surplus } from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import { noteBooks } from './books.ts';
import { noteCounts } from './counts.ts';
import { damagedContentOf, noteDelivery } from './deliveries.ts';
import { noteGate } from './gates.ts';
import { auditHistories } from './histories.ts';
import { type HistoryCursor, pointerOf } from './history.ts';
import { checkHome, type Home, heldIn, homeOf, isOnlyBridged, owingAt } from './home.ts';
import { noteLimited } from './limits.ts';
import { noteLogItems } from './log.ts';
import { type AuditRun, count, reportPhase, roundCountMax, waitFor } from './run.ts';
import { noteShard } from './shards.ts';
import { type NamedItem, type Sorted, sortedOf } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** The items that belong to the audit. */
export interface Selection {
  readonly scopes?: readonly string[];
  readonly holds: (named: NamedItem) => boolean;
}

/** The histories that are read at once. */
export const batchLengthMax = 100;

/** Checks the table, but for intents and sums. */
export async function* auditOutlines(
  run: AuditRun,
  selection: Selection,
): AsyncGenerator<AuditViolation, void, undefined> {
  let cursors: HistoryCursor[] = [];
  for await (const sorted of selectedOf(run, selection)) {
    reportPhase(run, 'reading the table');
    note(run, sorted);
    yield* sorted.unknown.map(unknownOf);
    yield* sorted.loose.flatMap(unfinishedOf);
    for (const members of sorted.homes) yield* auditHome(run, members);
    const trails = sorted.trails.filter((members) => !isApart(members));
    cursors.push(...trails.flatMap((members) => traceOf(members) ?? []));
    yield* trails.filter((members) => !traceOf(members)).map(([first]) => unknownOf(first?.item));
    while (cursors.length >= batchLengthMax) {
      yield* await auditHistories(run, cursors.slice(0, batchLengthMax));
      cursors = cursors.slice(batchLengthMax);
      reportPhase(run, 'checking records');
    }
  }
  if (cursors.length > 0) yield* await auditHistories(run, cursors);
}

/** The outlines that belong to the audit. */
export async function* selectedOf(
  run: AuditRun,
  { scopes, holds }: Selection,
): AsyncGenerator<Sorted, void, undefined> {
  for await (const sorted of sortedOf(run.source.outlines(scopes))) {
    const holdsFirst = (members: readonly NamedItem[]): boolean => members.some(holds);
    yield {
      items: sorted.items,
      loose: sorted.loose.filter(holds),
      trails: sorted.trails.filter(holdsFirst),
      homes: sorted.homes.filter(holdsFirst),
      unknown: sorted.unknown,
    };
  }
}

/** True for an item for which records account: one record, or all that a count of references counts. */
function isFollowed({ name }: NamedItem): boolean {
  return name.item === 'refers' || Object.hasOwn(surplus, name.item);
}

/** The items of a page that go into the tally: all but those that are read through a pointer or a handle. */
export function followedOf({ loose, homes, trails }: Sorted): NamedItem[] {
  const all = [...loose, ...homes.flat(), ...trails.filter(isApart).flat()];
  return all.filter(isFollowed);
}

/** True for superseded versions of a record whose pointer is its list entry. */
function isApart(members: readonly NamedItem[]): boolean {
  const name = members[0]?.name;
  const kind = name?.item === 'change' ? kindOfLuid(name.luid) : undefined;
  return kind !== undefined && keepsPlace(kind);
}

function note(run: AuditRun, sorted: Sorted): void {
  for (const named of followedOf(sorted))
    run.tally.see(textOf(keyOfItem(named.item)), weightOf(named));
  for (const { name } of [...sorted.loose, ...sorted.homes.flat(), ...sorted.trails.flat()]) {
    run.scopes.add(name.scope);
    if (name.item === 'list' && name.spread !== undefined)
      run.spread.add(`${name.scope}#${name.kind}`);
    count(run, name.scope, 'items');
  }
  for (const named of [...sorted.loose, ...sorted.homes.flat()]) noteShard(run, named);
  for (const named of sorted.loose) {
    noteGate(run, named);
    noteDelivery(run, named);
    noteCounts(run, named);
  }
  noteBooks(run, sorted.loose);
  noteLogItems(run, sorted.loose);
}

/** The number of records that must account for an item: one, or the value of a count. */
function weightOf({ name, item }: NamedItem): number {
  if (name.item !== 'refers') return 1;
  const many = Number(item['refers'] ?? 0n);
  return Number.isSafeInteger(many) ? many : 1;
}

function unknownOf(item: Item = {}): AuditViolation {
  const key = keyOfItem(item);
  const [scope = ''] = key.pk.split('#');
  return violationOf(3, { scope }, `The item '${textOf(key)}' is none of the ledger's.`);
}

/**
 * The violations of unfinished work: an entry that was set aside has signals that were not published, and an unfinished
 * import leaves items out. Entries of a batch that cannot be read are gone. Decisions 72 and 142.
 */
function unfinishedOf({ name, item }: NamedItem): AuditViolation[] {
  if (name.item === 'import')
    return [violationOf(3, { scope: name.scope }, 'An import of the ledger has not ended.')];
  // A block that can be read was taken apart.
  if (name.item === 'lists' || name.item === 'signals' || name.item === 'entries')
    return [violationOf(name.item === 'signals' ? 4 : 3, { scope: name.scope }, damagedOf(item))];
  if (name.item === 'brought') return damagedContentOf({ name, item });
  if (name.item !== 'aside') return [];
  const { scope, luid, change } = name;
  const fact =
    'The signals of a change could not be published and were set aside; once they can be, "countersign reindex" returns them.';
  return [violationOf(4, { scope, luid, change }, fact)];
}

function damagedOf(item: Item): string {
  return `The entries of a batch at '${textOf(keyOfItem(item))}' cannot be read.`;
}

/** The cursor of a history, from its pointer and the superseded versions beside it. */
function traceOf(members: readonly NamedItem[]): HistoryCursor | undefined {
  const name = members[0]?.name;
  if (name?.item !== 'pointer' && name?.item !== 'change') return undefined;
  const { scope, luid } = name;
  const kind = kindOfLuid(luid);
  if (!kind || !isLuid(luid)) return undefined;
  const item = members.find((member) => member.name.item === 'pointer')?.item;
  const hasPast = members.some((member) => member.name.item === 'change');
  const pointer = item && pointerOf({ kind, luid }, item);
  return { scope, kind, luid, hasPast, ...(pointer && { pointer }) };
}

async function* auditHome(
  run: AuditRun,
  members: readonly NamedItem[],
): AsyncGenerator<AuditViolation, void, undefined> {
  const outlined = homeOf(members);
  if (!outlined) return;
  noteHome(run, outlined);
  const home = outlined.rows.some(isOnlyBridged) ? await wholeHome(run, members) : outlined;
  const violations = home ? [...checkHome(home)] : [];
  if (home) run.owing.push(...owingAt(home));
  yield* run.options.isLive && violations.length > 0
    ? await confirmHome(run, members, violations)
    : violations;
}

/** The items at a handle, with all their attributes. */
async function wholeHome(
  { source }: AuditRun,
  members: readonly NamedItem[],
): Promise<Home | undefined> {
  return homeOf(await membersAt(source, String(members[0]?.item['pk'])));
}

/** Reads a handle again that looks wrong; a violation is found each time. */
async function confirmHome(
  run: AuditRun,
  members: readonly NamedItem[],
  first: readonly AuditViolation[],
): Promise<readonly AuditViolation[]> {
  let lasting = first;
  for (let round = 0; round < roundCountMax && lasting.length > 0; round += 1) {
    await waitFor(round);
    const home = await wholeHome(run, members);
    const facts = new Set(home ? [...checkHome(home)].map(({ fact }) => fact) : []);
    lasting = lasting.filter(({ fact }) => facts.has(fact));
  }
  return lasting;
}

async function membersAt(source: AuditRun['source'], pk: string): Promise<NamedItem[]> {
  const members: NamedItem[] = [];
  for await (const items of source.pages({ pk, from: '!', to: '~' })) {
    for (const item of items) {
      const name = nameOfItem(item);
      if (name) members.push({ name, item });
    }
  }
  return members;
}

function noteHome(run: AuditRun, { scope, kind, handle, rows, usage }: Home): void {
  if (kind === 'symbol' && usage) run.marked.add(`${scope}#${handle}`);
  count(run, scope, 'balances', rows.length);
  for (const row of rows) {
    for (const [balanceMeasure, amount] of heldIn(row))
      if (balanceMeasure.measure === 'amount' || amount !== 0n)
        run.sums.hold(balanceMeasure, amount);
    if (row.hasLimits) noteLimited(run, row);
    run.used.add(`${scope}#${row.symbol}`);
  }
}
