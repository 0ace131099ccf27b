import { describe, expect, test } from 'vitest';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import { AccessRule, accessActions, accessRecords } from '../../shared/shape/rule.ts';
import { brokenBy, brokenData, handlePattern, refusalOf } from './broken.ts';

const withRules = (access: unknown) => brokenData('wallet', { handle: 'shop', access });
/** The violations of one rule, told from the rule on. */
const withRule = (rule: unknown) => brokenBy(AccessRule, rule);
const withMember = (member: object) => withRule({ action: 'read', ...member });
const withSigner = (signer: unknown) => withMember({ signer });
const withBearer = (bearer: unknown) => withMember({ bearer });

const typeOf = (path: string, type: string | string[]) => [[path, 'type', { type }]];
const missing = (name: string) => ['', 'required', { missingProperty: name }];
const unknown = (path: string, name: string) => [
  path,
  'additionalProperties',
  { additionalProperty: name },
];
const noneOf = (path: string, allowedValues: readonly string[]) => [
  path,
  'enum',
  { allowedValues },
];
const above = (path: string, limit: number) => [[path, 'maxLength', { limit }]];
const tooMany = (path: string, limit: number) => [[path, 'maxItems', { limit }]];
const noItems = (path: string) => [[path, 'minItems', { limit: 1 }]];

const invokes = [
  'wallet.canSpendAllChangedRouteTargets',
  'intent.canReadAnyClaimWallet',
  'intent.canReadAnyClaimWalletInThread',
  'intent.canSpendEveryClaimWallet',
  'intent.canSpendAnyClaimWallet',
  'intent.canSpendAnyClaimWalletInThread',
];
const many = (count: number, value: unknown = 'x') => Array.from({ length: count }, () => value);

describe('a rule', () => {
  test.each([
    [{ action: 'read' }],
    [{ action: 'any', record: 'any', signer: {}, bearer: {}, filter: {}, change: {} }],
    [{ action: 'create', record: 'intent-proof', signer: { $circle: 'staff' } }],
    [{ action: 'read', record: 'intent', invoke: 'intent.canReadAnyClaimWallet' }],
    [{ action: 'update', filter: { schema: 'bank' }, change: { 'custom.limit': { $lte: 5 } } }],
    [{ policy: 'readers' }],
    [{ action: { $in: ['read', 'query'] }, record: { $in: ['wallet', 'intent-proof', 'any'] } }],
    [{ policy: { $in: ['readers', 'writers'] } }],
  ])('%j', (rule) => expect(withRule(rule)).toEqual([]));

  // Ruling 73.
  test.each<[object, unknown[]]>([
    [{ action: { $in: [] } }, noItems('/action/$in')],
    [{ action: { $in: 'read' } }, typeOf('/action/$in', 'array')],
    [{ action: { $in: ['read', 'reed'] } }, [noneOf('/action/$in/1', accessActions)]],
    [{ action: { $in: ['read'], $nin: [] } }, [unknown('/action', '$nin')]],
    [{ action: { $in: many(33, 'read') } }, tooMany('/action/$in', 32)],
    [{ action: { $eq: 'read' } }, [noneOf('/action', accessActions)]],
    [{ action: 'read', record: { $in: [] } }, noItems('/record/$in')],
    [{ action: 'read', record: { $in: ['purse'] } }, [noneOf('/record/$in/0', accessRecords)]],
    [{ policy: { $in: [] } }, noItems('/policy/$in')],
    [{ policy: { $in: many(17) } }, tooMany('/policy/$in', 16)],
    [{ policy: 5 }, typeOf('/policy', ['string', 'object'])],
  ])('is not %j', (rule, violations) => expect(withRule(rule)).toEqual(violations));

  test('is one of at most a hundred', () => {
    expect(withRules(many(100, { action: 'read' }))).toEqual([]);
    expect(withRules(many(101, { action: 'read' }))).toEqual(tooMany('/data/access', 100));
    expect(withRules({})).toEqual(typeOf('/data/access', 'array'));
  });

  test('is an object', () => {
    for (const rule of ['read', 5, null, [], true])
      expect(withRule(rule)).toEqual(typeOf('', 'object'));
  });

  test('grants an action, or names a policy', () => {
    expect(withRule({})).toEqual([missing('action')]);
    expect(withRule({ record: 'wallet' })).toEqual([missing('action')]);
    expect(withRule({ policy: 'readers', action: 'read' })).toEqual([unknown('', 'action')]);
    expect(withRule({ policy: 'readers', signer: {}, filter: {} })).toEqual([
      unknown('', 'signer'),
      unknown('', 'filter'),
    ]);
  });

  test('has no other members', () => {
    expect(withMember({ filtr: {}, actions: [] })).toEqual([
      unknown('', 'filtr'),
      unknown('', 'actions'),
    ]);
  });

  test('is told where it stands', () => {
    expect(withRules([{ action: 'read' }, { action: 'read', record: 'purse' }])).toEqual([
      noneOf('/data/access/1/record', accessRecords),
    ]);
  });

  test('tells every violation', () => {
    const rule = {
      action: 'reed',
      record: 'purse',
      invoke: 'wallet.isMine',
      signer: { handle: 5, $in: [] },
      bearer: { iss: { $near: 'x' }, hsh: 'yes' },
      filter: [],
      hello: 1,
    };
    expect(withRule(rule)).toEqual([
      noneOf('/action', accessActions),
      noneOf('/record', accessRecords),
      ...typeOf('/signer/handle', ['string', 'object']),
      ...noItems('/signer/$in'),
      unknown('/bearer/iss', '$near'),
      ...typeOf('/bearer/hsh', 'boolean'),
      noneOf('/invoke', invokes),
      ...typeOf('/filter', 'object'),
      unknown('', 'hello'),
    ]);
  });

  test('is refused in the form of the contract', () => {
    const refusal = refusalOf(AccessRule, { action: 'read', signer: { name: 'ann' } });
    expect(refusal?.reason).toBe('record.schema-invalid');
    expect(refusal?.custom?.['errors']).toEqual([
      {
        instancePath: '/signer',
        schemaPath: '#/properties/signer/additionalProperties',
        keyword: 'additionalProperties',
        params: { additionalProperty: 'name' },
        message: 'must NOT have additional properties',
      },
    ]);
  });
});

