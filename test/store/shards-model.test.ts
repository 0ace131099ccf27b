/**
 * Goal: whatever moves a balance with shards at the same time (payments, holds and parts of them, reversals, batches, limits),
 * while shards come and go, transactions meet and answers are lost, nothing is made, lost or left reserved. Method: random
 * work of several processes on one wallet, each with a client that has trouble; then an audit. Decision 125.
 */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { sign } from '../../shared/crypto/proof.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Action } from '../../shared/port/action.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
} from '../fixture/audited.ts';
import { actionsIn, hotWorld, others, runBy, storeOf, usd } from '../fixture/hot.ts';
import { runs } from '../fixture/runs.ts';
import { between, cancelled, connectionReset } from '../fixture/trouble.ts';
import { randomOf } from '../simulation/scheduler.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

interface MovingClaim {
  readonly source: string;
  readonly target: string;
  readonly amount: number;
}

/** The API errors that may occur; any other is a bug. */
const refusals: ReadonlySet<string> = new Set([
  ...['api.request-timeout', 'api.rate-limit-exceeded', 'record.invalid'],
  ...['record.duplicated', 'record.update-rejected'],
]);
const names = ['hot', 'hot', ...others.slice(0, 3)];
const opCount = 120;
const atOnce = 6;
const manual = { config: { commit: 'manual' } };
const seeds = Array.from({ length: runs(2) }, (_, index) => index + 1);

test.each(seeds)(
  'all that is done to a busy balance is exact, seed %i',
  { timeout: 60_000 },
  async (seed) => {
    const random = randomOf(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const one = <T>(all: readonly T[]): T => all[pick(all.length)] as T;
    const world = await hotWorld(ground, 500, { first: 4 });
    let isCalm = false;
    const client = between(world.client, async (command, send) => {
      if (isCalm || !(command instanceof TransactWriteCommand)) return send(command);
      const luck = random();
      if (luck < 0.1) throw cancelled(...actionsIn(command).map(() => 'TransactionConflict'));
      const answer = luck < 0.13 ? undefined : await send(command);
      if (luck < 0.16) throw connectionReset();
      return answer;
    });
    const shards = { growAfter: 1, step: 3, most: 9, lookEveryMs: 1 };
    const processes = [1, 2, 3].map(() => ({ store: storeOf(world, client, shards) }));
    const holds: LedgerRecord[] = [];
    const done: LedgerRecord[] = [];
    const note = (record: LedgerRecord | undefined): void => {
      if (record?.meta.status === 'prepared') holds.push(record);
      if (record?.meta.status === 'completed') done.push(record);
    };
    const act = async (action: Action, body: unknown, id = '') => {
      try {
        return await runBy(world, one(processes), action, { body, path: { id } });
      } catch (error) {
        if (!(error instanceof LedgerError && refusals.has(error.reason))) throw error;
        return undefined;
      }
    };
    let count = 0;
    const bodyOf = (claims: readonly Json[], more: Json = {}) => {
      count += 1;
      return signed({ handle: `w-${count}`, claims, ...more }, world.key);
    };
    const claim = (): Json => {
      const [source, target] = [one(names), one(names)];
      return { action: 'transfer', source, target, amount: 1 + pick(40), ...usd };
    };
    const claims = () => Array.from({ length: 1 + pick(3) }, claim);
    const decide = (hold: LedgerRecord, custom: Json) =>
      act(
        prove('intent'),
        sign(hold.hash, { moment: momentNow(), ...custom }, world.key),
        hold.luid,
      );
    const claimsOf = ({ data }: LedgerRecord) => data['claims'] as readonly MovingClaim[];
    const ops: readonly (() => Promise<void>)[] = [
      async () => note(await act(createIntent, bodyOf(claims()))),
      async () => note(await act(createIntent, bodyOf(claims(), manual))),
      async () => {
        const [hold] = holds.splice(pick(holds.length), 1);
        if (!hold) return;
        const parts = claimsOf(hold).flatMap(({ amount }, index) =>
          random() < 0.5 ? [] : [{ claim: index, amount: 1 + pick(amount) }],
        );
        const capture = parts.length > 0 ? { capture: parts } : {};
        const isTaken = random() < 0.7;
        note(
          await decide(hold, isTaken ? { status: 'committed', ...capture } : { status: 'aborted' }),
        );
      },
      async () => {
        const undone = one(done);
        if (!undone) return;
        const { source, target, amount } = one(claimsOf(undone));
        const back = { action: 'transfer', source: target, target: source, ...usd };
        const part = [{ ...back, amount: 1 + pick(amount) }];
        const terms = random() < 0.5 ? manual : {};
        note(await act(createIntent, bodyOf(part, { reverses: undone.data.handle, ...terms })));
      },
      async () => {
        const mode = one(['atomic', 'independent']);
        const data = Array.from({ length: 1 + pick(4) }, () => bodyOf(claims()));
        const answer = await act(batchIntents, { mode, data });
        for (const line of (answer?.data ?? []) as unknown as LedgerRecord[]) note(line);
      },
    ];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let index = 0; index < opCount / atOnce; index += 1) await one(ops)();
      }),
    );
    const limit = {
      action: 'limit',
      wallet: 'hot',
      metric: 'dailyAmount',
      amount: 1_000_000,
      ...usd,
    };
    await act(createIntent, bodyOf([limit]));
    isCalm = true;
    expect(done.length).toBeGreaterThan(0);
    expect(await world.audited()).toEqual([]);
    const { load, balances } = world.services.store;
    const wants = Array.from({ length: count }, (_, index) => {
      const handle = `w-${index + 1}`;
      return { what: 'record', scope: main, kind: 'intent', handle } as const;
    });
    // Also those whose answers were lost.
    for (const version of await load(wants))
      if (version?.record.meta.status === 'prepared')
        await decide(version.record, { status: 'aborted' });
    const rows = (await Promise.all(['hot', ...others].map((name) => balances(main, name)))).flat();
    expect(rows.reduce((sum, { available }) => sum + available, 0n)).toBe(8_500n);
    expect(rows.filter(({ reserved = 0n, holds: held = 0 }) => reserved > 0n || held > 0)).toEqual(
      [],
    );
    expect(await world.audited()).toEqual([]);
  },
);
