/** Goal: nothing is told before it can be found, and trouble with mentions loses neither. Ruling 23, Decision 32. */
import { describe, expect, test } from 'vitest';
import type { Kept, Unkept } from '../../shared/action/catalog.ts';
import { mentioning } from '../../shared/signal/mentioning.ts';
import { drain } from '../../shared/signal/relay.ts';
import { created, proved } from '../fixture/version.ts';
import { post } from './post.ts';

/** A post whose outbox mentions, and what came of it. */
function desk() {
  const ports = post();
  const kept: string[] = [];
  const reported: string[] = [];
  const trouble: { keep?: (told: readonly Kept[]) => Unkept[] } = {};
  const catalog = {
    keep: async (told: readonly Kept[]) => {
      const unkept = trouble.keep?.(told) ?? [];
      kept.push(...told.map(({ entry, version }) => `${entry.handle} ${version.change}`));
      return unkept;
    },
  };
  const { metric, outbox } = ports;
  const report = (why: string) => void reported.push(why);
  const mentioned = mentioning({ outbox, catalog, metric, report });
  const relay = { ...ports, outbox: mentioned };
  return { ports, kept, reported, trouble, drained: () => drain(relay, 'main', [0]) };
}

describe('what is told', () => {
  test('was mentioned before', async () => {
    const { ports, kept, drained } = desk();
    const alice = created('wallet', 'alice');
    ports.store(alice);
    ports.store(proved(alice), ['wallet-proofs-added']);
    let known: string[] = [];
    ports.trouble.refuses = () => {
      known = [...kept];
      return false;
    };
    expect(await drained()).toBe(true);
    expect(known).toEqual(['alice 1', 'alice 2']);
    expect(ports.taken).toHaveLength(2);
  });

  test('was mentioned though it has nothing to tell, or cannot be told', async () => {
    const { ports, kept, drained } = desk();
    ports.store(created('wallet', 'silent'), []);
    ports.store(created('wallet', 'poisoned'), [{ signal: 'wallet-created', change: 9 }]);
    expect(await drained()).toBe(true);
    expect(kept).toEqual(['silent 1', 'poisoned 1']);
    expect(ports.aside).toHaveLength(1);
  });

  test('waits as long as mentions cannot be written', async () => {
    const { ports, trouble, drained } = desk();
    const entry = ports.store(created('wallet', 'alice'));
    trouble.keep = () => {
      throw new Error('throttled');
    };
    await expect(drained()).rejects.toThrow('throttled');
    expect([ports.offered, ports.aside, ports.waiting()]).toEqual([[], [], [entry]]);
    delete trouble.keep;
    expect(await drained()).toBe(true);
    expect(ports.taken).toHaveLength(1);
  });

  test('is told, counted and reported when it can never be mentioned', async () => {
    const { ports, reported, trouble, drained } = desk();
    const entry = ports.store(created('wallet', 'alice'));
    trouble.keep = () => [{ entry, why: 'unreadable' }];
    expect(await drained()).toBe(true);
    expect(ports.taken).toHaveLength(1);
    expect(ports.metrics).toContainEqual(['OutboxSetAside', 1]);
    expect(reported).toEqual([`${entry.luid} cannot be mentioned: unreadable`]);
  });
});

test('what waits for the bus is mentioned once, and what comes after it too', async () => {
  const { ports, kept, drained } = desk();
  ports.store(created('wallet', 'alice'));
  ports.trouble.refuses = () => true;
  for (let round = 0; round < 3; round += 1) expect(await drained()).toBe(false);
  ports.store(created('wallet', 'bob'));
  expect(await drained()).toBe(false);
  expect(kept).toEqual(['alice 1', 'bob 1']);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect(kept).toEqual(['alice 1', 'bob 1']);
});

test('a version that cannot be seen yet is mentioned when it can', async () => {
  const { ports, kept, drained } = desk();
  ports.store(created('wallet', 'alice'));
  ports.trouble.lacks = () => true;
  expect(await drained()).toBe(false);
  expect(kept).toEqual([]);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect(kept).toEqual(['alice 1']);
});
