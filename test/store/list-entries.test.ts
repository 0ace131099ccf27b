/**
 * Entries of a list, far behind the newest. Goal: the memory of a page does not grow with what comes before it. Method: a
 * list that is made up as it is read, of which is counted what is still held. Decisions 124 and 142.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { encodeTime } from '../../shared/crypto/luid.ts';
import { newestIn } from '../../shared/store/list-entries.ts';
import type { Item, Table, TableClient } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const lastMs = Date.parse('2026-03-01T00:00:00.000Z');

const pks = ['main#list#intent', 'main#~1#list#intent', 'main#~2#list#intent'];

/** The entry of a partition that is so far behind its newest; of all partitions together they come in turns. */
function entryAt(pk: string, number: number): Item {
  const time = encodeTime(lastMs - number);
  const turn = pks.indexOf(pk);
  const name = `${2 - turn}${String(number).padStart(8, '0')}`;
  return { pk, sk: `${time}$int.${time}${name}`, handle: `intent-${number * pks.length + turn}` };
}

/** The number of the first entry of a partition behind a sort key. */
function behind(after: unknown, pk: string): number {
  const number = Number(String(after).slice(-8));
  return String(after) > String(entryAt(pk, number)['sk']) ? number : number + 1;
}

/** A table whose partitions have so many entries, and a count of those that somebody still holds. */
function madeUp(length: number) {
  const refs: WeakRef<Item>[] = [];
  let most = 0;
  const send = async (command: QueryCommand) => {
    const { ExclusiveStartKey, Limit = 0, ExpressionAttributeValues } = command.input;
    const pk = String(ExpressionAttributeValues?.[':pk']);
    const begin = ExclusiveStartKey ? behind(ExclusiveStartKey['sk'], pk) : 0;
    const end = Math.min(length, begin + Limit);
    // What a weak reference was asked for is held until all that is due now is done.
    await new Promise(setImmediate);
    collect();
    const held = refs.filter((ref) => ref.deref());
    most = Math.max(most, held.length);
    refs.splice(0, refs.length, ...held);
    const Items = Array.from({ length: end - begin }, (_, index) => entryAt(pk, begin + index));
    refs.push(...Items.map((item) => new WeakRef(item)));
    return {
      Items,
      ScannedCount: Items.length,
      ...(end < length && { LastEvaluatedKey: Items.at(-1) }),
    };
  };
  const client = { send } as unknown as TableClient;
  const table: Table = { client, tableName: 'made-up', deadlineMs: 0, onConsumed: undefined };
  return { table, mostHeld: () => most };
}

test('a page deep inside partitions that are merged holds little of what comes before it', async () => {
  const { table, mostHeld } = madeUp(20_000);
  const wanted = { skip: 50_000, countMax: 3 };
  const page = await newestIn(table, pks, wanted, deadlineIn(600_000));
  const handles = ['intent-50000', 'intent-50001', 'intent-50002'];
  expect(page.map(({ handle }) => handle)).toEqual(handles);
  expect(mostHeld()).toBeLessThan(25_000);
});
