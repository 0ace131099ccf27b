/**
 * Taking records into logs that began after them: every version without a leaf is appended, in the order of its record's
 * history, beside a ledger that runs. Then the log is whole. Decision 115.
 */
import { kindOfLuid } from '../ledger/address.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import { logOf } from '../log/leaf.ts';
import type { Scope } from '../port/ports.ts';
import { append, markWhole, read } from './append-log.ts';
import { changeRangeOf, headKeyOf, type ItemName, keyOfItem, textOf } from './keys.ts';
import { itemsAt, itemsIn, versionIn } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';

/** An item of a page of the table, with its name. */
interface PagedItem {
  readonly name: ItemName | undefined;
  readonly item: Item;
}

interface LoggedVersion {
  readonly log: Scope;
  readonly version: Version;
}

/** The records whose versions are read at a time. */
const chunkLength = 50;

/**
 * Appends what the logs of these ledgers have not of the records on a page, living or dropped; returns the number of
 * their leaves, there before or appended.
 */
export async function logRecords(
  table: Table,
  logs: ReadonlySet<Scope>,
  page: readonly PagedItem[],
): Promise<number> {
  const starts = page.filter(isRecord);
  let count = 0;
  for (let start = 0; start < starts.length; start += chunkLength) {
    const chunk = starts.slice(start, start + chunkLength);
    const heads = await itemsAt(
      table,
      chunk.filter(({ name }) => name?.item === 'head').map(({ item }) => keyOfItem(item)),
      deadlineIn(table.deadlineMs),
    );
    const histories = await Promise.all(
      chunk.map(async ({ name, item }) => {
        const head = heads.get(textOf(keyOfItem(item)));
        return versionsOf(table, name?.scope ?? '', head ?? item);
      }),
    );
    count += await appendAll(table, logs, histories.flat());
  }
  return count;
}

/** Takes the record of a ledger into its log, and notes that the log is whole. */
export async function finishLog(table: Table, ledger: Scope): Promise<void> {
  const key = headKeyOf('', 'ledger', ledger);
  const head = (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).get(textOf(key));
  if (!head || !(await read(table, ledger))) return;
  await appendAll(table, new Set([ledger]), await versionsOf(table, '', head));
  await markWhole(table, ledger);
}

/** Those of the ledgers that have a log. */
export async function logsAmong(table: Table, ledgers: Iterable<Scope>): Promise<Set<Scope>> {
  const found = new Set<Scope>();
  for (const ledger of ledgers) if (await read(table, ledger)) found.add(ledger);
  return found;
}

/** True for the head of a living record, and for the pointer of a dropped one. */
function isRecord({ name, item }: PagedItem): boolean {
  return name?.item === 'head' || (name?.item === 'pointer' && item['dropped'] !== undefined);
}

/** All versions of a record, from its head, or from its pointer once it is dropped. */
async function versionsOf(table: Table, scope: Scope, item: Item): Promise<LoggedVersion[]> {
  const current = item['proofs'] === undefined ? undefined : versionIn(item);
  const luid = current?.record.luid ?? luidIn(item);
  const hasPast = !current || firstChangeOf(current) > 1;
  const deadline = deadlineIn(table.deadlineMs);
  const items = hasPast ? await itemsIn(table, changeRangeOf(scope, luid, 0), deadline, {}) : [];
  const past = items.flatMap((one) => versionIn(one) ?? []);
  return [...past, ...(current ? [current] : [])].map((version) => ({
    log: logOf(scope, version),
    version,
  }));
}

function luidIn({ pk }: Item): string {
  const luid = String(pk).split('#').at(-1) ?? '';
  return kindOfLuid(luid) ? luid : '';
}

async function appendAll(
  table: Table,
  logs: ReadonlySet<Scope>,
  all: readonly LoggedVersion[],
): Promise<number> {
  let count = 0;
  for (const ledger of new Set(all.map(({ log }) => log))) {
    if (!logs.has(ledger)) continue;
    const versions = all.filter(({ log }) => log === ledger).map(({ version }) => version);
    await append(table, ledger, versions);
    count += versions.reduce((sum, { steps }) => sum + steps.length, 0);
  }
  return count;
}
