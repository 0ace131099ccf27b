import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nameIn, resourcesOf, type Statement, statementsOf, templateOf } from './template.ts';

const template = templateOf();
const statements = statementsOf(template);

/** CDK's own function that calls `found` at deployment. */
const provider = 'AWSCDKTriggerCustomResourceProviderCustomResourceProvider';

// Goal: who may do what, to be read at a glance: on the table, and with the key that wraps the
// private keys of the ledgers.
test('each function may do this', () => {
  const page = `
    status  | BatchGetItem GetItem                                             | Decrypt
    ledgers | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt Encrypt
    ledger  | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    signers | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    symbols | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    wallets | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    intents | BatchGetItem ConditionCheckItem DeleteItem PutItem Query UpdateItem | Decrypt
    found   | BatchGetItem ConditionCheckItem DeleteItem PutItem UpdateItem       | Decrypt Encrypt
  `;
  const rows = [...statements.keys()]
    .filter((name) => !name.startsWith(provider))
    .map((name) => [name, actionsOn(name, 'Table'), actionsOn(name, 'KeyringKey')].join(' | '));
  expect(rows).toEqual(page.trim().split('\n').map(squeezed));
});

test('beyond that, each function writes its own log and traces, and DynamoDB its encryption', () => {
  const use = 'Decrypt DescribeKey';
  const useAndRenew = 'Decrypt DescribeKey Encrypt GenerateDataKey ReEncryptFrom ReEncryptTo';
  for (const [name, list] of statements) {
    if (name.startsWith(provider)) continue;
    const placesOfName = list.map(({ Resource }) => nameIn(Resource));
    expect(placesOfName.sort()).toEqual(
      ['"*"', 'KeyringKey', 'Table', 'TableKey', `${name}Logs`].sort(),
    );
    expect(actionsOn(name, `${name}Logs`)).toBe('CreateLogStream PutLogEvents');
    expect(actionsOn(name, 'TableKey')).toBe(name === 'status' ? use : useAndRenew);
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

test('no role has a policy of AWS but that of the provider, which may write logs', () => {
  for (const [name, { Properties }] of resourcesOf(template, 'AWS::IAM::Role')) {
    const managed = JSON.stringify(Properties['ManagedPolicyArns'] ?? []);
    if (name.startsWith(provider))
      expect(managed).toMatch(/^\[[^,]*AWSLambdaBasicExecutionRole[^,]*\]$/);
    else expect(managed).toBe('[]');
  }
});

test('a key trusts its account, so that the permissions above decide, and nobody else', () => {
  for (const { Properties } of resourcesOf(template, 'AWS::KMS::Key').values()) {
    const { Statement: list } = Properties['KeyPolicy'] as { Statement: Statement[] };
    expect(list).toHaveLength(1);
    // The default of KMS: without it a key could become one that nobody can manage.
    expect(list[0]).toMatchObject({ Effect: 'Allow', Action: 'kms:*', Resource: '*' });
    expect(JSON.stringify(list)).toMatch(/"Principal":\{"AWS":\{[^}]*\}[^}]*\}[^}]*":root"/);
  }
});

test('what the store sends is what the matrix allows', () => {
  const files = readdirSync('shared/store').map((name) => `shared/store/${name}`);
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const sent = (pattern: RegExp): string[] =>
    [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
  expect(sent(/new (\w+)Command\(/g)).toEqual(['BatchGet', 'Get', 'Query', 'TransactWrite']);
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

/** What a function may do with a resource, without the names of the services. */
function actionsOn(name: string, resource: string): string {
  const list = (statements.get(name) ?? []).filter((one) => nameIn(one.Resource) === resource);
  return list
    .flatMap(actionsOf)
    .map((action) => action.replace(/^\w+:/, ''))
    .sort()
    .join(' ');
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}
