/** Goal: what is written at once is published first, and whatever goes wrong is written step by step. Decision 143. */
import { expect, test } from 'vitest';
import { emptyTree } from '../../shared/log/tree.ts';
import type { EntryVersion } from '../../shared/port/catalog.ts';
import type { CheckpointOf } from '../../shared/port/logs.ts';
import { atOnce } from '../../shared/signal/at-once.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { created, proved } from '../fixture/version.ts';
import { type Post, post } from './post.ts';

interface Trouble {
  atOnce?: () => boolean;
  keep?: () => void;
  sign?: () => void;
}

/** A post that is written at once, and what came of it. */
function desk() {
  const ports: Post = post();
  const together: string[] = [];
  const kept: string[] = [];
  const signed: string[] = [];
  const reported: string[] = [];
  const trouble: Trouble = {};
  const namesOf = (told: readonly EntryVersion[]) =>
    told.map(({ entry, version }) => `${entry.handle} ${version.change}`);
  const catalog = {
    keep: async (told: readonly EntryVersion[]) => {
      trouble.keep?.();
      kept.push(...namesOf(told));
      return [];
    },
  };
  const { metric, outbox } = ports;
  const report = (why: unknown) => void reported.push(String(why));
  const books = { keep: async () => [] };
  const log = { keep: async () => new Set<string>() };
  const stepwise = indexing({ outbox, catalog, books, log, clock: Date.now, metric, report });
  const following = {
    writeAtOnce: async (
      told: readonly EntryVersion[],
      { checkpointOf }: { readonly checkpointOf: CheckpointOf },
    ) => {
      await checkpointOf('main', emptyTree);
      if (trouble.atOnce?.() === false) return false;
      together.push(...namesOf(told));
      await outbox.markPublished(told.map(({ entry }) => entry));
      return true;
    },
  };
  const checkpointOf: CheckpointOf = async () => {
    trouble.sign?.();
    return { size: 1, note: '' };
  };
  const wrapped = atOnce({
    ...{ outbox, stepwise, following, clock: Date.now, report },
    store: { indexed: async () => [] },
    checkpoints: { checkpointOf, signed: (scope) => void signed.push(scope) },
  });
  const relay = { ...ports, outbox: wrapped };
  const drained = () => drain(relay, 'main', [0]);
  return { ports, together, kept, signed, reported, trouble, drained };
}

test('few versions are written at once, after they were published', async () => {
  const { ports, together, kept, signed, drained } = desk();
  const alice = created('wallet', 'alice');
  ports.store(alice);
  ports.store(proved(alice), ['wallet-proofs-added']);
  ports.trouble.beforeTold = () => expect(ports.taken).toHaveLength(2);
  expect(await drained()).toBe(true);
  expect([together, kept, signed]).toEqual([['alice 1', 'alice 2'], [], ['main']]);
  expect(ports.waiting()).toEqual([]);
});

test('many versions are written step by step', async () => {
  const { ports, together, kept, drained } = desk();
  for (let index = 0; index < 26; index += 1) ports.store(created('wallet', `w${index}`));
  expect(await drained()).toBe(true);
  expect([together.length, kept.length, ports.waiting()]).toEqual([0, 26, []]);
});

test('what cannot be written at once is written step by step, and told once', async () => {
  const { ports, together, kept, signed, trouble, drained } = desk();
  trouble.atOnce = () => false;
  ports.store(created('wallet', 'alice'));
  expect(await drained()).toBe(true);
  expect([together, kept, signed]).toEqual([[], ['alice 1'], []]);
  expect([ports.taken.length, ports.waiting()]).toEqual([1, []]);
});

test('what the bus refuses is indexed when it comes again, and only then waits for the bus alone', async () => {
  const { ports, together, kept, drained } = desk();
  ports.store(created('wallet', 'alice'));
  ports.trouble.refuses = () => true;
  for (let round = 0; round < 3; round += 1) expect(await drained()).toBe(false);
  expect([together, kept]).toEqual([[], ['alice 1']]);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect([together, kept, ports.waiting()]).toEqual([[], ['alice 1'], []]);
  ports.store(created('wallet', 'bob'));
  expect(await drained()).toBe(true);
  expect(together).toEqual(['bob 1']);
});

test('while nothing can be written, publishing waits', async () => {
  const { ports, together, kept, trouble, drained } = desk();
  ports.store(created('wallet', 'alice'));
  const fails = () => {
    throw new Error('full');
  };
  Object.assign(trouble, { atOnce: fails, keep: fails });
  for (let round = 0; round < 5; round += 1) await expect(drained()).rejects.toThrow('full');
  expect(ports.taken.length).toBeLessThanOrEqual(2);
  delete trouble.keep;
  delete trouble.atOnce;
  expect(await drained()).toBe(true);
  expect([together, kept, ports.waiting()]).toEqual([[], ['alice 1'], []]);
  ports.store(created('wallet', 'bob'));
  expect(await drained()).toBe(true);
  expect(together).toEqual(['bob 1']);
});

test('versions of a record of which only the newer one was published are indexed together', async () => {
  const { ports, together, kept, drained } = desk();
  const alice = created('wallet', 'alice');
  ports.store(alice);
  ports.store(proved(alice), []);
  ports.trouble.refuses = () => true;
  expect(await drained()).toBe(false);
  expect([together, kept]).toEqual([[], ['alice 1', 'alice 2']]);
  ports.trouble = {};
  expect(await drained()).toBe(true);
  expect([together, kept, ports.waiting()]).toEqual([[], ['alice 1', 'alice 2'], []]);
});

test('what is set aside is indexed, too', async () => {
  const { ports, together, kept, drained } = desk();
  ports.store(created('wallet', 'poisoned'), [{ signal: 'wallet-created', change: 9 }]);
  ports.store(created('wallet', 'silent'), []);
  expect(await drained()).toBe(true);
  expect([together, kept]).toEqual([['silent 1'], ['poisoned 1']]);
  expect(ports.aside).toHaveLength(1);
});

test('a checkpoint that cannot be signed is reported, and the rest is written', async () => {
  const { ports, together, signed, reported, trouble, drained } = desk();
  trouble.sign = () => {
    throw new Error('no key');
  };
  ports.store(created('wallet', 'alice'));
  expect(await drained()).toBe(true);
  expect([together, signed, reported]).toEqual([['alice 1'], [], ['Error: no key']]);
});
