import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Group,
  groupOf,
  groups,
  mountsOf,
  outboxFilter,
  rootGroup,
  workers,
} from '../../infra/topology.ts';
import { outboxPartitionOf, outboxShardCount, shardOf } from '../../shared/store/keys.ts';

const names = Object.keys(groups) as Group[];

test('every folder of functions is a group or a worker', () => {
  const folders = readdirSync('functions', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect([...names, ...workers].sort()).toEqual(folders.sort());
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
