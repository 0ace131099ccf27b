/** Goal: an independent batch ends after its time, by a clock that nobody sets. Decisions 87 and 102. */
import { afterEach, expect, test, vi } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { claimOf, signed, unique } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

afterEach(() => void vi.restoreAllMocks());

/** The status of each intent of a batch during which something happens. */
async function statusesWhile(happens: (clock: { aheadMs: number }) => void): Promise<number[]> {
  const clock = { aheadMs: 0 };
  const desk = await openDesk(({ load }) => ({
    load: async (wants) => {
      if (wants.some(({ what }) => what === 'balance')) happens(clock);
      return load(wants);
    },
  }));
  const { key, run, make } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  await make('wallet', { handle: 'ann' });
  const claims = [claimOf('issue ann 1 usd')];
  const data = [1, 2, 3].map(() => signed({ handle: unique('intent'), claims }, key));
  const services = { ...desk.services, clock: () => Date.now() + clock.aheadMs };
  const answer = await run(batchIntents, { services, body: { mode: 'independent', data } });
  return (answer.data as unknown as { status: number }[]).map(({ status }) => status);
}

test('a clock that is set ahead ends no batch', async () => {
  const set = (clock: { aheadMs: number }) => {
    clock.aheadMs = 3_600_000;
  };
  expect(await statusesWhile(set)).toEqual([201, 201, 201]);
});

test('the intents that a batch has no time for are not begun', async () => {
  const lateMs = performance.now() + 3_600_000;
  const statuses = await statusesWhile(
    () => void vi.spyOn(performance, 'now').mockReturnValue(lateMs),
  );
  expect(statuses).toContain(408);
});
