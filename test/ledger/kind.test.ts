import { describe, expect, test } from 'vitest';
import {
  freesHandles,
  indexedValueOf,
  isApart,
  type Kind,
  keepsPlace,
  kinds,
  lineOf,
  nameOf,
  nameWithin,
  withinOf,
} from '../../shared/ledger/kind.ts';

const names = Object.keys(kinds) as Kind[];

/** The prefixes of Ruling 10. */
const prefixes: Record<Kind, string> = {
  ledger: 'ldg',
  signer: 'snr',
  symbol: 'sym',
  wallet: 'wlt',
  intent: 'int',
  effect: 'eff',
  'signer-factor': 'snf',
  circle: 'crc',
  'circle-signer': 'csn',
  bridge: 'brg',
  domain: 'dom',
  anchor: 'anc',
  schema: 'sch',
  policy: 'plc',
  report: 'rep',
};

describe.each(names)('%s', (kind) => {
  test('its luids begin as Ruling 10 says', () => expect(lineOf(kind).prefix).toBe(prefixes[kind]));

  test('its title is its name', () =>
    expect(lineOf(kind).title.toLowerCase()).toBe(kind.replace('-', ' ')));

  test('its group is its plural', () => {
    const [, last = kind] = kind.split('-');
    expect(lineOf(kind).group).toBe(`${last}s`.replace('ys', 'ies'));
  });

  test('what cannot be updated cannot be renamed', () => {
    const { updates, renames } = lineOf(kind);
    expect(renames && !updates).toBe(false);
  });
});

test('no two kinds share a prefix, or a group in the same place', () => {
  const pathOf = (kind: Kind) => `${lineOf(kind).within ?? ''}/${lineOf(kind).group}`;
  expect(new Set(names.map((kind) => kinds[kind].prefix)).size).toBe(names.length);
  expect(new Set(names.map(pathOf)).size).toBe(names.length);
});

test('what ends is what Ruling 18 gives a drop', () => {
  expect(names.filter((kind) => kinds[kind].drops)).toEqual([
    'wallet',
    'effect',
    'signer-factor',
    'circle-signer',
    'bridge',
    'anchor',
    'policy',
    'report',
  ]);
});

test('what is neither updated nor dropped keeps its place', () => {
  expect(names.filter(keepsPlace)).toEqual(['intent']);
});

test('a record is named by its handle, or together with what it belongs to', () => {
  expect(nameOf('wallet', { handle: 'alice' })).toBe('alice');
  expect(nameOf('signer-factor', { handle: 'phone', signer: 'ann' })).toBe('ann/phone');
  expect(nameOf('circle-signer', { circle: 'staff', signer: 'ann' })).toBe('staff/ann');
  expect(nameWithin('staff', 'ann')).toBe('staff/ann');
  expect(withinOf('circle-signer', { circle: 'staff', signer: 'ann' })).toBe('staff');
  expect(withinOf('circle', { handle: 'staff' })).toBeUndefined();
});

test('a handle is freed by a drop or a rename', () => {
  expect(names.filter((kind) => !freesHandles(kind))).toEqual([
    'ledger',
    'intent',
    'domain',
    'schema',
  ]);
});

test('what makes a ledger or an intent makes nothing else where it is', () => {
  expect(names.filter(isApart)).toEqual(['ledger', 'intent']);
});

test('these are found by a member in the commit that wrote them', () => {
  const indexed = names.flatMap((kind) => {
    const member = lineOf(kind).indexed;
    return member === undefined ? [] : [[kind, member]];
  });
  expect(indexed).toEqual([
    ['intent', 'wait'],
    ['effect', 'signal'],
    ['circle', 'outward'],
    ['circle-signer', 'signer'],
    ['anchor', 'wallet'],
    ['schema', 'record'],
    ['policy', 'record'],
  ]);
});

test('a circle is outward when a rule of it names others than its members', () => {
  const inward = { action: 'read' };
  expect(indexedValueOf('circle', { access: [inward] })).toBeUndefined();
  expect(indexedValueOf('circle', {})).toBeUndefined();
  expect(indexedValueOf('circle', { access: [inward, { ...inward, signer: {} }] })).toBe('outward');
  expect(indexedValueOf('circle', { access: [{ ...inward, bearer: {} }] })).toBe('outward');
  // Nobody knows whom the rules of a policy will name.
  expect(indexedValueOf('circle', { access: [{ policy: 'p' }] })).toBe('outward');
  expect(indexedValueOf('anchor', { wallet: 'alice' })).toBe('alice');
  expect(indexedValueOf('anchor', { wallet: 5 })).toBeUndefined();
  expect(indexedValueOf('wallet', { handle: 'alice' })).toBeUndefined();
});
