/**
 * The one table, with everything that money at rest needs: a key of its own, recovery to any second
 * of the last 35 days, and no way to delete it by mistake. Its stream tells of new outbox entries, and
 * notes that expire are taken away by the database.
 */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { expiresAttribute, tableShape } from '../shared/store/table.ts';
import type { Parameters } from './parameters.ts';

const [partition, sort] = tableShape.KeySchema;

/** The table and the key that encrypts it. */
export interface LedgerTable {
  readonly table: Table | ITable;
  readonly tableKey: Key;
}

/**
 * Makes the table. It outlives the stack, and so does its key. Another table may be named in its place, such as
 * one that was restored: with a stream of new images, and under the same key.
 */
export function ledgerTable(scope: Construct, adopted: Parameters['table']): LedgerTable {
  const tableKey = new Key(scope, 'TableKey', {
    description: 'Encrypts the table of the ledger.',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  if (adopted) {
    const place = { service: 'dynamodb', resource: 'table', resourceName: adopted.name };
    const tableArn = Stack.of(scope).formatArn(place);
    const found = { tableArn, tableStreamArn: adopted.stream, encryptionKey: tableKey };
    return { table: Table.fromTableAttributes(scope, 'Adopted', found), tableKey };
  }
  const table = new Table(scope, 'Table', {
    partitionKey: { name: partition.AttributeName, type: AttributeType.STRING },
    sortKey: { name: sort.AttributeName, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: tableKey,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    stream: StreamViewType.NEW_IMAGE,
    timeToLiveAttribute: expiresAttribute,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  return { table, tableKey };
}
