import { expect, test } from 'vitest';
import type { BookEntry } from '../../shared/ledger/book.ts';
import {
  closingCsvOf,
  closingJsonOf,
  entryCsvOf,
  entryJsonOf,
  openingCsvOf,
  openingJsonOf,
  signedAmountOf,
} from '../../shared/ledger/wallet-statement.ts';

const [start, end] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'] as const;
const head = { wallet: '-alice', symbol: 'usd', factor: 100, start, end };
const entry: BookEntry = {
  ...{ wallet: '-alice', symbol: 'usd', schema: 'debit', amount: 1230n, moment: start },
  ...{ intent: { handle: 'pay-1', luid: '$int.1' }, number: 2_000, inputs: [0] },
};
const large = 12345678901234567890n;

test('a statement is CSV whose amounts have their sign, and whose texts are no formulas', () => {
  const rows = [
    openingCsvOf(head, large),
    entryCsvOf(head, { entry, balance: -5n }),
    entryCsvOf(head, { entry: { ...entry, schema: 'credit', counterparty: '=bob' }, balance: 0n }),
    closingCsvOf(head, 0n),
  ];
  expect(rows.join('').split('\r\n')).toEqual([
    'type,moment,intent,luid,counterparty,wallet,symbol,amount,decimal_amount,balance,decimal_balance',
    `opening,${start},,,,'-alice,usd,,,12345678901234567890,123456789012345678.90`,
    `debit,${start},pay-1,$int.1,,'-alice,usd,-1230,-12.30,-5,-0.05`,
    `credit,${start},pay-1,$int.1,'=bob,'-alice,usd,1230,12.30,0,0.00`,
    `closing,${end},,,,'-alice,usd,,,0,0.00`,
    '',
  ]);
});

test('a statement is JSON, with amounts that are exact', () => {
  const lines = [
    openingJsonOf(head, large),
    entryJsonOf(head, { entry, balance: large }),
    ',',
    entryJsonOf(head, { entry: { ...entry, counterparty: 'a"b' }, balance: 1n }),
    closingJsonOf(-large),
  ];
  const text = lines.join('');
  expect(text).toContain('"opening":12345678901234567890,');
  expect(text).toContain('"closing":-12345678901234567890}');
  const { entries, ...frame } = JSON.parse(text) as { entries: object[] };
  expect(frame).toMatchObject(head);
  expect(entries).toMatchObject([
    { type: 'debit', intent: 'pay-1', amount: -1230, decimalAmount: '-12.30' },
    { counterparty: 'a"b', balance: 1, decimalBalance: '0.01', inputs: [0] },
  ]);
});

test('a debit is negative', () => {
  expect([signedAmountOf(entry), signedAmountOf({ ...entry, schema: 'credit' })]).toEqual([
    -1230n,
    1230n,
  ]);
});
