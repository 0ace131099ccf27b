import { expect, test } from 'vitest';
import { stage } from '../../infra/topology.ts';
import { statusOf } from '../../shared/port/status.ts';
import { nameIn, onlyOf, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf();
const certificate =
  'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d-0000-0000-0000-0a1b2c3d4e5f';
const named = templateOf({ domain: 'ledger.bank.example', certificate });
const { Properties: gate } = onlyOf(template, 'AWS::ApiGateway::Stage');

test('the API is one stage of the version, traced, and passes bytes on as they were sent', () => {
  expect(gate).toMatchObject({ StageName: stage, TracingEnabled: true });
  const { BinaryMediaTypes } = onlyOf(template, 'AWS::ApiGateway::RestApi').Properties;
  expect(BinaryMediaTypes).toEqual(['*/*']);
});

// Goal: all that a line says. A header, a query or a body would be a secret or a customer's business, and so
// would be a path: it holds the handles of their wallets.
test('a line for each request is JSON, and says nothing that a caller wrote but the method', () => {
  const { DestinationArn, Format } = gate['AccessLogSetting'] as {
    readonly DestinationArn: unknown;
    readonly Format: string;
  };
  expect(nameIn(DestinationArn)).toBe('AccessLogs');
  expect(JSON.parse(Format)).toEqual({
    request: '$context.requestId',
    time: '$context.requestTimeEpoch',
    ip: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    bytes: '$context.responseLength',
    ms: '$context.responseLatency',
    functionMs: '$context.integrationLatency',
    functionStatus: '$context.integrationStatus',
    error: '$context.error.responseType',
    trace: '$context.xrayTraceId',
  });
});

test('the gateway logs its own errors, and no bodies; it counts requests a second and at once', () => {
  expect(gate['MethodSettings']).toEqual([
    {
      HttpMethod: '*',
      ResourcePath: '/*',
      DataTraceEnabled: false,
      LoggingLevel: 'ERROR',
      ThrottlingRateLimit: 5_000,
      ThrottlingBurstLimit: 2_500,
    },
  ]);
  const slower = templateOf({ requestsPerSecond: '10', requestsAtOnce: '20' });
  const { MethodSettings } = onlyOf(slower, 'AWS::ApiGateway::Stage').Properties;
  expect(MethodSettings).toMatchObject([{ ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 }]);
});

test('the log of the gateway is there before the stage, which would keep it for ever', () => {
  const [id] = [...resourcesOf(template, 'AWS::Logs::LogGroup').keys()].filter((name) =>
    name.startsWith('GatewayLogs'),
  );
  const { DependsOn } = onlyOf(template, 'AWS::ApiGateway::Stage') as Resource & {
    readonly DependsOn: readonly string[];
  };
  expect(DependsOn).toContain(id);
  expect(DependsOn).toContainEqual(expect.stringMatching(/^GatewayAccount/));
});

// Goal: a client reads one kind of error. The status is AWS's, or says the same as the ledger's own.
test('what the gateway answers by itself is in the words of the ledger, and signed by nobody', () => {
  const answers = [...resourcesOf(template, 'AWS::ApiGateway::GatewayResponse').values()];
  const told = answers.map(({ Properties }) => {
    const { ResponseType, ResponseTemplates, ResponseParameters } = Properties as {
      readonly ResponseType: string;
      readonly ResponseTemplates: Readonly<Record<string, string>>;
      readonly ResponseParameters: Readonly<Record<string, string>>;
    };
    expect(ResponseParameters).toMatchObject({
      'gatewayresponse.header.x-request-id': 'context.requestId',
      'gatewayresponse.header.cache-control': "'no-store'",
    });
    const body = JSON.parse(ResponseTemplates['application/json'] ?? '') as {
      readonly data: { readonly reason: keyof typeof statusOf; readonly custom: object };
      readonly meta: unknown;
    };
    expect(body.meta).toEqual({ proofs: [] });
    expect(body.data.custom).toMatchObject({ request: '$context.requestId' });
    return `${ResponseType} ${body.data.reason} ${statusOf[body.data.reason]}`;
  });
  expect(told.sort()).toEqual([
    'DEFAULT_5XX api.unexpected-error 500',
    'INTEGRATION_TIMEOUT api.request-timeout 408',
    'REQUEST_TOO_LARGE api.body-malformed 400',
    'THROTTLED api.rate-limit-exceeded 429',
  ]);
});

// What the functions say of origins, the gateway cannot. Ruling 80.
test('what the gateway answers by itself may be read by pages of any origin, or of none', () => {
  const allowedIn = (made: typeof template) =>
    [...resourcesOf(made, 'AWS::ApiGateway::GatewayResponse').values()].map(({ Properties }) => {
      const { ResponseParameters: said } = Properties as {
        ResponseParameters: Record<string, string>;
      };
      return said['gatewayresponse.header.access-control-allow-origin'];
    });
  expect(allowedIn(template)).toEqual(Array(4).fill("'*'"));
  const narrow = templateOf({ allowedOrigins: 'https://app.bank.example' });
  expect(allowedIn(narrow)).toEqual(Array(4).fill(undefined));
});

// A browser asks by OPTIONS without a token, and HEAD is asked wherever GET is. Ruling 80.
test('every method reaches the functions, and nobody else asks who it is', () => {
  const methods = [...resourcesOf(template, 'AWS::ApiGateway::Method').values()];
  expect(methods.length).toBeGreaterThan(30);
  for (const { Properties } of methods) {
    const { HttpMethod, AuthorizationType, ApiKeyRequired, Integration } = Properties as {
      readonly [name: string]: unknown;
      readonly Integration: { readonly Type: string };
    };
    expect([HttpMethod, AuthorizationType, ApiKeyRequired, Integration.Type]).toEqual([
      ...['ANY', 'NONE', undefined, 'AWS_PROXY'],
    ]);
  }
  expect(resourcesOf(template, 'AWS::ApiGateway::Authorizer').size).toBe(0);
});

test('a domain of its own leads to the stage at the same path, and nothing else does', () => {
  const { Properties: domain } = onlyOf(named, 'AWS::ApiGateway::DomainName');
  expect(domain).toMatchObject({
    DomainName: 'ledger.bank.example',
    RegionalCertificateArn: certificate,
    EndpointConfiguration: { Types: ['REGIONAL'] },
    SecurityPolicy: 'TLS_1_2',
  });
  const { BasePath, RestApiId } = onlyOf(named, 'AWS::ApiGateway::BasePathMapping').Properties;
  expect([BasePath, nameIn(RestApiId)]).toEqual([stage, 'Gateway']);
  const { DisableExecuteApiEndpoint } = onlyOf(named, 'AWS::ApiGateway::RestApi').Properties;
  expect(DisableExecuteApiEndpoint).toBe(true);
  expect(named.findOutputs('Address')).toMatchObject({
    Address: { Value: `https://ledger.bank.example/${stage}` },
  });
  expect(Object.keys(named.findOutputs('DomainTarget'))).toHaveLength(1);
});

test('without one there is no domain', () => {
  expect(resourcesOf(template, 'AWS::ApiGateway::DomainName').size).toBe(0);
});
