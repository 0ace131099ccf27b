/** Goal: JSON Schemas that anybody may write are judged as JSON Schema says, and cannot hold the service up. */
import { describe, expect, test } from 'vitest';
import { schemaMaker } from '../../shared/json-schema/maker.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { ShapeViolation } from '../../shared/ledger/violation.ts';

type Json = Record<string, unknown>;
const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

/** `instancePath keyword` of each violation. */
const judged = (schema: Json, data: unknown) =>
  schemaMaker(schema)(data).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

function refusalOf(act: () => unknown): LedgerError {
  try {
    act();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
const refused = (schema: unknown) => {
  const { reason, custom } = refusalOf(() => schemaMaker(schema));
  expect(reason).toBe('record.schema-invalid');
  const errors = custom?.['errors'] as ShapeViolation[];
  return errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
};

describe('data is judged', () => {
  const schema = {
    type: 'object',
    required: ['custom'],
    properties: {
      handle: { type: 'string', pattern: '^[a-z]+$' },
      custom: {
        type: 'object',
        required: ['city'],
        properties: { city: { enum: ['Bern', 'Basel'] }, age: { type: 'integer', minimum: 18 } },
        additionalProperties: false,
      },
    },
  };

  test('with every violation, each by its place in the body', () => {
    expect(judged(schema, { handle: 'bank', custom: { city: 'Bern', age: 18 } })).toEqual([]);
    const broken = { handle: 'Bank', custom: { city: 'Paris', age: 3, typo: 1 } };
    expect(judged(schema, broken).sort()).toEqual([
      '/data/custom additionalProperties',
      '/data/custom/age minimum',
      '/data/custom/city enum',
      '/data/handle pattern',
    ]);
    expect(judged(schema, {})).toEqual(['/data required']);
  });

  test('in the form of the contract', () => {
    expect(schemaMaker(schema)({ handle: 'A', custom: { city: 'Bern' } })).toEqual([
      {
        instancePath: '/data/handle',
        schemaPath: '#/properties/handle/pattern',
        keyword: 'pattern',
        params: { pattern: '^[a-z]+$' },
        message: 'must match pattern "^[a-z]+$"',
      },
    ]);
  });

  test('by what is its own: nothing is inherited', () => {
    expect(judged({ required: ['toString'] }, {})).toEqual(['/data required']);
    expect(judged({ properties: { toString: { type: 'number' } } }, {})).toEqual([]);
  });

  test('in draft 7 unless the schema says 2020-12', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false };
    for (const $schema of [undefined, draft7, draft7.slice(0, -1)])
      expect(judged({ ...($schema && { $schema }), ...tuple }, ['a', 'b'])).toEqual([
        '/data additionalItems',
      ]);
    const prefix = { $schema: draft2020, prefixItems: [{ type: 'string' }], items: false };
    expect(judged(prefix, ['a', 'b'])).toEqual(['/data items']);
    const closed = {
      $schema: draft2020,
      allOf: [{ properties: { a: true } }],
      unevaluatedProperties: false,
    };
    expect(judged(closed, { a: 1, b: 2 })).toEqual(['/data unevaluatedProperties']);
  });

  test('through references to its own parts and to itself', () => {
    const tree = {
      definitions: { 'a/b~c': { type: 'string' } },
      properties: { name: { $ref: '#/definitions/a~1b~0c' }, child: { $ref: '#' } },
    };
    expect(judged(tree, { name: 'x', child: { name: 'y', child: { name: 5 } } })).toEqual([
      '/data/child/child/name type',
    ]);
  });

  test('also where elements may not repeat', () => {
    const unique = { uniqueItems: true };
    expect(judged(unique, [1, '1', { a: 1, b: 2 }, { b: 1, a: 2 }])).toEqual([]);
    expect(
      judged(unique, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual(['/data uniqueItems']);
    expect(judged({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test.each<[divisor: number, multiples: number[], others: number[]]>([
    [0.01, [19.99, 0.07, 1.13, -4.35, 0, 5, 1e21], [19.995, 0.001, 1e-300]],
    [0.1, [0.3, 1.1, 9_007_199_254_740_991], [0.35]],
    [0.5, [1.5, 4_503_599_627_370_495.5], [0.75]],
    [1e-9, [3e-9, 5], [1.5e-9]],
    [3, [9, -3, 0, 3e30], [10, 0.3]],
    [2.5e-308, [5e-308, 1e308], [1e-308]],
  ])('where a number is a multiple of %d, as its digits say', (multipleOf, multiples, others) => {
    for (const draft of [draft7, draft2020]) {
      const of = (value: number) => judged({ $schema: draft, multipleOf }, value);
      expect(multiples.flatMap(of)).toEqual([]);
      expect(others.flatMap(of)).toEqual(others.map(() => '/data multipleOf'));
    }
    expect(judged({ multipleOf }, 'text')).toEqual([]);
  });

  test('names the divisor of what is no multiple', () => {
    const [violation] = schemaMaker({ multipleOf: 0.01 })(0.005);
    expect(violation).toMatchObject({
      ...{ instancePath: '/data', keyword: 'multipleOf', params: { multipleOf: 0.01 } },
      message: 'must be multiple of 0.01',
    });
  });

  test.each([
    ['date', '2024-02-29', '2023-02-29'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['date-time', '2024-02-29T10:00:00.000Z', '2024-02-29'],
    ['duration', 'P1DT2H', '1D'],
    ['email', 'ann@bank.example', 'ann'],
    ['hostname', 'bank.example', 'bank_'],
    ['ipv4', '10.0.0.1', '10.0.0.256'],
    ['ipv6', '::1', '::g'],
    ['uri', 'https://bank.example/a', 'bank'],
    ['uri-reference', '/a#b', 'a b'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123'],
    ['json-pointer', '/a~1b', 'a'],
    ['relative-json-pointer', '1/a', '/a'],
  ])('by the format %s', (format, right, wrong) => {
    expect(judged({ format }, right)).toEqual([]);
    expect(judged({ format }, wrong)).toEqual(['/data format']);
    expect(judged({ format }, `${right}${' '.repeat(1024)}`)).toEqual(['/data format']);
  });
});

describe('schemas know nothing of each other', () => {
  test('with the same name of their own', () => {
    const named = { $id: 'https://bank.example/wallet' };
    expect(judged({ ...named, type: 'object' }, 5)).toEqual(['/data type']);
    expect(judged({ ...named, type: 'number' }, 5)).toEqual([]);
  });

  test('nor by it', () => {
    schemaMaker({ $id: 'https://bank.example/known', type: 'object' });
    expect(refused({ $ref: 'https://bank.example/known' })).toEqual(['/data/schema/$ref format']);
  });
});

describe('what is no schema is refused', () => {
  test.each<[string, Json, string[]]>([
    [
      'a type that there is not',
      { type: 'text' },
      ['/data/schema/type enum', '/data/schema/type type', '/data/schema/type anyOf'],
    ],
    [
      'a bound that is none',
      { properties: { a: { minLength: -1 } } },
      ['/data/schema/properties/a/minLength minimum'],
    ],
    ['a keyword that nobody knows', { requierd: ['a'] }, ['/data/schema/requierd not']],
    [
      'one deep within',
      { items: { anyOf: [{ maximun: 1 }] } },
      ['/data/schema/items/anyOf/0/maximun not'],
    ],
    ['one of the other draft', { prefixItems: [] }, ['/data/schema/prefixItems not']],
    ['one of a draft before', { id: 'a' }, ['/data/schema/id not']],
    ['what would make the judge wait', { $async: true }, ['/data/schema/$async not']],
    [
      'a draft that is not offered',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      ['/data/schema/$schema enum'],
    ],
    ['a reference to elsewhere', { $ref: 'https://bank.example/a' }, ['/data/schema/$ref format']],
    ['a reference to the draft', { $ref: draft7 }, ['/data/schema/$ref format']],
    [
      'a reference to a file',
      { properties: { a: { $ref: 'other.json#/a' } } },
      ['/data/schema/properties/a/$ref format'],
    ],
    ['a reference to nothing', { $ref: '#/definitions/a' }, ['/data/schema/$ref format']],
    [
      'a reference to what is not applied',
      { enum: [{ $ref: '#/enum/0' }], properties: { a: { $ref: '#/enum/0' } } },
      ['/data/schema/properties/a/$ref format'],
    ],
    ['a reference that is not encoded', { $ref: '#/%zz' }, ['/data/schema/$ref format']],
    [
      'a name for a part',
      { definitions: { a: { $id: 'b' } } },
      ['/data/schema/definitions/a/$id not'],
    ],
    [
      'an anchor',
      { $schema: draft2020, $defs: { a: { $anchor: 'b' } } },
      ['/data/schema/$defs/a/$anchor not'],
    ],
    [
      'a reference at run time',
      { $schema: draft2020, $dynamicRef: '#' },
      ['/data/schema/$dynamicRef not'],
    ],
    ['the keyword of prices', { price: 0 }, ['/data/schema/price not']],
    ['a pattern that is none', { pattern: '(' }, ['/data/schema/pattern format']],
    [
      'a pattern that looks ahead',
      { properties: { a: { pattern: '^(?=a)' } } },
      ['/data/schema/properties/a/pattern format'],
    ],
    [
      'a name of properties that refers back',
      { patternProperties: { '(a)\\1': {} } },
      ['/data/schema/patternProperties/(a)\\1 format'],
    ],
    [
      'a pattern that is too long',
      { pattern: 'a'.repeat(257) },
      ['/data/schema/pattern maxLength'],
    ],
    [
      'a name within what is never applied',
      { $schema: draft2020, contentSchema: { $id: 'x' } },
      ['/data/schema/contentSchema/$id not'],
    ],
  ])('%s', (_, schema, errors) => expect(refused(schema).sort()).toEqual(errors.sort()));

  test('a keyword that nobody knows with the nearest one that there is', () => {
    const nearestOf = (schema: Json) => {
      const errors = refusalOf(() => schemaMaker(schema)).custom?.['errors'] as ShapeViolation[];
      return errors.map(({ params, message }) => [params['nearest'], message.split('; ')[1]]);
    };
    const is = (name: string) => [[name, `the nearest one is ${name}`]];
    expect(nearestOf({ requierd: ['a'] })).toEqual(is('required'));
    expect(nearestOf({ additionalproperties: false })).toEqual(is('additionalProperties'));
    expect(nearestOf({ exampel: 1 })).toEqual(is('example'));
    expect(nearestOf({ $schema: draft2020, prefixitem: [] })).toEqual(is('prefixItems'));
    expect(nearestOf({ discriminator: {} })).toEqual([[undefined, undefined]]);
  });

  test('all of it is told', () => {
    expect(
      refused({ properties: { a: { pattern: '(' }, b: { $ref: '#/c' }, c: { $id: 'd' } } }),
    ).toHaveLength(3);
  });
});

describe('patterns', () => {
  const alike = { a: '^a$', b: '^b$' };
  const only = (one: string) => `must match pattern "${one}"`;

  test('of one schema are each its own', () => {
    const properties = { a: { pattern: alike.a }, b: { pattern: alike.b } };
    const judge = schemaMaker({ properties });
    expect(judge({ a: 'a', b: 'b' })).toEqual([]);
    const told = (data: Json) => judge(data).map(({ message }) => message);
    expect(told({ a: 'a', b: 'a' })).toEqual([only(alike.b)]);
    expect(told({ a: 'b', b: 'b' })).toEqual([only(alike.a)]);
  });

  test('of names and of values are each their own', () => {
    const patternProperties = { '^n': { pattern: alike.a }, '^m': { type: 'number' } };
    const schema = {
      patternProperties,
      additionalProperties: false,
      propertyNames: { pattern: '1$' },
    };
    expect(judged(schema, { n1: 'a', m1: 1 })).toEqual([]);
    expect(judged(schema, { n1: 'b' })).toEqual(['/data/n1 pattern']);
    expect(judged(schema, { m1: 'a' })).toEqual(['/data/m1 type']);
    expect(judged(schema, { o1: 1 })).toEqual(['/data additionalProperties']);
  });

  test('of one schema are not those of another', () => {
    const judges = ['^c$', '^d$'].map((pattern) => schemaMaker({ pattern }));
    expect(judges.map((judge) => judge('c').length)).toEqual([0, 1]);
    expect(judges.map((judge) => judge('d').length)).toEqual([1, 0]);
  });

  test('may have the names of what every object has', () => {
    const properties = { a: { pattern: 'constructor' }, b: { pattern: '__proto__' } };
    expect(judged({ properties }, { a: 'constructor', b: '__proto__' })).toEqual([]);
    expect(judged({ properties }, { a: '__proto__', b: 'constructor' })).toHaveLength(2);
  });
});

describe('what means nothing is kept, Ruling 79:', () => {
  test('keywords of others, whatever they hold', () => {
    const schema = {
      'x-ui': { $id: 'a', type: 'nothing', $ref: 5 },
      example: [{ $anchor: 'b' }],
      deprecated: true,
      externalDocs: { url: 'https://bank.example' },
      properties: { a: { 'x-order': 1, type: 'number' } },
    };
    for (const $schema of [draft7, draft2020]) {
      expect(judged({ $schema, ...schema }, { a: 1 })).toEqual([]);
      expect(judged({ $schema, ...schema }, { a: '1' })).toEqual(['/data/a type']);
    }
  });

  test('a format that nobody knows', () => {
    for (const format of ['phone', 'regex', 'int32', 'hasOwnProperty', '']) {
      expect([format, ...judged({ format }, '(')]).toEqual([format]);
      expect([format, ...judged({ format, type: 'string' }, 5)]).toEqual([format, '/data type']);
    }
  });

  test('an `if` without branches', () => {
    expect(judged({ if: { const: 1 } }, 2)).toEqual([]);
  });

  test('in draft 7 what stands beside a reference, and in 2020-12 not', () => {
    const beside = { $ref: '#/definitions/a', maxLength: 1, requierd: 1, pattern: '(' };
    const definitions = { a: { type: 'string' } };
    expect(judged({ definitions, items: beside }, ['ab', 5])).toEqual(['/data/1 type']);
    expect(refused({ $schema: draft2020, definitions, items: beside }).sort()).toEqual([
      '/data/schema/items/pattern format',
      '/data/schema/items/requierd not',
    ]);
    const { $ref, maxLength } = beside;
    const items = { $ref, maxLength };
    expect(judged({ $schema: draft2020, definitions, items }, ['ab'])).toEqual([
      '/data/0 maxLength',
    ]);
  });

  test('what is ignored is no place that another reference leads to', () => {
    const schema = { definitions: { a: true, b: { $ref: '#/definitions/a', items: {} } } };
    expect(refused({ ...schema, not: { $ref: '#/definitions/b/items' } })).toEqual([
      '/data/schema/not/$ref format',
    ]);
  });
});

describe('what the judge would get wrong is refused, and nothing else:', () => {
  const at = (keyword: string) => [`/data/schema/${keyword} not`];
  const unevaluated = (keyword: string, more: Json) => ({
    $schema: draft2020,
    [keyword]: false,
    ...more,
  });

  test.each<[string, string, Json]>([
    ['unevaluatedProperties', 'if', { if: true }],
    ['unevaluatedProperties', 'if', { allOf: [{ anyOf: [{ if: true }] }] }],
    ['unevaluatedProperties', 'if', { $ref: '#/$defs/a', $defs: { a: { if: true } } }],
    ['unevaluatedProperties', 'if', { dependentSchemas: { a: { if: true } } }],
    ['unevaluatedItems', 'if', { if: true }],
    ['unevaluatedItems', 'contains', { contains: true }],
    ['unevaluatedItems', 'contains', { allOf: [{ contains: true }] }],
    ['unevaluatedItems', 'items', { anyOf: [{ items: true }, true] }],
    ['unevaluatedItems', 'items', { oneOf: [{ allOf: [{ items: true }] }] }],
    ['unevaluatedItems', 'unevaluatedItems', { anyOf: [{ unevaluatedItems: true }] }],
  ])('%s beside %s: %j', (keyword, beside, more) => {
    const schema = unevaluated(keyword, more);
    expect(refused(schema)).toContain(at(keyword)[0]);
    const errors = refusalOf(() => schemaMaker(schema)).custom?.['errors'] as ShapeViolation[];
    expect(errors[0]?.message).toContain(`where ${beside} is applied`);
  });

  test('what is applied to another value is in nobody’s way', () => {
    const other = { properties: { a: { if: true, contains: true }, b: { items: true } } };
    const first = { allOf: [{ prefixItems: [true] }, { $ref: '#/$defs/tuple' }] };
    const $defs = { tuple: { prefixItems: [true, { type: 'number' }] } };
    const schema = unevaluated('unevaluatedItems', { ...other, ...first, $defs });
    expect(judged(schema, [1, 2])).toEqual([]);
    expect(judged(schema, [1, 2, 3])).toEqual(['/data unevaluatedItems']);
  });

  test('also where a schema leads to itself', () => {
    const schema = unevaluated('unevaluatedItems', { allOf: [{ $ref: '#' }, { $ref: '#/x' }] });
    expect(refused(schema)).toEqual(['/data/schema/allOf/1/$ref format']);
  });
});

describe('what is too large is refused:', () => {
  const many = (count: number, schemaAt: (index: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schemaAt(index)]));

  test('a schema', () => {
    expect(refused({ description: 'x'.repeat(65_537) })).toEqual(['/data/schema maxLength']);
  });

  test('the number of subschemas, and not of the largest that are taken', () => {
    expect(judged({ properties: many(499, () => ({ type: 'string' })) }, { p7: 5 })).toEqual([
      '/data/p7 type',
    ]);
    expect(refused({ properties: many(500, () => ({})) })).toEqual(['/data/schema maxProperties']);
  });

  test('a chain of references', () => {
    const chain = (count: number) => ({
      $ref: '#/definitions/p0',
      definitions: many(count, (index) => ({
        properties: { a: { $ref: `#/definitions/p${(index + 1) % count}` } },
      })),
    });
    expect(judged(chain(64), { a: {} })).toEqual([]);
    expect(refused(chain(65))).toEqual(['/data/schema maxProperties']);
  });

  test('patterns that repeat, together', () => {
    const properties = many(100, (index) => ({ pattern: `^.{${500 + index}}$` }));
    expect(refused({ properties })).toEqual(['/data/schema maxProperties']);
  });
});

describe('what would take for ever ends with an answer:', () => {
  const tooMuch = (schema: Json, data: unknown) => {
    const judge = schemaMaker(schema);
    expect(refusalOf(() => judge(data)).reason).toBe('record.invalid');
    // The next record has a full purse.
    expect(schemaMaker({ type: 'number' })(5)).toEqual([]);
  };
  const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });
  const twice = (to: string) => ({ allOf: [{ $ref: to }, { $ref: to }] });

  test('a pattern over a long text', () => {
    const schema = { pattern: '^(a+)+$' };
    expect(judged(schema, `${'a'.repeat(30_000)}!`)).toEqual(['/data pattern']);
  });

  test('patterns over texts without end', () => {
    tooMuch({ items: { pattern: '(.{0,20}){0,20}b' } }, Array(50).fill('a'.repeat(5000)));
  });

  test('a schema that is nothing but itself', () => {
    tooMuch({ $ref: '#' }, {});
    tooMuch({ allOf: [{ $ref: '#' }] }, {});
  });

  test('references that double', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`d${index}`, twice(`#/definitions/d${index + 1}`)]),
    );
    tooMuch({ definitions: { ...definitions, d40: {} }, $ref: '#/definitions/d0' }, {});
  });

  test('references that double with each level of the data', () => {
    const a = { properties: { a: twice('#/definitions/a') } };
    tooMuch({ definitions: { a }, $ref: '#/definitions/a' }, nested(30));
  });

  test('each of many elements compared with each of many values', () => {
    tooMuch({ items: { enum: [...Array(9000).keys()] } }, Array(20_000).fill(-1));
    tooMuch({ items: { required: [...Array(9000).keys()].map(String) } }, Array(20_000).fill({}));
  });

  test('elements that may not repeat, again and again', () => {
    const elements = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    expect(judged({ uniqueItems: true }, elements)).toEqual([]);
    tooMuch({ allOf: Array(200).fill({ uniqueItems: true }) }, elements);
  });

  test('lengths and names, again and again', () => {
    tooMuch({ allOf: Array(400).fill({ maxLength: 5 }) }, 'x'.repeat(300_000));
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [index, 0]));
    tooMuch({ allOf: Array(400).fill({ additionalProperties: false }) }, names);
  });

  test('a hundred thousand violations are no more than there is room for', () => {
    const judge = schemaMaker({ items: { type: 'string' } });
    expect(judge(Array(50_000).fill(5))).toHaveLength(50_000);
  });
});
