import { expect, test } from 'vitest';
import {
  escapedPart,
  missing,
  type ShapeViolation,
  schemaInvalid,
} from '../../shared/ledger/violation.ts';

const violationOf = (more: Partial<ShapeViolation>): ShapeViolation => ({
  instancePath: '/data/a',
  schemaPath: '#/a',
  keyword: 'type',
  params: {},
  message: 'must be string',
  ...more,
});

test('a refusal tells its violations, and sums up the first', () => {
  const errors = [violationOf({}), missing('/data', 'schema')];
  const refusal = schemaInvalid(errors);
  expect(refusal.reason).toBe('record.schema-invalid');
  expect(refusal.detail).toBe('/data/a must be string');
  expect(refusal.custom).toEqual({ errors });
});

test.each([
  [{ instancePath: '' }, 'The body must be string'],
  [{ params: { additionalProperty: 'b' } }, '/data/a must be string: b'],
  [{ params: { allowedValue: 5 } }, '/data/a must be string: 5'],
  [
    { params: { allowedValues: ['x', null, { y: 1 }] } },
    '/data/a must be string: x, null, {"y":1}',
  ],
])('the sentence names what the message leaves out: %o', (more, detail) => {
  expect(schemaInvalid([violationOf(more)]).detail).toBe(detail);
});

test('a hundred violations are told', () => {
  const errors = Array.from({ length: 150 }, () => violationOf({}));
  expect(schemaInvalid(errors).custom?.['errors']).toHaveLength(100);
});

test('a missing member is told as JSON Schema does', () => {
  expect(missing('/data', 'schema')).toEqual({
    instancePath: '/data',
    schemaPath: '#/properties/data/required',
    keyword: 'required',
    params: { missingProperty: 'schema' },
    message: "must have required property 'schema'",
  });
});

test('parts of pointers are escaped', () => {
  expect([escapedPart('a/b~c'), escapedPart(3)]).toEqual(['a~1b~0c', '3']);
});

test('what a body names is cut, as it may be as long as the body', () => {
  const long = 'x'.repeat(1_000_000);
  const more = {
    ...{ instancePath: `/data/${long}`, schemaPath: `#/properties/${long}/type`, message: long },
    params: { additionalProperty: long, allowedValues: ['a', long], limit: 3, type: ['a', 'b'] },
  };
  const { detail, custom } = schemaInvalid(Array.from({ length: 150 }, () => violationOf(more)));
  const short = `${'x'.repeat(256)}…`;
  const told = {
    instancePath: `/data/${'x'.repeat(250)}…`,
    schemaPath: `#/properties/${'x'.repeat(243)}…`,
    keyword: 'type',
    params: { additionalProperty: short, limit: 3, type: ['a', 'b'] },
    message: short,
  };
  expect(custom).toEqual({ errors: Array.from({ length: 100 }, () => told) });
  expect(JSON.stringify({ detail, custom }).length).toBeLessThan(200_000);
});

test('a refusal says the rule of its first violation in words, where there are some', () => {
  const { detail, custom } = schemaInvalid([violationOf({ words: 'letters only' })]);
  expect(detail).toBe('/data/a must be string: letters only');
  expect(custom).toEqual({ errors: [violationOf({})] });
});
