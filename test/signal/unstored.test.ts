/**
 * Goal: a delivery is stored once, with the end of its first attempt, and no event is taken before each of its deliveries
 * is stored. Method: a store that notes each write, fails or waits where a test wants it to; a crash is a round whose rest
 * never happens. Rulings 58 and 60, Decision 127.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FirstAttempts } from '../../shared/delivery/unstored.ts';
import type { Deliveries, Delivery } from '../../shared/port/deliveries.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';
import { accepted, leaseMs, startMs, subject } from './carrier.ts';

const momentMs = 1_000;

let stored: Deliveries;
let writes: string[];
/** Set by a test: what happens instead of a write. */
let trouble: (() => Promise<never>) | undefined;
let first: FirstAttempts;
let nowMs: number;
const clock = () => nowMs;

beforeEach(() => {
  const own = memoryDeliveries(() => []);
  stored = own;
  writes = [];
  trouble = undefined;
  nowMs = startMs;
  const said = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
    if (trouble) return trouble();
    writes.push(what);
    return work();
  };
  first = new FirstAttempts(
    {
      ...own,
      add: (all) => said(`add ${all.length}`, () => own.add(all)),
      save: (next, previous) => said('save', () => own.save(next, previous)),
    },
    clock,
  );
});

const over = ({ dueMs: _dueMs, ...delivery }: Delivery): Delivery => ({
  ...delivery,
  status: 'delivered',
  attempts: 1,
  version: delivery.version + 1,
});
const read = ({ scope, luid }: Delivery) => stored.read(scope, subject, luid);
const dueNow = async () => (await stored.due(startMs + leaseMs)).due.map(({ luid }) => luid);

/** A round that accepts these, and lets a test attempt them. */
function round(all: readonly Delivery[], attempt: (one: Delivery) => unknown = () => {}) {
  return first.bring({
    eventCount: 1,
    accept: (deliveries) => deliveries.add(all),
    carry: (ready) => {
      for (const one of ready) void attempt(one);
    },
    momentMs,
  });
}

/** Two of one line. */
const ofOneLine = (): [Delivery, Delivery] => {
  const [one, two] = [accepted(), accepted()];
  const { linked } = one.data;
  return [one, { ...two, data: { ...two.data, linked } as Delivery['data'] }];
};

const end = (one: Delivery) => first.deliveries.save(over(one), one);

test('what is answered at once is one write, and never marked', async () => {
  const one = accepted();
  await round([one], end);
  expect(writes).toEqual(['add 1']);
  expect(await read(one)).toEqual(over(one));
  expect(await dueNow()).toEqual([]);
});

test('what fails is stored with its next time', async () => {
  const one = accepted();
  const next: Delivery = { ...over(one), status: 'failed', dueMs: startMs + 1_000 };
  await round([one], () => first.deliveries.save(next, one));
  expect(writes).toEqual(['add 1']);
  expect(await dueNow()).toEqual([one.luid]);
});