// Ruling 33.
describe('its action', () => {
  test('is one of those that there are', () => {
    expect(new Set(accessActions).size).toBe(19);
    for (const action of accessActions) expect(withRule({ action })).toEqual([]);
  });

  test.each(['Read', 'reads', 'sign', 'delete', '', '*', 5, null, ['read'], {}])(
    'is never %j',
    (action) => expect(withRule({ action })).toEqual([noneOf('/action', accessActions)]),
  );
});

describe('its record', () => {
  test('is a kind, the proofs of one, or any', () => {
    const all = Object.keys(kinds) as Kind[];
    for (const record of ['any', ...all, ...all.map((kind) => `${kind}-proof`)])
      expect(withMember({ record })).toEqual([]);
    expect(accessRecords).toHaveLength(1 + 2 * all.length);
  });

  test.each(['wallets', 'Wallet', 'any-proof', 'proof', 'server', 'balance', '', 5, null])(
    'is never %j',
    (record) => expect(withMember({ record })).toEqual([noneOf('/record', accessRecords)]),
  );
});

describe('its check', () => {
  test('is one of those that there are', () => {
    for (const invoke of invokes) expect(withMember({ invoke })).toEqual([]);
  });

  test.each(['canSpendAnyClaimWallet', 'intent.canSpend', 'intent.', '', 5, null])(
    'is never %j',
    (invoke) => expect(withMember({ invoke })).toEqual([noneOf('/invoke', invokes)]),
  );
});

test('its policy is a handle, or one of several', () => {
  expect(withRule({ policy: 'readers@bank' })).toEqual([]);
  expect(withRule({ policy: 'two words' })).toEqual([['/policy', 'pattern', handlePattern]]);
  expect(withRule({ policy: 'x'.repeat(257) })).toEqual(above('/policy', 256));
  for (const policy of [5, null, []])
    expect(withRule({ policy })).toEqual(typeOf('/policy', ['string', 'object']));
  expect(withRule({ policy: {} })).toEqual([['/policy', 'required', { missingProperty: '$in' }]]);
});

