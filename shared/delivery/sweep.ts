/**
 * Sweeping: look after look at what is due, until a whole one finds nothing to do and nothing is on its
 * way. A target that takes its time does not keep the others waiting: while it is asked, what else has
 * become due is looked for.
 */
import { carryDue, type DuePorts } from './due.ts';

/** How long after one look the next one comes at the latest, in milliseconds. */
const lookMs = 1_000;

/** Carries what is due, as long as there is patience, and to the end what it has taken on. */
export async function sweep(ports: DuePorts): Promise<void> {
  let isOver = false;
  while (!isOver && ports.patienceMs() > 0) {
    const { handledCount, isWhole, nextMs } = await carryDue(ports);
    const isIdle = await isIdleWithin(ports, isWhole ? lookMs : 0);
    isOver = isIdle && isWhole && handledCount === 0 && nextMs === undefined;
    // What is to be attempted at its time is waited for, whoever else waits for nothing.
    const waitMs = nextMs === undefined ? 0 : nextMs - ports.services.clock();
    if (isIdle && isWhole && handledCount === 0 && waitMs > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.min(lookMs, waitMs)));
  }
  await ports.targets.queues.idle();
}

/** Whether nothing is on its way any more, at the latest after so many milliseconds. */
async function isIdleWithin({ targets }: DuePorts, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isIdle = await Promise.race([targets.queues.idle().then(() => true), late]);
  clearTimeout(timer);
  return isIdle;
}
