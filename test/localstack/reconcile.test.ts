/**
 * Goal: `countersign reconcile` reads external CSVs and the files of the ledger as they are, refuses in one line what it
 * cannot read exactly, and ends with the code of its result.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  isReconciled,
  reconcileCsvOf,
  reconcilePageOf,
} from '../../localstack/cli/reconcile-page.ts';
import {
  type ReconcileOptions,
  reconcileRequestOf,
} from '../../localstack/cli/reconcile-request.ts';
import { sidesOf } from '../../localstack/cli/reconcile-rows.ts';
import { amountOf, amountText, dayOf, dayText } from '../../localstack/cli/reconcile-values.ts';
import { reconcile } from '../../localstack/cli/reconciliation.ts';
import { reconcileCommand } from '../../localstack/command/reconcile-command.ts';
import { newKey, newLedger } from '../fixture/client.ts';
import { parsedBy } from '../fixture/command.ts';
import { sharedHome } from '../fixture/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a file with this text. */
function fileOf(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const report = [
  'completed,intent,luid,hash,status,schema,claim,action,source,target,symbol,amount,decimal_amount',
  '2026-11-02T10:00:00.000Z,pay-1,$int.1,00,completed,,0,transfer,shop,bank,usd,1230,12.30',
  "2026-11-03T23:30:00.000Z,'-pay-2,$int.2,00,completed,,0,transfer,shop,bank,usd,500,5.00",
  '2026-11-04T10:00:00.000Z,pay-3,$int.3,00,completed,,0,transfer,shop,bank,usd,700,7.00',
  '2026-11-04T10:00:00.000Z,pay-4,$int.4,00,completed,,0,transfer,shop,bank,eur,1,0.01',
  '',
].join('\r\n');
const ledger = fileOf('report.csv', report);

const run = async (words: readonly string[]) => {
  const [external, options] = parsedBy<[string, ReconcileOptions]>(reconcileCommand, words);
  const request = reconcileRequestOf(external, options);
  const sides = await sidesOf(request);
  return reconcile(sides.external, sides.ledger, request.bounds);
};
const errorOf = async (words: readonly string[]) => {
  try {
    await run(words);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('an amount', () => {
  const us = { digits: 2, hasDecimalComma: false };
  const german = { digits: 2, hasDecimalComma: true };
  test.each([
    ['1230', { hasDecimalComma: false }, 1230n],
    ['12.30', us, 1230n],
    ['12.3', us, 1230n],
    ['12', us, 1200n],
    ['12.300', us, 1230n],
    ['-12.30', us, -1230n],
    ['12.30-', us, -1230n],
    ['(12.30)', us, -1230n],
    ['+0.05', us, 5n],
    ['1,234,567.89', us, 123456789n],
    ["1'234.50", us, 123450n],
    ['1 234.50', us, 123450n],
    ['1.234,50', german, 123450n],
    ['1234,5', german, 123450n],
    ['99999999999999999999.99', us, 9999999999999999999999n],
    ['12.345', us, undefined],
    ['12.30', { hasDecimalComma: false }, undefined],
    ['12,30', us, undefined],
    ['1,23,456.00', us, undefined],
    ['1.234.5', german, undefined],
    ['1.23', german, undefined],
    ['1234.50', german, undefined],
    ['0.123', german, undefined],
    ['0,123', us, undefined],
    ['-12-', us, undefined],
    ['1e3', us, undefined],
    ['', us, undefined],
    ['n/a', us, undefined],
  ])('%s', (text, format, amount) => expect(amountOf(text, format)).toBe(amount));

  test('is written with its digits', () => {
    expect([amountText(-5n, 2), amountText(0n, 2), amountText(1230n, 2), amountText(-7n)]).toEqual([
      '-0.05',
      '0.00',
      '12.30',
      '-7',
    ]);
  });
});

describe('a date', () => {
  test.each([
    ['2026-11-03', 'ymd', '2026-11-03'],
    ['20261103', 'ymd', '2026-11-03'],
    ['2026/11/3', 'ymd', '2026-11-03'],
    ['2026-11-03T23:30:00Z', 'dmy', '2026-11-03'],
    ['2026-11-03T23:30:00-02:00', 'ymd', '2026-11-04'],
    ['2026-11-03T23:30:00', 'ymd', '2026-11-03'],
    ['2026-11-03 23:30', 'ymd', '2026-11-03'],
    ['3.11.2026', 'dmy', '2026-11-03'],
    ['03/11/26', 'dmy', '2026-11-03'],
    ['11/03/2026', 'mdy', '2026-11-03'],
    ['2026-11-03 23:30:00-02:00', 'ymd', '2026-11-04'],
    ['2026-11-03 00:30:00.5+02', 'ymd', '2026-11-02'],
    ['3.11.2026 0:30 +0200', 'dmy', '2026-11-02'],
    ['2026-11-03 23:30:00Z', 'ymd', '2026-11-03'],
    ['2026-11-03 12:00:00+99:00', 'ymd', undefined],
    ['2026-02-30', 'ymd', undefined],
    ['2026-02-30T10:00:00Z', 'ymd', undefined],
    ['2026113', 'ymd', undefined],
    ['13/13/2026', 'mdy', undefined],
    ['3.11.2026', 'ymd', undefined],
    ['soon', 'ymd', undefined],
    ['2026-11-03T99:00:00Z', 'ymd', undefined],
  ] as const)('%s in the order %s', (text, order, expected) => {
    const day = dayOf(text, order);
    expect(day === undefined ? undefined : dayText(day)).toBe(expected);
  });
});

describe('an external file', () => {
  test('of a bank, with its own columns, signs and lines before the head', async () => {
    const bank = fileOf(
      'bank.csv',
      Buffer.from(
        'Kontoauszug\n\nBuchung;Zweck;Soll;Haben\n2.11.2026;pay-1;12,30;\n4.11.2026;-pay-2;5,00;\n5.11.2026;Gebühr;1,50;\n',
        'latin1',
      ),
    );
    const words = `${bank} --with ${ledger} --delimiter ; --encoding latin1 --skip 2 --key Zweck --debit Soll --credit Haben --date Buchung --date-order dmy --factor 100 --decimal-comma --unsigned --days 1 --ledger-where symbol=usd`;
    const result = await run(words.split(' '));
    expect(result.matched.map((pair) => pair.ledger.key)).toEqual([['pay-1'], ['-pay-2']]);
    expect(result.matched.map((pair) => pair.ledger.line)).toEqual([2, 3]);
    expect(result.externalOnly).toMatchObject([{ line: 6, key: ['Gebühr'], amount: 150n }]);
    expect(result.ledgerOnly).toMatchObject([{ key: ['pay-3'], amount: 700n }]);
    const page = reconcilePageOf(result, { digits: 2, isAll: false });
    expect(page.split('\n')).toEqual([
      'group                         external  ledger  sum external  sum ledger',
      '────────────────────────────  ────────  ──────  ────────────  ──────────',
      'matched                              2       2         17.30       17.30',
      'different                            0       0          0.00        0.00',
      'missing in the ledger                1       0          1.50        0.00',
      'missing in the external file         0       1          0.00        7.00',
      '',
      'group          key     external_row  ledger_row  external_date  ledger_date  external_amount  ledger_amount  difference',
      '─────────────  ──────  ────────────  ──────────  ─────────────  ───────────  ───────────────  ─────────────  ──────────',
      'external-only  Gebühr             6                 2026-11-05                          1.50                       1.50',
      'ledger-only    pay-3                          4                  2026-11-04                            7.00       -7.00',
      '',
      'The two sides do NOT match.',
    ]);
  });

  test('is read from the names of its columns on, whatever quotes stand in the lines before', async () => {
    const text = ['Bank "North", Berlin', '"Account', 'ref,amount', 'pay-1,1230', ''];
    for (const [name, end] of Object.entries({ lf: '\n', crlf: '\r\n', cr: '\r' })) {
      const bank = fileOf(`lead-${name}.csv`, `\uFEFF${text.join(end)}`);
      const words = `${bank} --with ${ledger} --skip 2 --key ref --amount amount`;
      expect((await run(words.split(' '))).matched).toMatchObject([{ external: { line: 4 } }]);
    }
    const short = fileOf('short.csv', 'ref,amount');
    const words = `${short} --with ${ledger} --skip 2 --key ref --amount amount`;
    expect(await errorOf(words.split(' '))).toContain('short.csv is empty');
  });

  test('with a byte order mark, quotes and a formula, whose text the CSV of the result makes harmless', async () => {
    const bank = fileOf(
      'quoted.csv',
      '\uFEFF"ref","amount"\n"=1+1","-1230"\n"pay-1","1,230"\n";=2",5\n',
    );
    const result = await run(`${bank} --with ${ledger} --key ref --amount amount`.split(' '));
    expect(result.matched).toHaveLength(1);
    expect(reconcileCsvOf(result).split('\r\n').slice(0, 4)).toEqual([
      'group,key,external_row,ledger_row,external_date,ledger_date,external_amount,ledger_amount,difference',
      "external-only,'=1+1,2,,,,-1230,,-1230",
      `external-only,";'=2",4,,,,5,,5`,
      "ledger-only,'-pay-2,,3,,,,500,-500",
    ]);
  });

  test('of amounts with the other sign is negated, and a difference is shown', async () => {
    const bank = fileOf('signs.csv', 'ref,amount\npay-1,-1230\npay-3,-710\n');
    const words = `${bank} --with ${ledger} --key ref --amount amount --negate`.split(' ');
    const result = await run(words);
    expect(result.matched).toHaveLength(1);
    expect(result.different).toMatchObject([
      { external: { amount: 710n }, ledger: { amount: 700n } },
    ]);
    expect((await run([...words, '--tolerance', '10'])).matched).toHaveLength(2);
  });
});

describe('the file of the ledger', () => {
  const bank = fileOf('own.csv', 'ref,amount\npay-1,1230\n');
  const words = (path: string, key = 'ref') =>
    `${bank} --with ${path} --key ${key} --amount amount`.split(' ');

  test.each([
    ['a report of intents', [{ intent: 'pay-1', claims: [{ claim: 0, amount: 1230 }] }]],
    [
      'a list as it is answered',
      { data: [{ luid: '$', data: { intent: { handle: 'pay-1' }, amount: 1230 }, meta: {} }] },
    ],
    ['a statement', { wallet: 'shop', entries: [{ intent: 'pay-1', amount: 1230 }] }],
  ])('is JSON: %s', async (_, value) => {
    const path = fileOf('ledger.json', JSON.stringify(value));
    const result = await run(words(path));
    expect([result.matched.length, isReconciled(result)]).toEqual([1, true]);
  });

  test('has custom values as columns', async () => {
    const path = fileOf('custom.json', '[{"custom":{"ref":"pay-1"},"amount":1230}]');
    expect((await run(words(path, 'ref=custom.ref'))).matched).toHaveLength(1);
  });

  test('is refused where JSON cannot tell an amount exactly', async () => {
    const path = fileOf('large.json', '[{"intent":"pay-1","amount":9007199254740993}]');
    expect(await errorOf(words(path))).toContain("'about 9007199254740992' is no amount");
  });
});

describe('the entries of a wallet', async () => {
  const key = newKey();
  const home = await newLedger(await sharedHome(), key);
  for (const handle of ['alice', 'bob']) await home.make('wallets', { handle }, key);
  await home.make('symbols', { handle: 'usd', factor: 100 }, key);
  await home.settle(key, 'issue alice 90000 usd');
  const paid = [];
  for (let count = 0; count < 120; count += 1)
    paid.push(await home.settle(key, `transfer alice bob ${count + 1} usd`));
  const rows = paid.map(({ data }, index) => `${data.handle},-${index + 1}\n`);
  const bank = fileOf('wallet.csv', `ref,amount\n${rows.join('')}`);
  const source = `--wallet alice --symbol usd --server ${home.url} --ledger ${home.ledger}`;

  test('are fetched, with their signs', async () => {
    const words = `${bank} ${source} --key ref --amount amount --ledger-where schema=debit`;
    const result = await run(words.split(' '));
    expect([result.matched.length, isReconciled(result)]).toEqual([120, true]);
  });

  test('are none in a quiet month, which is no column that is missing', async () => {
    const quiet = fileOf('quiet.csv', 'ref,amount,date\n');
    const words = `${quiet} ${source} --key ref --amount amount --date date`;
    const result = await run([...words.split(' '), '--from', '2020-01-01', '--to', '2020-01-31']);
    expect([result.matched.length, isReconciled(result)]).toEqual([0, true]);
  });

  test.each([
    ['Wallet', 'alice', 'nobody'],
    ['Symbol', 'usd', 'uds'],
  ])('of a %s that is not there are refused, also in a quiet month', async (kind, own, other) => {
    const words = `${fileOf('none.csv', 'ref,amount\n')} ${source.replace(own, other)} --key ref --amount amount`;
    expect(await errorOf(words.split(' '))).toContain(`record.not-found: ${kind} not found`);
  });
});

describe('it is refused, in one line:', () => {
  const bank = fileOf('bad.csv', 'ref,amount,date\npay-1,12.305,2026-13-01\n');
  const start = `${bank} --with ${ledger} --key ref`;
  test.each([
    ['', "missing required argument 'external'"],
    [`${bank} --key ref --amount amount`, "Name the ledger's side by --with"],
    [`${start} --amount amount --wallet alice`, "Name the ledger's side by --with"],
    [`${bank} --wallet alice --key ref --amount amount`, 'both --wallet and --symbol'],
    [`${bank} --with ${ledger} --amount amount`, 'Name a column that tells rows apart by --key.'],
    [start, 'Name the column of amounts'],
    [`${start} --amount amount --debit amount`, 'Name the column of amounts'],
    [`${start} --amount sum`, "has no column 'sum'. It has: ref, amount, date."],
    [`${start}=reference --amount amount`, "has no column 'reference'. It has: completed, intent"],
    [`${start} --amount amount`, "row 2: '12.305' is no amount of the smallest unit"],
    [
      `${start} --amount amount --factor 100`,
      "row 2: '12.305' is no amount with up to 2 decimals.",
    ],
    [`${start} --amount amount --factor 1000 --date date`, "'2026-13-01' is no date"],
    [`${start} --amount amount --factor 12`, '--factor is a power of ten'],
    [`${start} --amount amount --tolerance 0.5`, '--tolerance is an amount'],
    [`${start} --amount amount --tolerance -1`, '--tolerance'],
    [`${start} --amount amount --days 2`, '--days needs'],
    [`${start} --amount amount --from 2026-11-01`, '--from and --to need'],
    [`${start} --amount amount --date date --from 2026-11-02 --to 2026-11-01`, '--to is before'],
    [`${start} --amount amount --date date --from November`, '--from is a date'],
    [`${start} --amount amount --date-order ydm`, '--date-order is one of ymd, dmy, mdy'],
    [`${start} --amount amount --where ref`, '--where is <column>=<value>'],
    [`${start} --amount amount --guess`, '--guess'],
    [`${fileOf('void.csv', '')} --with ${ledger} --key ref --amount amount`, 'void.csv is empty'],
    [
      `${fileOf('head.csv', 'x,y\n')} --with ${ledger} --key ref --amount amount`,
      "head.csv has no column 'ref'. It has: x, y.",
    ],
    [
      `${fileOf('twice.csv', 'ref,amount,amount\na,1,2\n')} --with ${ledger} --key ref --amount amount`,
      "twice.csv has 2 columns 'amount': which is meant?",
    ],
    [`${bank}.not --with ${ledger} --key ref --amount amount`, 'cannot be read'],
    [`${fileOf('odd.csv', 'a,b\n1\n')} --with ${ledger} --key a --amount b`, 'is no CSV'],
    [`${bank} --with ${fileOf('no.json', '{')} --key ref --amount amount`, 'is no JSON'],
    [`${bank} --with ${fileOf('one.json', '{"a":1}')} --key ref --amount amount`, 'has no list'],
  ])('%s', async (words, said) =>
    expect(await errorOf(words.split(' ').filter(Boolean))).toContain(said),
  );
});

test('the command ends with 0, 1 or 2, and writes the CSV', () => {
  const text = 'ref,amount\npay-1,1230\n';
  const bank = fileOf('end.csv', text);
  const csv = join(folder, 'result.csv');
  const ended = (...words: string[]) => {
    const script = ['localstack/command/main.ts', 'reconcile'];
    const command = ['--import', 'tsx', ...script, bank, '--with', ledger, ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    return { status, last: stdout.trim().split('\n').at(-1), stderr };
  };
  const columns = ['--key', 'ref', '--amount', 'amount'];
  expect(ended(...columns, '--ledger-where', 'intent=pay-1', '--csv', csv)).toMatchObject({
    status: 0,
    last: 'All rows match.',
  });
  expect(readFileSync(csv, 'utf8')).toContain('matched,pay-1,2,2,,,1230,1230,0\r\n');
  const differ = 'The two sides do NOT match.';
  expect(ended(...columns)).toMatchObject({ status: 1, last: differ });
  expect(ended('--key', 'ref')).toMatchObject({ status: 2, last: '' });
  for (const own of [bank, `${folder}/./end.csv`, ledger])
    expect(ended(...columns, '--csv', own)).toMatchObject({
      status: 2,
      last: '',
      stderr: expect.stringContaining('--csv is a file that is compared'),
    });
  expect([readFileSync(bank, 'utf8'), readFileSync(ledger, 'utf8')]).toEqual([text, report]);
  const nowhere = join(folder, 'not', 'there.csv');
  expect(ended(...columns, '--csv', nowhere)).toEqual({
    status: 4,
    last: differ,
    stderr: expect.stringContaining(`${nowhere} cannot be written: ENOENT`),
  });
});
