/** Goal: a living record is found by its luid, whatever happens to its handle meanwhile. */
import { expect, test } from 'vitest';
import { drop } from '../../shared/action/drop.ts';
import { history } from '../../shared/action/history.ts';
import { read } from '../../shared/action/read.ts';
import { update } from '../../shared/action/update.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Store, Want } from '../../shared/port/ports.ts';
import { farewell, type Item, revision, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

interface Scene extends Desk {
  readonly wallet: LedgerRecord;
  /** Happens once, right after the next pointers of so many reads were found. */
  readonly afterPointer: (count: number, happens: () => Promise<unknown>) => void;
  readonly rename: (handle: string) => Promise<LedgerRecord>;
}

/** A wallet, and a store in which something happens between the reads of its pointer and of itself. */
async function opened(): Promise<Scene> {
  let left = 0;
  let happens = async (): Promise<unknown> => undefined;
  const desk = await openDesk(({ load }) => ({
    load: (async (wants: readonly Want[]) => {
      const found = await load(wants);
      if (left > 0 && wants[0]?.what === 'pointer') {
        left -= 1;
        const before = left;
        left = 0;
        await happens();
        left = before;
      }
      return found;
    }) as Store['load'],
  }));
  const wallet = await desk.make('wallet', { handle: unique('wallet') });
  const rename = async (handle: string) => {
    const current = await desk.run(read('wallet'), { path: { id: wallet.luid } });
    const body = revision(current as unknown as Item, { handle }, desk.key);
    return desk.run(update('wallet'), { path: { id: wallet.luid }, body });
  };
  const afterPointer: Scene['afterPointer'] = (count, what) => {
    left = count;
    happens = what;
  };
  return { ...desk, wallet, afterPointer, rename };
}

test('a record that is renamed between the two reads is found', async () => {
  const { run, wallet, afterPointer, rename } = await opened();
  const to = unique('renamed');
  afterPointer(1, () => rename(to));
  const found = await run(read('wallet'), { path: { id: wallet.luid } });
  expect([found.luid, found.data.handle]).toEqual([wallet.luid, to]);
});

test('so it is when another record has taken its handle', async () => {
  const { run, make, wallet, afterPointer, rename } = await opened();
  afterPointer(1, async () => {
    await rename(unique('renamed'));
    await make('wallet', { handle: wallet.data.handle });
  });
  const found = await run(read('wallet'), { path: { id: wallet.luid } });
  expect(found.luid).toBe(wallet.luid);
});

test('one that is renamed at every look is given up', async () => {
  const { run, wallet, afterPointer, rename } = await opened();
  afterPointer(9, () => rename(unique('renamed')));
  const reading = run(read('wallet'), { path: { id: wallet.luid } });
  await expect(reading).rejects.toMatchObject({ reason: 'record.not-found' });
});

test('one that ends between the two reads is gone, and its history is whole', async () => {
  const { run, key, wallet, afterPointer } = await opened();
  const path = { id: wallet.luid };
  const end = () => run(drop('wallet'), { path, body: farewell(wallet as unknown as Item, key) });
  afterPointer(1, end);
  const changes = (await run(history('wallet'), { path })).data as unknown as Item[];
  expect(changes.map(({ meta }) => meta.action)).toEqual(['drop', 'create']);
  await expect(run(read('wallet'), { path })).rejects.toMatchObject({ reason: 'record.not-found' });
});
