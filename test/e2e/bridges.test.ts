/** Goal: a payment between two banks completes on both sides or on none. Only where the target can call this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, startBank } from '../fixture/bridge.ts';
import { type Client, type Item, outcomeOf } from '../fixture/client.ts';
import { until } from '../fixture/receiver.ts';
import { openToAll } from '../fixture/two-banks.ts';
import { newLedger, owner, patienceMs, target } from './target.ts';

describe.runIf(target.isInside)('a payment between two banks', () => {
  let ledger: Client;
  let blue: Bank;
  let green: Bank;

  beforeAll(async () => {
    ledger = await newLedger({ access: openToAll });
    const of = { server: target.url, ledger: ledger.ledger, ledgerKey: ledger.key };
    blue = await startBank({ name: 'blue', accounts: { 1001: 70_000 }, ...of });
    green = await startBank({ name: 'green', accounts: { 2001: 0, 9: 'closed' }, ...of });
  });
  afterAll(() => Promise.all([blue.end(), green.end()]));

  async function paid(claim: string): Promise<Item> {
    let intent = await ledger.settle(owner, claim);
    const isOver = async () => {
      intent = (await ledger.get(`/intents/${intent.luid}`)).body;
      return ['completed', 'rejected'].includes(intent.meta.status);
    };
    await until(() => `${claim} is ${intent.meta.status}`, isOver, patienceMs);
    return intent;
  }

  /** The balances of the accounts, once no hold is left. */
  async function balances(): Promise<readonly unknown[]> {
    const rows = () => [blue.accounts()['1001'], green.accounts()['2001']];
    await until('nothing is held', () => rows().every((row) => row?.held === 0), patienceMs);
    return rows().map((row) => row?.balance);
  }

  test('completes, and the accounts say so', async () => {
    const intent = await paid('transfer svgs:1001@blue svgs:2001@green 500 usd');
    expect(outcomeOf(intent)).toBe('completed');
    expect(await balances()).toEqual([69_500, 500]);
  });

  test('that one bank cannot carry out leaves nothing behind at the other', async () => {
    const intent = await paid('transfer svgs:1001@blue svgs:9@green 500 usd');
    expect(intent.meta.status).toBe('rejected');
    expect(await balances()).toEqual([69_500, 500]);
  });
});
