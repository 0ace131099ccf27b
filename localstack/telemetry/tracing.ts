/** Tracing of one thread by the SDK of OpenTelemetry, when it is configured. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { optionalVariable, variable } from '../runtime/variables.ts';
import { commitTraces } from './commit-traces.ts';
import { reportProblems, resource, shutdown } from './sdk.ts';
import { isExported } from './settings.ts';
import { watchWork } from './spans.ts';

export interface Tracing {
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** The wait until spans are sent together, in milliseconds. */
const delayMsUsual = 5_000;

/** Starts to trace this thread; undefined, with nothing loaded, when no endpoint is configured. */
export async function startTracing(): Promise<Tracing | undefined> {
  if (!isExported('TRACES')) return undefined;
  const [api, { W3CTraceContextPropagator }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  await reportProblems();
  const scheduledDelayMillis = Number(optionalVariable('OTEL_BSP_SCHEDULE_DELAY') ?? delayMsUsual);
  const exporter = new OTLPTraceExporter();
  const provider = new sdk.TracerProvider({
    resource: await resource(),
    sampler: samplerOf(sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis })],
  });
  const commits = commitTraces();
  watchWork({
    api,
    tracer: provider.getTracer('countersign'),
    propagator: new W3CTraceContextPropagator(),
    current: new AsyncLocalStorage(),
    commits,
    tableName: variable('TABLE_NAME'),
  });
  return {
    close: async () => {
      commits.close();
      await shutdown(provider);
    },
  };
}

/** The sampler that `OTEL_TRACES_SAMPLER` names: by default every trace, unless its caller has left it out. */
function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace')): Sampler {
  const name = optionalVariable('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const kind = name.replace('parentbased_', '');
  const ratio = Number(optionalVariable('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  const root =
    kind === 'always_off'
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(kind === 'always_on' ? 1 : ratio);
  return kind === name ? root : new sdk.ParentBasedSampler({ root });
}
