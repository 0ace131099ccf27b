import { describe, expect, test } from 'vitest';
import { freesHandles, type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';

const names = Object.keys(kinds) as Kind[];

/** The prefixes of Ruling 10. */
const prefixes: Record<Kind, string> = {
  ledger: 'ldg',
  signer: 'snr',
  symbol: 'sym',
  wallet: 'wlt',
  intent: 'int',
  effect: 'eff',
};

describe.each(names)('%s', (kind) => {
  test('its luids begin as Ruling 10 says', () => expect(lineOf(kind).prefix).toBe(prefixes[kind]));

  test('its title is its name', () => expect(lineOf(kind).title.toLowerCase()).toBe(kind));

  test('its group is its plural', () => expect(lineOf(kind).group).toBe(`${kind}s`));

  test('what cannot be updated cannot be renamed', () => {
    const { updates, renames } = lineOf(kind);
    expect(renames && !updates).toBe(false);
  });
});

test('no two kinds share a prefix or a group', () => {
  expect(new Set(names.map((kind) => kinds[kind].prefix)).size).toBe(names.length);
  expect(new Set(names.map((kind) => kinds[kind].group)).size).toBe(names.length);
});

test('wallets and effects end', () => {
  expect(names.filter((kind) => kinds[kind].drops)).toEqual(['wallet', 'effect']);
});

test('a handle is freed by a drop or a rename', () => {
  expect(names.filter(freesHandles)).toEqual(['signer', 'symbol', 'wallet', 'effect']);
});

test('effects are found by their signal in the commit that wrote them', () => {
  const indexed = names.flatMap((kind) => {
    const member = lineOf(kind).indexed;
    return member === undefined ? [] : [[kind, member]];
  });
  expect(indexed).toEqual([['effect', 'signal']]);
});
