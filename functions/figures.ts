/**
 * Metrics of the functions. CloudWatch reads them from the log of a function; elsewhere they are published on a channel,
 * which the offline runtime reads.
 */
import { type Figure, figures } from '../shared/port/trace.ts';
import { metricWriter } from '../shared/signal/metric.ts';
import type { WriteMetric } from '../shared/signal/relay.ts';

// Lambda sets it. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
const isWatched = process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;

const toCloudWatch = metricWriter((line) => process.stdout.write(`${line}\n`));

export const metric: WriteMetric = (name, value) => {
  if (isWatched) toCloudWatch(name, value);
  else figures.publish({ name, value } satisfies Figure);
};
