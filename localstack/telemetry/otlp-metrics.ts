/** Metrics by the SDK of OpenTelemetry, sent to a collector at an interval. */
import type { Attributes, ObservableGauge } from '@opentelemetry/api';
import { optionalVariable } from '../runtime/variables.ts';
import { type Measurement, type MetricName, metricLines } from './metrics.ts';
import { reportProblems, resource, shutdown } from './sdk.ts';

export interface OtlpMetrics {
  readonly record: (measurement: Measurement) => void;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** Makes the instruments of all metrics; `readGauges` is called before each export. */
export async function otlpMetrics(readGauges: () => Promise<Measurement[]>): Promise<OtlpMetrics> {
  const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }] =
    await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
    ]);
  await reportProblems();
  const intervalMs = Number(optionalVariable('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, 30_000),
  });
  const provider = new MeterProvider({ resource: await resource(), readers: [reader] });
  const meter = provider.getMeter('countersign');
  const takes = new Map<MetricName, (value: number, attributes: Attributes) => void>();
  const gauges = new Map<MetricName, ObservableGauge>();
  for (const [name, { kind, unit, help: description, buckets = [] }] of metricLines) {
    const options = { unit, description };
    if (kind === 'gauge') gauges.set(name, meter.createObservableGauge(name, options));
    if (kind === 'counter') {
      const counter = meter.createCounter(name, options);
      takes.set(name, (value, attributes) => counter.add(value, attributes));
    }
    if (kind === 'histogram') {
      const advice = { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { ...options, advice });
      takes.set(name, (value, attributes) => histogram.record(value, attributes));
    }
  }
  meter.addBatchObservableCallback(
    async (observed) => {
      for (const { name, value, attributes } of await readGauges()) {
        const gauge = gauges.get(name);
        if (gauge) observed.observe(gauge, value, attributes);
      }
    },
    [...gauges.values()],
  );
  return {
    record: ({ name, value, attributes }) => takes.get(name)?.(value, attributes),
    close: () => shutdown(provider),
  };
}
