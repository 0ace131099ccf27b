/**
 * Goal: nobody uses a ledger before all of it is there, and of those who import it only the last one writes. Method:
 * what the table holds when the key comes, and imports that fall asleep at each of their steps while others end them.
 */
import { existsSync } from 'node:fs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createLedger } from '../../shared/action/create-ledger.ts';
import { update } from '../../shared/action/update.ts';
import type { ArchivePlace } from '../../shared/archive/collect.ts';
import {
  importKeyOf,
  type Key,
  outboxShardCount,
  publishedKeyOf,
  secretKeyOf,
  textOf,
} from '../../shared/store/keys.ts';
import type { Item } from '../../shared/store/request.ts';
import { auditedFile, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, newWorld, signed, startGround } from '../fixture/audited.ts';

let ground: Ground;
let path: string;
const folder = newFolder();
const issue = { action: 'issue', target: 'w1', symbol: 'usd', amount: 1 };

beforeAll(async () => {
  ground = await startGround();
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (let n = 0; n < 30; n += 1) await world.make(create('wallet'), { handle: `w${n}` });
  await world.settle('first', issue);
  // How far the server has told its own signals is a mark of its own in each shard.
  for (let shard = 0; shard < outboxShardCount; shard += 1)
    await world.put({ ...publishedKeyOf('', shard), place: '~' });
  path = await saved(ground.client, world.tableName, folder.path('whole'));
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

let count = 0;
async function newTable(): Promise<string> {
  count += 1;
  await ground.database.createTable(`claimed-${count}`);
  return `claimed-${count}`;
}

/** Imports the archive with a client that does something before it sends. */
function loadedBy(
  tableName: string,
  before: (command: unknown) => Promise<void>,
): Promise<unknown> {
  const send = async (command: unknown, options: unknown): Promise<unknown> => {
    await before(command);
    return ground.client.send(command as ScanCommand, options as object);
  };
  const client = { send } as unknown as ArchivePlace['client'];
  const table = { client, tableName, deadlineMs: 30_000, onConsumed: undefined };
  return loaded(ground.client, tableName, path, { table });
}

async function itemsIn(tableName: string): Promise<Item[]> {
  const { Items = [] } = await ground.client.send(new ScanCommand({ TableName: tableName }));
  return Items;
}

/** A table with all of an import but the key. */
async function brokenOff(): Promise<string> {
  const tableName = await newTable();
  const isKey = (command: unknown) => putsOf(command).some(({ pk }) => pk === secretKeyOf(main).pk);
  const went = loadedBy(tableName, async (command) => {
    if (isKey(command)) throw new Error('broken off');
  });
  await expect(went).rejects.toThrow('broken off');
  return tableName;
}

/** What a command puts. */
function putsOf(command: unknown): Key[] {
  if (command instanceof BatchWriteCommand)
    return Object.values(command.input.RequestItems ?? {})
      .flat()
      .flatMap(({ PutRequest }) => (PutRequest?.Item as Key | undefined) ?? []);
  if (!(command instanceof TransactWriteCommand)) return [];
  const actions = command.input.TransactItems ?? [];
  return actions.flatMap(({ Put }) => (Put?.Item as Key | undefined) ?? []);
}

test('the key of the ledger comes alone, once all is there but what workers look for', async () => {
  const tableName = await newTable();
  const together: string[] = [];
  const there = new Set<string>();
  await loadedBy(tableName, async (command) => {
    const puts = putsOf(command).map(({ pk }) => pk);
    if (!puts.includes(secretKeyOf(main).pk)) return;
    together.push(...puts);
    for (const item of await itemsIn(tableName)) there.add(textOf(item as unknown as Key));
  });
  expect(together.sort()).toEqual([importKeyOf(main).pk, secretKeyOf(main).pk]);
  const behind = (await itemsIn(tableName)).filter(
    (item) => !there.has(textOf(item as unknown as Key)),
  );
  const families = new Set(behind.map(({ pk }) => String(pk).split('#')[1]));
  expect([...families].sort()).toEqual(['outbox', 'secret']);
});

/** All items but those of books, which follow from the intents: whoever makes them writes the same. Decision 90. */
async function recordedIn(tableName: string) {
  const items = await itemsIn(tableName);
  return items.filter(({ pk }) => !String(pk).split('#')[1]?.startsWith('book'));
}

test('an import that slept while another one ended it writes nothing any more', async () => {
  // Each step begins with a reading, so that is where it may sleep longest.
  const sleeps = async (at: number) => {
    const tableName = await newTable();
    const [asleep, awake] = [signal(), signal()];
    let left = at;
    const went = loadedBy(tableName, async (command) => {
      const isRead = command instanceof BatchGetCommand;
      if (!(isRead || command instanceof TransactWriteCommand) || left-- !== 0) return;
      asleep.ring();
      await awake.rung;
    }).then(
      () => 'whole',
      (error: Error) => error.message,
    );
    if ((await Promise.race([went, asleep.rung])) === 'whole') return false;
    // The first reading and the first transaction come before there is anything to go on with.
    const isBegun = at > 1;
    await loaded(ground.client, tableName, path, { isResumed: isBegun });
    const world = await newWorld(ground.client, tableName, ground.folder);
    await world.settle('afterwards', issue);
    const before = await recordedIn(tableName);
    awake.ring();
    expect(await went).toMatch(/this one stops|Somebody else|already/);
    expect(await recordedIn(tableName)).toEqual(before);
    return true;
  };
  let at = 0;
  while (await sleeps(at)) at += 1;
  expect(at).toBeGreaterThan(10);
});

test('a ledger that is still being imported is not founded again, and not updated', async () => {
  const tableName = await brokenOff();
  await expect(newWorld(ground.client, tableName, ground.folder)).rejects.toThrow(
    'An import of the ledger main has not ended; go on with `countersign import <file> --resume`.',
  );
  const home = await ground.newWorld();
  const data = { handle: 'bank', access: [{ action: 'any', record: 'any' }] };
  const { hash } = await home.make(createLedger, data);
  await home.remove(secretKeyOf('bank'));
  const visitor = await newWorld(ground.client, home.tableName, ground.folder);
  const updated = visitor.call(
    update('ledger'),
    signed({ ...data, parent: hash }, home.key),
    'bank',
  );
  await expect(updated).rejects.toMatchObject({ reason: 'record.not-found' });
});

test('a ledger that is still being imported is not exported, and is once all of it is there', async () => {
  const tableName = await brokenOff();
  await expect(saved(ground.client, tableName, folder.path('part'))).rejects.toThrow(
    "An import of the ledger 'main' has not ended; go on with `countersign import <file> --resume`.",
  );
  expect(existsSync(folder.path('part'))).toBe(false);
  await loaded(ground.client, tableName, path, { isResumed: true });
  const again = await saved(ground.client, tableName, folder.path('part'));
  expect(await auditedFile(again)).toEqual([]);
});

test('an import that ended before it wrote anything is not resumed, and its refusal says how to go on', async () => {
  const tableName = await newTable();
  await expect(loaded(ground.client, tableName, path, { isResumed: true })).rejects.toThrow(
    "No import of the ledger 'main' was begun here: nothing of it was written. Import it without --resume.",
  );
  expect(await itemsIn(tableName)).toEqual([]);
});

test('an import that has come to its end is not resumed, and its refusal says so', async () => {
  const tableName = await newTable();
  await loaded(ground.client, tableName, path);
  const before = await itemsIn(tableName);
  await expect(loaded(ground.client, tableName, path, { isResumed: true })).rejects.toThrow(
    "There is a ledger 'main' in this table already. No import of it is left to resume",
  );
  expect(await itemsIn(tableName)).toEqual(before);
});

/** Something that is waited for. */
function signal(): { readonly rung: Promise<void>; readonly ring: () => void } {
  let ring = () => {};
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return { rung, ring };
}
