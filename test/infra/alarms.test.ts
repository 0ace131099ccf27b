import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metricWriter } from '../../shared/signal/metric.ts';
import type { WriteMetric } from '../../shared/signal/relay.ts';
import { nameIn, onlyOf, resourcesOf, type Statement, templateOf } from './template.ts';

const template = templateOf();
const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm')];

interface Measured {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}
interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: {
    readonly Metric: Measured;
    readonly Stat: string;
    readonly Period: number;
  };
}

const nameOf = (id: string) => id.replace(/^Alarms/, '').replace(/[0-9A-F]{8}$/, '');

function shown({ Namespace, MetricName, Dimensions = [] }: Measured, statistic: unknown): string {
  const places = Dimensions.map(({ Value }) => ` of ${nameIn(Value).replaceAll('"', '')}`);
  return `${Namespace} ${MetricName}${places.join('')} ${statistic}`;
}

/** What an alarm looks at: a figure, or the figures of its formula. */
function lookedAt(properties: Readonly<Record<string, unknown>>): string {
  const queries = properties['Metrics'] as readonly Query[] | undefined;
  if (!queries)
    return shown(
      properties as unknown as Measured,
      properties['Statistic'] ?? properties['ExtendedStatistic'],
    );
  const used = queries.flatMap(({ MetricStat }) =>
    MetricStat ? [shown(MetricStat.Metric, MetricStat.Stat)] : [],
  );
  const same = new Set(used.map((one) => one.replace(/ of \w+/, '')));
  return used.length > 2 && same.size === 1 ? `${[...same]} of ${used.length}` : used.join(' + ');
}

// Goal: every alarm there is: what it looks at, and when it is above its limit for so many minutes.
test('there are these alarms', () => {
  const page = `
    BridgeSilent: Countersign BridgeSilent Sum > 0 for 1
    ConflictRate: Countersign CommitConflict Sum + AWS/DynamoDB SuccessfulRequestLatency of TransactWriteItems of Table SampleCount > 20 for 5
    DeliveryCancelled: Countersign DeliveryCancelled Sum > 0 for 1
    EndpointThrottles1: AWS/Lambda Throttles Sum of 10 > 0 for 1
    EndpointThrottles2: AWS/Lambda Throttles Sum of 10 > 0 for 1
    EndpointThrottles3: AWS/Lambda Throttles of docsFunction Sum > 0 for 1
    IntentForgotten: Countersign IntentForgotten Maximum > 0 for 5
    Latency: AWS/ApiGateway Latency of Countersign p99 > 3000 for 5
    LogContradicted: Countersign LogContradicted Sum > 0 for 1 of 15
    OutboxLag: Countersign OutboxLag Maximum > 180000 for 1
    OutboxSetAside: Countersign OutboxSetAside Sum > 0 for 1
    ServerErrors: AWS/ApiGateway 5XXError of Countersign Sum > 0 for 1
    StreamAge: AWS/Lambda IteratorAge of relayFunction Maximum > 180000 for 3
    TableThrottles: AWS/DynamoDB ReadThrottleEvents of Table Sum + AWS/DynamoDB WriteThrottleEvents of Table Sum > 0 for 5
    WorkerErrors: AWS/Lambda Errors Sum of 4 > 0 for 3
    WorkerThrottles: AWS/Lambda Throttles of relayFunction Sum + AWS/Lambda Throttles of courierFunction Sum > 0 for 5
    courierLetters: AWS/SQS ApproximateNumberOfMessagesVisible of courierLetters Maximum > 0 for 1
    relayLetters: AWS/SQS ApproximateNumberOfMessagesVisible of relayLetters Maximum > 0 for 1
    reporterLetters: AWS/SQS ApproximateNumberOfMessagesVisible of reporterLetters Maximum > 0 for 1
    sweeperLetters: AWS/SQS ApproximateNumberOfMessagesVisible of sweeperLetters Maximum > 0 for 1
  `;
  const rows = alarms.map(([id, { Properties }]) => {
    const { Threshold, EvaluationPeriods: all, DatapointsToAlarm: some } = Properties;
    const minutes = some === all ? all : `${some} of ${all}`;
    return `${nameOf(id)}: ${lookedAt(Properties)} > ${Threshold} for ${minutes}`;
  });
  const expected = page.trim().split('\n');
  expect(rows.sort()).toEqual(expected.map((line) => line.trim()).sort());
});

test('the manual says of every alarm what it means and what to do, and of no other', () => {
  const manual = readFileSync('infra/README.md', 'utf8');
  const [, table = ''] = /\n## Alarms\n([\s\S]*?)\n## /.exec(manual) ?? [];
  const told = [...table.matchAll(/^\| `(\w+)` +\|([^|]+)\|([^|]+)\|$/gm)];
  expect(told.map(([, name]) => name).sort()).toEqual(alarms.map(([id]) => nameOf(id)).sort());
  for (const [, , means = '', todo = ''] of told)
    expect([means, todo].map((text) => text.trim().length > 10)).toEqual([true, true]);
});

