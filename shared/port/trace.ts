/**
 * Spans of work, published on `diagnostics_channel` of Node. Who wants to see the work subscribes: the offline runtime
 * makes logs, metrics and OpenTelemetry spans of them. Without a subscriber a span costs one check, and no package is
 * needed in a bundle. Decision 111.
 */
import { channel, type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { AttemptOutcome, DeliveryStatus } from '../ledger/delivery.ts';
import type { Delivery } from './deliveries.ts';
import type { Scope } from './ports.ts';

/** The context of a trace in the form of W3C Trace Context: `traceparent` and `tracestate`. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** The log line of a request. */
export interface LogLine {
  readonly level: 'info' | 'error';
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly request: string;
  readonly method: string;
  /** The declared endpoint instead of the path, which would contain handles of customers. */
  readonly endpoint: string;
  readonly ledger: string;
  readonly status: number;
  readonly ms: number;
  /** The id of the trace, where requests are traced. */
  readonly trace?: string;
  /** The intent of the answer, by its luid: its handle is the customer's. */
  readonly intent?: IntentLine;
  /** Of a batch: how many of its intents have each status. */
  readonly intents?: Readonly<Record<string, number>>;
  readonly reason?: string;
  readonly error?: string;
}

/** The members of a log line that say what became of the intents of an answer; empty when it holds none. */
export type LoggedIntents = Pick<LogLine, 'intent' | 'intents'>;

export interface IntentLine {
  readonly luid: string;
  readonly status: string;
  /** Of an intent that failed. */
  readonly reason?: string;
}

/** One request, from its event to its answer. */
export interface RequestSpan {
  /** Those of the caller. */
  readonly headers: TraceHeaders;
  /** The id of the trace; a subscriber sets it at the start. */
  trace?: string;
  /** Set at the end. */
  line?: LogLine;
}

/** The action of a request, behind the checks of body and caller. */
export interface ActionSpan {
  readonly endpoint: string;
  readonly ledger: string;
}

/** One transaction, with its attempts. */
export interface CommitSpan {
  readonly scope: Scope;
  /** The records that it writes. */
  readonly luids: readonly string[];
  /** Set at the end: the conditions that failed. */
  conflicts?: readonly string[];
}

/** One round of the relay through the outbox of a ledger. */
export interface RelaySpan {
  readonly scope: Scope;
  readonly shards: readonly number[];
  /** Set at the end: the events that the bus accepted. */
  published: number;
}

/** One attempt of a delivery. */
export interface AttemptSpan {
  readonly delivery: Delivery;
  /** Sent along with the request; a subscriber sets them at the start. */
  headers: TraceHeaders;
  /** Set at the end. */
  ms?: number;
  status?: DeliveryStatus;
  /** Absent when the target was not asked. */
  outcome?: AttemptOutcome;
}

type Channel<Span extends object> = TracingChannel<unknown, Span>;

const channelOf = <Span extends object>(name: string): Channel<Span> =>
  tracingChannel<unknown, Span>(`countersign:${name}`);

/** The channels; each is `tracing:countersign:<name>` with the events of a tracing channel. */
export const spans = {
  request: channelOf<RequestSpan>('request'),
  action: channelOf<ActionSpan>('action'),
  commit: channelOf<CommitSpan>('commit'),
  relay: channelOf<RelaySpan>('relay'),
  attempt: channelOf<AttemptSpan>('attempt'),
} as const;

/** A metric of the functions: milliseconds, or a count. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

/** The channel of the metrics. */
export const figures = channel('countersign:figure');

/** Does work as a span of a channel; returns its result, or throws its error. */
export function spanned<Span extends object, Result>(
  channel: Channel<Span>,
  span: Span,
  work: () => Promise<Result>,
): Promise<Result> {
  const { start, asyncEnd } = channel;
  const isWatched = start.hasSubscribers || asyncEnd.hasSubscribers;
  return isWatched ? channel.tracePromise(work, span) : work();
}
