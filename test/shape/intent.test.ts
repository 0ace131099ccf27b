import { describe, expect, test } from 'vitest';
import { brokenData, handlePattern } from './broken.ts';

const issue = { action: 'issue', target: 'alice', symbol: 'usd', amount: 1 };
const transfer = { ...issue, action: 'transfer', source: 'bob' };
const destroy = { action: 'destroy', source: 'bob', symbol: 'usd', amount: 1 };
const limit = { action: 'limit', wallet: 'bob', symbol: 'usd', metric: 'maxBalance', amount: 1 };

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

  test('are issues, transfers, destroys and limits, and may mix', () => {
    expect(withClaims([issue, transfer, destroy, limit])).toEqual([]);
  });

  test('have no other action', () => {
    const allowedValues = ['issue', 'transfer', 'destroy', 'limit'];
    for (const action of ['lend', 'Issue', '', 5, null])
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
      [
        '/data/claims/3/action',
        'enum',
        { allowedValues: ['issue', 'transfer', 'destroy', 'limit'] },
      ],
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

describe('a limit', () => {
  const metrics = ['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount'];

  test('has one of four metrics', () => {
    for (const metric of metrics) expect(withClaim({ ...limit, metric })).toEqual([]);
    expect(withClaim({ ...limit, metric: 'weeklyCount' })).toEqual([
      ['/metric', 'enum', { allowedValues: metrics }],
    ]);
    expect(withClaim({ ...limit, metric: undefined })).toEqual([missing('metric')]);
  });

  test('has all that it needs, and nothing else', () => {
    expect(withClaim({ action: 'limit', metric: 'dailyCount' })).toEqual(
      ['wallet', 'symbol', 'amount'].map(missing),
    );
    expect(withClaim({ ...limit, source: 'bob' })).toEqual([unknown('source')]);
  });

  test('is on a wallet, by its handle, alone or with notes', () => {
    for (const wallet of ['a', 'tel:1@x.org', { handle: 'a', custom: {} }])
      expect(withClaim({ ...limit, wallet })).toEqual([]);
    expect(withClaim({ ...limit, wallet: '$wlt.x' })).toEqual([
      ['/wallet', 'pattern', handlePattern],
    ]);
  });

  test.each(metrics)('has an amount of 0 or more: %s', (metric) => {
    const withAmount = (amount: unknown) => withClaim({ ...limit, metric, amount });
    for (const amount of [0, 1, 2 ** 53 - 1]) expect(withAmount(amount)).toEqual([]);
    for (const amount of [0.5, '1', 2 ** 53]) expect(withAmount(amount)).toHaveLength(1);
    expect(withAmount(-(2 ** 53))).not.toEqual([]);
  });

  test('has an amount below 0 only as the least balance', () => {
    const below = ['/amount', 'minimum', { comparison: '>=', limit: 0 }];
    for (const amount of [-1, -(2 ** 53 - 1)]) {
      expect(withClaim({ ...limit, metric: 'minBalance', amount })).toEqual([]);
      for (const metric of metrics.slice(1))
        expect(withClaim({ ...limit, metric, amount })).toEqual([below]);
    }
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

  test('may ask to commit by itself, or to wait for a word', () => {
    expect(withConfig({})).toEqual([]);
    expect(withConfig({ commit: 'auto' })).toEqual([]);
    expect(withConfig({ commit: 'manual' })).toEqual([]);
  });

  test('asks for nothing that is not there', () => {
    expect(withConfig({ commit: 'later', other: 1 })).toEqual([
      ['/data/config/commit', 'enum', { allowedValues: ['auto', 'manual'] }],
      ['/data/config', 'additionalProperties', { additionalProperty: 'other' }],
    ]);
    expect(withConfig(null)).toEqual([['/data/config', 'type', { type: 'object' }]]);
  });
});
