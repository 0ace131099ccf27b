import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type FunctionGroup,
  groupOf,
  groups,
  mountsOf,
  outboxFilter,
  rootGroup,
  rules,
  schedules,
  soonFilter,
  streams,
  workers,
} from '../../infra/topology.ts';
import { eventSource } from '../../shared/signal/eventbridge.ts';
import { outboxPartitionOf, outboxShardCount, shardOf } from '../../shared/store/keys.ts';

const names = Object.keys(groups) as FunctionGroup[];

test('every folder of functions is a group or a worker', () => {
  const folders = readdirSync('functions', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect([...names, ...Object.keys(workers)].sort()).toEqual(folders.sort());
});

test('every endpoint lies where its group is mounted, and belongs to it', () => {
  for (const name of names) {
    const [path, below] = mountsOf(name);
    for (const endpoint of groups[name]) {
      const [, place = ''] = endpoint.split(' ');
      expect(place === path || place.startsWith(below.replace('{proxy+}', '')), endpoint).toBe(
        true,
      );
      expect(groupOf(place), endpoint).toBe(name);
    }
  }
});

test.each(['/', '/none', '/wallet', '/walletsX', `/${rootGroup}`, '//outside', '/constructor'])(
  '%s belongs to the root group',
  (path) => expect(groupOf(path)).toBe(rootGroup),
);

test('something wakes every worker but the founder, who runs at deployment', () => {
  const woken = [...streams, ...rules, ...schedules].map(({ target }) => target);
  expect([...new Set([...woken, 'found'])].sort()).toEqual(Object.keys(workers).sort());
});

test('the rules listen for what the relay sends', () => {
  expect(rules.map(({ pattern }) => pattern.source)).toEqual([[eventSource]]);
});

test('a sweep ends before its place is needed again', () => {
  const { timeoutSeconds, concurrency } = workers.sweeper;
  const [{ everyMinutes }] = schedules;
  expect(concurrency * everyMinutes * 60).toBeGreaterThanOrEqual(timeoutSeconds);
});

test('a run of the reporter ends before what ticked meanwhile is given up', () => {
  const { timeoutSeconds, concurrency } = workers.reporter;
  expect(concurrency).toBe(1);
  expect(timeoutSeconds).toBeLessThan(600);
});

test('no more than two read the stream: a third would take from the others what a shard gives', () => {
  expect(streams.map(({ target }) => target)).toEqual(['relay', 'sweeper']);
});

test('the other filter passes the markers of what is to be attempted soon, and no other item', () => {
  expect(soonFilter.dynamodb.NewImage).toEqual({ soon: { BOOL: [true] } });
});

test('the outbox filter passes every shard of every ledger', () => {
  for (let shard = 0; shard < outboxShardCount; shard += 1) {
    for (const scope of ['', 'main', 'a:b=c/d']) {
      expect(passes(outboxPartitionOf(scope, shard))).toBe(true);
    }
  }
  expect(passes(outboxPartitionOf('main', shardOf('$wlt.-0a1b2c3d4e5f')))).toBe(true);
});

test.each(['main#wallet#outbox', 'main#list#intent', 'main#secret', 'main#wallet#outbox#0x'])(
  'the outbox filter holds back %s',
  (pk) => expect(passes(pk)).toBe(false),
);

/** What Lambda does with the filter: any suffix is enough. */
function passes(pk: string): boolean {
  return outboxFilter.dynamodb.NewImage.pk.S.some(({ suffix }) => pk.endsWith(suffix));
}

test('the manual gives the workers back the concurrency that they have, after a restore', () => {
  const manual = readFileSync('infra/README.md', 'utf8');
  const reserved = Object.entries(workers).flatMap(([name, line]) =>
    'concurrency' in line ? [`${name}:${line.concurrency}`] : [],
  );
  expect(manual).toContain(`for worker in ${reserved.join(' ')}; do`);
});
