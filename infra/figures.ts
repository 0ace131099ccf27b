/**
 * The figures that are watched and shown. Those of the ledger come from its logs, as lines in CloudWatch's
 * embedded metric format; the others AWS takes by itself.
 */
import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LedgerTable } from './table.ts';
import type { Group } from './topology.ts';
import type { Stations } from './waking.ts';

/** What there is to watch. */
export interface Watched {
  readonly api: RestApi;
  readonly table: LedgerTable['table'];
  readonly endpoints: ReadonlyMap<Group, IFunction>;
  readonly stations: Stations;
}

/** Where the ledger's own figures are. */
const namespace = 'Countersign';

export const minute = Duration.minutes(1);

/** Fewer conflicts in a minute than this are a coincidence, whatever their share. */
const conflictCountMin = 60;

/** A figure of the ledger, minute by minute. */
export function figure(metricName: string, statistic: string): Metric {
  return new Metric({ namespace, metricName, statistic, period: minute });
}

/** A figure of some functions together; an alarm takes at most ten of them. */
export function sumOf(metricName: string, functions: readonly IFunction[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(
    functions.map((one, index) => [
      `m${index}`,
      one.metric(metricName, { statistic: Stats.SUM, period: minute }),
    ]),
  );
  return total(usingMetrics, label);
}

/** How often the table turned requests away because a partition had too much to do. */
export function throttlesOf(table: Watched['table']): IMetric {
  const of = (name: string) => table.metric(name, { statistic: Stats.SUM, period: minute });
  const usingMetrics = { m0: of('ReadThrottleEvents'), m1: of('WriteThrottleEvents') };
  return total(usingMetrics, 'throttled');
}

/** How many commits were tried again for each hundred that were stored, where there are more than a few. */
export function conflictRateOf(table: Watched['table']): IMetric {
  return new MathExpression({
    expression: `IF(conflicts > ${conflictCountMin}, 100 * conflicts / FILL(stored, 1), 0)`,
    usingMetrics: {
      conflicts: figure('CommitConflict', Stats.SUM),
      stored: table.metric('SuccessfulRequestLatency', {
        dimensionsMap: { TableName: table.tableName, Operation: 'TransactWriteItems' },
        statistic: Stats.SAMPLE_COUNT,
        period: minute,
      }),
    },
    label: 'conflicts in 100 commits',
    period: minute,
  });
}

/** What the gateway answers with 5xx: bugs, and functions that could not run. */
export function serverErrorsOf(api: RestApi): IMetric {
  return api.metricServerError({ statistic: Stats.SUM, period: minute });
}

/** How long all but the slowest hundredth of the requests took, from their first byte to the answer's last. */
export function latencyOf(api: RestApi, percentile: number): IMetric {
  return api.metricLatency({ statistic: Stats.percentile(percentile), period: minute });
}

/** How far the relay is behind the stream, in milliseconds. */
export function streamAgeOf({ relay }: Stations): IMetric {
  return relay.handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minute });
}

function total(usingMetrics: Record<string, IMetric>, label: string): IMetric {
  // What was not measured did not happen.
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label, period: minute });
}
