import { expect, test } from 'vitest';
import {
  type FunctionGroup,
  groups,
  groupTimeoutSeconds,
  mountsOf,
  workers,
} from '../../infra/topology.ts';
import {
  functionsOf,
  nameIn,
  onlyOf,
  owner,
  type Resource,
  resourcesOf,
  templateOf,
} from './template.ts';

// `templateOf` fails on a circle, such as a function that knows the address of the stage that it
// is deployed in: so this much can be created in some order.
const template = templateOf();
const groupNames = Object.keys(groups) as FunctionGroup[];
const workerNames = Object.keys(workers);

test('every group and worker has its function, and there is no other', () => {
  expect([...functionsOf(template).keys()].sort()).toEqual([...groupNames, ...workerNames].sort());
  const others = [...resourcesOf(template, 'AWS::Lambda::Function').keys()].filter(
    (id) => !/^[a-z]+Function[0-9A-F]{8}$/.test(id),
  );
  // The one of CDK that calls `found` at deployment.
  expect(others).toEqual([expect.stringMatching(/^AWSCDKTriggerCustomResourceProvider/)]);
});

test('every group answers any method at both of its paths, and nothing else is reachable', () => {
  const expected = groupNames.flatMap((group) =>
    mountsOf(group).map((path) => `ANY ${path} ${group}`),
  );
  expect(methods().sort()).toEqual(expected.sort());
  expect(resourcesOf(template, 'AWS::Lambda::Url').size).toBe(0);
});

// Goal: every way into a function from outside of it. A stream is read by the function's own role.
test('only the API may call a group, at its paths, and only its rule a worker', () => {
  const allowed = [...resourcesOf(template, 'AWS::Lambda::Permission').values()].map(
    ({ Properties }) => {
      const { Action, Principal, FunctionName, SourceArn } = Properties;
      expect(Action).toBe('lambda:InvokeFunction');
      const [, path] = /"\/\*(\/[^"]*)"\]\]\}$/.exec(JSON.stringify(SourceArn)) ?? [];
      const place = path ?? nameIn(SourceArn);
      return `${Principal} ${place} ${nameIn(FunctionName).replace('Function', '')}`;
    },
  );
  const expected = groupNames.flatMap((group) =>
    mountsOf(group).map(
      (path) => `apigateway.amazonaws.com ${path.replace('{proxy+}', '*')} ${group}`,
    ),
  );
  expected.push('events.amazonaws.com signalsRule courier');
  expected.push('events.amazonaws.com sweepSchedule sweeper');
  expected.push('events.amazonaws.com reportSchedule reporter');
  expect(allowed.sort()).toEqual(expected.sort());
});

test('every function runs on a current Node, on arm64, traced, outside of networks', () => {
  for (const { Properties } of functionsOf(template).values()) {
    expect(Number(/^nodejs(\d+)\.x$/.exec(Properties['Runtime'] as string)?.[1])).toBeGreaterThan(
      21,
    );
    expect(Properties).toMatchObject({
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 1024,
      TracingConfig: { Mode: 'Active' },
    });
    expect(Properties).not.toHaveProperty('VpcConfig');
    expect(nameIn(Properties['LoggingConfig'])).toMatch(/^[a-z]+Logs$/);
  }
});

test('every log is kept for as long as the operator says, and none for ever', () => {
  for (const [days, made] of [
    [90, template],
    [365, templateOf({ logDays: 365 })],
  ] as const) {
    const logs = [...resourcesOf(made, 'AWS::Logs::LogGroup').values()];
    // Of each function, also that of CDK, of the requests, and of the gateway itself.
    expect(logs).toHaveLength(groupNames.length + workerNames.length + 3);
    for (const { Properties } of logs) expect(Properties['RetentionInDays']).toBe(days);
    // A function without one gets a log that is kept for ever.
    const names = [...resourcesOf(made, 'AWS::Lambda::Function').values()].map(({ Properties }) =>
      nameIn(Properties['LoggingConfig']),
    );
    expect(names).toContain('FoundingLogs');
    expect(new Set(names).size).toBe(groupNames.length + workerNames.length + 1);
  }
});

test('a function has the time and the places that the topology gives it', () => {
  const limits = [...functionsOf(template)].map(([name, { Properties }]) => {
    const { Timeout, ReservedConcurrentExecutions = '' } = Properties;
    return `${name} ${Timeout} ${ReservedConcurrentExecutions}`.trim();
  });
  expect(limits.sort()).toEqual(
    [
      ...groupNames.map((name) => `${name} ${groupTimeoutSeconds}`),
      'courier 120 100',
      'found 29',
      'relay 60 20',
      'sweeper 120 4',
      'reporter 480 1',
    ].sort(),
  );
});

