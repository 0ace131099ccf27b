import { describe, expect, test } from 'vitest';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import { createBody, updateBody } from '../../shared/shape/body.ts';
import { AddressHandle, DropBody, NameHandle } from '../../shared/shape/record.ts';
import {
  bodyOf,
  brokenBy,
  brokenData,
  handlePattern,
  hash,
  hexPattern,
  proof,
  refusalOf,
} from './broken.ts';

const claim = { action: 'issue', target: 'alice', symbol: 'usd', amount: 1 };
/** The least data of each kind. */
const least: Record<Kind, object> = {
  ledger: { handle: 'main' },
  signer: { handle: 'ann' },
  symbol: { handle: 'usd', factor: 100 },
  wallet: { handle: 'alice' },
  intent: { handle: 'rent', claims: [claim] },
  effect: {
    handle: 'told',
    signal: 'intent-created',
    action: { schema: 'webhook', endpoint: 'https://example.com/events' },
  },
  'signer-factor': { handle: 'phone', signer: 'ann', schema: 'oauth-client-credentials' },
  circle: { handle: 'staff' },
  'circle-signer': { circle: 'staff', signer: 'ann' },
  bridge: { handle: 'bank', config: { server: 'https://bank.example' } },
  domain: { handle: 'bank' },
  anchor: { handle: '555', target: 'alice@bank' },
  schema: { handle: 'person', record: 'wallet', format: 'json-schema', schema: {} },
  policy: { handle: 'ends', schema: 'status', record: 'wallet', values: [] },
  report: { handle: 'july' },
};
/** The kinds whose `schema` is no free text. */
const ownSchemas: readonly Kind[] = ['signer-factor', 'bridge', 'schema', 'policy'];
const named = (kind: Kind) => lineOf(kind).naming ?? 'handle';
const handleLimit = { limit: 256 };

describe.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
  const data = least[kind];
  const create = createBody(kind);

  test('its least data creates it', () => expect(brokenData(kind, data)).toEqual([]));

  test('its least data and the hash it replaces update it', () => {
    expect(brokenBy(updateBody(kind), bodyOf({ ...data, parent: hash }))).toEqual([]);
  });

  test('it may have a schema, access rules and a custom part', () => {
    const access = [{ action: 'any', signer: { $circle: 'staff' } }];
    const custom = { note: 'x', deep: [{ a: null }] };
    const schema = ownSchemas.includes(kind) ? {} : { schema: 'any' };
    expect(brokenData(kind, { ...data, ...schema, access, custom })).toEqual([]);
  });

  test.each(['.', '..'])('its name is not %s, which no URL can carry', (name) => {
    const body = bodyOf({ ...data, [named(kind)]: name });
    expect(brokenBy(create, body)).toEqual([[`/data/${named(kind)}`, 'format', {}]]);
    expect(refusalOf(create, body)?.detail).toContain('must NOT be . or ..');
  });

  test('its data has no unknown members, and no parent before it exists', () => {
    expect(brokenData(kind, { ...data, handel: 'x', parent: hash })).toEqual([
      ['/data', 'additionalProperties', { additionalProperty: 'handel' }],
      ['/data', 'additionalProperties', { additionalProperty: 'parent' }],
    ]);
  });

  test('its update names the hash that it replaces', () => {
    const update = updateBody(kind);
    expect(brokenBy(update, bodyOf(data))).toEqual([
      ['/data', 'required', { missingProperty: 'parent' }],
    ]);
    expect(brokenBy(update, bodyOf({ ...data, parent: 'x' }))).toEqual([
      ['/data/parent', 'pattern', hexPattern],
    ]);
  });

  test('its handle is required', () => {
    expect(brokenData(kind, { ...data, [named(kind)]: undefined })).toEqual([
      ['/data', 'required', { missingProperty: named(kind) }],
    ]);
  });

  test('its handle is a text of 1 to 256 characters', () => {
    const isName = kind === 'ledger' || kind === 'domain';
    const pattern = { pattern: isName ? namePattern : handlePattern.pattern };
    const path = `/data/${named(kind)}`;
    const withHandle = (handle: unknown) => brokenData(kind, { ...data, [named(kind)]: handle });
    expect(withHandle('x')).toEqual([]);
    expect(withHandle('x'.repeat(256))).toEqual([]);
    expect(withHandle('x'.repeat(257))).toEqual([[path, 'maxLength', handleLimit]]);
    expect(withHandle('')).toEqual([[path, 'pattern', pattern]]);
    expect(withHandle('two words')).toEqual([[path, 'pattern', pattern]]);
    expect(withHandle(`$${kinds[kind].prefix}.0123`)).toEqual([[path, 'pattern', pattern]]);
    expect(withHandle(5)).toEqual([[path, 'type', { type: 'string' }]]);
    expect(withHandle(null)).toEqual([[path, 'type', { type: 'string' }]]);
  });

  test.skipIf(ownSchemas.includes(kind))('what is common to all kinds has bounds', () => {
    const withCommon = (common: object) => brokenData(kind, { ...data, ...common });
    const rules = (count: number) => Array.from({ length: count }, () => ({ action: 'read' }));
    expect(withCommon({ schema: 'x', access: rules(100), custom: {} })).toEqual([]);
    expect(withCommon({ schema: '', access: rules(101), custom: [] })).toEqual([
      ['/data/schema', 'minLength', { limit: 1 }],
      ['/data/access', 'maxItems', { limit: 100 }],
      ['/data/custom', 'type', { type: 'object' }],
    ]);
    expect(withCommon({ schema: 'x'.repeat(257), access: [1], custom: 'x' })).toEqual([
      ['/data/schema', 'maxLength', { limit: 256 }],
      ['/data/access/0', 'type', { type: 'object' }],
      ['/data/custom', 'type', { type: 'object' }],
    ]);
    expect(withCommon({ schema: null, access: {}, custom: null })).toEqual([
      ['/data/schema', 'type', { type: 'string' }],
      ['/data/access', 'type', { type: 'array' }],
      ['/data/custom', 'type', { type: 'object' }],
    ]);
  });

  test('its envelope is whole', () => {
    expect(brokenBy(create, {})).toEqual([
      ['', 'required', { missingProperty: 'hash' }],
      ['', 'required', { missingProperty: 'data' }],
      ['', 'required', { missingProperty: 'meta' }],
    ]);
    expect(brokenBy(create, { ...bodyOf(data), meta: {}, luid: 5, hash: 'x', page: 1 })).toEqual([
      ['/luid', 'type', { type: 'string' }],
      ['/hash', 'pattern', hexPattern],
      ['/meta', 'required', { missingProperty: 'proofs' }],
      ['', 'additionalProperties', { additionalProperty: 'page' }],
    ]);
    expect(brokenBy(create, { hash: 1, data: [], meta: 'x' })).toEqual([
      ['/hash', 'type', { type: 'string' }],
      ['/data', 'type', { type: 'object' }],
      ['/meta', 'type', { type: 'object' }],
    ]);
  });
});

