/**
 * Looks at the head of a file of LMDB before it is mapped into memory: what is no such file, or lacks its end, would end
 * the process instead of being an error. The two meta pages lie at the start; the newer one counts.
 * http://www.lmdb.tech/doc/group__internal.html
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** Places of the parts of a meta page, in bytes. */
const at = { flags: 18, magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152 };
const [headBytes, metaFlag, magic, version] = [160, 8, 0xbeefc0de, 2];
/** The pages that a file may lack: LMDB does not write those at its end that a transaction took and gave back. */
const missingPagesMax = 64;

interface MetaPage {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/**
 * Throws when the file is not a database, or is cut off; its name is left to the caller. A file that is missing or
 * empty is one to be made. Pages that were never written become empty ones, so that reading them is an error. Others may
 * write to the file meanwhile.
 */
export function assertSound(path: string): void {
  const file = openIfThere(path);
  if (file === undefined) return;
  try {
    if (fstatSync(file).size === 0) return;
    const first = metaAt(file, 0);
    const second = first && metaAt(file, first.pageSize);
    if (!(first && second)) throw new Error('The file is not a database.');
    const { pageSize, lastPage } = second.transaction > first.transaction ? second : first;
    const wholeSize = (Number(lastPage) + 1) * pageSize;
    // Read behind the head: who adds pages writes them before the head that tells of them.
    const { size } = fstatSync(file);
    if (size >= wholeSize) return;
    if (wholeSize - size > missingPagesMax * pageSize)
      throw new Error(
        `The file is not a database any more: ${size} of ${wholeSize} bytes are there.`,
      );
    // Added at its end, wherever that is by now: nothing that was written is cut off or written over.
    writeSync(file, Buffer.alloc(wholeSize - size));
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function metaAt(file: number, position: number): MetaPage | undefined {
  const head = Buffer.alloc(headBytes);
  if (readSync(file, head, 0, headBytes, position) < headBytes) return undefined;
  const isMeta = (head.readUInt16LE(at.flags) & metaFlag) !== 0;
  if (!isMeta || head.readUInt32LE(at.magic) !== magic) return undefined;
  if (head.readUInt32LE(at.version) !== version) return undefined;
  return {
    pageSize: head.readUInt32LE(at.pageSize),
    lastPage: head.readBigUInt64LE(at.lastPage),
    transaction: head.readBigUInt64LE(at.transaction),
  };
}
