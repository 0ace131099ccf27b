import { describe, expect, test } from 'vitest';
import { brokenData, handlePattern } from './broken.ts';

const issue = { action: 'issue', target: 'alice', symbol: 'usd', amount: 1 };
const transfer = { ...issue, action: 'transfer', source: 'bob' };
const destroy = { action: 'destroy', source: 'bob', symbol: 'usd', amount: 1 };

const withClaims = (claims: unknown) => brokenData('intent', { handle: 'rent', claims });
/** The violations of one claim, their paths counted from the claim. */
const withClaim = (claim: unknown) =>
  withClaims([claim]).map(([path, ...rest]) => [path.replace('/data/claims/0', ''), ...rest]);
const missing = (name: string) => ['', 'required', { missingProperty: name }];
const unknown = (name: string) => ['', 'additionalProperties', { additionalProperty: name }];

describe('claims', () => {
  test('are 1 to 40', () => {
    expect(withClaims([issue])).toEqual([]);
    expect(withClaims(Array(40).fill(transfer))).toEqual([]);
    expect(withClaims([])).toEqual([['/data/claims', 'minItems', { limit: 1 }]]);
    expect(withClaims(Array(41).fill(transfer))).toEqual([
      ['/data/claims', 'maxItems', { limit: 40 }],
    ]);
    expect(withClaims({})).toEqual([['/data/claims', 'type', { type: 'array' }]]);
    expect(withClaims(undefined)).toEqual([['/data', 'required', { missingProperty: 'claims' }]]);
  });

  test('are issues, transfers and destroys, and may mix', () => {
    expect(withClaims([issue, transfer, destroy])).toEqual([]);
  });

  test('have no other action', () => {
    const allowedValues = ['issue', 'transfer', 'destroy'];
    for (const action of ['limit', 'Issue', '', 5, null])
      expect(withClaim({ ...transfer, action })).toEqual([['/action', 'enum', { allowedValues }]]);
    expect(withClaim({ ...transfer, action: undefined })).toEqual([missing('action')]);
    expect(withClaim(5)).toEqual([['', 'type', { type: 'object' }]]);
  });

  test('have all that their action needs', () => {
    expect(withClaim({ action: 'issue' })).toEqual(['target', 'symbol', 'amount'].map(missing));
    expect(withClaim({ action: 'destroy' })).toEqual(['source', 'symbol', 'amount'].map(missing));
    expect(withClaim({ action: 'transfer' })).toEqual(
      ['source', 'target', 'symbol', 'amount'].map(missing),
    );
  });

  test('have nothing that their action has not', () => {
    expect(withClaim({ ...issue, source: 'bob' })).toEqual([unknown('source')]);
    expect(withClaim({ ...destroy, target: 'bob' })).toEqual([unknown('target')]);
    expect(withClaim({ ...transfer, wallet: 'bob' })).toEqual([unknown('wallet')]);
  });

  test('are each told by their place', () => {
    expect(withClaims([issue, { ...issue, amount: 0 }, destroy, { action: 'x' }])).toEqual([
      ['/data/claims/1/amount', 'minimum', { comparison: '>=', limit: 1 }],
      ['/data/claims/3/action', 'enum', { allowedValues: ['issue', 'transfer', 'destroy'] }],
    ]);
  });
});

describe.each([
  ['issue', issue],
  ['transfer', transfer],
  ['destroy', destroy],
])('the amount of a claim: %s', (_, claim) => {
  const withAmount = (amount: unknown) => withClaim({ ...claim, amount });

  test('is an integer from 1 to 2^53 − 1', () => {
    expect(withAmount(1)).toEqual([]);
    expect(withAmount(2 ** 53 - 1)).toEqual([]);
  });

  test('is not less', () => {
    const params = { comparison: '>=', limit: 1 };
    for (const amount of [0, -0, -1, -(2 ** 53 - 1)])
      expect(withAmount(amount)).toEqual([['/amount', 'minimum', params]]);
  });

  test('is not more', () => {
    const params = { comparison: '<=', limit: 2 ** 53 - 1 };
    for (const amount of [2 ** 53, 1e300])
      expect(withAmount(amount)).toEqual([['/amount', 'maximum', params]]);
  });

  test('is no fraction and no text', () => {
    for (const amount of [0.5, 1.5, 1e-7])
      expect(withAmount(amount)).toContainEqual(['/amount', 'type', { type: 'integer' }]);
    for (const amount of ['1', null, [1], {}, true])
      expect(withAmount(amount)).toEqual([['/amount', 'type', { type: 'number' }]]);
  });
});

describe.each(['source', 'target', 'symbol'])('the %s of a claim', (member) => {
  const withParty = (party: unknown) => withClaim({ ...transfer, [member]: party });
  const path = `/${member}`;

  test('is a handle, alone or with notes', () => {
    const custom = { note: 'x' };
    for (const party of ['a', 'tel:1@x.org', { handle: 'a' }, { handle: 'a', custom }])
      expect(withParty(party)).toEqual([]);
  });

  test('is no luid and no other text', () => {
    for (const party of ['', '$wlt.x', 'a b', 'a@b@c'])
      expect(withParty(party)).toEqual([[path, 'pattern', handlePattern]]);
    expect(withParty('x'.repeat(257))).toEqual([[path, 'maxLength', { limit: 256 }]]);
  });

  test('is nothing else', () => {
    for (const party of [5, null, [], true])
      expect(withParty(party)).toEqual([[path, 'type', { type: ['string', 'object'] }]]);
  });

  test('with notes is told by its members', () => {
    expect(withParty({})).toEqual([[path, 'required', { missingProperty: 'handle' }]]);
    expect(withParty({ handle: '$wlt.x' })).toEqual([[`${path}/handle`, 'pattern', handlePattern]]);
    expect(withParty({ handle: 5, custom: 5, note: 'x' })).toEqual([
      [`${path}/handle`, 'type', { type: 'string' }],
      [`${path}/custom`, 'type', { type: 'object' }],
      [path, 'additionalProperties', { additionalProperty: 'note' }],
    ]);
  });
});

describe('the config of an intent', () => {
  const withConfig = (config: unknown) =>
    brokenData('intent', { handle: 'rent', claims: [issue], config });

  test('may ask to commit by itself', () => {
    expect(withConfig({})).toEqual([]);
    expect(withConfig({ commit: 'auto' })).toEqual([]);
  });

  test('asks for nothing that is not there', () => {
    expect(withConfig({ commit: 'later', other: 1 })).toEqual([
      ['/data/config/commit', 'const', { allowedValue: 'auto' }],
      ['/data/config', 'additionalProperties', { additionalProperty: 'other' }],
    ]);
    expect(withConfig(null)).toEqual([['/data/config', 'type', { type: 'object' }]]);
  });
});
