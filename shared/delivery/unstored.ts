/**
 * The first attempts of new deliveries, which are stored when their attempt has ended: a call that is answered at once is
 * one write, without a marker. Until then the event stands for them, in the outbox or with the bus: `bring` resolves when
 * each of them is stored, and after a crash the event comes again. What takes longer than a moment is stored with its
 * marker while the attempt goes on. Rulings 58 and 60, Decision 127.
 */
import type { Deliveries, Delivery } from '../port/deliveries.ts';

/** A delivery that is not stored yet. */
interface Unstored {
  readonly delivery: Delivery;
  isStored: boolean;
  /** Present while it is stored; resolves to false when another process was faster. */
  storing?: Promise<boolean>;
  readonly over: Promise<void>;
  readonly end: () => void;
}

export interface FirstRound {
  /** The number of events that are accepted. */
  readonly eventCount: number;
  /** Adds deliveries by these ports; returns those to attempt. */
  readonly accept: (deliveries: Deliveries) => Promise<readonly Delivery[]>;
  /** Attempts deliveries, and returns at once. */
  readonly carry: (deliveries: readonly Delivery[]) => void;
  /** The time after which a delivery without an answer is stored, in milliseconds. */
  readonly momentMs: number;
}

/** More deliveries of an event are stored first: all of them would be attempted again after a crash. */
const countMaxOfEvent = 100;

export class FirstAttempts {
  readonly #inner: Deliveries;
  /** By name, until they are stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** Deliveries for those that attempt them: the ones that are not stored yet are among them. */
  readonly deliveries: Deliveries;

  constructor(inner: Deliveries) {
    this.#inner = inner;
    this.deliveries = {
      ...inner,
      save: (next, previous) => this.#save(next, previous),
      read: async (scope, subject, luid) => {
        const one = this.#unstored.get(nameOf({ scope, subject, luid }));
        return one && !one.isStored ? one.delivery : inner.read(scope, subject, luid);
      },
    };
  }

  /** Accepts and attempts; resolves when all of it is stored, after its attempt or with a marker. */
  async bring({ eventCount, accept, carry, momentMs }: FirstRound): Promise<void> {
    const round: Unstored[] = [];
    const begun: Unstored[] = [];
    const add: Deliveries['add'] = async (all) => {
      if (all.length > eventCount * countMaxOfEvent) return this.#inner.add(all);
      const fresh = await this.#inner.newAmong(all);
      for (const one of fresh)
        round.push(this.#unstored.get(nameOf(one)) ?? this.#begin(one, begun));
      return begun.map(({ delivery }) => delivery);
    };
    try {
      const ready = await accept({ ...this.deliveries, add });
      const isReady = new Set(ready);
      await this.#store(begun.filter(({ delivery }) => !isReady.has(delivery)));
      carry(ready);
      await within(momentMs, Promise.all(round.map(({ over }) => over)));
      await this.#store(round);
    } finally {
      for (const { delivery } of begun) this.#unstored.delete(nameOf(delivery));
    }
  }

  #begin(delivery: Delivery, begun: Unstored[]): Unstored {
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const one = { delivery, isStored: false, over, end };
    this.#unstored.set(nameOf(delivery), one);
    begun.push(one);
    return one;
  }

  /** Saves a delivery after its attempt; the first time, that stores it. */
  async #save(next: Delivery, previous: Delivery): Promise<boolean> {
    const one = this.#unstored.get(nameOf(previous));
    if (!one) return this.#inner.save(next, previous);
    if (one.storing !== undefined) return (await one.storing) && this.#inner.save(next, previous);
    return storing(
      one,
      this.#inner.add([next]).then((added) => added.length > 0),
    );
  }

  /** Stores those that are not stored yet as they were accepted, with their markers. */
  async #store(all: readonly Unstored[]): Promise<void> {
    const left = all.filter((one) => !one.isStored && !one.storing);
    if (left.length > 0) {
      const adding = this.#inner.add(left.map(({ delivery }) => delivery));
      for (const one of left)
        void storing(
          one,
          adding.then((added) => added.includes(one.delivery)),
        );
    }
    await Promise.all(all.map((one) => one.isStored || one.storing));
  }
}

/** Notes that a delivery is being stored, and that it is. */
function storing(one: Unstored, work: Promise<boolean>): Promise<boolean> {
  const done = work.then(
    (isNew) => {
      one.isStored = true;
      one.end();
      return isNew;
    },
    (error: unknown) => {
      delete one.storing;
      throw error;
    },
  );
  one.storing = done;
  return done;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function nameOf({ scope, subject, luid }: Pick<Delivery, 'scope' | 'subject' | 'luid'>): string {
  return `${scope} ${subject} ${luid}`;
}
