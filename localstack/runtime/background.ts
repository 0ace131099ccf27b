/** Threads that the processor serves after those of requests. Decision 152. */
import { readlinkSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

/** The link to the thread that reads it, which Linux has. proc(5). */
const ownThread = '/proc/thread-self';
/**
 * Added to the nice value of the thread: where all threads compete, it gets a third of the time of one of requests, which
 * is more than what follows a request takes beside the request. sched(7).
 */
const behind = 5;
const niceMax = 19;

/**
 * Has the thread that calls it run behind the others of the process where they compete for the processor. It does nothing
 * where a thread has no priority of its own: on other systems than Linux.
 */
export async function runInBackground(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Makes the threads of Node's pool where there are none yet: they would have the priority of the thread that makes them.
  await access('.').catch(() => {});
  const id = threadId();
  if (id === undefined) return;
  try {
    setPriority(id, Math.min(niceMax, getPriority(id) + behind));
  } catch {
    // Refused, as by a sandbox: it runs beside the others, as elsewhere.
  }
}

/** The number of this thread in the system; undefined where the link is missing, or of another numbering of processes. */
function threadId(): number | undefined {
  try {
    const [owner = '', , id] = readlinkSync(ownThread).split('/');
    return Number(owner) === process.pid ? Number(id) : undefined;
  } catch {
    return undefined;
  }
}
