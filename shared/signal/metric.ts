/**
 * Metrics as log lines in CloudWatch's embedded metric format, so that a metric costs no call.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import type { WriteMetric } from './relay.ts';

export const metricNamespace = 'Countersign';

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

export function metricWriter(write: (line: string) => unknown): WriteMetric {
  return (name, value) => {
    const metrics = [{ Name: name, Unit: units[name] }];
    const directive = { Namespace: metricNamespace, Dimensions: [[]], Metrics: metrics };
    const aws = { Timestamp: Date.now(), CloudWatchMetrics: [directive] };
    write(JSON.stringify({ _aws: aws, [name]: value }));
  };
}
