/**
 * What each function may do, and nothing else is allowed. A need is a way of using the ledger, and
 * the only place that knows which actions of AWS it takes.
 */
import { Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { assetPartitionOf } from '../shared/store/keys.ts';
import {
  asidePartition,
  attemptsPartition,
  deliveryPartitions,
  duePartitions,
  effectPartitions,
  expiryPartitions,
  intentPartitions,
  outboxPartitions,
  reportPartitions,
  termPartition,
  toldPartition,
  usedPartition,
  walletPartitions,
  workPartition,
} from './partitions.ts';
import type { LedgerTable } from './table.ts';
import type { Group, Worker } from './topology.ts';

/**
 * `read`: read records by name. `list`: read a stretch of a partition. `probe`: see whether the table
 * is there. `sign`: sign in the name of a ledger. `change`: commit a transaction. `wrap`: wrap a
 * key or a secret. `remember`: note that a token was used. `follow`: hear what is new in the table. `tell`: put events on the bus. `drain`: take entries
 * out of the outboxes. `mention`: keep what lists and searches find records by. `carry`: keep deliveries,
 * and mark an effect that is gone. `share`: count what takes long for whom. `sweep`: remove markers of deliveries that are not there. `expire`: end intents that
 * have waited for too long, or that a bridge refuses, and give back what they reserved. `bury`: leave a dead letter. `produce`: keep what is produced of reports, and say how far it is.
 */
type Need =
  | 'read'
  | 'list'
  | 'probe'
  | 'sign'
  | 'change'
  | 'wrap'
  | 'remember'
  | 'follow'
  | 'tell'
  | 'drain'
  | 'mention'
  | 'carry'
  | 'share'
  | 'sweep'
  | 'expire'
  | 'produce'
  | 'bury';

/** The needs of each function. One that is missing here does not compile. */
const needs = {
  status: ['read', 'sign', 'list', 'probe', 'remember'],
  ledgers: ['read', 'sign', 'list', 'change', 'wrap'],
  ledger: ['read', 'sign', 'list', 'change'],
  signers: ['read', 'sign', 'list', 'change', 'wrap'],
  symbols: ['read', 'sign', 'list', 'change'],
  wallets: ['read', 'sign', 'list', 'change'],
  intents: ['read', 'sign', 'list', 'change'],
  effects: ['read', 'sign', 'list', 'change'],
  circles: ['read', 'sign', 'list', 'change'],
  bridges: ['read', 'sign', 'list', 'change', 'wrap'],
  domains: ['read', 'sign', 'list', 'change'],
  anchors: ['read', 'sign', 'list', 'change'],
  schemas: ['read', 'sign', 'list', 'change'],
  policies: ['read', 'sign', 'list', 'change'],
  oauth: ['read', 'sign', 'list', 'change', 'wrap'],
  reports: ['read', 'sign', 'list', 'change'],
  found: ['read', 'sign', 'change', 'wrap'],
  relay: ['read', 'list', 'follow', 'tell', 'drain', 'mention', 'bury'],
  courier: ['read', 'sign', 'list', 'carry', 'share', 'expire', 'bury'],
  sweeper: [
    'read',
    'sign',
    'list',
    'follow',
    'tell',
    'drain',
    'mention',
    'carry',
    'sweep',
    'expire',
    'bury',
  ],
  reporter: ['read', 'sign', 'list', 'produce', 'bury'],
} as const satisfies Record<Group | Worker, readonly Need[]>;

/** Something that is allowed, and where. */
interface Permit {
  readonly on: 'table' | 'tableKey' | 'stream' | 'keyring' | 'bus' | 'letters';
  readonly actions: readonly string[];
  /** Of the table, only items in partitions like these. */
  readonly partitions?: readonly string[];
}

/** DynamoDB uses the table's key in the name of its caller, who therefore needs these. */
const deciphers: Permit = { on: 'tableKey', actions: ['kms:Decrypt', 'kms:DescribeKey'] };
const enciphers: Permit = {
  on: 'tableKey',
  actions: ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
};

/** What each need takes. A transaction is allowed by the actions that it is made of. */
const permits: Readonly<Record<Need, readonly Permit[]>> = {
  read: [{ on: 'table', actions: ['dynamodb:BatchGetItem'] }, deciphers],
  list: [{ on: 'table', actions: ['dynamodb:Query'] }, deciphers],
  probe: [{ on: 'table', actions: ['dynamodb:GetItem'] }, deciphers],
  sign: [{ on: 'keyring', actions: ['kms:Decrypt'] }],
  change: [
    {
      on: 'table',
      actions: [
        'dynamodb:ConditionCheckItem',
        'dynamodb:DeleteItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
      ],
    },
    enciphers,
  ],
  wrap: [{ on: 'keyring', actions: ['kms:Encrypt'] }],
  remember: [
    { on: 'table', actions: ['dynamodb:PutItem'], partitions: [usedPartition] },
    enciphers,
  ],
  follow: [
    {
      on: 'stream',
      actions: [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
    },
  ],
  tell: [{ on: 'bus', actions: ['events:PutEvents'] }],
  drain: [
    {
      on: 'table',
      actions: ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem'],
      partitions: outboxPartitions,
    },
    { on: 'table', actions: ['dynamodb:PutItem'], partitions: [asidePartition] },
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: [toldPartition] },
    enciphers,
  ],
  mention: [
    { on: 'table', actions: ['dynamodb:BatchWriteItem'], partitions: [termPartition] },
    enciphers,
  ],
  carry: [
    {
      on: 'table',
      actions: ['dynamodb:PutItem'],
      partitions: [
        ...deliveryPartitions,
        ...duePartitions,
        ...effectPartitions,
        ...outboxPartitions,
      ],
    },
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: deliveryPartitions },
    { on: 'table', actions: ['dynamodb:DeleteItem'], partitions: duePartitions },
    enciphers,
  ],
  share: [
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: [attemptsPartition] },
    enciphers,
  ],
  sweep: [
    { on: 'table', actions: ['dynamodb:BatchWriteItem'], partitions: duePartitions },
    enciphers,
  ],
  expire: [
    {
      on: 'table',
      actions: ['dynamodb:PutItem'],
      partitions: [...intentPartitions, ...outboxPartitions],
    },
    { on: 'table', actions: ['dynamodb:DeleteItem'], partitions: expiryPartitions },
    // The balances, which lie with their wallets, and the other intents of a thread.
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: walletPartitions },
    { on: 'table', actions: ['dynamodb:ConditionCheckItem'], partitions: intentPartitions },
    enciphers,
  ],
  produce: [
    {
      on: 'table',
      actions: ['dynamodb:PutItem'],
      partitions: [workPartition, ...reportPartitions, ...outboxPartitions],
    },
    { on: 'table', actions: ['dynamodb:DeleteItem'], partitions: [workPartition] },
    {
      on: 'table',
      actions: ['dynamodb:BatchWriteItem'],
      partitions: [assetPartitionOf('*', '*'), workPartition],
    },
    enciphers,
  ],
  bury: [{ on: 'letters', actions: ['sqs:SendMessage'] }],
};

