/**
 * The one table, protected as money at rest: a key of its own, recovery to any second of the last 35 days, and no
 * deletion by mistake. Its stream invokes the workers, and DynamoDB removes notes that have expired.
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

export interface LedgerTable {
  readonly table: Table | ITable;
  readonly tableKey: Key;
}

/**
 * Makes the table and its key; both outlive the stack. `adopted` names another table to use, such as a restored one: it
 * needs a stream of new images, and the same key.
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
