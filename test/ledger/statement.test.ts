import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  balancesRowOf,
  completedMomentOf,
  csvHeader,
  csvOf,
  csvRowOf,
  decimalOf,
  jsonOf,
  symbolsOf,
  unguarded,
} from '../../shared/ledger/statement.ts';
import { proofBy, transferred } from '../fixture/version.ts';

const moment = '2026-01-01T00:00:00.000Z';
const factors = new Map([['usd', 100]]);

/** An intent of these data, completed. */
function intent(data: Partial<LedgerRecord['data']> = {}): LedgerRecord {
  const { record } = transferred('payment');
  return { ...record, data: { ...record.data, ...data } };
}
const claim = { action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 5 };

/** What a reader of RFC 4180 makes of a row. */
function cellsOf(text: string): string[] {
  const row = text.slice(0, -2);
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}

describe('an amount in whole units', () => {
  test.each([
    [0, 1, '0'],
    [7, 1, '7'],
    [7, 10, '0.7'],
    [7, 100, '0.07'],
    [1230, 100, '12.30'],
    [9_007_199_254_740_991, 10 ** 15, '9.007199254740991'],
    [1, 10 ** 15, '0.000000000000001'],
    [-7, 100, '-0.07'],
    [-1230, 1, '-1230'],
  ])('%i of a factor of %i is %s', (amount, factor, text) => {
    expect(decimalOf(amount, factor)).toBe(text);
  });

  test('is the amount again once its point is taken away', () => {
    const factor = fc.integer({ min: 0, max: 15 }).map((digits) => 10 ** digits);
    fc.assert(
      fc.property(fc.maxSafeNat(), factor, (amount, of) => {
        const text = decimalOf(amount, of);
        expect(Number(text.replace('.', ''))).toBe(amount);
        expect((text.split('.')[1] ?? '').length).toBe(Math.log10(of));
      }),
    );
  });
});

test('a claim that was captured in part is in the books with the part', () => {
  const record = intent({ claims: [claim, claim] });
  const captured = [{ claim: 1, amount: 2 }];
  const word = proofBy('system', record.hash, { status: 'committed', captured });
  const proofs = [word];
  const decided = { record: { ...record, meta: { ...record.meta, proofs } }, moment };
  const amounts = csvOf(decided, factors)
    .split('\r\n')
    .slice(0, 2)
    .map((row) => cellsOf(`${row}\r\n`).slice(-2));
  expect(amounts).toEqual([
    ['5', '0.05'],
    ['2', '0.02'],
  ]);
  expect(
    JSON.parse(jsonOf(decided, factors)).claims.map((one: { amount: number }) => one.amount),
  ).toEqual([5, 2]);
});

test('a claim that sets a limit is in no books', () => {
  const limit = {
    action: 'limit',
    wallet: 'alice',
    symbol: 'eur',
    metric: 'minBalance',
    amount: -5,
  };
  const record = intent({ claims: [limit, claim] });
  expect(symbolsOf(record)).toEqual(['usd']);
  expect(csvOf({ record, moment }, factors).split('\r\n')).toHaveLength(2);
  const { claims } = JSON.parse(jsonOf({ record, moment }, factors)) as { claims: unknown[] };
  expect(claims).toMatchObject([{ claim: 1, action: 'transfer' }]);
});