test.each(['filter', 'change'])('its %s is an object of conditions', (member) => {
  expect(withMember({ [member]: { 'custom.a': { $in: [1] }, schema: 'x' } })).toEqual([]);
  for (const value of ['x', 5, null, []])
    expect(withMember({ [member]: value })).toEqual(typeOf(`/${member}`, 'object'));
});

// Ruling 32.
describe('its signer', () => {
  test.each([
    [{}],
    [{ handle: 'ann', public: 'key', format: 'ed25519-raw', schema: 'staff' }],
    [{ handle: { $in: ['ann', 'bob'] }, public: { $eq: 'key' }, schema: { $exists: false } }],
    [{ handle: { $gt: 'a', $gte: 'a', $lt: 'b', $lte: 'b', $ne: 'x', $nin: [], $regex: '^a' } }],
    [{ custom: { level: { $gte: 3 }, 'team.name': 'ops', plain: { a: [1] } } }],
    [{ $circle: 'staff' }],
    [{ $circle: { $in: ['staff', 'admins'] } }],
    [{ $record: 'owner', $ledger: 'owner' }],
    [{ $in: [{ handle: 'ann' }, {}] }],
  ])('may be %j', (signer) => expect(withSigner(signer)).toEqual([]));

  test.each<[unknown, unknown[]]>([
    [null, typeOf('/signer', 'object')],
    ['ann', typeOf('/signer', 'object')],
    [[{ handle: 'ann' }], typeOf('/signer', 'object')],
    [{ name: 'ann' }, [unknown('/signer', 'name')]],
    [{ handle: 5 }, typeOf('/signer/handle', ['string', 'object'])],
    [{ handle: null }, typeOf('/signer/handle', ['string', 'object'])],
    [{ handle: { $eq: 5 } }, typeOf('/signer/handle/$eq', 'string')],
    [{ handle: { $exists: 'yes' } }, typeOf('/signer/handle/$exists', 'boolean')],
    [{ handle: { $in: 'ann' } }, typeOf('/signer/handle/$in', 'array')],
    [{ handle: { $like: 'ann' } }, [unknown('/signer/handle', '$like')]],
    [{ custom: 'x' }, typeOf('/signer/custom', 'object')],
    [{ $circle: 5 }, typeOf('/signer/$circle', ['string', 'object'])],
    [{ $circle: 'two words' }, [['/signer/$circle', 'pattern', handlePattern]]],
    [
      { $circle: { $nin: ['a'] } },
      [
        ['/signer/$circle', 'required', { missingProperty: '$in' }],
        unknown('/signer/$circle', '$nin'),
      ],
    ],
    [{ $record: 'author' }, [['/signer/$record', 'const', { allowedValue: 'owner' }]]],
    [{ $ledger: true }, [['/signer/$ledger', 'const', { allowedValue: 'owner' }]]],
    [{ $signer: {} }, [unknown('/signer', '$signer')]],
    [{ $in: {} }, typeOf('/signer/$in', 'array')],
    [{ $in: ['ann'] }, typeOf('/signer/$in/0', 'object')],
  ])('is never %j', (signer, broken) => expect(withSigner(signer)).toEqual(broken));

  test('has bounds', () => {
    expect(withSigner({ handle: 'x'.repeat(256) })).toEqual([]);
    expect(withSigner({ handle: 'x'.repeat(257) })).toEqual(above('/signer/handle', 256));
    expect(withSigner({ handle: { $regex: 'x'.repeat(257) } })).toEqual(
      above('/signer/handle/$regex', 256),
    );
    expect(withSigner({ handle: { $in: many(100) } })).toEqual([]);
    expect(withSigner({ handle: { $in: many(101) } })).toEqual(tooMany('/signer/handle/$in', 100));
    expect(withSigner({ $circle: { $in: many(32) } })).toEqual([]);
    expect(withSigner({ $circle: { $in: many(33) } })).toEqual(tooMany('/signer/$circle/$in', 32));
    expect(withSigner({ $circle: { $in: [] } })).toEqual(noItems('/signer/$circle/$in'));
    expect(withSigner({ $in: many(16, {}) })).toEqual([]);
    expect(withSigner({ $in: many(17, {}) })).toEqual(tooMany('/signer/$in', 16));
    expect(withSigner({ $in: [] })).toEqual(noItems('/signer/$in'));
  });
});

