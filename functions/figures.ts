/**
 * Metrics of the functions. CloudWatch reads them from the log of a function; elsewhere they are published on a channel,
 * which the offline runtime reads.
 */
import { type Figure, figures } from '../shared/port/trace.ts';
import { metricWriter } from '../shared/signal/metric.ts';
import type { WriteMetric } from '../shared/signal/relay.ts';

/** The namespace of the stack's metrics. Only the stack sets it. */
const namespace = process.env['METRIC_NAMESPACE'];

export const metric: WriteMetric =
  namespace === undefined
    ? (name, value) => figures.publish({ name, value } satisfies Figure)
    : metricWriter(namespace, (line) => process.stdout.write(`${line}\n`));
