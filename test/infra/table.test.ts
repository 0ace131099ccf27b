import { expect, test } from 'vitest';
import { expiresAttribute, tableShape } from '../../shared/store/table.ts';
import { nameIn, onlyOf, resourcesOf, templateOf } from './template.ts';

const template = templateOf();
const { Properties: table, DeletionPolicy: fate } = onlyOf(template, 'AWS::DynamoDB::Table');

test('the table is the one that the offline runtime makes', () => {
  const { BillingMode, KeySchema, AttributeDefinitions } = table;
  expect({ BillingMode, KeySchema, AttributeDefinitions }).toEqual(tableShape);
  expect(table).not.toHaveProperty('GlobalSecondaryIndexes');
});

test('the table can be recovered to any second', () => {
  expect(table['PointInTimeRecoverySpecification']).toEqual({ PointInTimeRecoveryEnabled: true });
});

test('the table is not deleted by mistake, nor with the stack', () => {
  expect(table['DeletionProtectionEnabled']).toBe(true);
  expect(fate).toBe('Retain');
});

test('the table is encrypted with a key of its own', () => {
  const { SSEEnabled, SSEType, KMSMasterKeyId } = table['SSESpecification'] as Record<
    string,
    unknown
  >;
  expect([SSEEnabled, SSEType, nameIn(KMSMasterKeyId)]).toEqual([true, 'KMS', 'TableKey']);
});

test('what says that it expires is taken away', () => {
  expect(table['TimeToLiveSpecification']).toEqual({
    AttributeName: expiresAttribute,
    Enabled: true,
  });
});

test('the stream of the table shows what was written', () => {
  expect(table['StreamSpecification']).toEqual({ StreamViewType: 'NEW_IMAGE' });
});

test('the keys are two, are renewed every year and outlive the stack', () => {
  const keys = [...resourcesOf(template, 'AWS::KMS::Key').values()];
  expect(keys).toHaveLength(2);
  for (const { Properties, DeletionPolicy } of keys) {
    expect(Properties['EnableKeyRotation']).toBe(true);
    expect(DeletionPolicy).toBe('Retain');
  }
});