// Ruling 32.
describe('its bearer', () => {
  test.each([
    [{}],
    [{ iss: 'acme', sub: { $in: ['ann'] }, aud: { $regex: '^https' }, hsh: true }],
    [{ hsh: false, $signer: { $circle: 'staff', custom: { level: 3 } } }],
    [{ $in: [{ iss: 'acme' }, { $signer: { $in: [{ handle: 'ann' }] } }] }],
  ])('may be %j', (bearer) => expect(withBearer(bearer)).toEqual([]));

  test.each<[unknown, unknown[]]>([
    [null, typeOf('/bearer', 'object')],
    ['token', typeOf('/bearer', 'object')],
    [{ exp: 5 }, [unknown('/bearer', 'exp')]],
    [{ handle: 'ann' }, [unknown('/bearer', 'handle')]],
    [{ iss: 5 }, typeOf('/bearer/iss', ['string', 'object'])],
    [{ sub: { $eq: null } }, typeOf('/bearer/sub/$eq', 'string')],
    [{ hsh: 'abc' }, typeOf('/bearer/hsh', 'boolean')],
    [{ $signer: 'ann' }, typeOf('/bearer/$signer', 'object')],
    [{ $signer: { sub: 'ann' } }, [unknown('/bearer/$signer', 'sub')]],
    [{ $in: [] }, noItems('/bearer/$in')],
    [{ $in: many(17, {}) }, tooMany('/bearer/$in', 16)],
    [{ $in: [{ handle: 'ann' }] }, [unknown('/bearer/$in/0', 'handle')]],
  ])('is never %j', (bearer, broken) => expect(withBearer(bearer)).toEqual(broken));
});

describe('alternatives lie in each other three deep at most', () => {
  const nested = (depth: number, matcher: object = {}): object =>
    depth === 0 ? matcher : { $in: [nested(depth - 1, matcher)] };

  test('for signers', () => {
    expect(withSigner(nested(3))).toEqual([]);
    expect(withSigner(nested(4))).toEqual([unknown('/signer/$in/0/$in/0/$in/0', '$in')]);
    expect(withSigner(nested(9))).toEqual([unknown('/signer/$in/0/$in/0/$in/0', '$in')]);
  });

  test('for tokens together with their signers', () => {
    expect(withBearer(nested(3, { $signer: {} }))).toEqual([]);
    expect(withBearer(nested(4))).toEqual([unknown('/bearer/$in/0/$in/0/$in/0', '$in')]);
    expect(withBearer({ $signer: nested(3) })).toEqual([]);
    expect(withBearer({ $signer: nested(4) })).toEqual([
      unknown('/bearer/$signer/$in/0/$in/0/$in/0', '$in'),
    ]);
    expect(withBearer(nested(1, { $signer: nested(3) }))).toEqual([
      unknown('/bearer/$in/0/$signer/$in/0/$in/0', '$in'),
    ]);
  });

  test('each that is deeper is told, beside all else', () => {
    const rule = { action: 'reed', signer: { $in: [nested(3), {}, nested(3)] }, bearer: nested(4) };
    expect(withRule(rule)).toEqual([
      noneOf('/action', accessActions),
      unknown('/signer/$in/0/$in/0/$in/0', '$in'),
      unknown('/signer/$in/2/$in/0/$in/0', '$in'),
      unknown('/bearer/$in/0/$in/0/$in/0', '$in'),
    ]);
  });

  test('and what is no alternative does not count', () => {
    const deep = nested(9) as Record<string, unknown>;
    expect(withSigner(nested(3, { custom: { a: deep }, handle: { $in: ['ann'] } }))).toEqual([]);
    expect(withMember({ filter: { a: { $eq: deep } } })).toEqual([]);
  });

  test('what has not the shape of a matcher is told as that', () => {
    for (const form of [null, 'ann', 5])
      expect(withSigner({ $in: [{ $in: [form] }] })).toEqual(
        typeOf('/signer/$in/0/$in/0', 'object'),
      );
  });
});
