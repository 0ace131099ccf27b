/** Goal: what a transaction makes due soon is told, and nothing else. */
import { expect, test } from 'vitest';
import { aheadMs, dueMarksIn } from '../../shared/store/due-marks.ts';
import { dueKeyOf, headKeyOf, workKeyOf } from '../../shared/store/keys.ts';

const TableName = 'marks';
const nowMs = Date.parse('2060-01-01T00:00:00.000Z');
const name = { scope: 'main', subject: '$eff.1', luid: '$evd.1' };

test('markers of deliveries and reports are told with their times, and no other items', () => {
  const due = { Put: { TableName, Item: { ...dueKeyOf(name, nowMs + 5) } } };
  const work = { Put: { TableName, Item: { ...workKeyOf('main', '$rep.1', nowMs - 5) } } };
  const head = { Put: { TableName, Item: { ...headKeyOf('main', 'wallet', 'ann') } } };
  const removed = { Delete: { TableName, Key: { ...dueKeyOf(name, nowMs + 7) } } };
  expect(dueMarksIn([due, head, removed, work], nowMs)).toEqual([
    { item: 'due', dueMs: nowMs + 5 },
    { item: 'work', dueMs: nowMs - 5 },
  ]);
});

test('a marker that the next look finds needs no word', () => {
  const at = (dueMs: number) => ({ Put: { TableName, Item: { ...dueKeyOf(name, dueMs) } } });
  const marks = dueMarksIn([at(nowMs + aheadMs - 1), at(nowMs + aheadMs)], nowMs);
  expect(marks).toEqual([{ item: 'due', dueMs: nowMs + aheadMs - 1 }]);
});
