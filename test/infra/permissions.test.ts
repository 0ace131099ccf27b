import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  nameIn,
  partitionsIn,
  resourcesOf,
  type Statement,
  statementsOf,
  templateOf,
} from './template.ts';

const template = templateOf();
const statements = statementsOf(template);

/** CDK's own function that calls `found` at deployment. */
const provider = 'AWSCDKTriggerCustomResourceProviderCustomResourceProvider';

// Goal: who may do what, to be read at a glance: on the table, and with the key that wraps the
// private keys of the ledgers. What has `@` is allowed in some partitions only, see below.
test('each function may do this', () => {
  const page = `
    status  | BatchGetItem GetItem PutItem@ Query                              | Decrypt
    health  | BatchGetItem GetItem PutItem@ Query                              | Decrypt
    ledgers | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt Encrypt
    ledger  | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    signers | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt Encrypt
    symbols | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    wallets | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    balances | BatchGetItem PutItem@ Query                                     | Decrypt
    intents | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    effects | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    circles | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    bridges | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt Encrypt
    domains | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    anchors | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    schemas | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    policies | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    oauth | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt Encrypt
    reports | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    log     | BatchGetItem PutItem@ Query                                      | Decrypt
    console | BatchGetItem PutItem@ Query                                      | Decrypt
    docs    | BatchGetItem PutItem@ Query                                      | Decrypt
    found   | BatchGetItem ConditionCheckItem DeleteItem PutItem UpdateItem       | Decrypt Encrypt
    relay | BatchGetItem BatchWriteItem@ ConditionCheckItem@ DeleteItem@ PutItem@ Query UpdateItem@ | none
    courier | BatchGetItem BatchWriteItem@ ConditionCheckItem@ DeleteItem@ PutItem@ Query UpdateItem@ | Decrypt
    sweeper | BatchGetItem BatchWriteItem@ ConditionCheckItem@ DeleteItem@ PutItem@ Query UpdateItem@ | Decrypt
    reporter | BatchGetItem BatchWriteItem@ DeleteItem@ PutItem@ Query           | Decrypt
  `;
  const rows = [...statements.keys()]
    .filter((name) => !name.startsWith(provider))
    .map((name) => [name, actionsOn(name, 'Table'), actionsOn(name, 'KeyringKey')].join(' | '));
  expect(rows).toEqual(page.trim().split('\n').map(squeezed));
});

test('what a worker may write is in these partitions: no secret, and money for whoever begins or ends intents', () => {
  const outboxes = '*#outbox#0 *#outbox#1 *#outbox#2 *#outbox#3';
  const markers = '#due#0 #due#1 #due#2 #due#3 #due#4 #due#5 #due#6 #due#7';
  const effects = '*#effect#* *#luid#$eff.*';
  expect(partitionsOf('relay')).toEqual([
    `BatchWriteItem DeleteItem: ${outboxes}`,
    `PutItem: *#aside ${outboxes}`,
    'UpdateItem: *#told',
    'UpdateItem: *#rulebook #expiry#0',
    'BatchWriteItem: *#term#*#*#*#*',
    'UpdateItem: *#spans#*',
    'BatchWriteItem PutItem UpdateItem: *#book#*#*# *#books#* *#book-monitor#* *#books',
    'ConditionCheckItem: *#luid#$eff.*',
    'BatchWriteItem PutItem UpdateItem: *#log *#log#* *#logged#*',
  ]);
  const keeps = `PutItem: *#delivery#* *#event#* ${markers} ${effects} ${outboxes}`;
  for (const name of ['status', 'health', 'balances', 'log'])
    expect(partitionsOf(name)).toEqual(['PutItem: *#jti#*']);
  const ends = [
    `PutItem: *#intent#* *#luid#$int.* ${outboxes}`,
    'DeleteItem: #expiry#*',
    'UpdateItem: *#wallet#* *#shard#*#*#*#',
    'DeleteItem PutItem: *#shard#*#*#*#',
    'ConditionCheckItem: *#intent#* *#luid#$int.*',
  ];
  const gates = '*#gate#*#bridge#*# *#gate#*#wallet#*#';
  const grows = 'UpdateItem: *#rulebook #expiry#0';
  const changes = 'UpdateItem: *#delivery#* *#event#*';
  const contents = 'BatchWriteItem: *#event#*';
  expect(partitionsOf('courier')).toEqual([
    keeps,
    changes,
    contents,
    `DeleteItem: ${markers}`,
    'UpdateItem: *#attempts#*',
    ...ends,
    grows,
  ]);
  expect(partitionsOf('sweeper')).toEqual([
    ...partitionsOf('relay'),
    keeps,
    changes,
    contents,
    `BatchWriteItem DeleteItem: ${markers}`,
    ...ends,
    `PutItem: #expiry#* *#list#intent *#wallet#* *#symbol#* ${gates}`,
    `ConditionCheckItem: *#wallet#* *#symbol#* *#bridge#* ${gates}`,
    'UpdateItem: *#bridge#*',
  ]);
  expect(partitionsOf('reporter')).toEqual([
    `PutItem: #work *#report#* *#luid#$rep.* ${outboxes}`,
    'DeleteItem: #work',
    'BatchWriteItem: *#asset#* #work',
  ]);
});

