/** A process that may be ended in the middle of what it does, as Lambda ends one at its time limit or a host fails. */
import type { TableClient } from '../../shared/store/request.ts';
import { between } from '../fixture/trouble.ts';
import type { Random } from './random.ts';

export type Mortal = ReturnType<typeof newMortal>;

/** The requests of a run among which is the last one of a process that dies. */
const lastMax = 8;

/**
 * A process with a client of its own. `mortality` is the part of its runs in which it dies: at one of the first requests
 * to the table, which is still asked or not. Nothing is heard of it, nor of whatever else the process does.
 */
export function newMortal(client: TableClient, random: Random, mortality: number) {
  let isDead = false;
  let leftCount = Number.POSITIVE_INFINITY;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const die = (): Promise<never> => {
    isDead = true;
    end();
    return silence();
  };
  /** The outcome of something outside, which a dead process does not hear of. */
  const heard = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await work;
    } finally {
      if (isDead) await silence();
    }
  };
  return {
    client: between(client, async (command, send) => {
      if (isDead) return silence();
      leftCount -= 1;
      const isLast = leftCount === 0;
      if (isLast && random() < 0.5) return die();
      const outcome = heard(send(command));
      if (!isLast) return outcome;
      await outcome.catch(() => undefined);
      return die();
    }),
    heard,
    isDead: () => isDead,
    /** Lets it do a run, until the run or the process is over; true when it came to the end of the work. */
    live: async (work: () => Promise<void>): Promise<boolean> => {
      const isLastRun = random() < mortality;
      leftCount = isLastRun ? 1 + Math.floor(random() * lastMax) : Number.POSITIVE_INFINITY;
      await Promise.race([work(), ended]);
      return !isDead;
    },
  };
}

function silence(): Promise<never> {
  return new Promise(() => {});
}
