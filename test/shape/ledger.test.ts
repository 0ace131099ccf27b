import { expect, test } from 'vitest';
import { brokenData, handlePattern } from './broken.ts';

const withConfig = (config: unknown) =>
  brokenData('ledger', { handle: 'main', config }).map(([path, ...rest]) => [
    path.replace('/data/config', ''),
    ...rest,
  ]);

test('a ledger may name a signer', () => {
  expect(brokenData('ledger', { handle: 'main', signer: 'bank:ann' })).toEqual([]);
  expect(brokenData('ledger', { handle: 'main', signer: '$snr.x' })).toEqual([
    ['/data/signer', 'pattern', handlePattern],
  ]);
});

test('its config may be whole, empty, or hold what nobody here knows', () => {
  const whole = {
    'intent.expiryThresholdMinutes': 0.5,
    'anchor.walletRequired': true,
    'proof.maxAgeSeconds': 60,
    'access.strategy': 'policy-based',
    'limits.aggregated.enabled': false,
    'oauth.provider': 'provider',
    'oauth.tokenSeconds': 3600,
  };
  expect(withConfig(whole)).toEqual([]);
  expect(withConfig({})).toEqual([]);
  expect(withConfig({ 'other.key': [1, { a: null }] })).toEqual([]);
});

test('a duration is more than nothing', () => {
  const params = { comparison: '>', limit: 0 };
  for (const key of [
    'intent.expiryThresholdMinutes',
    'proof.maxAgeSeconds',
    'oauth.tokenSeconds',
  ]) {
    expect(withConfig({ [key]: 1 })).toEqual([]);
    expect(withConfig({ [key]: 0 })).toEqual([[`/${key}`, 'exclusiveMinimum', params]]);
    expect(withConfig({ [key]: -1 })).toEqual([[`/${key}`, 'exclusiveMinimum', params]]);
    expect(withConfig({ [key]: '1' })).toEqual([[`/${key}`, 'type', { type: 'number' }]]);
  }
});

test('a token lives for whole seconds, and a day at most', () => {
  expect(withConfig({ 'oauth.tokenSeconds': 86_400 })).toEqual([]);
  expect(withConfig({ 'oauth.tokenSeconds': 86_401 })).toEqual([
    ['/oauth.tokenSeconds', 'maximum', { comparison: '<=', limit: 86_400 }],
  ]);
  expect(withConfig({ 'oauth.tokenSeconds': 1.5 })).toEqual([
    ['/oauth.tokenSeconds', 'type', { type: 'integer' }],
  ]);
});

test('every other setting has its type', () => {
  const allowedValues = ['record-based', 'policy-based'];
  const wrong = {
    'anchor.walletRequired': 'yes',
    'access.strategy': 'open',
    'limits.aggregated.enabled': 1,
    'oauth.provider': {},
  };
  expect(withConfig(wrong)).toEqual([
    ['/anchor.walletRequired', 'type', { type: 'boolean' }],
    ['/access.strategy', 'enum', { allowedValues }],
    ['/limits.aggregated.enabled', 'type', { type: 'boolean' }],
    ['/oauth.provider', 'type', { type: 'string' }],
  ]);
  expect(withConfig([])).toEqual([['', 'type', { type: 'object' }]]);
});