test('only the relay and the sweeper read the stream, and put events on the bus', () => {
  const follow = 'DescribeStream GetRecords GetShardIterator ListStreams';
  for (const name of statements.keys()) {
    const isOnBus = name === 'relay' || name === 'sweeper';
    expect(actionsOn(name, 'Table', 'StreamArn'), name).toBe(isOnBus ? follow : 'none');
    expect(actionsOn(name, 'Bus'), name).toBe(isOnBus ? 'PutEvents' : 'none');
  }
});

test('beyond that, each function writes its own log and traces, and a worker dead letters', () => {
  const useAndRenew = 'Decrypt DescribeKey Encrypt GenerateDataKey ReEncryptFrom ReEncryptTo';
  const known = ['"*"', 'Bus', 'KeyringKey', 'Table', 'TableKey'];
  const woken = ['relay', 'courier', 'sweeper', 'reporter'];
  for (const [name, list] of statements) {
    if (name.startsWith(provider)) continue;
    const own = [`${name}Logs`, `${name}Letters`];
    const places = list.map(({ Resource }) => nameIn(Resource));
    expect(places.filter((place) => ![...known, ...own].includes(place))).toEqual([]);
    expect(actionsOn(name, `${name}Logs`)).toBe('CreateLogStream PutLogEvents');
    expect(actionsOn(name, `${name}Letters`)).toBe(woken.includes(name) ? 'SendMessage' : 'none');
    expect(actionsOn(name, 'TableKey')).toBe(useAndRenew);
  }
});

test('the table key is used through DynamoDB only, the keyring key for a named ledger only', () => {
  for (const { Resource, Condition } of [...statements.values()].flat()) {
    const name = nameIn(Resource);
    if (name === 'TableKey')
      expect(JSON.stringify(Condition)).toMatch(/kms:ViaService.*"dynamodb\./);
    if (name === 'KeyringKey')
      expect(Condition).toEqual({ Null: { 'kms:EncryptionContext:ledger': 'false' } });
  }
});

test('no statement has a wildcard action', () => {
  for (const statement of [...statements.values()].flat()) {
    expect(statement.Effect).toBe('Allow');
    expect(actionsOf(statement).filter((action) => action.includes('*'))).toEqual([]);
  }
});

// Goal: no statement that is not read by a test above: a new kind of resource would be seen here.
test('the statements are about these resources, and about nothing else', () => {
  const places = new Set<string>();
  for (const [name, list] of statements) {
    if (name.startsWith(provider)) continue;
    for (const { Resource } of list) places.add(nameIn(Resource).replace(name, ''));
  }
  expect([...places].sort()).toEqual(
    ['"*"', 'Bus', 'KeyringKey', 'Letters', 'Logs', 'Table', 'TableKey'].sort(),
  );
});

// Goal: the private keys of the ledgers are for signing, and for nobody else. The relay tells what was signed
// before and answers nobody; every other function signs answers, deliveries, or what it does in a ledger's name.
test('who signs may unwrap a key, and who makes keys or keeps secrets may wrap', () => {
  const all = [...statements.keys()].filter((name) => !name.startsWith(provider));
  const may = (action: string) =>
    all.filter((name) => actionsOn(name, 'KeyringKey').split(' ').includes(action));
  expect(all.filter((name) => !may('Decrypt').includes(name))).toEqual(['relay']);
  expect(may('Encrypt')).toEqual(['ledgers', 'signers', 'bridges', 'oauth', 'found']);
  // Nobody may re-encrypt, make data keys, or ask what the key is.
  for (const name of all)
    expect(['none', 'Decrypt', 'Decrypt Encrypt']).toContain(actionsOn(name, 'KeyringKey'));
});

// Goal: every wildcard resource there is, with its reason.
test('no statement has a wildcard resource but for these', () => {
  const wild = [...statements.values()]
    .flat()
    .filter(({ Resource }) => JSON.stringify(Resource).includes('*'))
    .map((statement) => `${actionsOf(statement).join(' ')} on ${nameIn(statement.Resource)}`);
  expect([...new Set(wild)].sort()).toEqual([
    // The founder in each of its versions; a deployment calls the one that it has made.
    'lambda:InvokeFunction on foundFunction',
    // X-Ray has no resources. AWS, Actions, resources and condition keys for X-Ray.
    'xray:PutTelemetryRecords xray:PutTraceSegments on "*"',
  ]);
});

test('no role has a policy of AWS but those of the provider and the gateway, which may write logs', () => {
  for (const [name, { Properties }] of resourcesOf(template, 'AWS::IAM::Role')) {
    const managed = JSON.stringify(Properties['ManagedPolicyArns'] ?? []);
    if (name.startsWith(provider))
      expect(managed).toMatch(/^\[[^,]*AWSLambdaBasicExecutionRole[^,]*\]$/);
    else if (name.startsWith('GatewayCloudWatchRole'))
      expect(Properties['ManagedPolicyArns']).toEqual([
        {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
            ],
          ],
        },
      ]);
    else expect(managed).toBe('[]');
  }
});

