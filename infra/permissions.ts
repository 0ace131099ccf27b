/**
 * The permissions of each function; nothing else is allowed. A function has needs, and `permits` alone knows which
 * actions of AWS a need takes.
 */
import { Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  assetPartitionOf,
  denseAttribute,
  expiryMarkAttribute,
  gateAttributes,
  layoutAttributesOf,
} from '../shared/store/keys.ts';
import {
  asidePartition,
  attemptsPartition,
  balanceShardPartition,
  bookPartitions,
  bridgePartitions,
  deliveryPartitions,
  duePartitions,
  effectPartitions,
  effectPointerPartition,
  eventPartition,
  expiryMarkPartition,
  expiryPartition,
  gatePartitions,
  intentListPartition,
  intentPartitions,
  logPartitions,
  outboxPartitions,
  publishedPartition,
  reportPartitions,
  rulebookPartition,
  spansPartition,
  symbolPartitions,
  termPartition,
  usedPartition,
  walletPartitions,
  workPartition,
} from './partitions.ts';
import type { LedgerTable } from './table.ts';
import type { FunctionGroup, Worker } from './topology.ts';

/**
 * - `read` reads records by name, `list` queries a partition, `probe` checks that the table answers.
 * - `sign` signs for a ledger, `wrap` encrypts a key or a secret, `change` commits a transaction.
 * - `remember` stores that a token was used. `follow` reads the stream of the table.
 * - `publish` sends events to the bus, `drain` removes published entries from the outboxes, `index` writes index
 *   entries and counts of lists, `book` writes books and the states of monitors, and `bury` sends to a dead-letter queue.
 * - `carry` stores deliveries, and the new status of an effect that failed. `share` counts the work for slow targets.
 *   `sweep` removes due markers without a delivery.
 * - `expire` ends intents that waited too long or that a bridge refused, and releases what they reserved.
 * - `begin` settles intents that were signed for later: it opens and moves balances, and stores what routes forward.
 * - `produce` stores the assets of reports, and their progress.
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
  | 'publish'
  | 'drain'
  | 'index'
  | 'book'
  | 'log'
  | 'carry'
  | 'share'
  | 'sweep'
  | 'expire'
  | 'begin'
  | 'produce'
  | 'bury';

/** The needs of each function. A function that is missing here does not compile. */
const needs = {
  status: ['read', 'sign', 'list', 'probe', 'remember'],
  health: ['read', 'sign', 'list', 'probe', 'remember'],
  ledgers: ['read', 'sign', 'list', 'change', 'wrap'],
  ledger: ['read', 'sign', 'list', 'change'],
  signers: ['read', 'sign', 'list', 'change', 'wrap'],
  symbols: ['read', 'sign', 'list', 'change'],
  wallets: ['read', 'sign', 'list', 'change'],
  balances: ['read', 'sign', 'list', 'remember'],
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
  log: ['read', 'sign', 'list', 'remember'],
  console: ['read', 'sign', 'list', 'remember'],
  docs: ['read', 'sign', 'list', 'remember'],
  found: ['read', 'sign', 'change', 'wrap'],
  relay: ['read', 'list', 'follow', 'publish', 'drain', 'index', 'book', 'log', 'bury'],
  courier: ['read', 'sign', 'list', 'carry', 'share', 'expire', 'bury'],
  sweeper: [
    'read',
    'sign',
    'list',
    'follow',
    'publish',
    'drain',
    'index',
    'book',
    'log',
    'carry',
    'sweep',
    'expire',
    'begin',
    'bury',
  ],
  reporter: ['read', 'sign', 'list', 'produce', 'bury'],
} as const satisfies Record<FunctionGroup | Worker, readonly Need[]>;

interface Permit {
  readonly on: 'table' | 'tableKey' | 'stream' | 'keyring' | 'bus' | 'deadLetters';
  readonly actions: readonly string[];
  /** Limits actions on the table to items in partitions that match. */
  readonly partitions?: readonly string[];
  /** Limits them further to these attributes. */
  readonly attributes?: readonly string[];
}

/** DynamoDB uses the key of the table with the rights of its caller, who therefore needs these. */
const deciphers: Permit = { on: 'tableKey', actions: ['kms:Decrypt', 'kms:DescribeKey'] };
const enciphers: Permit = {
  on: 'tableKey',
  actions: ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
};

/** The layout of a ledger whose partitions are full, and no count of its rules; and that there are more markers. */
const growsLayout: Permit = {
  on: 'table',
  actions: ['dynamodb:UpdateItem'],
  partitions: [rulebookPartition, expiryMarkPartition],
  attributes: [
    ...['pk', 'sk'],
    ...Object.values(layoutAttributesOf('intent')),
    ...[denseAttribute, expiryMarkAttribute],
  ],
};