// `OUTGOING_INSIDE`, `DYNAMODB_ENDPOINT` and the like are for the offline runtime. On AWS they would
// let a webhook reach inside, or the ledger write elsewhere; so this list is all there may be.
test('a function knows six things, who uses the bus its name, who sends how much, and the founder the owner', () => {
  for (const [name, resource] of functionsOf(template)) {
    const { SERVER_URLS, EVENT_BUS_NAME, LEDGER_OWNER, SENT_BYTES_PER_SECOND, ...variables } =
      environmentOf(resource);
    // Half of 10 MB for the hundred couriers, and half for the four sweepers.
    const share = { courier: '50000', sweeper: '1250000' }[name as string];
    expect(SENT_BYTES_PER_SECOND, name).toBe(share);
    const isOnBus = name === 'relay' || name === 'sweeper';
    expect(EVENT_BUS_NAME && nameIn(EVENT_BUS_NAME), name).toBe(isOnBus ? 'Bus' : undefined);
    expect(LEDGER_OWNER, name).toBe(name === 'found' ? owner : undefined);
    expect(variables).toEqual({
      TABLE_NAME: { Ref: expect.stringMatching(/^Table[0-9A-F]{8}$/) },
      KMS_KEY_ID: { 'Fn::GetAtt': [expect.stringMatching(/^KeyringKey[0-9A-F]{8}$/), 'Arn'] },
      LEDGER_HANDLE: 'main',
      EFFECTS_PER_SIGNAL: '100',
      METRIC_NAMESPACE: 'Countersign',
    });
    expect(nameIn(SERVER_URLS)).toBe('Gateway');
    expect(JSON.stringify(SERVER_URLS)).toMatch(/"https:\/\/".*"\.execute-api\.".*"\/v2"/);
  }
});

test('the parameters reach the functions', () => {
  const serverUrls = 'https://ledger.example/v2,https://other.example';
  const outgoingHosts = 'hooks.example,*.bank.example';
  const allowedOrigins = 'https://app.bank.example,https://desk.bank.example';
  const made = templateOf({
    ledger: 'bank',
    serverUrls,
    outgoingHosts,
    allowedOrigins,
    effectsPerSignal: '7',
    sentBytesPerSecond: 200_000,
    access: 'open',
    owner: undefined,
  });
  for (const [name, resource] of functionsOf(made)) {
    expect(environmentOf(resource), name).toMatchObject({
      LEDGER_HANDLE: 'bank',
      SERVER_URLS: serverUrls,
      OUTGOING_HOSTS: outgoingHosts,
      ALLOWED_ORIGINS: allowedOrigins,
      EFFECTS_PER_SIGNAL: '7',
    });
    const { SENT_BYTES_PER_SECOND } = environmentOf(resource);
    if (name === 'courier') expect(SENT_BYTES_PER_SECOND).toBe('1000');
    expect(environmentOf(resource), name).not.toHaveProperty('LEDGER_OWNER');
  }
});

test('the default ledger is made last, whenever the function that makes it is another one', () => {
  const trigger = onlyOf(template, 'Custom::Trigger') as Resource & { DependsOn: string[] };
  const { HandlerArn, InvocationType } = trigger.Properties;
  expect(JSON.stringify(HandlerArn)).toMatch(/"foundFunctionCurrentVersion/);
  expect(InvocationType).toBe('RequestResponse');
  expect(trigger.DependsOn).toContainEqual(expect.stringMatching(/^GatewayDeploymentStage/));
});

test('the bus keeps an archive, for as long as the operator says', () => {
  onlyOf(template, 'AWS::Events::EventBus');
  const { SourceArn, RetentionDays } = onlyOf(template, 'AWS::Events::Archive').Properties;
  expect([nameIn(SourceArn), RetentionDays]).toEqual(['Bus', 90]);
  const longer = onlyOf(templateOf({ archiveDays: 400 }), 'AWS::Events::Archive');
  expect(longer.Properties['RetentionDays']).toBe(400);
});

test('the stack says where it is', () => {
  expect(Object.keys(template.findOutputs('*')).sort()).toEqual([
    'Address',
    'AlarmTopicArn',
    'BusName',
    'TableName',
  ]);
});

function environmentOf({ Properties }: Resource): Record<string, unknown> {
  return (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;
}

/** Every method of the API as `method path function`. */
function methods(): string[] {
  const pathsById = new Map<string, { part: string; parent: unknown }>();
  for (const [id, { Properties }] of resourcesOf(template, 'AWS::ApiGateway::Resource')) {
    pathsById.set(id, { part: Properties['PathPart'] as string, parent: Properties['ParentId'] });
  }
  const pathOf = (value: unknown): string => {
    const found = pathsById.get((value as { Ref?: string }).Ref ?? '');
    return found ? `${pathOf(found.parent).replace(/\/$/, '')}/${found.part}` : '/';
  };
  return [...resourcesOf(template, 'AWS::ApiGateway::Method').values()].map(({ Properties }) => {
    const { HttpMethod, ResourceId, Integration } = Properties;
    const { Type, Uri } = Integration as Record<string, unknown>;
    expect(Type).toBe('AWS_PROXY');
    return `${HttpMethod} ${pathOf(ResourceId)} ${nameIn(Uri).replace('Function', '')}`;
  });
}
