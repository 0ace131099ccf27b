import { expect, test } from 'vitest';
import { expiresAttribute, tableShape } from '../../shared/store/table.ts';
import { functionsOf, nameIn, onlyOf, resourcesOf, statementsOf, templateOf } from './template.ts';

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

// The third one is for what is told of alarms, of which nothing is kept.
test('the keys of what is kept are two; every key is renewed each year', () => {
  const keys = [...resourcesOf(template, 'AWS::KMS::Key')].map(
    ([id, { Properties, DeletionPolicy }]) => {
      expect(Properties['EnableKeyRotation']).toBe(true);
      return `${nameIn({ Ref: id })} ${DeletionPolicy}`;
    },
  );
  expect(keys.sort()).toEqual(['AlarmKey Delete', 'KeyringKey Retain', 'TableKey Retain']);
});

// Goal: after a restore the same stack goes on with another table, under the same key, and makes none.
test('a table that was restored is used in the place of its own', () => {
  const tableStream =
    'arn:aws:dynamodb:eu-central-1:123456789012:table/Restored/stream/2026-11-21T00:00:00.000';
  const made = templateOf({ table: 'Restored', tableStream });
  expect(resourcesOf(made, 'AWS::DynamoDB::Table').size).toBe(0);
  for (const { Properties } of functionsOf(made).values())
    expect(Properties['Environment']).toMatchObject({ Variables: { TABLE_NAME: 'Restored' } });
  const mappings = [...resourcesOf(made, 'AWS::Lambda::EventSourceMapping').values()];
  expect(mappings.map(({ Properties }) => Properties['EventSourceArn'])).toEqual([
    tableStream,
    tableStream,
  ]);
  expect([...resourcesOf(made, 'AWS::KMS::Key').keys()]).toEqual([
    ...resourcesOf(template, 'AWS::KMS::Key').keys(),
  ]);
  const statements = [...statementsOf(made).values()].flat();
  const places = statements.map(({ Resource }) => JSON.stringify(Resource));
  const tables = places.filter((place) => place.includes(':table/'));
  expect(tables.length).toBeGreaterThan(21);
  for (const place of tables) expect(place).toMatch(/:table\/Restored("|\/stream\/)/);
});
