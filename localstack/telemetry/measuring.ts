/** Measures the work of a thread, and hands each measurement on. */
import { subscribe } from 'node:diagnostics_channel';
import {
  type AttemptSpan,
  type Figure,
  figures,
  type RelaySpan,
  spans,
} from '../../shared/port/trace.ts';
import type { Measurement, MetricName } from './metrics.ts';

/** The metric of each figure of the functions, and the number of its units in one of the metric. */
const metricOf: Readonly<Record<string, readonly [MetricName, number]>> = {
  BridgeSilent: ['countersign.bridge.silent', 1],
  CommitConflict: ['countersign.commit.conflicts', 1],
  DeliveryCancelled: ['countersign.delivery.cancelled', 1],
  IntentForgotten: ['countersign.intent.forgotten', 1],
  LogContradicted: ['countersign.log.contradicted', 1],
  OutboxLag: ['countersign.outbox.lag', 1000],
  OutboxSetAside: ['countersign.outbox.set_aside', 1],
  WitnessFailed: ['countersign.witness.failed', 1],
};

/** Calls `hand` with each measurement from now on. */
export function measure(hand: (measurement: Measurement) => void): void {
  subscribe(figures.name as string, (message) => {
    const { name, value } = message as Figure;
    const [metric, scale] = metricOf[name] ?? [];
    if (metric && scale) hand({ name: metric, value: value / scale, attributes: {} });
  });
  spans.relay.asyncEnd.subscribe((message) => {
    const { published } = message as RelaySpan;
    if (published > 0) hand({ name: 'countersign.events', value: published, attributes: {} });
  });
  spans.attempt.asyncEnd.subscribe((message) => {
    const { delivery, status, ms } = message as AttemptSpan;
    // One that was put off was not attempted.
    if (status === undefined || status === 'pending' || ms === undefined) return;
    const attributes = {
      'countersign.delivery.kind': delivery.data.action === undefined ? 'event' : 'call',
      'countersign.delivery.status': status,
    };
    hand({ name: 'countersign.delivery.duration', value: ms / 1000, attributes });
  });
}