describe('a row', () => {
  test('has a cell for each column', () => {
    const rows = csvOf({ record: intent({ claims: [claim, claim] }), moment }, factors);
    const [first = '', second = '', ...rest] = rows.split('\r\n');
    expect(rest).toEqual(['']);
    expect(cellsOf(`${first}\r\n`)).toHaveLength(cellsOf(csvHeader).length);
    expect(cellsOf(`${second}\r\n`)[6]).toBe('1');
  });

  test('is read back as it was written, whatever the schema says, and is no formula', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (schema) => {
        fc.pre(!schema.includes("'"));
        const record = intent({ claims: [claim], schema });
        const cell = cellsOf(csvOf({ record, moment }, factors))[5] ?? '';
        expect(unguarded(cell)).toBe(schema);
        expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
      }),
      { examples: [['=1+1'], ['say "a, b"'], ['plain'], ['＝1+1'], [';=1+1;'], ['a\r\n=1']] },
    );
  });

  test('is no formula where a spreadsheet parts its cells by semicolons or tabs', () => {
    const texts = fc.string({ unit: fc.constantFrom(...';\t\n"=+-@a, '), minLength: 1 });
    fc.assert(
      fc.property(texts, (schema) => {
        const row = csvOf({ record: intent({ claims: [claim], schema }), moment }, factors);
        for (const cell of row.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^"*[=+\-@]/);
      }),
      { examples: [[';=1+1;'], ['\t@a'], ['a;-b'], [';"=1&"']] },
    );
  });

  test('keeps a number, and what is a sign elsewhere', () => {
    const cells = ['-12.30', 'a-b', "o'=b", 'a; b'];
    expect(csvRowOf(cells)).toBe('-12.30,a-b,o\'=b,"a; b"\r\n');
    expect(cells.map(unguarded)).toEqual(cells);
  });

  test('leaves out what a claim does not have', () => {
    const issue = { action: 'issue', target: { handle: 'bob' }, symbol: 'usd', amount: 5 };
    const destroy = { action: 'destroy', source: 'bob', symbol: { handle: 'usd' }, amount: 5 };
    const rows = csvOf({ record: intent({ claims: [issue, destroy] }), moment }, factors);
    const parties = rows.split('\r\n').map((row) => cellsOf(`${row}\r\n`).slice(7, 11));
    expect(parties.slice(0, 2)).toEqual([
      ['issue', '', 'bob', 'usd'],
      ['destroy', 'bob', '', 'usd'],
    ]);
  });

  test('of a symbol that nobody knows is our bug', () => {
    expect(() => csvOf({ record: intent({ claims: [claim] }), moment }, new Map())).toThrow(
      'is known',
    );
  });
});

test('an object holds what the author said, and one line for each claim', () => {
  const record = intent({ claims: [claim], schema: 'payment', custom: { note: [1] } });
  const { luid, hash, data } = record;
  expect(JSON.parse(jsonOf({ record, moment }, factors))).toEqual({
    completed: moment,
    intent: data.handle,
    luid,
    hash,
    status: 'completed',
    schema: 'payment',
    custom: { note: [1] },
    claims: [{ claim: 0, ...claim, decimalAmount: '0.05' }],
  });
  const { schema: _schema, custom: _custom, ...bare } = data;
  const plain = JSON.parse(jsonOf({ record: { ...record, data: bare }, moment }, factors));
  expect(plain).not.toHaveProperty('schema');
  expect(plain).not.toHaveProperty('custom');
  expect(symbolsOf(record)).toEqual(['usd']);
});

test('an intent was completed when the ledger says so, whatever others say', () => {
  const record = intent();
  const said = record.meta.proofs.at(-1)?.custom?.['moment'];
  expect(completedMomentOf(record)).toBe(said);
  const [first] = record.meta.proofs;
  const lie = { ...first, origin: 'key-pair', custom: { status: 'completed', moment: 'never' } };
  const proofs = [lie, ...record.meta.proofs] as LedgerRecord['meta']['proofs'];
  expect(completedMomentOf({ ...record, meta: { ...record.meta, proofs } })).toBe(said);
  const rejected = { ...record, meta: { ...record.meta, status: 'rejected' } };
  expect(completedMomentOf(rejected)).toBeUndefined();
  expect(completedMomentOf({ ...record, meta: { ...record.meta, proofs: [] } })).toBeUndefined();
});

test('the balances of a book in an interval follow from each other', () => {
  const period = { symbol: 'usd', factor: 100, opening: -5n, debits: 1n, credits: 7n };
  expect(balancesRowOf({ ...period, wallet: '-a' })).toBe("wallet,'-a,usd,-5,1,7,1,-0.05,0.01\r\n");
  expect(balancesRowOf({ ...period, wallet: undefined })).toBe(
    'supply,,usd,-5,1,7,1,-0.05,0.01\r\n',
  );
});
