/**
 * The metrics of alarms and dashboard. Those of the ledger come from its logs, as lines in CloudWatch's embedded metric
 * format; AWS measures the others.
 */
import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LedgerTable } from './table.ts';
import type { FunctionGroup } from './topology.ts';
import type { DeployedWorkers } from './waking.ts';

export interface Watched {
  readonly api: RestApi;
  readonly table: LedgerTable['table'];
  readonly endpoints: ReadonlyMap<FunctionGroup, IFunction>;
  readonly stations: DeployedWorkers;
  /** The namespace of the ledger's metrics, which the functions have in their environment. */
  readonly namespace: string;
}

export const minute = Duration.minutes(1);

/** Fewer conflicts a minute are ignored, whatever their share: at low load a few give a high rate. */
const conflictCountMin = 60;

/** A metric of the ledger, per minute. */
export function figure(
  { namespace }: Pick<Watched, 'namespace'>,
  metricName: string,
  statistic: string,
): Metric {
  return new Metric({ namespace, metricName, statistic, period: minute });
}

/** The sum of a metric over functions; an alarm takes at most ten. */
export function sumOf(metricName: string, functions: readonly IFunction[], label: string): IMetric {
  const usingMetrics = Object.fromEntries(
    functions.map((one, index) => [
      `m${index}`,
      one.metric(metricName, { statistic: Stats.SUM, period: minute }),
    ]),
  );
  return total(usingMetrics, label);
}

/** Requests that the table throttled because a partition was over its limit. */
export function throttlesOf(table: Watched['table']): IMetric {
  const of = (name: string) => table.metric(name, { statistic: Stats.SUM, period: minute });
  const usingMetrics = { m0: of('ReadThrottleEvents'), m1: of('WriteThrottleEvents') };
  return total(usingMetrics, 'throttled');
}

/** Retried commits for each hundred stored ones; 0 while there are only a few. */
export function conflictRateOf({ table, namespace }: Watched): IMetric {
  return new MathExpression({
    expression: `IF(conflicts > ${conflictCountMin}, 100 * conflicts / FILL(stored, 1), 0)`,
    usingMetrics: {
      conflicts: figure({ namespace }, 'CommitConflict', Stats.SUM),
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

/** 5xx answers: bugs, and functions that could not run. */
export function serverErrorsOf(api: RestApi): IMetric {
  return api.metricServerError({ statistic: Stats.SUM, period: minute });
}

/** A percentile of the time from the first byte of a request to the last byte of its answer. */
export function latencyOf(api: RestApi, percentile: number): IMetric {
  return api.metricLatency({ statistic: Stats.percentile(percentile), period: minute });
}

/** Age of the stream records that the relay reads, in milliseconds. */
export function streamAgeOf({ relay }: DeployedWorkers): IMetric {
  return relay.handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minute });
}

function total(usingMetrics: Record<string, IMetric>, label: string): IMetric {
  // A missing data point counts as 0: nothing happened in that minute.
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label, period: minute });
}
