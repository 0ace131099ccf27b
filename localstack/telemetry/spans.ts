/** OpenTelemetry spans, made of those that the product publishes (`shared/port/trace.ts`). */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { TracingChannel } from 'node:diagnostics_channel';
import type {
  Attributes,
  Context,
  Span,
  SpanOptions,
  TextMapPropagator,
  Tracer,
} from '@opentelemetry/api';
import { stage } from '../../infra/topology.ts';
import type { LogLine } from '../../shared/port/trace.ts';
import { spans, type TraceHeaders } from '../../shared/port/trace.ts';
import type { CommitTraces } from './commit-traces.ts';
import { requestAttributes } from './metrics.ts';

/** The API of OpenTelemetry, which is loaded only when it is needed. */
type Api = typeof import('@opentelemetry/api');

export interface SpanTools {
  readonly api: Api;
  readonly tracer: Tracer;
  readonly propagator: TextMapPropagator;
  /** The span that the work of this moment is a part of. */
  readonly current: AsyncLocalStorage<Context>;
  readonly commits: CommitTraces;
  readonly tableName: string;
}

interface SpanSource<Data extends object> {
  readonly channel: TracingChannel<unknown, Data>;
  /** The name and attributes at the start; `parent` replaces the span that the work is a part of. */
  readonly start: (
    data: Data,
  ) => SpanOptions & { readonly name: string; readonly parent?: Context };
  readonly started?: (data: Data, context: Context) => void;
  /** The attributes of the end; undefined drops the span. */
  readonly end: (data: Data, span: Span) => Attributes | undefined;
}

/** Makes a span of all work of this thread, from now on. */
export function watchWork(tools: SpanTools): void {
  watchRequests(tools);
  watchActions(tools);
  watchCommits(tools);
  watchRelay(tools);
  watchAttempts(tools);
}

/** The context of a trace in headers. */
function contextOf({ api, propagator }: SpanTools, headers: TraceHeaders = {}): Context {
  return propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
}

function headersOf({ api, propagator }: SpanTools, context: Context): TraceHeaders {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, api.defaultTextMapSetter);
  return headers;
}

function watch<Data extends object>(tools: SpanTools, source: SpanSource<Data>): void {
  const { api, tracer, current } = tools;
  const { channel, start, started, end } = source;
  const open = new WeakMap<Data, Span>();
  const begin = (data: Data): Context => {
    const { name, parent = current.getStore() ?? api.ROOT_CONTEXT, ...options } = start(data);
    const span = tracer.startSpan(name, options, parent);
    open.set(data, span);
    const context = api.trace.setSpan(parent, span);
    started?.(data, context);
    return context;
  };
  channel.start.bindStore(current as AsyncLocalStorage<unknown>, begin as never);
  channel.error.subscribe((message) => {
    const { error } = message as { readonly error: Error };
    const span = open.get(message as Data);
    span?.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message });
    span?.setAttribute('error.type', error.name);
  });
  channel.asyncEnd.subscribe((message) => {
    const span = open.get(message as Data);
    const attributes = span && end(message as Data, span);
    if (attributes) span.setAttributes(attributes).end();
  });
}

/** A request continues the trace of its caller. */
function watchRequests(tools: SpanTools): void {
  const { api } = tools;
  watch(tools, {
    channel: spans.request,
    start: ({ headers }) => ({
      ...{ name: 'HTTP', kind: api.SpanKind.SERVER, parent: contextOf(tools, headers) },
    }),
    started: (request, context) => {
      request.trace = api.trace.getSpanContext(context)?.traceId ?? '';
    },
    end: ({ line }, span) => {
      if (!line) return {};
      const attributes = requestAttributes(line, stage);
      const { 'http.request.method': method, 'http.route': route } = attributes;
      span.updateName(route === undefined ? String(method) : `${method} ${route}`);
      if (line.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      return { ...attributes, ...ownAttributes(line) };
    },
  });
}

function ownAttributes({ ledger, request, reason, intent }: LogLine): Attributes {
  return {
    ...{ 'countersign.ledger': ledger, 'countersign.request.id': request },
    ...(reason !== undefined && { 'error.type': reason }),
    ...(intent && { 'countersign.intent.luid': intent.luid }),
    ...(intent && { 'countersign.intent.status': intent.status }),
  };
}

function watchActions(tools: SpanTools): void {
  watch(tools, {
    channel: spans.action,
    start: ({ endpoint, ledger }) => ({
      name: `action ${endpoint}`,
      attributes: { 'countersign.ledger': ledger },
    }),
    end: () => ({}),
  });
}

function watchCommits(tools: SpanTools): void {
  const { api, commits, tableName } = tools;
  watch(tools, {
    channel: spans.commit,
    start: ({ scope, luids }) => ({
      name: `TransactWriteItems ${tableName}`,
      kind: api.SpanKind.CLIENT,
      attributes: {
        ...{ 'db.system.name': 'aws.dynamodb', 'db.operation.name': 'TransactWriteItems' },
        ...{ 'db.collection.name': tableName, 'countersign.ledger': scope },
        'countersign.records': [...luids],
      },
    }),
    // Published before the commit, and so before any work that follows from it.
    started: ({ luids }, context) => commits.add(luids, headersOf(tools, context)),
    end: ({ conflicts = [] }) => ({ 'countersign.conflicts': [...conflicts] }),
  });
}

/** A round of the relay is a trace of its own: it publishes what many requests have written. */
function watchRelay(tools: SpanTools): void {
  const { api } = tools;
  watch(tools, {
    channel: spans.relay,
    start: ({ scope }) => ({
      ...{ name: 'publish events', kind: api.SpanKind.PRODUCER, parent: api.ROOT_CONTEXT },
      attributes: {
        ...{ 'messaging.system': 'countersign', 'messaging.operation.name': 'publish' },
        'countersign.ledger': scope,
      },
    }),
    // A round that found nothing is no span.
    end: ({ published }) =>
      published > 0 ? { 'messaging.batch.message_count': published } : undefined,
  });
}

/** An attempt continues the trace of the commit that it follows from, and hands it on to the target. */
function watchAttempts(tools: SpanTools): void {
  const { api, commits } = tools;
  watch(tools, {
    channel: spans.attempt,
    start: ({ delivery: { scope, luid, data, attempts } }) => ({
      name: `deliver ${data.action ?? String(data.record.data['signal'])}`,
      ...{ kind: api.SpanKind.CLIENT, parent: contextOf(tools, commits.of(data.linked)) },
      attributes: {
        ...{ 'countersign.ledger': scope, 'countersign.delivery.luid': luid },
        ...{ 'countersign.delivery.attempt': attempts + 1, 'countersign.linked': data.linked },
      },
    }),
    started: (attempt, context) => {
      attempt.headers = headersOf(tools, context);
    },
    end: ({ status = '', outcome }, span) => {
      if (outcome?.kind === 'unreachable') span.setStatus({ code: api.SpanStatusCode.ERROR });
      return {
        'countersign.delivery.status': status,
        ...(outcome?.kind === 'answered' && { 'http.response.status_code': outcome.status }),
        ...(outcome?.kind === 'unreachable' && { 'error.type': outcome.why }),
      };
    },
  });
}