test('a key trusts its account, so that the permissions above decide, and nobody else', () => {
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::KMS::Key')) {
    const { Statement: list } = Properties['KeyPolicy'] as { Statement: Statement[] };
    const [, ...others] = list;
    // What is told of alarms is told by CloudWatch, which has no role.
    const isOfAlarms = nameIn({ Ref: id }) === 'AlarmKey';
    expect(others).toMatchObject(
      isOfAlarms
        ? [
            {
              Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
              Principal: { Service: 'cloudwatch.amazonaws.com' },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ]
        : [],
    );
    // The default of KMS: without it a key could become one that nobody can manage.
    expect(list[0]).toMatchObject({ Effect: 'Allow', Action: 'kms:*', Resource: '*' });
    expect(JSON.stringify(list[0])).toMatch(/"Principal":\{"AWS":\{[^}]*\}[^}]*\}[^}]*":root"/);
  }
});

test('what the store sends is what the matrix allows', () => {
  const files = readdirSync('shared/store').map((name) => `shared/store/${name}`);
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const sent = (pattern: RegExp): string[] =>
    [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
  expect(sent(/new (\w+)Command\(/g)).toEqual([
    'BatchGet',
    'BatchWrite',
    'Get',
    'Query',
    'TransactWrite',
    'Update',
  ]);
  const parts = sent(/\b(Put|Update|Delete|ConditionCheck): \{/g);
  expect(parts.map((part) => `${part}Item`)).toEqual([
    'ConditionCheckItem',
    'DeleteItem',
    'PutItem',
    'UpdateItem',
  ]);
});

function actionsOf({ Action }: Statement): readonly string[] {
  return [Action].flat();
}

/**
 * What a function may do with a resource, without the names of the services; `@` marks what it may do
 * in some partitions of the table only.
 */
function actionsOn(name: string, resource: string, attribute = 'Arn'): string {
  const list = statementsOn(name, resource).filter(({ Resource }) =>
    JSON.stringify(Resource).includes(`"${attribute}"`),
  );
  const actions = list.flatMap((one) =>
    actionsOf(one).map((action) => `${bare(action)}${partitionsIn(one) ? '@' : ''}`),
  );
  return [...new Set(actions)].sort().join(' ') || 'none';
}

/** Each limited statement of a function as `actions: partitions`. */
function partitionsOf(name: string): string[] {
  return statementsOn(name, 'Table').flatMap((one) => {
    const partitions = partitionsIn(one);
    return partitions ? [`${actionsOf(one).map(bare).join(' ')}: ${partitions.join(' ')}`] : [];
  });
}

function statementsOn(name: string, resource: string): readonly Statement[] {
  return (statements.get(name) ?? []).filter(({ Resource }) => nameIn(Resource) === resource);
}

function bare(action: string): string {
  return action.replace(/^\w+:/, '');
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

test('of a rulebook, the relay and the sweeper may write the layout and no count', () => {
  for (const name of ['relay', 'sweeper']) {
    const [one, ...rest] = statementsOn(name, 'Table').filter((statement) =>
      partitionsIn(statement)?.includes('*#rulebook'),
    );
    expect(rest).toEqual([]);
    expect(one?.Condition).toMatchObject({
      'ForAllValues:StringEquals': {
        'dynamodb:Attributes': [
          ...['pk', 'sk', 'spread', 'spreadBefore', 'spreadSince', 'dense'],
          'shards',
        ],
      },
    });
  }
});
