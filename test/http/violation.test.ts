import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertShape } from '../../shared/record/shape-violation.ts';
import { createBody } from '../../shared/shape/body.ts';
import { bodyOf, brokenBy, refusalOf } from '../shape/broken.ts';

test('a body that has the shape is returned as it is', () => {
  const body = bodyOf({ handle: 'alice' }, { luid: '$wlt.x' });
  expect(assertShape(createBody('wallet'), body)).toBe(body);
});

const either = z.union([z.string(), z.looseObject({})]);
const notMoment = 'must be a moment, ISO 8601 in UTC, such as 2026-01-31T12:00:00.000Z';
const notAllowed = 'must be equal to one of the allowed values';
const refined = z.string().refine(() => false, {
  params: { format: 'f' },
  message: 'must match format "f"',
});

// What ajv 8 prints with `allErrors`, word for word, for the same rules written as a JSON Schema.
describe('each violation is told as ajv tells it:', () => {
  const told = (shape: z.ZodType, value: unknown) =>
    refusalOf(z.strictObject({ a: shape.optional(), b: z.literal(1) }), { a: value, b: 1 })
      ?.custom?.['errors'];
  const at = (keyword: string, params: unknown, message: string) => [
    { instancePath: '/a', schemaPath: `#/properties/a/${keyword}`, keyword, params, message },
  ];

  test.each<[string, z.ZodType, unknown, unknown, string]>([
    ['type', z.string(), 1, { type: 'string' }, 'must be string'],
    ['type', z.number(), 'x', { type: 'number' }, 'must be number'],
    ['type', z.int(), 1.5, { type: 'integer' }, 'must be integer'],
    ['type', z.boolean(), 1, { type: 'boolean' }, 'must be boolean'],
    ['type', z.array(z.string()), {}, { type: 'array' }, 'must be array'],
    ['type', z.looseObject({}), [], { type: 'object' }, 'must be object'],
    ['type', z.record(z.string(), z.unknown()), 1, { type: 'object' }, 'must be object'],
    ['type', either, 1, { type: ['string', 'object'] }, 'must be string,object'],
    ['minLength', z.string().min(2), 'x', { limit: 2 }, 'must NOT have fewer than 2 characters'],
    ['maxLength', z.string().max(2), 'xxx', { limit: 2 }, 'must NOT have more than 2 characters'],
    ['minItems', z.array(z.int()).min(2), [1], { limit: 2 }, 'must NOT have fewer than 2 items'],
    ['maxItems', z.array(z.int()).max(1), [1, 2], { limit: 1 }, 'must NOT have more than 1 items'],
    ['minimum', z.number().min(2), 1, { comparison: '>=', limit: 2 }, 'must be >= 2'],
    ['maximum', z.number().max(2), 3, { comparison: '<=', limit: 2 }, 'must be <= 2'],
    ['exclusiveMinimum', z.number().gt(2), 2, { comparison: '>', limit: 2 }, 'must be > 2'],
    ['exclusiveMaximum', z.number().lt(2), 2, { comparison: '<', limit: 2 }, 'must be < 2'],
    ['pattern', z.string().regex(/^a$/i), 'x', { pattern: '^a$' }, 'must match pattern "^a$"'],
    ['format', z.iso.datetime(), 'x', { format: 'date-time' }, notMoment],
    ['const', z.literal('x'), 'y', { allowedValue: 'x' }, 'must be equal to constant'],
    ['enum', z.literal(['x', 1]), 'y', { allowedValues: ['x', 1] }, notAllowed],
    ['format', refined, 'x', { format: 'f' }, 'must match format "f"'],
  ])('%s (row %#)', (keyword, shape, value, params, message) => {
    expect(told(shape, value)).toEqual(at(keyword, params, message));
  });

  test('a member that is missing is told on its object', () => {
    const shape = z.strictObject({ a: z.strictObject({ b: z.string() }) });
    expect(refusalOf(shape, { a: {} })?.custom).toEqual({
      errors: [
        {
          instancePath: '/a',
          schemaPath: '#/properties/a/required',
          keyword: 'required',
          params: { missingProperty: 'b' },
          message: "must have required property 'b'",
        },
      ],
    });
  });

  test('a member that nobody knows is told on its object, each by name', () => {
    const shape = z.strictObject({ a: z.strictObject({}) });
    const one = {
      instancePath: '/a',
      schemaPath: '#/properties/a/additionalProperties',
      keyword: 'additionalProperties',
      message: 'must NOT have additional properties',
    };
    expect(refusalOf(shape, { a: { x: 1, y: 1 } })?.custom).toEqual({
      errors: [
        { ...one, params: { additionalProperty: 'x' } },
        { ...one, params: { additionalProperty: 'y' } },
      ],
    });
  });
});