/** What the permissions are about. */
export interface Resources extends LedgerTable {
  readonly keyring: IKey;
  readonly bus: EventBus;
  /** Where a worker leaves its dead letters. */
  readonly letters?: IQueue;
}

/** The permissions of a function. */
export function permissionsOf(name: Group | Worker, resources: Resources): PolicyStatement[] {
  return needs[name].flatMap((need) => permits[need].map((permit) => allow(permit, resources)));
}

function allow({ on, actions, partitions }: Permit, resources: Resources): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [arnOf(on, resources)],
    conditions: {
      ...(partitions && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } }),
      ...conditionsOn(on, resources),
    },
  });
}

function arnOf(on: Permit['on'], resources: Resources): string {
  const { table, tableKey, keyring, bus, letters } = resources;
  const arn = {
    table: table.tableArn,
    stream: table.tableStreamArn,
    tableKey: tableKey.keyArn,
    keyring: keyring.keyArn,
    bus: bus.eventBusArn,
    letters: letters?.queueArn,
  }[on];
  if (!arn) throw new Error(`A function needs ${on}, and there is none.`);
  return arn;
}

function conditionsOn(on: Permit['on'], { table }: Resources): Record<string, unknown> {
  if (on === 'tableKey') {
    const { region, urlSuffix } = Stack.of(table);
    return { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } };
  }
  // What is wrapped for one ledger is unwrapped for no other, so the ledger has to be named.
  if (on === 'keyring') return { Null: { 'kms:EncryptionContext:ledger': 'false' } };
  return {};
}
