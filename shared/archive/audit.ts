/**
 * The audit of an archive, without a table: it checks the items that the archive stands for, and that the file is as it
 * was written. The items lie in a folder meanwhile, so memory does not grow with the records.
 */

import { audit } from '../audit/audit.ts';
import type { AuditOptions, AuditReport } from '../audit/run.ts';
import type { AuditSource } from '../audit/source.ts';
import { lineOfViolation } from '../audit/violation.ts';
import { messageOf } from '../ledger/thrown.ts';
import {
  headKeyOf,
  type Key,
  type KeyRange,
  keyOfItem,
  nameOfItem,
  textOf,
} from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { ArchiveError } from './form.ts';
import { type Opened, openArchive } from './open.ts';
import type { SortedItems } from './sorted-items.ts';

export interface ArchiveAuditOptions extends Pick<AuditOptions, 'nowMs' | 'onProgress'> {
  /** The folder for the items meanwhile. */
  readonly folder: string;
  /** Called with the number of bytes read. */
  readonly onRead?: (bytes: number) => void;
  /** Called with the archive once its items are sorted; returns more options of its audit. */
  readonly onOpen?: (opened: Opened) => Promise<Pick<AuditOptions, 'seenTree'>>;
}

/** Yields what is wrong with an archive, a line each: first with the ledger, then with the file. */
export async function* auditArchive(
  path: string,
  options: ArchiveAuditOptions,
  report: AuditReport,
): AsyncGenerator<string, void, undefined> {
  const { folder, onRead, onOpen = async () => ({}) } = options;
  let opened: Opened;
  try {
    opened = await openArchive(path, { folder, ...(onRead && { onProgress: onRead }) });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return yield lineOf(error);
  }
  const { sorted, fault } = opened;
  try {
    yield* await misnamed(opened);
    // A file does not change.
    const auditing = { ...options, ...(await onOpen(opened)), isLive: false };
    for await (const one of audit(sortedSource(sorted), auditing, report))
      yield lineOfViolation(one);
    if (fault) yield lineOf(fault);
  } catch (error) {
    if (fault) yield lineOf(fault);
    // A line without a signature may say what no ledger says, and the code that reads it may throw anything.
    const why = messageOf(error);
    yield `Archive · What the lines say is nothing that a ledger says: ${why}`;
  } finally {
    await sorted.close();
  }
}

/** Says that the first line names another ledger than the record of the ledger, or one that is not there. */
async function misnamed({ header, sorted }: Opened): Promise<string[]> {
  const own = await sorted.at(headKeyOf('', 'ledger', header.ledger));
  if (!own) return ['Archive · Line 1: It names a ledger of which there is no record in the file.'];
  const luid = String(own['luid']);
  if (luid === header.luid) return [];
  return [`Archive · Line 1: It names the ledger ${header.luid}, which is ${luid}.`];
}

function lineOf({ message }: ArchiveError): string {
  return `Archive · ${message}`;
}

const pageLengthMax = 500;

/** A source that reads sorted items. */
function sortedSource(sorted: SortedItems): AuditSource {
  return {
    hasNoBooks: true,
    outlines: () => pagesOf(sorted.from()),
    pages: (range) => pagesOf(within(sorted, range)),
    at: async (keys) => {
      const found = await Promise.all(keys.map((key) => at(sorted, key)));
      return new Map(
        found.flatMap((item) => (item ? [[textOf(keyOfItem(item)), item] as const] : [])),
      );
    },
  };
}

/** An archive has no index entries of terms; the import makes all of them, so none is missing. Decision 31. */
function at(sorted: SortedItems, key: Key): Promise<Item | undefined> {
  const isIndexEntry = nameOfItem({ ...key })?.item === 'mention';
  return isIndexEntry ? Promise.resolve({ ...key }) : sorted.at(key);
}

async function* within(sorted: SortedItems, { pk, from, to }: KeyRange): AsyncGenerator<Item> {
  for await (const item of sorted.from({ pk, sk: from })) {
    if (item['pk'] !== pk || String(item['sk']) > to) return;
    yield item;
  }
}

async function* pagesOf(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageLengthMax) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
