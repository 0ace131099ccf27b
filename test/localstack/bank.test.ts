/**
 * Goal: the bank that end-to-end tests use behaves as it is told, also when that is badly, while the example
 * bridge in it stays honest: its books are right whatever the ledger hears.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bank, manners, startBank } from '../fixture/bridge.ts';
import { type Item, type Json, now } from '../fixture/client.ts';
import { pause, until } from '../fixture/receiver.ts';
import {
  endOf,
  placeOf,
  type StandIn,
  sent,
  signedBy,
  startStandIn,
  type Transfer,
} from '../fixture/stand-in.ts';

let ledger: StandIn;
let bank: Bank;
let transfer: Transfer;

beforeEach(async () => {
  ledger = await startStandIn();
  bank = await startBank({
    name: 'blue',
    server: ledger.url,
    accounts: { '1001': 1000, '1009': 'closed' },
  });
  transfer = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
});
afterEach(async () => {
  await bank.end();
  await ledger.stop();
});

const prepare = (entry: Json = transfer.debit) =>
  sent(bank.url, placeOf(entry), signedBy(ledger.key, entry));
const end = (action: 'commit' | 'abort', entry: Json = transfer.debit) =>
  sent(
    bank.url,
    placeOf(entry, action),
    signedBy(ledger.key, endOf(action, entry, entry['intent'] as Item)),
  );
const taken = { status: 202, reason: undefined };
const statuses = () => ledger.statusesOf(transfer.debit);
const reported = (...wanted: readonly string[]) =>
  until(
    () => `reported ${wanted}, but ${statuses()}`,
    () => String(statuses()) === String(wanted),
  );

test('a bank that is told nothing does what it is asked, and shows what that was', async () => {
  expect(await prepare()).toEqual(taken);
  await reported('prepared');
  expect(bank.accounts()).toEqual({
    '1001': { balance: 1000, held: 400 },
    '1009': { balance: 0, held: 0 },
  });
  expect(await end('commit')).toEqual(taken);
  await reported('prepared', 'committed');
  const { handle } = transfer.debit;
  const intent = transfer.intent.data.handle;
  await sent(bank.url, `/intents/${intent}`, transfer.intent, 'PUT');
  expect(bank.calls.map((call) => [call.action, call.handle, call.intent])).toEqual([
    ['prepare', handle, intent],
    ['commit', handle, intent],
    ['status', intent, intent],
  ]);
  expect(bank.reports.map((report) => [report.intent, report.custom['status']])).toEqual([
    [intent, 'prepared'],
    [intent, 'committed'],
  ]);
  expect(bank.entry(handle)).toEqual(['prepared', 'committed']);
  expect(bank.accounts()['1001']).toEqual({ balance: 600, held: 0 });
  expect(ledger.record('/bridges/blue')?.data['config']).toEqual({ server: bank.url });
});

test('a bank that is stopped answers nothing, and goes on where it was when it is started', async () => {
  await prepare();
  await reported('prepared');
  await bank.stop();
  await expect(end('commit')).rejects.toThrow('fetch failed');
  expect(bank.accounts()['1001']).toEqual({ balance: 1000, held: 400 });
  await bank.start();
  expect(await end('commit')).toEqual(taken);
  await reported('prepared', 'committed');
  expect(bank.accounts()['1001']).toEqual({ balance: 600, held: 0 });
});

describe('a bank that is', () => {
  test('slow does it all, later', async () => {
    bank.behave(manners.slow(50));
    const startMs = Date.now();
    expect(await prepare()).toEqual(taken);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(45);
    await reported('prepared');
  });

  test('failing does nothing, until it behaves again', async () => {
    bank.behave(manners.failing(503));
    expect((await prepare()).status).toBe(503);
    expect(bank.entry(transfer.debit.handle)).toEqual([undefined, undefined]);
    bank.behave();
    expect(await prepare()).toEqual(taken);
    await reported('prepared');
  });

  test('confused does it and says that it did not', async () => {
    bank.behave(manners.confused());
    expect((await prepare()).status).toBe(500);
    await reported('prepared');
    expect(bank.accounts()['1001']).toEqual({ balance: 1000, held: 400 });
  });

  test('hanging never answers', async () => {
    bank.behave(manners.hanging);
    const answer = prepare().catch(() => 'cut off');
    await until('the call has arrived', () => bank.calls.length === 1);
    expect(await Promise.race([answer, pause(200)])).toBe(undefined);
    await bank.end();
    expect(await answer).toBe('cut off');
    bank = await startBank({ name: 'green', server: ledger.url });
  });

  test('deaf says yes and has heard nothing', async () => {
    bank.behave(manners.deaf);
    expect(await prepare()).toEqual(taken);
    expect(bank.entry(transfer.debit.handle)).toEqual([undefined, undefined]);
  });

  test('silent does it and does not report, until it may', async () => {
    bank.behave(manners.silent);
    expect(await prepare()).toEqual(taken);
    await until('it wants to report again', () => bank.reports.length >= 2);
    expect(statuses()).toEqual([]);
    bank.behave();
    await reported('prepared');
  });

  test('doing everything twice moves money once', async () => {
    bank.behave(manners.twice);
    await prepare();
    await end('commit');
    await reported('prepared', 'committed');
    await until('each report came twice', () => ledger.attempts() >= 4);
    expect(bank.accounts()['1001']).toEqual({ balance: 600, held: 0 });
  });

  test('lying says by its own key what is not so, and its books know better', async () => {
    bank.behave(manners.lying({ status: 'failed', reason: 'bridge.unexpected-error' }));
    expect(await prepare()).toEqual(taken);
    await reported('failed');
    expect(ledger.reports.at(-1)?.by).toBe(bank.key.public);
    expect(bank.entry(transfer.debit.handle)).toEqual(['prepared', undefined]);
  });

  test('answering after an abort reports that it is prepared when nobody wants it any more', async () => {
    bank.answerAfterAbort();
    await prepare();
    await pause(100);
    expect(statuses()).toEqual([]);
    await end('abort');
    await until('both are reported', () => statuses().length === 2);
    expect([...statuses()].sort()).toEqual(['aborted', 'prepared']);
    expect(bank.accounts()['1001']).toEqual({ balance: 1000, held: 0 });
  });

  test('talkative says whatever a test wants', async () => {
    const custom = { handle: 'deb_unheard', status: 'committed', moment: now() };
    expect(await bank.report(transfer.intent, custom)).toBe(200);
    expect(ledger.reports.at(-1)).toMatchObject({ by: bank.key.public, custom });
  });
});

test('each call and report may be met in its own manner', async () => {
  bank.behave({
    call: ({ action }) => (action === 'prepare' ? 'take' : { status: 500 }),
    report: ({ custom }) => (custom['status'] === 'prepared' ? 'twice' : 'send'),
  });
  expect(await prepare()).toEqual(taken);
  await until('it was reported twice', () => ledger.attempts() === 2);
  expect((await end('commit')).status).toBe(500);
  expect(statuses()).toEqual(['prepared']);
});