/** The number of a bridge's gates, and nothing that is signed. */
const growsGates: Permit = {
  on: 'table',
  actions: ['dynamodb:UpdateItem'],
  partitions: bridgePartitions,
  attributes: ['pk', 'sk', 'luid', 'change', ...gateAttributes],
};

/** The permissions of each need. A transaction needs the actions that it consists of. */
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
  publish: [{ on: 'bus', actions: ['events:PutEvents'] }],
  drain: [
    {
      on: 'table',
      actions: ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem'],
      partitions: outboxPartitions,
    },
    // Entries of a block lie alone where a part of it was published.
    {
      on: 'table',
      actions: ['dynamodb:PutItem'],
      partitions: [asidePartition, ...outboxPartitions],
    },
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: [publishedPartition] },
    growsLayout,
    enciphers,
  ],
  index: [
    { on: 'table', actions: ['dynamodb:BatchWriteItem'], partitions: [termPartition] },
    { on: 'table', actions: ['dynamodb:UpdateItem'], partitions: [spansPartition] },
    enciphers,
  ],
  book: [
    {
      on: 'table',
      actions: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      partitions: bookPartitions,
    },
    {
      on: 'table',
      actions: ['dynamodb:ConditionCheckItem'],
      partitions: [effectPointerPartition],
    },
    enciphers,
  ],
  log: [
    {
      on: 'table',
      actions: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      partitions: logPartitions,
    },
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
    { on: 'table', actions: ['dynamodb:BatchWriteItem'], partitions: [eventPartition] },
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
    { on: 'table', actions: ['dynamodb:DeleteItem'], partitions: [expiryPartition] },
    // Balances lie in the partitions of their wallets; the check is for the other intents of a thread.
    {
      on: 'table',
      actions: ['dynamodb:UpdateItem'],
      partitions: [...walletPartitions, balanceShardPartition],
    },
    // More shards of a busy balance, or fewer.
    {
      on: 'table',
      actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
      partitions: [balanceShardPartition],
    },
    { on: 'table', actions: ['dynamodb:ConditionCheckItem'], partitions: intentPartitions },
    growsLayout,
    enciphers,
  ],
  begin: [
    {
      on: 'table',
      actions: ['dynamodb:PutItem'],
      // The marker of the expiry, forwarded intents, the first balance of a wallet, and the mark of a used symbol.
      partitions: [
        expiryPartition,
        intentListPartition,
        ...walletPartitions,
        ...symbolPartitions,
        ...gatePartitions,
      ],
    },
    // Wallets and bridges that the decision depends on, or their gates, and symbols that get a balance.
    {
      on: 'table',
      actions: ['dynamodb:ConditionCheckItem'],
      partitions: [
        ...walletPartitions,
        ...symbolPartitions,
        ...bridgePartitions,
        ...gatePartitions,
      ],
    },
    growsGates,
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
  bury: [{ on: 'deadLetters', actions: ['sqs:SendMessage'] }],
};

export interface Resources extends LedgerTable {
  readonly keyring: IKey;
  readonly bus: EventBus;
  /** The dead-letter queue of a worker. */
  readonly deadLetters?: IQueue;
}

export function permissionsOf(
  name: FunctionGroup | Worker,
  resources: Resources,
): PolicyStatement[] {
  return needs[name].flatMap((need) => permits[need].map((permit) => allow(permit, resources)));
}

function allow(
  { on, actions, partitions, attributes }: Permit,
  resources: Resources,
): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [arnOf(on, resources)],
    conditions: {
      ...(partitions && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } }),
      ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } }),
      ...conditionsOn(on, resources),
    },
  });
}

function arnOf(on: Permit['on'], resources: Resources): string {
  const { table, tableKey, keyring, bus, deadLetters } = resources;
  const arn = {
    table: table.tableArn,
    stream: table.tableStreamArn,
    tableKey: tableKey.keyArn,
    keyring: keyring.keyArn,
    bus: bus.eventBusArn,
    deadLetters: deadLetters?.queueArn,
  }[on];
  if (!arn) throw new Error(`A function needs ${on}, and there is none.`);
  return arn;
}

function conditionsOn(on: Permit['on'], { table }: Resources): Record<string, unknown> {
  if (on === 'tableKey') {
    const { region, urlSuffix } = Stack.of(table);
    return { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } };
  }
  // Each key is encrypted for one ledger, so every use must name the ledger.
  if (on === 'keyring') return { Null: { 'kms:EncryptionContext:ledger': 'false' } };
  return {};
}
