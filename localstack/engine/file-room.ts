/**
 * Room at the end of a database file. LMDB writes pages behind the end of the file as it commits. Where the disk refuses
 * one, LMDB's package prints why into a buffer that can be too short for it, and the process may end by what lies behind
 * it. So a transaction takes the room that it may need before it commits, and is refused where there is none.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { FileDatabase } from './file-items.ts';

export interface FileRoom {
  /** Counts what is written to the file: the bytes of a key and its value. */
  readonly wrote: (bytes: number) => void;
  /**
   * Writes within the transaction under way and returns the result. Throws when the file has no room for what the
   * transaction has written until then, and cannot be lengthened.
   */
  readonly within: <Output>(database: FileDatabase, write: () => Output) => Output;
  readonly close: () => void;
}

/** The writes of a transaction. */
export interface Written {
  count: number;
  /** Of the keys and the values. */
  bytes: number;
}

/** The figures of a file and a database in it, as of the last commit. */
export interface FileStats {
  readonly lastPageNumber: number;
  readonly pageSize: number;
  readonly treeDepth: number;
  readonly treeBranchPageCount: number;
}

/** The pages by which a file is longer than it has to be, when it is lengthened. */
const sparePages = 128;
/** More pages than a commit takes to list those that are free from then on. */
const freePages = 64;
/** The time between two lines that say that there is no room, in milliseconds. */
const quietMs = 60_000;
const zeros = Buffer.alloc(64 * 1024);

/** The room in a file. */
export function openFileRoom(path: string): FileRoom {
  // Added at the end, wherever that is by then: nothing that was written is written over.
  const file = openSync(path, 'a');
  const written: Written = { count: 0, bytes: 0 };
  let transaction: number | undefined;
  let stats: FileStats;
  let size = 0;
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  const begin = (database: FileDatabase): void => {
    const current = database.getWriteTxnId();
    if (current === transaction) return;
    transaction = current;
    stats = database.getStats() as FileStats;
    Object.assign(written, { count: 0, bytes: 0 });
  };
  const take = (): void => {
    const { lastPageNumber, pageSize } = stats;
    const needed = (lastPageNumber + 1 + pagesMax(written, stats)) * pageSize;
    if (needed <= size) return;
    try {
      size = fstatSync(file).size;
      if (needed > size) lengthen(needed + sparePages * pageSize);
    } catch (error) {
      report(error);
      throw error;
    }
  };
  const lengthen = (end: number): void => {
    while (size < end) size += writeSync(file, zeros, 0, Math.min(end - size, zeros.length));
  };
  // Whoever asks for the write only learns that it takes too long.
  const report = (error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + quietMs;
    process.stderr.write(
      `${path} cannot be lengthened, nothing is stored: ${error instanceof Error ? error.message : error}\n`,
    );
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
        take();
        return output;
      } catch (error) {
        // It is undone, and leaves its number to the next transaction if it is the whole of one.
        Object.assign(written, before);
        throw error;
      }
    },
    close: () => closeSync(file),
  };
}

/**
 * The most pages that a commit adds. Each write changes a leaf of the tree, which becomes a new page, and splits it or
 * joins it with its neighbour, for which a branch may be split; each branch may become a new page, and one more. A long
 * value has pages of its own.
 */
export function pagesMax(
  { count, bytes }: Written,
  { pageSize, treeDepth, treeBranchPageCount }: FileStats,
): number {
  const branches = 2 * (treeBranchPageCount + treeDepth + 1);
  return 3 * count + branches + Math.ceil((2 * bytes) / pageSize) + freePages;
}
