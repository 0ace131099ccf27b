import { expect, test } from 'vitest';
import { type InvokedWorker, rules, schedules, streams, workers } from '../../infra/topology.ts';
import { nameIn, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf();
const woken = Object.keys(workers).filter((name): name is InvokedWorker => name !== 'found');

const mappings = [...resourcesOf(template, 'AWS::Lambda::EventSourceMapping').values()];

test('new outbox entries wake the relay, and what is due soon the sweeper, shard by shard of the stream', () => {
  const told = mappings.map(({ Properties }) => {
    expect(nameIn(Properties['EventSourceArn'])).toBe('Table');
    expect(JSON.stringify(Properties['EventSourceArn'])).toContain('"StreamArn"');
    expect(Properties).toMatchObject({
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      ParallelizationFactor: 1,
      StartingPosition: 'TRIM_HORIZON',
    });
    const age = Properties['MaximumRecordAgeInSeconds'];
    return `${nameIn(Properties['FunctionName'])} ${age} ${lettersOf(Properties)}`;
  });
  expect(told.sort()).toEqual([
    'relayFunction 3600 relayLetters',
    'sweeperFunction 60 sweeperLetters',
  ]);
});

test('the filters of the stream are those of the topology, in the length that Lambda takes', () => {
  const patterns = mappings.flatMap(({ Properties: { FilterCriteria } }) => {
    const { Filters } = FilterCriteria as { Filters: readonly { readonly Pattern: string }[] };
    return Filters.map(({ Pattern }) => Pattern);
  });
  expect(new Set(patterns)).toEqual(new Set(streams.map(({ filter }) => JSON.stringify(filter))));
  for (const pattern of patterns) expect(pattern.length).toBeLessThanOrEqual(4096);
});

test('the rules on the bus are those of the topology', () => {
  const told = rulesWith('EventPattern').map(({ Properties }) => {
    const { EventBusName, EventPattern } = Properties;
    expect(nameIn(EventBusName)).toBe('Bus');
    return [EventPattern, targetOf(Properties)];
  });
  expect(told).toEqual(
    rules.map(({ pattern, target }) => [pattern, `${target} 86400 s 185 times ${target}Letters`]),
  );
});

test('the clocks are those of the topology', () => {
  const told = rulesWith('ScheduleExpression').map(({ Properties }) => {
    return [Properties['ScheduleExpression'], targetOf(Properties)];
  });
  expect(told).toEqual(
    schedules.map(({ everyMinutes, target }) => {
      expect(everyMinutes).toBe(1);
      return ['rate(1 minute)', `${target} 600 s 10 times ${target}Letters`];
    }),
  );
});

test('what Lambda was handed is attempted three times, then it is a dead letter', () => {
  const told = [...resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').values()].map(
    ({ Properties }) => {
      const { FunctionName, MaximumEventAgeInSeconds, MaximumRetryAttempts } = Properties;
      expect(MaximumRetryAttempts).toBe(2);
      return `${nameIn(FunctionName)} ${MaximumEventAgeInSeconds} s ${lettersOf(Properties)}`;
    },
  );
  expect(told.sort()).toEqual([
    'courierFunction 21600 s courierLetters',
    'reporterFunction 600 s reporterLetters',
    'sweeperFunction 600 s sweeperLetters',
  ]);
});

test('dead letters lie encrypted for two weeks, a queue for each worker', () => {
  const queues = [...resourcesOf(template, 'AWS::SQS::Queue')];
  expect(queues.map(([id]) => nameIn({ Ref: id })).sort()).toEqual(
    woken.map((name) => `${name}Letters`).sort(),
  );
  for (const [, { Properties }] of queues) {
    expect(Properties).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 3600,
    });
  }
});

test('only the rule of a worker may write to its queue from outside, and nobody in the clear', () => {
  const told = [...resourcesOf(template, 'AWS::SQS::QueuePolicy').values()].flatMap(
    ({ Properties }) => {
      const { Statement } = Properties['PolicyDocument'] as { Statement: QueueStatement[] };
      return Statement.map(({ Effect, Action, Resource, Condition }) => {
        const { Bool, ArnEquals } = Condition;
        const source = ArnEquals ? nameIn(ArnEquals['aws:SourceArn']) : JSON.stringify(Bool);
        return `${Effect} ${Action} ${nameIn(Resource)} ${source}`;
      });
    },
  );
  expect(told.sort()).toEqual([
    'Allow sqs:SendMessage courierLetters signalsRule',
    'Allow sqs:SendMessage reporterLetters reportSchedule',
    'Allow sqs:SendMessage sweeperLetters sweepSchedule',
    'Deny sqs:* courierLetters {"aws:SecureTransport":"false"}',
    'Deny sqs:* relayLetters {"aws:SecureTransport":"false"}',
    'Deny sqs:* reporterLetters {"aws:SecureTransport":"false"}',
    'Deny sqs:* sweeperLetters {"aws:SecureTransport":"false"}',
  ]);
});

interface QueueStatement {
  readonly Effect: string;
  readonly Action: string;
  readonly Resource: unknown;
  readonly Condition: {
    readonly Bool?: unknown;
    readonly ArnEquals?: { readonly 'aws:SourceArn': unknown };
  };
}

function rulesWith(property: string): Resource[] {
  const all = [...resourcesOf(template, 'AWS::Events::Rule').values()];
  return all.filter(({ Properties }) => property in Properties);
}

/** The only target of a rule: its function, for how long and how often it is tried, its letters. */
function targetOf(properties: Resource['Properties']): string {
  const targets = properties['Targets'] as {
    readonly Arn: unknown;
    readonly DeadLetterConfig: { readonly Arn: unknown };
    readonly RetryPolicy: Readonly<Record<string, number>>;
  }[];
  expect(targets).toHaveLength(1);
  return targets
    .map(({ Arn, DeadLetterConfig, RetryPolicy }) => {
      const { MaximumEventAgeInSeconds, MaximumRetryAttempts } = RetryPolicy;
      const limits = `${MaximumEventAgeInSeconds} s ${MaximumRetryAttempts} times`;
      return `${nameIn(Arn).replace('Function', '')} ${limits} ${nameIn(DeadLetterConfig.Arn)}`;
    })
    .join();
}

function lettersOf(properties: Resource['Properties']): string {
  const { OnFailure } = properties['DestinationConfig'] as { OnFailure: { Destination: unknown } };
  return nameIn(OnFailure.Destination);
}
