import { expect, test } from 'vitest';
import { metricNamespace, metricTo } from '../../shared/signal/metric.ts';
import type { Metric } from '../../shared/signal/relay.ts';
import { nameIn, resourcesOf, templateOf } from './template.ts';

const template = templateOf();
const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()];

// Goal: every alarm there is: when a figure is above its limit for so many minutes.
test('there are these alarms', () => {
  const page = `
    Countersign BridgeSilent Sum > 0 for 1
    Countersign OutboxLag Maximum > 180000 for 1
    Countersign OutboxSetAside Sum > 0 for 1
    AWS/Lambda IteratorAge Maximum > 180000 for 3 of relayFunction
    AWS/SQS ApproximateNumberOfMessagesVisible Maximum > 0 for 1 of courierLetters
    AWS/SQS ApproximateNumberOfMessagesVisible Maximum > 0 for 1 of relayLetters
    AWS/SQS ApproximateNumberOfMessagesVisible Maximum > 0 for 1 of sweeperLetters
    AWS/SQS ApproximateNumberOfMessagesVisible Maximum > 0 for 1 of reporterLetters
  `;
  const rows = alarms.map(({ Properties }) => {
    const { Namespace, MetricName, Statistic, Threshold, EvaluationPeriods } = Properties;
    const [dimension] = (Properties['Dimensions'] ?? []) as { readonly Value: unknown }[];
    const row = `${Namespace} ${MetricName} ${Statistic} > ${Threshold} for ${EvaluationPeriods}`;
    return dimension ? `${row} of ${nameIn(dimension.Value)}` : row;
  });
  expect(rows.sort()).toEqual(
    page
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .sort(),
  );
});

test('every queue is watched', () => {
  const queues = [...resourcesOf(template, 'AWS::SQS::Queue').keys()];
  const text = JSON.stringify(alarms);
  expect(queues.filter((id) => !text.includes(`"${id}"`))).toEqual([]);
  expect(queues).toHaveLength(4);
});

test('an alarm looks every minute, is about too much, says what it means, and bears silence', () => {
  for (const { Properties } of alarms) {
    expect(Properties).toMatchObject({
      Period: 60,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(/^[A-Z].*\.$/),
    });
  }
});

test('the figures that are watched are those that workers write, without dimensions', () => {
  const own = alarms.filter(({ Properties }) => Properties['Namespace'] === metricNamespace);
  expect(own).toHaveLength(3);
  for (const { Properties } of own) {
    const lines: string[] = [];
    const name = Properties['MetricName'] as Parameters<Metric>[0];
    metricTo((line) => lines.push(line))(name, 1);
    const { _aws: aws } = JSON.parse(lines.join()) as { _aws: { CloudWatchMetrics: unknown[] } };
    expect(aws.CloudWatchMetrics).toMatchObject([
      { Namespace: metricNamespace, Dimensions: [[]], Metrics: [{ Name: name }] },
    ]);
    expect(Properties).not.toHaveProperty('Dimensions');
  }
});
