/**
 * Writes in the thread that asks for them. LMDB's package writes in a thread of its own, and the way there and back
 * takes as long as the write. In place, the thread does nothing else until the disk has answered: so it is done only
 * where nobody else waits for this thread, and where nobody else holds the file. Decision 155.
 *
 * A thread that writes elsewhere counts itself first, and a thread that writes in place looks at that count after it has
 * said so: of two that begin at a time, at least one sees the other.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import type { RootDatabase } from 'lmdb';
import { hasOneCaller } from './caller.ts';
import { endProcess } from './end-process.ts';

const sharedName = 'countersign.file-writes';
/** The places of the shared numbers: writes under way elsewhere, in all threads; that of the write in place, or 0. */
const [elsewhere, here] = [0, 1];
/**
 * A write in place that takes longer than `slowMs` milliseconds is followed by a pause of them, `factor` times as long: where
 * the disk is slow, the thread waits for it a twentieth of the time. `untilMs` is its end by the steady clock. Tests set
 * these, as no result may depend on the time.
 */
export const pause = { slowMs: 5, factor: 19, untilMs: 0 };
const pauseMsMax = 10_000;
/** The time between two looks for processes that were killed while they had the file open, in milliseconds. */
const checkMs = 1_000;
/** The time between two looks at a write in place, and the looks at the same one after which the process ends. */
const lookMs = 10_000;
const lookCountMax = 3;

/** The numbers of this process. A thread that was started without them never writes in place. */
const shared = sharedNumbers();
/** True from a write in place to the next turn of the event loop, in which other requests arrive. */
let hasWritten = false;
let writeCount = 0;
let checkedMs = Number.NEGATIVE_INFINITY;

function sharedNumbers(): Int32Array | undefined {
  if (isMainThread)
    setEnvironmentData(sharedName, new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const known = getEnvironmentData(sharedName);
  return known instanceof SharedArrayBuffer ? new Int32Array(known) : undefined;
}

/**
 * Does a write in place and returns its result, or undefined where it has to be done elsewhere. No write of this
 * thread may be under way. What the write throws is thrown.
 */
export function writtenInPlace<Output extends object>(
  root: Readers,
  write: () => Output,
): Output | undefined {
  const startMs = performance.now();
  if (!hasOneCaller() || hasWritten || startMs < pause.untilMs || !isOurs(root)) return undefined;
  writeCount = (writeCount % 1_000_000_000) + 1;
  if (!shared || Atomics.compareExchange(shared, here, 0, writeCount) !== 0) return undefined;
  try {
    if (Atomics.load(shared, elsewhere) > 0) return undefined;
    noteWrite();
    return write();
  } finally {
    Atomics.store(shared, here, 0);
    const endMs = performance.now();
    const tookMs = endMs - startMs;
    if (tookMs > pause.slowMs) pause.untilMs = endMs + Math.min(tookMs * pause.factor, pauseMsMax);
  }
}

/** Does a write elsewhere, once none is done in place. */
export async function writtenElsewhere<Output>(write: () => Promise<Output>): Promise<Output> {
  if (!shared) return write();
  // The package holds the file from the next turn on; until then, a thread of workers may compute for long.
  if (!isMainThread) await new Promise(setImmediate);
  Atomics.add(shared, elsewhere, 1);
  try {
    while (Atomics.load(shared, here) > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    return await write();
  } finally {
    Atomics.sub(shared, elsewhere, 1);
  }
}

/** A write in place leaves the thread to others: a batch has many, and would keep all requests waiting. */
function noteWrite(): void {
  hasWritten = true;
  setImmediate(() => {
    hasWritten = false;
  });
}

/**
 * Ends the process when a write in place lasts for half a minute: the thread that would notice waits for the disk, or for
 * a process that was stopped before it had its place among the readers. All that was answered is on the disk. Another
 * thread than those that write in place looks for it. Returns how to end looking.
 */
export function watchInPlace(end = endProcess): () => void {
  let [last, sameCount] = [0, 0];
  const timer = setInterval(() => {
    const now = shared ? Atomics.load(shared, here) : 0;
    sameCount = now > 0 && now === last ? sameCount + 1 : 0;
    last = now;
    if (sameCount >= lookCountMax) end('a write has not ended for half a minute.');
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

type Readers = Pick<RootDatabase, 'readerList' | 'readerCheck'>;

/** The numbers of the processes that have a place among the readers of a file, one for each place. */
export function readersOf(root: Pick<Readers, 'readerList'>): number[] {
  const [, ...rows] = root.readerList().trimEnd().split('\n');
  return rows.map((row) => Number.parseInt(row, 10));
}

/** True when no other process has the file open: one could be stopped while it holds the file, and so would this thread. */
function isOurs(root: Readers): boolean {
  const areOwn = readersOf(root).every((pid) => pid === process.pid);
  if (areOwn || performance.now() - checkedMs < checkMs) return areOwn;
  checkedMs = performance.now();
  root.readerCheck();
  return false;
}
