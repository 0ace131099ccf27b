/** A process that may be ended in the middle of what it does, as Lambda ends one at its time limit or a host fails. */
import type { TableClient } from '../../shared/store/request.ts';
import { between } from '../fixture/trouble.ts';
import type { Random } from './random.ts';

export type Mortal = ReturnType<typeof newMortal>;

/**
 * A process with a client of its own. Each request to the table is its last one with a probability; it is then asked
 * or not, and nothing is heard of it, nor of whatever else the process does.
 */
export function newMortal(client: TableClient, random: Random, mortality: number) {
  let isDead = false;
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
      const isLast = random() < mortality;
      if (isLast && random() < 0.5) return die();
      const outcome = heard(send(command));
      if (!isLast) return outcome;
      await outcome.catch(() => undefined);
      return die();
    }),
    heard,
    isDead: () => isDead,
    /** Lets it work until the work or the process is over; true when it came to the end of the work. */
    live: async (work: Promise<void>): Promise<boolean> => {
      await Promise.race([work, ended]);
      return !isDead;
    },
  };
}

function silence(): Promise<never> {
  return new Promise(() => {});
}
