/**
 * Room at the end of a database file. LMDB writes pages behind the end of the file as it commits. Where the disk refuses
 * one, LMDB's package prints why into a buffer that can be too short for it, and the process may end by what lies behind
 * it. So a transaction takes the room that it may need before it commits, and is refused where there is none.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { FileDatabase } from './file-items.ts';

/** The error of a write for which the disk has no room: it is undone. */
export class NoRoom extends Error {}

export interface FileRoom {
  /** Counts what is written to the file: the bytes of a key and its value. */
  readonly wrote: (bytes: number) => void;
  /**
   * Writes within the transaction under way and returns the result. Throws `NoRoom` when the file has no room for what the
   * transaction has written until then, and cannot be lengthened.
   */
  readonly within: <Output>(database: FileDatabase, write: () => Output) => Output;
  /** There is no more room afterwards. */
  readonly close: () => void;
}

/** The writes of a transaction. */
export interface Written {
  count: number;
  /** Of the keys and the values. */
  bytes: number;
}

/** The figures of a tree in a file, as of the last commit. */
interface TreeStats {
  readonly treeDepth: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** The figures of a database and its file. */
export interface FileStats extends TreeStats {
  readonly lastPageNumber: number;
  readonly pageSize: number;
  /** The tree of the free pages. */
  readonly free: TreeStats;
}

/** The pages by which a file is longer than it has to be, when it is lengthened. */
const sparePages = 128;
/** More pages than a commit takes beside those of what is written, where few are free. */
const otherPages = 64;
/** The time between two lines that say that there is no room, in milliseconds. */
const quietMs = 60_000;
const zeros = Buffer.alloc(64 * 1024);
/** Two pages of the largest size that a system has. */
const headBytesMax = 2 * 64 * 1024;

/** Makes a file for LMDB, which would make it for all to read, and would end the process without room for its head. */
export function makeFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).size > 0) return;
  // Another process may write to the file itself at that moment.
  const trial = `${path}-${randomUUID()}`;
  try {
    writeFileSync(trial, Buffer.alloc(headBytesMax), { mode: 0o600 });
  } finally {
    rmSync(trial, { force: true });
  }
}

/** Opens the room in a file. */
export function openFileRoom(path: string): FileRoom {
  // Added at the end, wherever that is by then: nothing that was written is written over.
  let file: number | undefined = openSync(path, 'a');
  const written: Written = { count: 0, bytes: 0 };
  /** Those that the transaction has written to. */
  const databases = new Map<FileDatabase, FileStats>();
  let transaction: number | undefined;
  let size = 0;
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  const begin = (database: FileDatabase): void => {
    const current = database.getWriteTxnId();
    if (current !== transaction) {
      transaction = current;
      databases.clear();
      Object.assign(written, { count: 0, bytes: 0 });
    }
    if (!databases.has(database)) databases.set(database, database.getStats() as FileStats);
  };
  const take = (): void => {
    const all = [...databases.values()];
    const [{ lastPageNumber, pageSize }] = all as [FileStats];
    const needed = (lastPageNumber + 1 + pagesMax(written, all)) * pageSize;
    if (needed <= size) return;
    try {
      if (file === undefined) throw new Error('The file is closed.');
      size = fstatSync(file).size;
      if (needed > size) lengthen(file, needed + sparePages * pageSize);
    } catch (error) {
      const why = messageOf(error);
      report(why);
      throw new NoRoom(why, { cause: error });
    }
  };
  const lengthen = (open: number, end: number): void => {
    while (size < end) size += writeSync(open, zeros, 0, Math.min(end - size, zeros.length));
  };
  // Whoever asks for the write only learns that it takes too long.
  const report = (why: string): void => {
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + quietMs;
    process.stderr.write(`${path} cannot be lengthened, nothing is stored: ${why}\n`);
  };
  return {
    wrote: (bytes) => {
      written.count += 1;
      written.bytes += bytes;
    },
    within: (database, write) => {
      begin(database);
      const before = { ...written };
      try {
        const output = write();
        if (written.count > before.count) take();
        return output;
      } catch (error) {
        // It is undone, and leaves its number to the next transaction if it is the whole of one.
        Object.assign(written, before);
        throw error;
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/**
 * The most pages that a commit adds. Each write changes a leaf of its tree, which becomes a new page, and splits it or
 * joins it with its neighbour, for which a branch may be split. Each branch above may become a new page, and one more:
 * those of all paths, or all of the tree where they are fewer. A long value has pages of its own. The list of the free
 * pages is written anew, up to three times until it fits.
 */
export function pagesMax({ count, bytes }: Written, databases: readonly FileStats[]): number {
  const branches = databases.map(({ treeDepth, treeBranchPageCount }) => {
    const levels = treeDepth + 1;
    return 2 * (levels + Math.min(treeBranchPageCount, count * levels));
  });
  const { pageSize, free } = databases[0] as FileStats;
  const lists = 3 * (free.treeBranchPageCount + free.treeLeafPageCount + free.overflowPages);
  const values = Math.ceil((2 * bytes) / pageSize);
  return 3 * count + values + branches.reduce((sum, one) => sum + one, 0) + lists + otherPages;
}
