/** Goal: `countersign reindex` mends a ledger while it runs, and it is in order afterwards. Ruling 23. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claimOf, clientOf, newKey, newLedger, unique } from '../fixture/client.ts';
import { assertSilent, audit, command, newDataFolder, start } from '../fixture/runtime.ts';

/** Runs the command on a data folder. */
const reindex = (data: string, ...words: readonly string[]) => command('reindex', data, { words });

test('the catalog is made anew beside a ledger that is written to, and without one', async () => {
  const data = newDataFolder();
  const runtime = await start({ data });
  try {
    const key = newKey();
    const ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await ledger.settle(key, `issue ${unique('w')} 1 usd`);
    })();
    const { code, said } = await reindex(data);
    isOver = true;
    await writing;
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^The catalog is whole: \d+ records, /m),
    ]);
    const { items } = await ledger.get('/intents?$plainTextQuery=rejected&page.limit=100');
    const all = await ledger.get('/intents?page.limit=100');
    expect(items.map(({ luid }) => luid)).toEqual(all.items.map(({ luid }) => luid));
    const one = await ledger.make(
      'intents',
      { handle: 'last', claims: [claimOf('issue x 1 y')] },
      key,
    );
    expect((await ledger.get('/intents?$plainTextQuery=last')).items).toEqual([one]);
    await runtime.stop();
    expect(await reindex(data, String(ledger.ledger))).toMatchObject({ code: 0 });
    expect((await reindex(data, '--all')).code).toBe(2);
    const { code: found, said: told } = await audit(data);
    expect([found, told]).toEqual([0, expect.stringContaining('The ledger is in order')]);
  } finally {
    await runtime.stop();
    rmSync(data, { recursive: true });
  }
  assertSilent(runtime.complaints);
});