test('every queue is watched', () => {
  const queues = [...resourcesOf(template, 'AWS::SQS::Queue').keys()];
  const text = JSON.stringify(alarms);
  expect(queues.filter((id) => !text.includes(`"${id}"`))).toEqual([]);
  expect(queues).toHaveLength(4);
});

test('every function of the API is watched', () => {
  const text = JSON.stringify(alarms.filter(([id]) => id.startsWith('AlarmsEndpointThrottles')));
  const groups = [...resourcesOf(template, 'AWS::ApiGateway::Method').values()].map(
    ({ Properties }) => nameIn((Properties['Integration'] as Record<string, unknown>)['Uri']),
  );
  for (const name of new Set(groups)) expect(text).toMatch(new RegExp(`"${name}[0-9A-F]{8}"`));
});

test('an alarm looks every minute, is about too much, says what it means, and bears silence', () => {
  for (const [, { Properties }] of alarms) {
    const queries = (Properties['Metrics'] ?? []) as readonly Query[];
    const periods = queries.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    expect(new Set([...periods, Properties['Period'] ?? 60])).toEqual(new Set([60]));
    // An alarm on a formula takes at most ten figures.
    expect(periods.length).toBeLessThanOrEqual(10);
    expect(Properties).toMatchObject({
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(/^[A-Z].*\.$/),
    });
  }
});

test('every alarm is told when it begins and when it ends', () => {
  for (const [, { Properties }] of alarms)
    for (const when of ['AlarmActions', 'OKActions'])
      expect((Properties[when] as unknown[]).map(nameIn)).toEqual(['AlarmTopic']);
});

test('the figures that are watched are those that functions write, without dimensions', () => {
  const watched = alarms
    .flatMap(([, { Properties }]) => [
      Properties as unknown as Measured,
      ...((Properties['Metrics'] ?? []) as readonly Query[]).flatMap(
        ({ MetricStat }) => MetricStat?.Metric ?? [],
      ),
    ])
    .filter(({ Namespace }) => Namespace === 'Countersign');
  expect(watched).toHaveLength(7);
  for (const { MetricName, Dimensions } of watched) {
    const lines: string[] = [];
    const write = metricWriter('Countersign', (line) => lines.push(line));
    write(MetricName as Parameters<WriteMetric>[0], 1);
    const { _aws: aws } = JSON.parse(lines.join()) as { _aws: { CloudWatchMetrics: unknown[] } };
    expect(aws.CloudWatchMetrics).toMatchObject([
      {
        Namespace: 'Countersign',
        Dimensions: [[]],
        Metrics: [{ Name: MetricName, Unit: expect.stringMatching(/^\w+$/) }],
      },
    ]);
    expect(Dimensions).toBeUndefined();
  }
});

test('the topic is encrypted under a key that only CloudWatch and the account may use', () => {
  const { KmsMasterKeyId } = onlyOf(template, 'AWS::SNS::Topic').Properties;
  expect(nameIn(KmsMasterKeyId)).toBe('AlarmKey');
  const { PolicyDocument } = onlyOf(template, 'AWS::SNS::TopicPolicy').Properties;
  const { Statement } = PolicyDocument as { readonly Statement: readonly Statement[] };
  expect(Statement).toMatchObject([
    {
      Effect: 'Deny',
      Action: 'sns:Publish',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
    {
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('who is named hears of alarms, and without a name nobody does', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription').size).toBe(0);
  const told = onlyOf(templateOf({ alarmEmail: 'duty@bank.example' }), 'AWS::SNS::Subscription');
  expect(told.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'duty@bank.example' });
});

test('the dashboard shows every alarm, and only figures that there are', () => {
  const { DashboardBody, DashboardName } = onlyOf(
    template,
    'AWS::CloudWatch::Dashboard',
  ).Properties;
  expect(DashboardName).toEqual({ 'Fn::Join': ['', ['Countersign-', { Ref: 'AWS::Region' }]] });
  const text = JSON.stringify(DashboardBody);
  for (const [id] of alarms) expect(text).toContain(`"${id}"`);
  const own = [...text.matchAll(/Countersign\\",\\"(\w+)\\"/g)].map(([, name]) => name);
  expect([...new Set(own)].sort()).toEqual([
    'BridgeSilent',
    'CommitConflict',
    'DeliveryCancelled',
    'IntentForgotten',
    'LogContradicted',
    'OutboxLag',
    'OutboxSetAside',
    'WitnessFailed',
  ]);
});