const namePattern = '^(?!\\$[a-z]{3}\\.)[a-zA-Z0-9_\\-:.=$/+]+$';

test.each([[], 'text', 5, true, null])('a body that is %o is no object', (body) => {
  expect(brokenBy(createBody('wallet'), body)).toEqual([['', 'type', { type: 'object' }]]);
});

describe('the handle of a ledger or a domain', () => {
  test.each([
    'a',
    'A-Z_0.9',
    'a:b=c$d/e+f',
    '$abc',
    '$wlt',
    '$wl.x',
    '$WLT.x',
    'a$wlt.x',
    '-',
    '...',
    './.',
  ])('may be %s', (text) => expect(NameHandle.safeParse(text).success).toBe(true));

  test.each(['', ' ', 'a b', 'a@b', '$wlt.', '$ldg.x', 'ä', 'a\n', '\na', 'a#', 'a?', 'a%20'])(
    'is never %o',
    (text) => expect(NameHandle.safeParse(text).success).toBe(false),
  );
});

describe('every other handle is an address', () => {
  test.each([
    'a',
    'tel:+1-555',
    'bank:alice@example.com',
    'alice@b',
    'a:b',
    'x.y_z-0+9',
    '-',
    '...',
    '.:..',
    'a@..',
  ])('may be %s', (text) => expect(AddressHandle.safeParse(text).success).toBe(true));

  test.each([
    '',
    ' ',
    ':a',
    'a:',
    'a@',
    '@a',
    'a@b@c',
    'a:b:c',
    'a@b:c',
    '$wlt.x',
    '$a',
    'a/b',
    'a=b',
    'a\n',
    'ä',
  ])('is never %o', (text) => expect(AddressHandle.safeParse(text).success).toBe(false));
});

describe('a drop', () => {
  const said = { ...proof, custom: { status: 'dropped', reason: 'moved' } };
  const drop = { hash, data: { parent: hash }, meta: { proofs: [said] } };

  test('names the hash that it ends, and every proof says so', () => {
    expect(brokenBy(DropBody, drop)).toEqual([]);
    expect(brokenBy(DropBody, { ...drop, luid: '$wlt.x' })).toEqual([]);
  });

  test('has no other data', () => {
    expect(brokenBy(DropBody, { ...drop, data: { handle: 'alice' } })).toEqual([
      ['/data', 'required', { missingProperty: 'parent' }],
      ['/data', 'additionalProperties', { additionalProperty: 'handle' }],
    ]);
  });

  test('has no proof that says something else, or nothing', () => {
    const other = { ...proof, custom: { status: 'created' } };
    const silent = { ...proof, custom: {} };
    expect(brokenBy(DropBody, { ...drop, meta: { proofs: [said, other, silent, proof] } })).toEqual(
      [
        ['/meta/proofs/1/custom/status', 'const', { allowedValue: 'dropped' }],
        ['/meta/proofs/2/custom', 'required', { missingProperty: 'status' }],
        ['/meta/proofs/3', 'required', { missingProperty: 'custom' }],
      ],
    );
  });
});
