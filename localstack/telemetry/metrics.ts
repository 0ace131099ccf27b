/**
 * The metrics of the offline runtime, each defined once: Prometheus and OpenTelemetry are both made of these lines. Names
 * are those of OpenTelemetry. Decision 113.
 */
import type { LogLine } from '../../shared/port/trace.ts';

interface MetricLine {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** `s` for seconds; what is counted stands in braces. */
  readonly unit: 's' | `{${string}}`;
  readonly help: string;
  readonly attributes: readonly string[];
  /** The upper bounds of the buckets of a histogram, in its unit. */
  readonly buckets?: readonly number[];
}

/** The bounds that the semantic conventions advise for HTTP. */
const quick = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const slow = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];

export const metrics = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of requests, by endpoint and status.',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
    buckets: quick,
  },
  'countersign.intents': {
    kind: 'counter',
    unit: '{intent}',
    help: 'Intents in answers to requests that create or change them, by their status then.',
    attributes: ['http.route', 'countersign.intent.status'],
  },
  'countersign.delivery.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of attempts to deliver events and calls, by the status of the delivery afterwards.',
    attributes: ['countersign.delivery.kind', 'countersign.delivery.status'],
    buckets: quick,
  },
  'countersign.delivery.cancelled': {
    kind: 'counter',
    unit: '{delivery}',
    help: 'Deliveries that were given up.',
    attributes: [],
  },
  'countersign.events': {
    kind: 'counter',
    unit: '{event}',
    help: 'Events that the relay has published.',
    attributes: [],
  },
  'countersign.outbox.lag': {
    kind: 'histogram',
    unit: 's',
    help: 'Time from a commit until its signals are published, of the oldest in a batch.',
    attributes: [],
    buckets: slow,
  },
  'countersign.outbox.set_aside': {
    kind: 'counter',
    unit: '{entry}',
    help: 'Outbox entries that could not be published and were set aside.',
    attributes: [],
  },
  'countersign.commit.conflicts': {
    kind: 'counter',
    unit: '{conflict}',
    help: 'Transactions that met others on the same records, and were repeated.',
    attributes: [],
  },
  'countersign.bridge.silent': {
    kind: 'counter',
    unit: '{call}',
    help: 'Calls that a bridge has left undone for an hour, counted at each check.',
    attributes: [],
  },
  'countersign.intent.forgotten': {
    kind: 'counter',
    unit: '{intent}',
    help: 'Expired intents that could not be ended, counted at each check.',
    attributes: [],
  },
  'countersign.witness.failed': {
    kind: 'counter',
    unit: '{attempt}',
    help: 'Checkpoints that a witness was asked to cosign, and did not.',
    attributes: [],
  },
  'countersign.log.contradicted': {
    kind: 'counter',
    unit: '{attempt}',
    help: 'Checkpoints that contradict what a witness has cosigned: the log was put back or altered.',
    attributes: [],
  },
  'countersign.backlog': {
    kind: 'gauge',
    unit: '{item}',
    help: 'What is stored and waits for a worker: outbox entries, deliveries, intents and reports.',
    attributes: ['countersign.backlog.kind', 'countersign.backlog.state'],
  },
  'countersign.backlog.age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest outbox entry, and of the work that is due for the longest time.',
    attributes: ['countersign.backlog.kind'],
  },
} as const satisfies Readonly<Record<string, MetricLine>>;

export type MetricName = keyof typeof metrics;

export const metricLines: readonly (readonly [MetricName, MetricLine])[] = Object.entries(
  metrics,
) as [MetricName, MetricLine][];

/** One value of a metric, in its unit. */
export interface Measurement {
  readonly name: MetricName;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** The attributes of a request. A caller may send any method and path, and neither may make a new series. */
export function requestAttributes(line: LogLine, stage: string): Measurement['attributes'] {
  const [, path] = line.endpoint.split(' ');
  return {
    'http.request.method': methods.has(line.method) ? line.method : '_OTHER',
    ...(path !== undefined && { 'http.route': `/${stage}${path === '/' ? '' : path}` }),
    'http.response.status_code': line.status,
  };
}

/** The measurements of a request. */
export function measurementsOf(line: LogLine, stage: string): Measurement[] {
  const attributes = requestAttributes(line, stage);
  const duration: Measurement = {
    ...{ name: 'http.server.request.duration', value: line.ms / 1000, attributes },
  };
  const counted = line.intents ?? (line.intent ? { [line.intent.status]: 1 } : {});
  const isRead = !line.endpoint.startsWith('POST ');
  const intents = Object.entries(isRead ? {} : counted).map(
    ([status, value]): Measurement => ({
      ...{ name: 'countersign.intents', value },
      attributes: {
        ...{ 'http.route': attributes['http.route'] ?? '', 'countersign.intent.status': status },
      },
    }),
  );
  return [duration, ...intents];
}