describe('an answer that does not come in a moment', () => {
  test('is not waited for: the delivery is stored, due when its lease ends', async () => {
    vi.useFakeTimers();
    try {
      const [slow, quick] = [accepted(), accepted()];
      const done = round([slow, quick], (one) => one === quick && end(one));
      await vi.advanceTimersByTimeAsync(momentMs - 1);
      expect(await read(slow)).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await done;
      expect(await read(slow)).toEqual(slow);
      expect(await dueNow()).toEqual([slow.luid]);
      // It comes after all, and is saved as any other.
      expect(await end(slow)).toBe(true);
      expect(await read(slow)).toEqual(over(slow));
      expect(await dueNow()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('waits for the write of its delivery when it comes in the middle of it', async () => {
    vi.useFakeTimers();
    try {
      const one = accepted();
      let open = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      first = new FirstAttempts(
        {
          ...stored,
          add: async (all) => {
            await gate;
            return stored.add(all);
          },
        },
        clock,
      );
      const done = round([one]);
      await vi.advanceTimersByTimeAsync(momentMs);
      const ended = end(one);
      open();
      await done;
      expect(await ended).toBe(true);
      expect(await read(one)).toEqual(over(one));
      expect(await dueNow()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('what was put off is stored at once, and what is not attempted in the end', async () => {
  const [ready, later] = [accepted(), accepted({ dueMs: startMs + 5 })];
  const seen: (Delivery | undefined)[] = [];
  await first.bring({
    eventCount: 1,
    accept: async (deliveries) => {
      const added = await deliveries.add([ready, later]);
      return added.filter((one) => one === ready);
    },
    carry: (all) => {
      expect(all).toEqual([ready]);
      void read(later).then((one) => seen.push(one));
      void end(ready);
    },
    momentMs,
  });
  expect(seen).toEqual([later]);
});

test('it is seen as it was accepted while it is attempted, and then as it is stored', async () => {
  const one = accepted();
  const seen: (Delivery | undefined)[] = [];
  const see = async () => seen.push(await first.deliveries.read(one.scope, subject, one.luid));
  await round([one], async () => {
    await see();
    await end(one);
    await see();
  });
  await see();
  expect(seen).toEqual([one, over(one), over(one)]);
});

describe('a clock that is set back during the first attempt', () => {
  const setBack = () => {
    nowMs -= 5_000;
  };
  const soonNow = async () => (await stored.due(startMs + leaseMs)).due.map(({ dueMs }) => dueMs);

  test('makes it due earlier, and what is saved after the round goes in the place of that', async () => {
    const one = accepted();
    await round([one], setBack);
    expect(await soonNow()).toEqual([startMs + leaseMs - 5_000]);
    expect(await end(one)).toBe(true);
    expect(writes).toEqual(['add 1', 'save']);
    expect(await read(one)).toEqual(over(one));
    expect(await soonNow()).toEqual([]);
  });

  test('goes for one that is claimed while the one before it in its line is stored', async () => {
    const [one, two] = ofOneLine();
    const claimed: Delivery = { ...two, status: 'running', version: 2 };
    let isSaved: Promise<boolean> | undefined;
    await round([one, two], (own) => {
      if (own !== two) return;
      isSaved = first.deliveries.save(claimed, two);
      setBack();
    });
    expect(await isSaved).toBe(true);
    expect(await soonNow()).toEqual([startMs + leaseMs - 5_000, startMs + leaseMs]);
    expect(await end(claimed)).toBe(true);
    expect(await read(two)).toEqual(over(claimed));
    expect(await soonNow()).toEqual([startMs + leaseMs]);
  });
});

describe('an event that comes again', () => {
  test('is attempted no more once its delivery is stored', async () => {
    const one = accepted();
    await round([one], end);
    const again = vi.fn();
    await round([{ ...one }], again);
    expect(again).not.toHaveBeenCalled();
    expect(writes).toEqual(['add 1']);
  });

  test('that was accepted while the clock ran ahead is due as if it had not', async () => {
    const aheadMs = 5 * 86_400_000;
    nowMs = startMs + aheadMs;
    const [one] = [accepted({ dueMs: startMs + aheadMs + leaseMs })];
    await round([one], () => {
      nowMs = startMs;
    });
    expect((await read(one))?.dueMs).toBe(startMs + leaseMs);
  });

  test('after a crash between its attempt and the write is attempted again', async () => {
    const one = accepted();
    // The process ends: nothing of the round happens any more.
    void round([one]);
    first = new FirstAttempts(stored, clock);
    const again = vi.fn(end);
    await round([one], again);
    expect(again).toHaveBeenCalledTimes(1);
    expect(await read(one)).toEqual(over(one));
  });

  test('while it is attempted is not taken before that is stored', async () => {
    const one = accepted();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const both = vi.fn(async (own: Delivery) => {
      await answered;
      await end(own);
    });
    let takenCount = 0;
    const taken = () => {
      takenCount += 1;
    };
    const rounds = [round([one], both).then(taken), round([{ ...one }], both).then(taken)];
    await new Promise((resolve) => setImmediate(resolve));
    expect([takenCount, await read(one)]).toEqual([0, undefined]);
    answer();
    await Promise.all(rounds);
    expect(both).toHaveBeenCalledTimes(1);
    expect(await read(one)).toEqual(over(one));
  });

  test('to two processes at once is stored by one of them, and the other hears it', async () => {
    const one = accepted();
    await round([one], async (own) => {
      await stored.add([own]);
      expect(await end(own)).toBe(false);
    });
    expect(await read(one)).toEqual(one);
    expect(await dueNow()).toEqual([one.luid]);
  });

  test('and is stored by another one, is left to that one also after the round', async () => {
    const one = accepted();
    const other = { ...one, dueMs: startMs + leaseMs - 1 };
    await round([one], () => stored.add([other]));
    expect(await end(one)).toBe(false);
    expect(await read(one)).toEqual(other);
    expect(await dueNow()).toEqual([one.luid]);
  });
});

describe('two of one line', () => {
  test('are stored in their order, however they are put off', async () => {
    const [one, two] = ofOneLine();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const added: string[] = [];
    first = new FirstAttempts(
      {
        ...stored,
        add: async (all) => {
          if (all.some(({ luid }) => luid === one.luid)) await gate;
          added.push(...all.map(({ luid }) => luid));
          return stored.add(all);
        },
      },
      clock,
    );
    const done = round([one, two], end);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([await read(one), await read(two)]).toEqual([undefined, undefined]);
    open();
    await done;
    expect(added).toEqual([one.luid, two.luid]);
    expect([await read(one), await read(two)]).toEqual([over(one), over(two)]);
  });

  test('are stored in their order when no answer comes', async () => {
    vi.useFakeTimers();
    try {
      const [one, two] = ofOneLine();
      const done = round([one, two]);
      await vi.advanceTimersByTimeAsync(momentMs);
      await done;
      expect(writes).toEqual(['add 1', 'add 1']);
      expect([await read(one), await read(two)]).toEqual([one, two]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('what waits for its target is stored before it is read as due', async () => {
  const one = accepted();
  const { scope, luid } = one;
  const name = { scope, subject, luid, dueMs: startMs, isReplay: false };
  let found: Promise<Delivery[]> | undefined;
  await round([one], () => {
    found = first.deliveries.readDue([name], startMs + leaseMs);
  });
  expect(await found).toEqual([one]);
});

describe('a write that fails', () => {
  const lost = () => Promise.reject(new Error('No answer.'));

  test('is tried once more when the round ends', async () => {
    const one = accepted();
    await round([one], async () => {
      trouble = lost;
      await expect(end(one)).rejects.toThrow('No answer.');
      trouble = undefined;
    }).catch(() => {
      throw new Error('The round should have stored it.');
    });
    expect(await read(one)).toEqual(one);
    expect(await dueNow()).toEqual([one.luid]);
  });

  test('for good fails the round, so that the event comes again and is attempted again', async () => {
    const one = accepted();
    trouble = lost;
    await expect(round([one], (own) => end(own).catch(() => undefined))).rejects.toThrow(
      'No answer.',
    );
    expect(await read(one)).toBeUndefined();
    trouble = undefined;
    const again = vi.fn(end);
    await round([one], again);
    expect(again).toHaveBeenCalledTimes(1);
    expect(await read(one)).toEqual(over(one));
  });

  test('for good leaves its delivery to a process that stores it later', async () => {
    const one = accepted();
    const other = { ...one, dueMs: startMs + leaseMs - 1 };
    trouble = lost;
    await expect(round([one], () => end(one).catch(() => undefined))).rejects.toThrow('No answer.');
    trouble = undefined;
    await stored.add([other]);
    expect(await end(one)).toBe(false);
    expect(await read(one)).toEqual(other);
    expect(await dueNow()).toEqual([one.luid]);
  });
});

test('more than a hundred of an event are stored before they are attempted', async () => {
  const all = Array.from({ length: 101 }, () => accepted());
  const seen: string[][] = [];
  await round(all, async (one) => {
    seen.push([...writes]);
    await end(one);
  });
  expect(writes[0]).toBe('add 101');
  expect(seen[0]).toEqual(['add 101']);
});

test('of so many, those of one line are stored in their order', async () => {
  const all = Array.from({ length: 101 }, () => accepted());
  const [one, last] = [all[0], all.at(-1)] as [Delivery, Delivery];
  const { linked } = one.data;
  const next = { ...last, data: { ...last.data, linked } as Delivery['data'] };
  const lines = [...all.slice(0, -1), next];
  await round(lines, end);
  expect(writes.slice(0, 2)).toEqual(['add 100', 'add 1']);
  expect(await read(next)).toEqual(over(next));
  const again = vi.fn();
  await round(lines, again);
  expect(again).not.toHaveBeenCalled();
});

test('one that is too large fails before any is attempted', async () => {
  const one = accepted();
  const record = {
    ...one.data.record,
    data: { ...one.data.record.data, text: 'x'.repeat(400_000) },
  };
  const attempted = vi.fn();
  const large = { ...one, data: { ...one.data, record } } as Delivery;
  await expect(round([accepted(), large], attempted)).rejects.toThrow();
  expect(attempted).not.toHaveBeenCalled();
  expect(writes).toEqual([]);
});
