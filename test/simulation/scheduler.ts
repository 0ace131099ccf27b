/**
 * A world with one thread of time: whatever asks something of the store, of the bus or of a bridge waits at a
 * gate, and one of all that wait is let through at a time, by the seed. So every order in which things can happen
 * between processes can happen here, and happens again by the same seed. A process may end at any gate, before or
 * after what it asked for was done; then nothing of it goes on.
 */
import { LedgerError } from '../../shared/ledger/errors.ts';
import { quiet } from '../fixture/quiet.ts';

/** The fate of a process that waits at a gate, in parts of a thousand. */
export interface Trouble {
  /** It ends. */
  readonly dies: number;
  /** It hears that it did not work, or that nobody knows. */
  readonly fails: number;
}

export const noTrouble: Trouble = { dies: 0, fails: 0 };

/** Whatever runs by itself and can end by itself: a request, a worker. */
export interface Process {
  readonly name: string;
  isDead: boolean;
  /** Told when it ends in the middle of what it does. */
  readonly ended?: () => void;
}

/** The number of draws for who goes on, so that a slow process is passed over. */
const drawCount = 3;
/** The largest jump of time before a process may be taken for one that has ended, in milliseconds. */
const jumpMs = 20_000;

interface Gate {
  readonly process: Process;
  readonly name: string;
  readonly pass: (fate: Fate) => Promise<void>;
}

type Fate = 'done' | 'fails before' | 'fails after' | 'dies before' | 'dies after';

interface Timer {
  readonly atMs: number;
  readonly id: number;
  readonly fire: () => void;
}

/** Numbers from 0 to 1, the same ones for the same seed: mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Scheduler = ReturnType<typeof newScheduler>;

/** A world in which nothing happens yet. */
export function newScheduler(random: () => number, startMs: number) {
  let nowMs = startMs;
  let aheadMs = 0;
  let isSmooth = true;
  let trouble = noTrouble;
  let gates: Gate[] = [];
  let timers: Timer[] = [];
  let count = 0;
  const log: string[] = [];
  const note = (text: string): void => {
    log.push(`${nowMs - startMs} ${text}`);
  };

  const self = {
    /** The log of the run, for a failure's report. */
    log,
    note,
    /** The clock of the ledger. */
    now: () => nowMs + aheadMs,
    /** The time that nobody sets. */
    steady: () => nowMs,
    /** Sets the clock of the ledger so far ahead of that. */
    set: (ms: number): void => {
      isSmooth &&= Math.abs(ms - aheadMs) < jumpMs;
      aheadMs = ms;
    },
    wait: (ms: number): void => {
      isSmooth &&= ms < jumpMs;
      nowMs += ms;
    },
    /** True when no process ever slept so long that others could take it for ended. */
    isSmooth: () => isSmooth,
    pick: (upTo: number): number => Math.floor(random() * upTo),
    chance: (perThousand: number): boolean => random() * 1000 < perThousand,
    one: <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T,
    meet: (what: Trouble): void => {
      trouble = what;
    },
    /** Waits for its turn and then does it; what the process of it asks after its end is never done. */
    gate: <T>(process: Process, name: string, does: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const ends: Readonly<Record<Fate, (answer: Promise<T>) => unknown>> = {
          done: (answer) => answer.then(resolve, reject),
          'fails after': (answer) => answer.then(() => reject(failure()), reject),
          'dies after': (answer) => answer.then(() => self.end(process), reject),
          'fails before': () => reject(failure()),
          'dies before': () => self.end(process),
        };
        const pass = async (fate: Fate): Promise<void> => {
          const isBefore = fate === 'fails before' || fate === 'dies before';
          await ends[fate](isBefore ? never() : does());
        };
        if (!process.isDead) gates.push({ process, name, pass });
      }),
    /** Ends a process: it does nothing more, and hears nothing more. */
    end: (process: Process): void => {
      note(`${process.name} ends`);
      process.isDead = true;
      process.ended?.();
      gates = gates.filter((gate) => gate.process !== process);
    },
    waitingCount: () => gates.length,
    timerCount: () => timers.length,
    /** Lets one of all that wait go on. */
    turn: async (): Promise<void> => {
      const drawn = Array.from({ length: drawCount }, () => self.one(gates));
      const gate = drawn.find((one) => one && !isSlow(one)) ?? drawn[0];
      if (!gate) return;
      gates = gates.filter((one) => one !== gate);
      const fate = fateOf(trouble, random);
      note(`${gate.process.name}: ${gate.name}${fate === 'done' ? '' : ` ${fate}`}`);
      nowMs += self.pick(20);
      await gate.pass(fate);
      await quiet();
    },
    /** Lets time pass until the next timer, and fires it. */
    tick: async (): Promise<void> => {
      const next = timers.toSorted((one, other) => one.atMs - other.atMs || one.id - other.id)[0];
      if (!next) return;
      timers = timers.filter((timer) => timer !== next);
      self.wait(Math.max(0, next.atMs - nowMs));
      next.fire();
      await quiet();
    },
    setTimeout: (fire: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): number => {
      count += 1;
      timers.push({ atMs: nowMs + Math.ceil(ms), id: count, fire: () => fire(...values) });
      return count;
    },
    clearTimeout: (id: unknown): void => {
      timers = timers.filter((timer) => timer.id !== id);
    },
  };
  return self;
}

/** A port of which each call waits at a gate of the process. */
export function gated<Port extends object>(
  { gate }: Pick<Scheduler, 'gate'>,
  process: Process,
  where: string,
  port: Port,
): Port {
  const methods = Object.entries(port).map(([name, method]) => [
    name,
    (...values: unknown[]) => gate(process, `${where}.${name}`, async () => method(...values)),
  ]);
  return Object.fromEntries(methods) as Port;
}

/** A bank takes its time, while much else happens. */
function isSlow({ name }: Gate): boolean {
  return name.startsWith('bank.');
}

function fateOf({ dies, fails }: Trouble, random: () => number): Fate {
  const drawn = random() * 1000;
  const isAfter = random() < 0.5;
  if (drawn < dies) return isAfter ? 'dies after' : 'dies before';
  if (drawn < dies + fails) return isAfter ? 'fails after' : 'fails before';
  return 'done';
}

/** An operation that never ends: its process is dead. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function failure(): LedgerError {
  return new LedgerError('api.request-timeout', 'The database did not answer in time.');
}
