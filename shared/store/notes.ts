/**
 * Notes that expire. DynamoDB deletes a note some time after it `expires`; until then every reader compares the time as
 * well.
 */
import { randomUUID } from 'node:crypto';
import type { Attempts } from '../port/notes.ts';
import type { Scope } from '../port/ports.ts';
import { put } from './item-action.ts';
import { attemptsKeyOf, usedKeyOf } from './keys.ts';
import { itemsAt } from './read.ts';
import { add, type Table, transact } from './request.ts';
import { deadlineIn, natureOf, repeating } from './retry.ts';

/** DynamoDB counts expiry in seconds. Rounded up, so that no note ends early. */
const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

/** Notes that something named is used up to a time; false when it is noted already. Ruling 27. */
export async function use(
  table: Table,
  scope: Scope,
  name: string,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
): Promise<boolean> {
  // The token makes a repeated request the same one, so a lost answer is no second use.
  const token = randomUUID();
  const action = put(
    table.tableName,
    usedKeyOf(scope, name),
    { expires: secondsOf(untilMs) },
    'attribute_not_exists(pk) OR expires < :now',
    { ':now': Math.floor(nowMs / 1000) },
  );
  return unlessRefused(table, () => transact(table, token, [action]));
}

/** True when something named is noted as used; nothing is noted. Ruling 91. */
export async function isUsed(
  table: Table,
  scope: Scope,
  name: string,
  nowMs: number,
): Promise<boolean> {
  const key = usedKeyOf(scope, name);
  const [note] = (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).values();
  return note !== undefined && Number(note['expires']) >= Math.floor(nowMs / 1000);
}

/** Adds points; false, with nothing added, when that would exceed the limit. Ruling 28. */
export async function attempt(table: Table, attempts: Attempts): Promise<boolean> {
  const { points, pointsMax, endMs } = attempts;
  const change = { points, room: pointsMax - points, expires: secondsOf(endMs) };
  return unlessRefused(table, () => add(table, attemptsKeyOf(attempts), change));
}

async function unlessRefused(table: Table, send: () => Promise<void>): Promise<boolean> {
  try {
    await repeating(deadlineIn(table.deadlineMs), send);
    return true;
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    return false;
  }
}
