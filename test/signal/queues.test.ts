import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type QueueEntry, Queues } from '../../shared/delivery/queues.ts';

/** Queues in which only the target counts. */
const queues = (ofTarget: number, waiting: number) =>
  new Queues({ all: 1_000, ofLedger: 1_000, ofUnproven: 1_000, ofTarget, waiting });
const entryAt = (target: string, line: string): QueueEntry => ({
  ...{ kind: 'event', scope: 'main', target, line },
});

/** A task that ends when it is told to, and what has started and ended so far. */
function tasks() {
  const started: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const taskOf = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve, reject) => {
      ends.set(name, (error) => {
        ended.push(name);
        if (error) reject(error);
        else resolve();
      });
    });
  };
  /** Ends a task, and lets what follows from it happen. */
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await settled();
  };
  return { started, ended, taskOf, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const enterAll = (queue: Queues, { taskOf }: ReturnType<typeof tasks>, names: readonly string[]) =>
  names.map((name) => {
    const [target = '', record = ''] = name.split(' ');
    return queue.enter(entryAt(target, record), taskOf(name));
  });

describe('tasks for one record and target', () => {
  test('run one after the other, in the order in which they came', async () => {
    const all = tasks();
    enterAll(queues(10, 10), all, ['t a 1', 't a 2', 't a 3']);
    expect(all.started).toEqual(['t a 1']);
    await all.end('t a 1');
    expect(all.started).toEqual(['t a 1', 't a 2']);
    await all.end('t a 2');
    expect(all.started).toEqual(['t a 1', 't a 2', 't a 3']);
  });

  test('run by their places: an older one that comes back goes before a later one that waits', async () => {
    const all = tasks();
    const queue = queues(1, 10);
    for (const place of ['3', '2', '4', '1'])
      queue.enter({ ...entryAt('t', 'a'), place }, all.taskOf(place));
    queue.enter({ ...entryAt('t', 'b'), place: '0' }, all.taskOf('b 0'));
    for (const place of ['3', '1', '2', '4', 'b 0']) await all.end(place);
    expect(all.started).toEqual(['3', '1', '2', '4', 'b 0']);
  });

  test('go on when one fails', async () => {
    const all = tasks();
    const queue = queues(1, 10);
    enterAll(queue, all, ['t a 1', 't a 2', 't b 1']);
    await all.end('t a 1', new Error('no'));
    await all.end('t a 2', new Error('no'));
    await all.end('t b 1');
    expect(all.started).toEqual(['t a 1', 't a 2', 't b 1']);
    await queue.idle();
  });

  test('run in that order when the target is found to be quick meanwhile', async () => {
    const all = tasks();
    const places = { all: 9, ofLedger: 9, ofTarget: 9, waiting: 9 };
    const queue = new Queues({ ...places, ofUnproven: 1 });
    enterAll(queue, all, ['t a 1', 't b 1', 't b 2']);
    queue.enter({ ...entryAt('t', 'b'), isProven: true }, all.taskOf('t b 3'));
    expect(all.started).toEqual(['t a 1', 't b 1']);
    for (const name of ['t a 1', 't b 1', 't b 2']) await all.end(name);
    expect(all.started).toEqual(['t a 1', 't b 1', 't b 2', 't b 3']);
  });

  test('do not hold up those for other records', async () => {
    const all = tasks();
    enterAll(queues(2, 10), all, ['t a 1', 't a 2', 't b 1', 't c 1']);
    expect(all.started).toEqual(['t a 1', 't b 1']);
    await all.end('t b 1');
    expect(all.started).toEqual(['t a 1', 't b 1', 't c 1']);
  });
});

describe('a target', () => {
  test('takes so many at a time, the oldest first', async () => {
    const all = tasks();
    enterAll(queues(2, 10), all, ['t a', 't b', 't c', 't d']);
    expect(all.started).toEqual(['t a', 't b']);
    await all.end('t b');
    expect(all.started).toEqual(['t a', 't b', 't c']);
  });

  test('lets so many wait, and says no to more, at once', async () => {
    const all = tasks();
    const queue = queues(1, 2);
    expect(enterAll(queue, all, ['t a', 't b', 't c', 't d'])).toEqual([true, true, true, false]);
    await all.end('t a');
    expect(enterAll(queue, all, ['t e', 't f'])).toEqual([true, false]);
    expect(all.started).toEqual(['t a', 't b']);
  });

  test('tells how many run and wait for it', async () => {
    const all = tasks();
    const queue = queues(1, 10);
    enterAll(queue, all, ['t a', 't b', 't c', 'u a']);
    expect(['t', 'u', 'v'].map((name) => queue.countAt(entryAt(name, '')))).toEqual([3, 1, 0]);
    await all.end('t a');
    expect(queue.countAt(entryAt('t', ''))).toBe(2);
  });

  test('that hangs holds up no other', async () => {
    const all = tasks();
    const queue = queues(1, 1);
    expect(enterAll(queue, all, ['slow a', 'slow b', 'slow c'])).toEqual([true, true, false]);
    for (let count = 0; count < 5; count += 1) {
      expect(enterAll(queue, all, [`fast a ${count}`])).toEqual([true]);
      await all.end(`fast a ${count}`);
    }
    expect(all.ended).toHaveLength(5);
  });
});

describe('of the places that there are', () => {
  const places = { all: 6, ofLedger: 4, ofUnproven: 2, ofTarget: 3, waiting: 10 };
  /** Lets a task in for `<kind> <ledger> <target>`, proven when it says so. */
  const enter = (queue: Queues, { taskOf }: ReturnType<typeof tasks>, name: string) => {
    const [kind, scope = '', target = '', proven] = name.split(' ');
    const entry = { kind: kind as QueueEntry['kind'], scope, target, line: name };
    return queue.enter({ ...entry, isProven: proven === 'proven' }, taskOf(name));
  };

  test('a ledger has its share, and half of that for targets of which nobody knows', () => {
    const all = tasks();
    const queue = new Queues(places);
    for (const target of ['a', 'b', 'c', 'd']) enter(queue, all, `event main ${target}`);
    expect(all.started).toEqual(['event main a', 'event main b']);
    for (const target of ['e', 'f', 'g']) enter(queue, all, `event main ${target} proven`);
    expect(all.started.slice(2)).toEqual(['event main e proven', 'event main f proven']);
    expect(queue.countIn({ kind: 'event', scope: 'main' })).toBe(7);
  });

  test('others have theirs, however much waits of one', () => {
    const all = tasks();
    const queue = new Queues(places);
    for (let count = 0; count < 20; count += 1) enter(queue, all, `event main t${count}`);
    enter(queue, all, 'event other a');
    enter(queue, all, 'call main a');
    expect(all.started.slice(2)).toEqual(['event other a', 'call main a']);
  });

  test('calls have their own: no event takes one', () => {
    const all = tasks();
    const queue = new Queues(places);
    for (let count = 0; count < 9; count += 1) enter(queue, all, `event l${count} a proven`);
    expect(all.started).toHaveLength(6);
    for (let count = 0; count < 9; count += 1) enter(queue, all, `call l${count} a proven`);
    expect(all.started.filter((name) => name.startsWith('call'))).toHaveLength(6);
  });

  test('places that become free go to one ledger after the other', async () => {
    const all = tasks();
    const queue = new Queues({ ...places, all: 2 });
    for (const name of ['m a', 'm b', 'm c', 'm d', 'n a', 'o a'])
      enter(queue, all, `event ${name} proven`);
    expect(all.started).toEqual(['event m a proven', 'event m b proven']);
    await all.end('event m a proven');
    await all.end('event m b proven');
    await all.end('event m c proven');
    expect(all.started.slice(2)).toEqual([
      'event m c proven',
      'event n a proven',
      'event o a proven',
    ]);
  });
});

describe('idle', () => {
  test('is at once when there is nothing', async () => {
    await queues(1, 1).idle();
  });

  test('comes when the last task of the last target has ended, for all who wait for it', async () => {
    const all = tasks();
    const queue = queues(1, 10);
    enterAll(queue, all, ['t a', 't b', 'u a']);
    let idleCount = 0;
    const count = () => {
      idleCount += 1;
    };
    void queue.idle().then(count);
    void queue.idle().then(count);
    for (const name of ['t a', 'u a']) await all.end(name);
    expect(idleCount).toBe(0);
    await all.end('t b');
    expect(idleCount).toBe(2);
  });

  test('is not there while a task that has entered another one makes way for it', async () => {
    const queue = queues(1, 10);
    const order: string[] = [];
    queue.enter(entryAt('t', 'a'), async () => {
      await settled();
      queue.enter(entryAt('u', 'a'), async () => {
        await settled();
        order.push('second');
      });
      order.push('first');
    });
    await queue.idle();
    expect(order).toEqual(['first', 'second']);
  });
});

test('whatever comes and however long it takes: order, limits, and nothing is left behind', async () => {
  const entries = fc.array(
    fc.record({
      target: fc.constantFrom('t', 'u'),
      record: fc.constantFrom('a', 'b', 'c'),
      turns: fc.nat({ max: 4 }),
      isFailing: fc.boolean(),
      isProven: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      const places = { all: 4, ofLedger: 4, ofTarget: 2, waiting: 20 };
      const queue = new Queues({ ...places, ofUnproven: 1 });
      const running = new Map<string, number>();
      const started = new Map<string, number[]>();
      const busy = new Set<string>();
      const entered = list.map(({ target, record, turns, isFailing, isProven }, index) =>
        queue.enter({ ...entryAt(target, record), isProven }, async () => {
          const name = `${target} ${record}`;
          expect(busy.has(name)).toBe(false);
          busy.add(name);
          running.set(target, (running.get(target) ?? 0) + 1);
          expect(running.get(target)).toBeLessThanOrEqual(2);
          started.set(name, [...(started.get(name) ?? []), index]);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          running.set(target, (running.get(target) ?? 0) - 1);
          busy.delete(name);
          if (isFailing) throw new Error('failed');
        }),
      );
      await queue.idle();
      expect(busy.size).toBe(0);
      const all = [...started.values()];
      for (const indexes of all) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
      expect(all.flat().length).toBe(entered.filter(Boolean).length);
    }),
  );
});
