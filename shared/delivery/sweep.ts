/**
 * Looks for due deliveries again and again, until a whole look finds nothing to do and nothing is under way. While a
 * slow target is asked, the next look goes on.
 */
import { carryDue, type DuePorts } from './due.ts';

/** The longest pause between two looks, in milliseconds. */
const lookMs = 1_000;

/** Carries due deliveries while there is patience, and what it has taken on to its end. */
export async function sweep(ports: DuePorts): Promise<void> {
  let isOver = false;
  while (!isOver && ports.patienceMs() > 0) {
    const { handledCount, isWhole, nextMs } = await carryDue(ports);
    const isIdle = await isIdleWithin(ports, isWhole ? lookMs : 0);
    isOver = isIdle && isWhole && handledCount === 0 && nextMs === undefined;
    // A delivery that is to be attempted on time is waited for.
    const waitMs = nextMs === undefined ? 0 : nextMs - ports.services.clock();
    if (isIdle && isWhole && handledCount === 0 && waitMs > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.min(lookMs, waitMs)));
  }
  await ports.targets.queues.idle();
}

/** Resolves to true when nothing is under way, to false after so many milliseconds. */
async function isIdleWithin({ targets }: DuePorts, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isIdle = await Promise.race([targets.queues.idle().then(() => true), late]);
  clearTimeout(timer);
  return isIdle;
}