describe('where a violation is', () => {
  test('is a JSON pointer, and the path of the rule', () => {
    const shape = z.strictObject({ 'a/b~c': z.array(z.strictObject({ d: z.string() })) });
    expect(refusalOf(shape, { 'a/b~c': [{ d: 'x' }, { d: 1 }] })?.custom?.['errors']).toEqual([
      expect.objectContaining({
        instancePath: '/a~1b~0c/1/d',
        schemaPath: '#/properties/a~1b~0c/items/properties/d/type',
      }),
    ]);
  });

  test('is cut where the body has long names', () => {
    const shape = z.strictObject({ a: z.record(z.string(), z.array(z.string())) });
    const [one] = brokenBy(shape, { a: { ['~'.repeat(1_000_000)]: [1] } });
    expect(one).toEqual([`/a/${'~0'.repeat(126)}~…`, 'type', { type: 'string' }]);
  });

  test('is the whole body when the body is no object', () => {
    const refusal = refusalOf(z.strictObject({}), 5);
    expect(refusal?.detail).toBe('The body must be object');
    expect(refusal?.custom?.['errors']).toEqual([
      {
        instancePath: '',
        schemaPath: '#/type',
        keyword: 'type',
        params: { type: 'object' },
        message: 'must be object',
      },
    ]);
  });

  test('is the whole body when there is none', () => {
    expect(brokenBy(z.strictObject({}), undefined)).toEqual([['', 'type', { type: 'object' }]]);
  });

  test('is the form that was meant, where there are several', () => {
    const shape = z.strictObject({
      party: z.union([z.string().max(3), z.strictObject({ handle: z.string() })]),
    });
    expect(brokenBy(shape, { party: 'long' })).toEqual([['/party', 'maxLength', { limit: 3 }]]);
    expect(brokenBy(shape, { party: {} })).toEqual([
      ['/party', 'required', { missingProperty: 'handle' }],
    ]);
    expect(brokenBy(shape, {})).toEqual([['', 'required', { missingProperty: 'party' }]]);
  });

  test('is the member that tells the forms apart, when it tells none', () => {
    const form = (action: string) => z.strictObject({ action: z.literal(action) });
    const shape = z.discriminatedUnion('action', [form('x'), form('y')]);
    expect(brokenBy(shape, { action: 'z' })).toEqual([
      ['/action', 'enum', { allowedValues: ['x', 'y'] }],
    ]);
    expect(brokenBy(shape, {})).toEqual([['', 'required', { missingProperty: 'action' }]]);
  });
});

