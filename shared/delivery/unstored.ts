/**
 * The first attempts of new deliveries, which are stored when their attempt has ended: a call that is answered at once is
 * one write, without a marker. Until then the event stands for them, in the outbox or with the bus: `bring` resolves when
 * each of them is stored, and after a crash the event comes again. What takes longer than a moment is stored with its
 * marker while the attempt goes on. Those of one line are stored in their order: after a crash, what is stored goes first.
 * Rulings 58 and 60, Decision 127.
 */
import { assert } from '../ledger/assert.ts';
import { type Deliveries, type Delivery, type DeliveryName, lineOf } from '../port/deliveries.ts';

interface Accepted {
  readonly delivery: Delivery;
  /** When it was accepted. */
  readonly sinceMs: number;
}

/** A delivery that is not stored yet. */
interface Unstored extends Accepted {
  isStored: boolean;
  /** The one before it in its line, until that is stored. */
  before?: Unstored | undefined;
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
  readonly #clock: () => number;
  /** By name, until they are stored. */
  readonly #unstored = new Map<string, Unstored>();
  /** The last one of each line. */
  readonly #last = new Map<string, Unstored>();
  /** As they are stored, by what those hold that attempt them; undefined for one that this process has not stored. */
  readonly #storedAs = new WeakMap<Delivery, Delivery | undefined>();
  /** Deliveries for those that attempt them: the ones that are not stored yet are among them. */
  readonly deliveries: Deliveries;

  /** Stores by `inner`; `clock` is that by which deliveries become due. */
  constructor(inner: Deliveries, clock: () => number) {
    this.#inner = inner;
    this.#clock = clock;
    this.deliveries = {
      ...inner,
      save: (next, previous) => this.#save(next, previous),
      readDue: async (names, ...times) => {
        await this.#store(names.flatMap((name) => this.#unstored.get(nameOf(name)) ?? []));
        return inner.readDue(names, ...times);
      },
      read: async (scope, subject, luid) =>
        this.#heldAs({ scope, subject, luid }) ?? inner.read(scope, subject, luid),
      readNamed: async (name) => this.#heldAs(name) ?? inner.readNamed(name),
    };
  }

  /** A delivery that is not stored yet. */
  #heldAs(name: DeliveryName): Delivery | undefined {
    const one = this.#unstored.get(nameOf(name));
    return one?.isStored === false ? one.delivery : undefined;
  }

  /** Accepts and attempts; resolves when all of it is stored, after its attempt or with a marker. */
  async bring({ eventCount, accept, carry, momentMs }: FirstRound): Promise<void> {
    const round: Unstored[] = [];
    const begun: Unstored[] = [];
    const add: Deliveries['add'] = async (all) => {
      const sinceMs = this.#clock();
      const fresh = await this.#inner.newAmong(all);
      for (const one of fresh)
        round.push(this.#unstored.get(nameOf(one)) ?? this.#begin(one, sinceMs, begun));
      if (all.length > eventCount * countMaxOfEvent) await this.#store(begun);
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
      for (const one of begun) this.#forget(one);
    }
  }

  #begin(delivery: Delivery, sinceMs: number, begun: Unstored[]): Unstored {
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const line = nameOfLine(delivery);
    const before = this.#last.get(line);
    const one = { delivery, sinceMs, isStored: false, before, over, end };
    // A round that fails stores nothing here, and another process may store it.
    this.#storedAs.set(delivery, undefined);
    this.#unstored.set(nameOf(delivery), one);
    this.#last.set(line, one);
    begun.push(one);
    return one;
  }

  #forget(one: Unstored): void {
    const line = nameOfLine(one.delivery);
    this.#unstored.delete(nameOf(one.delivery));
    if (this.#last.get(line) === one) this.#last.delete(line);
  }

  /** Saves a delivery after its attempt; the first time, that stores it. */
  async #save(next: Delivery, previous: Delivery): Promise<boolean> {
    const one = this.#unstored.get(nameOf(previous));
    if (!one) return this.#saveStored(next, previous);
    const sinceMs = this.#clock();
    while (isBehind(one) && one.storing === undefined) await this.#store([one.before]);
    if (one.storing !== undefined) return (await one.storing) && this.#saveStored(next, previous);
    const adding = this.#add([{ delivery: next, sinceMs }]);
    return storing(
      one,
      adding.then(([isNew]) => isNew === true),
    );
  }

  /** Saves in the place of what is stored, also when the round is over: its marker goes with it. */
  async #saveStored(next: Delivery, previous: Delivery): Promise<boolean> {
    const stored = this.#storedAs.has(previous) ? this.#storedAs.get(previous) : previous;
    return stored !== undefined && this.#inner.save(next, stored);
  }

  /** Adds deliveries as they are due now; says of each if it is new. */
  async #add(all: readonly Accepted[]): Promise<boolean[]> {
    const nowMs = this.#clock();
    const deliveries = all.map((one) => dueAt(nowMs, one));
    const added = new Set(await this.#inner.add(deliveries));
    return deliveries.map((stored, index) => {
      const { delivery } = all[index] as Accepted;
      this.#storedAs.set(delivery, added.has(stored) ? stored : undefined);
      return added.has(stored);
    });
  }

  /** Stores those that are not stored yet as they were accepted, with their markers; those of a line one after the other. */
  async #store(all: readonly Unstored[]): Promise<void> {
    const isLeft = (one: Unstored) => !one.isStored && !one.storing;
    for (let left = all.filter(isLeft); left.length > 0; left = all.filter(isLeft)) {
      const first = left.filter((one) => !isBehind(one));
      await (first.length > 0 ? this.#storeTogether(first) : this.#store(left.map(beforeOf)));
    }
    await Promise.all(all.map((one) => one.isStored || one.storing));
  }

  async #storeTogether(all: readonly Unstored[]): Promise<void> {
    const adding = this.#add(all);
    const isNew = async (index: number) => (await adding)[index] === true;
    await Promise.all(all.map((one, index) => storing(one, isNew(index))));
  }
}

/** A delivery as it is stored now: where the clock was set back meanwhile, it is due earlier by as much. */
function dueAt(nowMs: number, { delivery, sinceMs }: Accepted): Delivery {
  const { dueMs } = delivery;
  if (dueMs === undefined || nowMs >= sinceMs) return delivery;
  return { ...delivery, dueMs: dueMs - (sinceMs - nowMs) };
}

/** True while the one before it is not stored. */
function isBehind(one: Unstored): one is Unstored & { readonly before: Unstored } {
  return one.before !== undefined && !one.before.isStored;
}

function beforeOf({ before }: Unstored): Unstored {
  assert(before, 'one that is behind has one before it');
  return before;
}

/** Notes that a delivery is being stored, and that it is. */
function storing(one: Unstored, work: Promise<boolean>): Promise<boolean> {
  const done = work.then(
    (isNew) => {
      one.isStored = true;
      one.before = undefined;
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

function nameOfLine(delivery: Delivery): string {
  return `${delivery.scope} ${delivery.subject} ${lineOf(delivery)}`;
}

function nameOf({ scope, subject, luid }: DeliveryName): string {
  return `${scope} ${subject} ${luid}`;
}
