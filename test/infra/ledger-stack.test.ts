import { expect, test } from 'vitest';
import { type Group, groups, mountsOf, stage, workers } from '../../infra/topology.ts';
import { functionsOf, nameIn, onlyOf, type Resource, resourcesOf, templateOf } from './template.ts';

// `templateOf` fails on a circle, such as a function that knows the address of the stage that it
// is deployed in: so this much can be created in some order.
const template = templateOf();
const groupNames = Object.keys(groups) as Group[];

test('every group and worker has its function, and there is no other', () => {
  expect([...functionsOf(template).keys()].sort()).toEqual([...groupNames, ...workers].sort());
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
  expect(resourcesOf(template, 'AWS::Lambda::EventSourceMapping').size).toBe(0);
});

test('only the API may call a function from outside, and only at the paths of its group', () => {
  const allowed = [...resourcesOf(template, 'AWS::Lambda::Permission').values()].map(
    ({ Properties }) => {
      const { Action, Principal, FunctionName, SourceArn } = Properties;
      expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
      const [, path] = /"\/\*(\/[^"]*)"\]\]\}$/.exec(JSON.stringify(SourceArn)) ?? [];
      return `${path} ${nameIn(FunctionName).replace('Function', '')}`;
    },
  );
  const expected = groupNames.flatMap((group) =>
    mountsOf(group).map((path) => `${path.replace('{proxy+}', '*')} ${group}`),
  );
  expect(allowed.sort()).toEqual(expected.sort());
});

test('the API is one stage of the version, and passes bytes on as they were sent', () => {
  expect(onlyOf(template, 'AWS::ApiGateway::Stage').Properties['StageName']).toBe(stage);
  const { BinaryMediaTypes } = onlyOf(template, 'AWS::ApiGateway::RestApi').Properties;
  expect(BinaryMediaTypes).toEqual(['*/*']);
});

test('every function runs on a current Node, on arm64, traced, with logs that end', () => {
  for (const { Properties } of functionsOf(template).values()) {
    expect(Number(/^nodejs(\d+)\.x$/.exec(Properties['Runtime'] as string)?.[1])).toBeGreaterThan(
      21,
    );
    expect(Properties).toMatchObject({
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 1024,
      Timeout: 29,
      TracingConfig: { Mode: 'Active' },
    });
    expect(nameIn(Properties['LoggingConfig'])).toMatch(/^[a-z]+Logs$/);
  }
  for (const { Properties } of resourcesOf(template, 'AWS::Logs::LogGroup').values()) {
    expect(Properties['RetentionInDays']).toBe(90);
  }
});

test('every function knows the same four things, and none of them is a secret', () => {
  for (const resource of functionsOf(template).values()) {
    const { SERVER_URLS, ...variables } = environmentOf(resource);
    expect(variables).toEqual({
      TABLE_NAME: { Ref: expect.stringMatching(/^Table[0-9A-F]{8}$/) },
      KMS_KEY_ID: { 'Fn::GetAtt': [expect.stringMatching(/^KeyringKey[0-9A-F]{8}$/), 'Arn'] },
      LEDGER_HANDLE: 'main',
    });
    expect(nameIn(SERVER_URLS)).toBe('Gateway');
    expect(JSON.stringify(SERVER_URLS)).toMatch(/"https:\/\/".*"\.execute-api\.".*"\/v2"/);
  }
  for (const { Properties } of resourcesOf(template, 'AWS::Lambda::Function').values()) {
    const text = JSON.stringify(Properties['Environment'] ?? {});
    expect(text).not.toMatch(/secret|password|private|token|BEGIN|[A-Za-z0-9+/]{43}=/i);
  }
});

test('the parameters reach the functions', () => {
  const serverUrls = 'https://ledger.example/v2,https://other.example';
  const [resource] = functionsOf(templateOf({ ledger: 'bank', serverUrls })).values();
  expect(environmentOf(resource as Resource)).toMatchObject({
    LEDGER_HANDLE: 'bank',
    SERVER_URLS: serverUrls,
  });
});

test('the default ledger is made last, whenever the function that makes it is another one', () => {
  const trigger = onlyOf(template, 'Custom::Trigger') as Resource & { DependsOn: string[] };
  const { HandlerArn, InvocationType } = trigger.Properties;
  expect(JSON.stringify(HandlerArn)).toMatch(/"foundFunctionCurrentVersion/);
  expect(InvocationType).toBe('RequestResponse');
  expect(trigger.DependsOn).toContainEqual(expect.stringMatching(/^GatewayDeploymentStage/));
});

test('the bus keeps an archive, and no rule listens', () => {
  onlyOf(template, 'AWS::Events::EventBus');
  const { SourceArn, RetentionDays } = onlyOf(template, 'AWS::Events::Archive').Properties;
  expect([nameIn(SourceArn), RetentionDays]).toEqual(['Bus', 90]);
  expect(resourcesOf(template, 'AWS::Events::Rule').size).toBe(0);
});

test('the stack says where it is', () => {
  expect(Object.keys(template.findOutputs('*')).sort()).toEqual([
    'Address',
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
