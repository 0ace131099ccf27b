/**
 * Metrics as log lines in CloudWatch's embedded metric format, so that a metric costs no call.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import type { WriteMetric } from './relay.ts';

const units = {
  BridgeSilent: 'Count',
  CommitConflict: 'Count',
  DeliveryCancelled: 'Count',
  IntentForgotten: 'Count',
  LogContradicted: 'Count',
  OutboxLag: 'Milliseconds',
  OutboxSetAside: 'Count',
  WitnessFailed: 'Count',
} as const;

/** Writes metrics of a namespace, each as a line with its line break left to `write`. */
export function metricWriter(namespace: string, write: (line: string) => unknown): WriteMetric {
  return (name, value) => {
    const metrics = [{ Name: name, Unit: units[name] }];
    const directive = { Namespace: namespace, Dimensions: [[]], Metrics: metrics };
    const aws = { Timestamp: Date.now(), CloudWatchMetrics: [directive] };
    write(JSON.stringify({ _aws: aws, [name]: value }));
  };
}
