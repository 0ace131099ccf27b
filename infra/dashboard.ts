/** One page for whoever is on duty: what rings, what callers notice, what workers do, what the table bears. */
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

/** A row has 24 columns. */
const [whole, third, tall, low] = [24, 8, 6, 4];

/** Makes the dashboard, with the name of the stack. */
export function dashboard(scope: Construct, watched: Watched, alarms: Alarms): Dashboard {
  const { stackName } = Stack.of(scope);
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: stackName,
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
    graph('Requests, and answers of 4xx and 5xx', [
      api.metricCount({ period: minute }),
      api.metricClientError({ statistic: Stats.SUM, period: minute }),
      serverErrorsOf(api),
    ]),
    graph(
      'Latency, ms',
      [50, 90, 99].map((percentile) => latencyOf(api, percentile)),
    ),
    graph(
      'p99 of each group, ms',
      handlers.map(([label, handler]) =>
        handler.metricDuration({ statistic: Stats.percentile(99), period: minute, label }),
      ),
    ),
  ];
}

function ofWorkers({ stations }: Watched): IWidget[] {
  const all = Object.entries(stations);
  return [
    graph('From the commit to the bus, ms', [
      figure('OutboxLag', Stats.MAXIMUM),
      streamAgeOf(stations),
    ]),
    graph('What waits or was given up', [
      ...['BridgeSilent', 'IntentForgotten', 'DeliveryCancelled', 'OutboxSetAside'].map((name) =>
        figure(name, Stats.SUM),
      ),
      ...all.map(([worker, { letters }]) =>
        letters.metricApproximateNumberOfMessagesVisible({
          statistic: Stats.MAXIMUM,
          period: minute,
          label: `letters of the ${worker}`,
        }),
      ),
    ]),
    graph(
      'Runs and errors of the workers',
      all.flatMap(([label, { handler }]) => [
        handler.metricInvocations({ period: minute, label }),
        handler.metricErrors({ period: minute, label: `errors of the ${label}` }),
      ]),
    ),
  ];
}

function ofTable({ table }: Watched): IWidget[] {
  const sum = { statistic: Stats.SUM, period: minute };
  return [
    graph('Units of the table, a minute', [
      table.metricConsumedReadCapacityUnits(sum),
      table.metricConsumedWriteCapacityUnits(sum),
    ]),
    graph('Turned away by the table', [throttlesOf(table)]),
    graph('Commits that met others', [figure('CommitConflict', Stats.SUM), conflictRateOf(table)]),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: third, height: tall });
}