describe('a refusal', () => {
  const shape = z.strictObject({ a: z.string(), b: z.literal([1, 2]), c: z.literal('x') });

  test('is record.schema-invalid with every violation, in the order of the shape', () => {
    const body = { z: 1, c: 'y', b: 3, y: 1 };
    expect(refusalOf(shape, body)?.reason).toBe('record.schema-invalid');
    expect(brokenBy(shape, body)).toEqual([
      ['', 'required', { missingProperty: 'a' }],
      ['/b', 'enum', { allowedValues: [1, 2] }],
      ['/c', 'const', { allowedValue: 'x' }],
      ['', 'additionalProperties', { additionalProperty: 'z' }],
      ['', 'additionalProperties', { additionalProperty: 'y' }],
    ]);
  });

  test.each([
    [{ b: 1, c: 'x' }, "The body must have required property 'a'"],
    [{ a: 1, b: 1, c: 'x' }, '/a must be string'],
    [{ a: 'x', b: 3, c: 'x' }, '/b must be equal to one of the allowed values: 1, 2'],
    [{ a: 'x', b: 1, c: 'y' }, '/c must be equal to constant: x'],
    [{ a: 'x', b: 1, c: 'x', d: 1 }, 'The body must NOT have additional properties: d'],
  ])('sums up the first violation: %o', (body, detail) => {
    expect(refusalOf(shape, body)?.detail).toBe(detail);
  });

  test.each([
    ['intent-completd', '; the nearest is intent-completed'],
    ['wallet', ''],
    [5, ''],
  ])('names the allowed text that is nearest to %j, where one is near', (written, hint) => {
    const some = z.strictObject({ 'a/b': z.literal(['intent-completed', 'intent-created']) });
    const all = 'intent-completed, intent-created';
    expect(refusalOf(some, { 'a/b': written })?.detail).toBe(`/a~1b ${notAllowed}: ${all}${hint}`);
  });

  const letters = 'letters A to Z and a to z, digits, and any of';
  test.each([
    [
      'wallet',
      'my wallet',
      `: 1 to 256 ${letters} _ - + . (with 'schema:' before, or '@domain' behind, of the same characters)`,
    ],
    [
      'domain',
      '$abc.x',
      `: 1 to 256 ${letters} _ - : . = $ / +, without a luid's beginning such as $wlt.`,
    ],
  ] as const)('says the pattern of the handle of a %s in words', (kind, handle, words) => {
    const refusal = refusalOf(createBody(kind), bodyOf({ handle }));
    const [first] = (refusal?.custom?.['errors'] ?? []) as { message: string }[];
    expect(first?.message).toMatch(/^must match pattern "[^ ]+"$/);
    expect(refusal?.detail).toBe(`/data/handle ${first?.message}${words}`);
  });

  test.each([
    [
      { schema: 'oauth2', clientId: 'us', clientSecret: 'plain', tokenUrl: 'https://a.example' },
      'clientSecret',
      'the name of a secret, such as {{ secret.token }}',
    ],
    [
      { schema: 'header', key: 'x-key', value: 'plain' },
      'value',
      'ASCII that names a secret, such as Bearer {{ secret.token }}',
    ],
    [
      { schema: 'header', key: 'x key', value: '{{ secret.a }}' },
      'key',
      'the name of an HTTP header, such as x-api-key',
    ],
  ])('says in words what %j must be', (rule, member, words) => {
    const config = { server: 'https://a.example' };
    const data = { handle: 'bank', config, secure: [rule] };
    const { detail } = refusalOf(createBody('bridge'), bodyOf(data)) ?? {};
    expect(detail).toMatch(`/data/secure/0/${member} must match pattern`);
    expect(detail?.endsWith(`": ${words}`)).toBe(true);
  });

  test('says of a hash in words what it must be', () => {
    const { detail } =
      refusalOf(createBody('wallet'), { ...bodyOf({ handle: 'a' }), hash: 'x' }) ?? {};
    expect(detail).toBe('/hash must match pattern "^[A-Fa-f0-9]{64}$": 64 hexadecimal digits');
  });

  test('tells at most 100 violations', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const empty = z.strictObject({});
    expect(brokenBy(empty, unknown(100))).toHaveLength(100);
    expect(brokenBy(empty, unknown(101))).toHaveLength(100);
  });

  test('a list that is too long is not looked into', () => {
    const list = z.array(z.string()).max(1);
    expect(brokenBy(list, [1])).toEqual([['/0', 'type', { type: 'string' }]]);
    expect(brokenBy(list, [1, 2])).toEqual([['', 'maxItems', { limit: 1 }]]);
  });
});
