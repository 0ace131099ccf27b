/** Goal: an independent batch ends after its time, by a clock that nobody sets. Decisions 87 and 102. */
import { afterEach, expect, test, vi } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { type Body, claimOf, signed, unique } from '../fixture/client.ts';
import { type Desk, isIntent, openDesk } from '../fixture/desk.ts';

afterEach(() => void vi.restoreAllMocks());

/** Three intents for a new wallet. */
async function issuesIn({ key, make }: Desk): Promise<Body[]> {
  await make('symbol', { handle: 'usd', factor: 100 });
  await make('wallet', { handle: 'ann' });
  const claims = [claimOf('issue ann 1 usd')];
  return [1, 2, 3].map(() => signed({ handle: unique('intent'), claims }, key));
}

/** The status of each intent of a batch, of which some were stored before, and during which something happens. */
async function statusesWhile(
  happens: (clock: { aheadMs: number }) => void,
  storedCount = 0,
): Promise<number[]> {
  const clock = { aheadMs: 0 };
  let isSent = false;
  const desk = await openDesk(({ load }) => ({
    load: async (wants) => {
      if (isSent && wants.some(({ what }) => what === 'balance')) happens(clock);
      return load(wants);
    },
  }));
  const { run } = desk;
  const data = await issuesIn(desk);
  for (const body of data.slice(0, storedCount)) await run(createIntent, { body });
  isSent = true;
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

test('an intent that a batch has no time for is not looked for either', async () => {
  const lateMs = performance.now() + 3_600_000;
  const late = () => void vi.spyOn(performance, 'now').mockReturnValue(lateMs);
  expect(await statusesWhile(late, 1)).toEqual([408, 408, 408]);
});

test('a batch that the service fails to store is answered with that error, and no line of it', async () => {
  let isBroken = false;
  const desk = await openDesk(({ commit }) => ({
    commit: async (wanted) => {
      if (isBroken && isIntent(wanted)) throw new Error('The disk is full.');
      return commit(wanted);
    },
  }));
  const data = await issuesIn(desk);
  isBroken = true;
  const sent = desk.run(batchIntents, { body: { mode: 'independent', data } });
  await expect(sent).rejects.toThrow('The disk is full.');
});

test('two reversals of one intent in a batch are made one after the other, whatever wallets they name', async () => {
  let isSent = false;
  let [running, greatest] = [0, 0];
  const desk = await openDesk(({ commit }) => ({
    commit: async (wanted) => {
      if (!isSent || !isIntent(wanted)) return commit(wanted);
      running += 1;
      greatest = Math.max(greatest, running);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return commit(wanted).finally(() => {
        running -= 1;
      });
    },
  }));
  const { key, run, make } = desk;
  await make('symbol', { handle: 'usd', factor: 100 });
  for (const handle of ['a', 'b', 'c', 'd']) await make('wallet', { handle });
  const bodyOf = (handle: string, texts: readonly string[], more = {}) =>
    signed({ handle, claims: texts.map(claimOf), ...more }, key);
  const funds = bodyOf('funds', ['issue a 9 usd', 'issue c 9 usd']);
  const paid = bodyOf('paid', ['transfer a b 9 usd', 'transfer c d 9 usd']);
  for (const body of [funds, paid]) await run(createIntent, { body });
  isSent = true;
  const data = [
    bodyOf('first', ['transfer b a 9 usd'], { reverses: 'paid' }),
    bodyOf('second', ['transfer d c 9 usd'], { reverses: 'paid' }),
  ];
  const answer = await run(batchIntents, { body: { mode: 'independent', data } });
  expect(answer.data).toMatchObject(
    data.map(() => ({ status: 201, meta: { status: 'completed' } })),
  );
  expect(greatest).toBe(1);
});
