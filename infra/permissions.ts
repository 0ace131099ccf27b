/**
 * What each function may do, and nothing else is allowed. A need is a way of using the ledger, and
 * the only place that knows which actions of AWS it takes.
 */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LedgerTable } from './table.ts';
import type { Group, Worker } from './topology.ts';

/**
 * `answer`: read records and sign what is answered. `probe`: see whether the table is there.
 * `list`: read a stretch of a partition. `change`: commit a transaction. `found`: make a ledger.
 */
type Need = 'answer' | 'probe' | 'list' | 'change' | 'found';

/** The needs of each function. One that is missing here does not compile. */
const needs = {
  status: ['answer', 'probe'],
  ledgers: ['answer', 'list', 'change', 'found'],
  ledger: ['answer', 'list', 'change'],
  signers: ['answer', 'list', 'change'],
  symbols: ['answer', 'list', 'change'],
  wallets: ['answer', 'list', 'change'],
  intents: ['answer', 'list', 'change'],
  found: ['answer', 'change', 'found'],
} as const satisfies Record<Group | Worker, readonly Need[]>;

/** A transaction is allowed by the actions that it is made of. */
const tableActions: Partial<Record<Need, readonly string[]>> = {
  answer: ['dynamodb:BatchGetItem'],
  probe: ['dynamodb:GetItem'],
  list: ['dynamodb:Query'],
  change: [
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ],
};

/** DynamoDB uses the table's key in the name of its caller, who therefore needs these. */
const tableKeyActions: Partial<Record<Need, readonly string[]>> = {
  answer: ['kms:Decrypt', 'kms:DescribeKey'],
  change: ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
};

const keyringActions: Partial<Record<Need, readonly string[]>> = {
  answer: ['kms:Decrypt'],
  found: ['kms:Encrypt'],
};

/** What the permissions are about. */
export interface Resources extends LedgerTable {
  readonly keyring: Key;
}

/** The permissions of a function. */
export function permissionsOf(
  name: Group | Worker,
  { table, tableKey, keyring }: Resources,
): PolicyStatement[] {
  const { region, urlSuffix } = Stack.of(table);
  const actionsOf = (actions: Partial<Record<Need, readonly string[]>>): string[] =>
    needs[name].flatMap((need) => actions[need] ?? []);
  return [
    new PolicyStatement({ actions: actionsOf(tableActions), resources: [table.tableArn] }),
    new PolicyStatement({
      actions: actionsOf(tableKeyActions),
      resources: [tableKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } },
    }),
    new PolicyStatement({
      actions: actionsOf(keyringActions),
      resources: [keyring.keyArn],
      // What is wrapped for one ledger is unwrapped for no other, so the ledger has to be named.
      conditions: { Null: { 'kms:EncryptionContext:ledger': 'false' } },
    }),
  ];
}
