import { describe, expect, test } from 'vitest';
import { patternMaker } from '../../shared/signal/pattern.ts';

const finds = (pattern: string, text: string) => patternMaker(pattern)(text);

test.each<[pattern: string, text: string, isFound: boolean]>([
  ['b', 'abc', true],
  ['b', 'ac', false],
  ['^b', 'abc', false],
  ['^a', 'abc', true],
  ['b$', 'abc', false],
  ['^abc$', 'abc', true],
  ['^abc$', 'xabc', false],
  ['^(bank|cash):[a-z]+@example\\.com$', 'bank:alice@example.com', true],
  ['^(bank|cash):[a-z]+@example\\.com$', 'bank:alice@example!com', false],
  ['a.c', 'a\nc', false],
  ['(?s)a.c', 'a\nc', true],
  ['^c', 'a\nc', false],
  ['(?m)^c', 'a\nc', true],
  ['ABC', 'abc', false],
  ['(?i)ABC', 'abc', true],
  ['', '', true],
  ['', 'abc', true],
  ['^$', 'abc', false],
  ['\\d{3}', 'a12', false],
  ['\\bcat\\b', 'a cat sat', true],
  ['\\bcat\\b', 'concatenate', false],
])('%j in %j: %s', (pattern, text, isFound) => expect(finds(pattern, text)).toBe(isFound));

test('a pattern is a pattern however often it is made, and keeps nothing of a text', () => {
  const test1 = patternMaker('a+');
  expect([test1('caat'), test1('cot'), patternMaker('a+')('caat'), test1('a')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

describe('unicode', () => {
  test.each<[pattern: string, text: string, isFound: boolean]>([
    ['^.$', '😀', true],
    ['^..$', '😀', false],
    ['^[😀-😂]$', '😁', true],
    ['\\x{1F600}', '😀', true],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['^\\pL+$', 'éß中', true],
    ['^\\w$', 'é', false],
    ['(?i)ÄÖ', 'äö', true],
    ['^é$', 'e\u0301', false],
    ['^.$', '\ud800', true],
  ])('%j in %j: %s', (pattern, text, isFound) => expect(finds(pattern, text)).toBe(isFound));
});

test('flags are written into the pattern; around it they are part of it', () => {
  expect(finds('/abc/i', 'ABC')).toBe(false);
  expect(finds('/abc/i', '/abc/i')).toBe(true);
});

test.each([
  '(',
  ')',
  '[',
  'a**',
  'a++',
  '\\',
  '[z-a]',
  'a{2,1}',
  'a{1001}',
  '(a{1000}){1000}',
  '(((a{10}){10}){10}){10}',
  '(a)\\1',
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(?<!a)b',
  '(?>a)',
  '(?x)a',
  '\\u0061',
  '\\p{Nonsense}',
])('%s is refused', (pattern) => expect(() => patternMaker(pattern)).toThrow());

// Goal: each of these ends. A backtracking engine would need longer than the universe has.
describe('patterns that would be catastrophic', () => {
  const many = 'a'.repeat(16_000);

  test.each<[pattern: string, text: string, isFound: boolean]>([
    ['(a+)+$', `${many}b`, false],
    ['^(a|a)*$', `${many}b`, false],
    ['^(a|aa)+$', `${many}b`, false],
    ['(.*)*x', many, false],
    [`${'(.*)'.repeat(60)}x`, many, false],
    [`${'a?'.repeat(100)}${'a'.repeat(100)}`, 'a'.repeat(100), true],
    ['^([a-zA-Z0-9._-]+)+@([a-z]+\\.)+[a-z]+$', `${many}@`, false],
    ['(?:a[abc]{0,400}\\B){2}e', `${'abc'.repeat(5_000)}e`, true],
    ['(?:\\B[abcd]){1,900}\\bd', `d${'abc'.repeat(5_000)}`, false],
    [`^${'('.repeat(100)}a${')*'.repeat(100)}$`, `${many}b`, false],
    ['((a{10}){10}){10}b', many, false],
  ])('number %#', (pattern, text, isFound) => expect(finds(pattern, text)).toBe(isFound));

  test('have a price, by what they become', () => {
    const price = (pattern: string) => patternMaker(pattern).cost;
    expect(price('^shop-7$')).toEqual({ making: 20, perCharacter: 1.625 });
    expect(price('^\\p{Greek}+$')?.making).toBeGreaterThan(100);
    expect(price('(?:\\B[abcd]){1,900}\\bd')?.perCharacter).toBeGreaterThan(160);
  });

  test('may be many', () => {
    for (let index = 0; index < 1_000; index += 1)
      expect(finds(`(a+)+${index}$`, `a${index}`)).toBe(true);
  });
});
