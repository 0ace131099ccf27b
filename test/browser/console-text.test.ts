/** Texts of the console: exact amounts, and nothing in a line that is not seen. Ruling 103. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ageOf,
  amountOf,
  handleIn,
  jsonOf,
  lineOf,
  momentOf,
} from '../../functions/console/page/text.ts';
import {
  conditionsOf,
  conditionText,
  grantOf,
  toWhom,
  whomOf,
  whyNot,
} from '../../functions/console/page/whom.ts';
import { parseExactly } from '../../shared/client/client.ts';

describe('an amount', () => {
  test.each([
    [123450, 100, '1,234.50'],
    [-5, 100, '-0.05'],
    [1234567, 1, '1,234,567'],
    [12345678901234567890123n, 1000, '12,345,678,901,234,567,890.123'],
    [1234, undefined, '1,234 smallest units'],
    ['odd', 100, 'odd'],
  ])('%s with the factor %s is %s', (amount, factor, text) => {
    expect(amountOf(amount, factor)).toBe(text);
  });

  test('has its digits, whatever the factor', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(15), (amount, decimals) => {
        const digits = amountOf(amount, 10 ** decimals).replaceAll(/[,.]/g, '');
        expect(BigInt(digits)).toBe(amount);
      }),
    );
  });
});

describe('a text', () => {
  test('of controls, joiners and marks of direction shows their code points', () => {
    expect(lineOf('a\u202eb\u0000c\u200dd\ne')).toBe('a\\u202eb\\u0000c\\u200dd\\u000ae');
    expect(jsonOf({ '\u2066k': ['\u061c'] })).toBe('{\n  "\\u2066k": [\n    "\\u061c"\n  ]\n}');
  });

  test('as JSON is what was signed, with large integers', () => {
    const text = '{\n  "amount": 12345678901234567890,\n  "text": "#0#"\n}';
    expect(jsonOf(parseExactly(text))).toBe(text);
  });

  test('of a reference is its handle', () => {
    expect(handleIn('alice')).toBe('alice');
    expect(handleIn({ handle: 'alice', custom: {} })).toBe('alice');
    expect(handleIn(undefined)).toBe('');
  });

  test.each([
    ['2026-11-21T00:00:00.000Z', 'less than a minute'],
    ['2026-11-20T23:59:00.000Z', '1 minute'],
    ['2026-11-20T22:00:00.000Z', '2 hours'],
    ['2026-11-01T00:00:00.000Z', '20 days'],
    ['2027-11-01T00:00:00.000Z', 'less than a minute'],
    ['soon', ''],
  ])('of the age of %s is %s', (moment, text) => {
    expect(ageOf(moment, Date.parse('2026-11-21T00:00:30.000Z'))).toBe(text);
  });

  test('of a moment is short, and of anything else as it is', () => {
    expect(momentOf('2026-11-21T00:21:11.916Z')).toBe('2026-11-21 00:21:11');
    expect(momentOf('soon')).toBe('soon');
  });
});

describe('a rule', () => {
  test('is a sentence', () => {
    const rule = { action: { $in: ['read', 'query'] }, record: 'wallet', filter: { schema: 'a' } };
    expect(grantOf(rule)).toBe('read, query on wallet');
    expect(grantOf({ action: 'any' })).toBe('any on this record');
    expect(toWhom(rule, 'everybody')).toBe('everybody');
    expect(conditionsOf(rule)).toBe('where schema is “a”');
    const bearer = { $signer: { $ledger: 'owner' } };
    expect(toWhom({ bearer }, '')).toBe('by a token of an owner of the ledger');
  });

  test.each([
    [{ 'amounts.usd': { $gte: 100000 } }, 'amounts.usd ≥ 100000 smallest units'],
    [{ schema: { $in: ['a', 'b'] }, tier: 1 }, 'schema is one of “a”, “b” and tier is 1'],
    [{ note: { $exists: false }, n: { $gt: 1, $lt: 3 } }, 'note is absent and n > 1 and n < 3'],
    [{ custom: { a: '\u202e' } }, 'custom is {"a":"\\u202e"}'],
    [{ odd: { $new: true } }, 'odd $new true'],
    [{}, 'always'],
  ])('has conditions in words: %j', (conditions, text) => {
    expect(conditionText(conditions)).toBe(text);
  });

  test.each([
    [{ missing: 'signer', signer: { handle: 'ann' } }, 'You are not signer ann.'],
    [{ missing: 'circle', source: { handle: 'c' } }, 'You are no member of circle c.'],
    [{ missing: 'filter' }, 'It is for you, but the record is not as it says.'],
    [{ missing: 'toString' }, 'It asks for another toString.'],
  ])('that does not grant says why: %j', (item, text) => {
    expect(whyNot(item)).toBe(text);
  });

  test.each([
    [{ handle: 'ann' }, 'signer ann'],
    [{ handle: { $in: ['ann', 'bob'] } }, 'signer ann or bob'],
    [{ $circle: { $in: ['a', 'b'] } }, 'a member of circle a or b'],
    [
      { $in: [{ $record: 'owner' }, { $ledger: 'owner' }] },
      'an owner of the record, or an owner of the ledger',
    ],
    [{ custom: { role: 'cfo' } }, 'a signer with {"custom":{"role":"cfo"}}'],
    [{}, 'any signer'],
  ])('for %j is for %s', (matcher, text) => {
    expect(whomOf(matcher)).toBe(text);
  });
});
