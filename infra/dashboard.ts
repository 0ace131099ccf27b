/** The CloudWatch dashboard for operators: alarms, requests, workers and table on one page. */
import { Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import {
  conflictRateOf,
  figure,
  latencyOf,
  minute,
  serverErrorsOf,
  streamAgeOf,
  throttlesOf,
  type Watched,
} from './figures.ts';

/** Widths and heights of widgets. A row has 24 columns. */
const [whole, third, tall, low] = [24, 8, 6, 4];

export function dashboard(scope: Construct, watched: Watched, alarms: Alarms): Dashboard {
  const { stackName, region } = Stack.of(scope);
  return new Dashboard(scope, 'Dashboard', {
    // Dashboards are of the account and not of a region.
    dashboardName: `${stackName}-${region}`,
    widgets: [
      [
        new AlarmStatusWidget({
          alarms: [...alarms.all],
          title: 'Alarms',
          width: whole,
          height: low,
        }),
      ],
      ofRequests(watched),
      ofWorkers(watched),
      ofTable(watched),
    ],
  });
}

function ofRequests({ api, endpoints }: Watched): IWidget[] {
  const handlers = [...endpoints];
  return [
    graph('Requests, 4xx and 5xx answers', [
      api.metricCount({ period: minute }),
      api.metricClientError({ statistic: Stats.SUM, period: minute }),
      serverErrorsOf(api),
    ]),
    graph(
      'API latency, ms',
      [50, 90, 99].map((percentile) => latencyOf(api, percentile)),
    ),
    graph(
      'p99 duration by group of endpoints, ms',
      handlers.map(([label, handler]) =>
        handler.metricDuration({ statistic: Stats.percentile(99), period: minute, label }),
      ),
    ),
  ];
}

function ofWorkers(watched: Watched): IWidget[] {
  const { stations } = watched;
  const all = Object.entries(stations);
  return [
    graph('Delay from commit to bus, ms', [
      figure(watched, 'OutboxLag', Stats.MAXIMUM),
      streamAgeOf(stations),
    ]),
    graph('Overdue, set aside and given up', [
      ...[
        'BridgeSilent',
        'IntentForgotten',
        'DeliveryCancelled',
        'OutboxSetAside',
        'LogContradicted',
        'WitnessFailed',
      ].map((name) => figure(watched, name, Stats.SUM)),
      ...all.map(([worker, { deadLetters }]) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({
          statistic: Stats.MAXIMUM,
          period: minute,
          label: `dead letters of the ${worker}`,
        }),
      ),
    ]),
    graph(
      'Invocations and errors of the workers',
      all.flatMap(([label, { handler }]) => [
        handler.metricInvocations({ period: minute, label }),
        handler.metricErrors({ period: minute, label: `errors of the ${label}` }),
      ]),
    ),
  ];
}

function ofTable(watched: Watched): IWidget[] {
  const { table } = watched;
  const sum = { statistic: Stats.SUM, period: minute };
  return [
    graph('Consumed capacity units of the table per minute', [
      table.metricConsumedReadCapacityUnits(sum),
      table.metricConsumedWriteCapacityUnits(sum),
    ]),
    graph('Requests throttled by the table', [throttlesOf(table)]),
    graph('Commit conflicts', [
      figure(watched, 'CommitConflict', Stats.SUM),
      conflictRateOf(watched),
    ]),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: third, height: tall });
}
