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
