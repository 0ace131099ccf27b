/**
 * Goal: an export that goes on after a break writes what the table holds now, not what it held before the break.
 * Method: exports of a table in use that end at each of their steps, payments, and the export that goes on.
 */
import { existsSync, readFileSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import type { ArchivePlace } from '../../shared/archive/collect.ts';
import type { SaveOptions } from '../../shared/archive/save.ts';
import { auditedFile, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
let world: World;
const folder = newFolder();
let count = 0;
let paid = 0;

beforeAll(async () => {
  ground = await startGround();
  world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'a' });
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const fresh = (name: string) => folder.path(`${name}-${++count}`);

async function pay(): Promise<void> {
  paid += 1;
  await world.settle(`i${paid}`, { action: 'issue', target: 'a', symbol: 'usd', amount: 1 });
}

/** The table, with something done at each page that is read of it, 10 items at a time. */
function reading(atPage: (page: number) => unknown): ArchivePlace {
  let page = 0;
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    if (one instanceof ScanCommand) {
      one.input.Limit = 10;
      page += 1;
      await atPage(page);
    }
    return ground.client.send(one as ScanCommand, options as object);
  };
  return { client: { send } as unknown as ArchivePlace['client'], tableName: world.tableName };
}

/** An export of the table in use; returns its refusal. */
async function ended(path: string, wish: Partial<SaveOptions>): Promise<string> {
  const options = { isAtRest: false, runLengthMax: 2_000, ...wish };
  const went = saved(ground.client, world.tableName, path, options);
  return went.then(
    () => 'whole',
    ({ message }: Error) => message,
  );
}

const brokenOff = (): never => {
  throw new Error('broken off');
};

/** Pays, goes on with the export, and compares its file with a new one. */
async function expectNow(path: string, isAtRest: boolean): Promise<void> {
  await pay();
  expect(await ended(path, { isAtRest, isResumed: true })).toBe('whole');
  const still = await saved(ground.client, world.tableName, fresh('still'));
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(still, 'utf8'));
  expect(await auditedFile(path)).toEqual([]);
  expect(existsSync(`${path}.part`)).toBe(false);
}

/** The pages of one reading. */
async function pageCount(): Promise<number> {
  let pages = 0;
  await saved(ground.client, world.tableName, fresh('counted'), {
    place: reading((page) => {
      pages = page;
    }),
  });
  return pages;
}

test.each([true, false])(
  'an export that ended while it wrote has what was paid since (at rest: %s)',
  async (isAtRest) => {
    const path = fresh('written');
    expect(await ended(path, { nowMs: brokenOff })).toBe('broken off');
    await expectNow(path, isAtRest);
  },
);

test.each([true, false])(
  'an export that ended in its second or third reading has what was paid since (at rest: %s)',
  async (isAtRest) => {
    const pages = await pageCount();
    expect(pages).toBeGreaterThan(1);
    for (const at of [2, pages + 1, pages + 2, 2 * pages + 1, 2 * pages + 2]) {
      const path = fresh('read');
      const place = reading((page) => {
        if (page === at) brokenOff();
        // Has the second reading differ from the first, for a third one.
        return page === pages && pay();
      });
      expect(await ended(path, { place })).toBe('broken off');
      await expectNow(path, isAtRest);
    }
  },
);

test('an export that broke off twice has what was paid between', async () => {
  const path = fresh('twice');
  const pages = await pageCount();
  const at = (broken: number) =>
    reading((page) => {
      if (page === broken) brokenOff();
    });
  expect(await ended(path, { place: at(2) })).toBe('broken off');
  await pay();
  const again = { place: at(pages + 1), isAtRest: true, isResumed: true };
  expect(await ended(path, again)).toBe('broken off');
  await expectNow(path, true);
});

test.each([true, false])(
  'an export that was refused beside payments goes on when they have ended (at rest: %s)',
  async (isAtRest) => {
    const path = fresh('refused');
    const pages = await pageCount();
    const place = reading((page) => page % pages === 0 && pay());
    expect(await ended(path, { place })).toContain('went on while it was exported');
    expect(existsSync(path)).toBe(false);
    await expectNow(path, isAtRest);
  },
);
