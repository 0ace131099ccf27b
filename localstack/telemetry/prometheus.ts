/** Metrics in the text format of Prometheus. https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Measurement, type MetricName, metricLines } from './metrics.ts';

type SampleLabels = Record<string, string | number>;
type Take = (labels: SampleLabels, value: number) => void;

export interface Prometheus {
  readonly contentType: string;
  readonly record: (measurement: Measurement) => void;
  readonly text: () => Promise<string>;
}

export function prometheus(): Prometheus {
  const registry = new Registry();
  const takes = new Map<MetricName, Take>(
    metricLines.map(([name, line]) => [name, takeOf(registry, name, line)]),
  );
  return {
    contentType: registry.contentType,
    record: ({ name, value, attributes }) => takes.get(name)?.(labelsOf(attributes), value),
    text: () => registry.metrics(),
  };
}

function takeOf(
  registry: Registry,
  name: MetricName,
  { kind, unit, help, attributes, buckets = [] }: (typeof metricLines)[number][1],
): Take {
  const ends = [unit === 's' ? '_seconds' : '', kind === 'counter' ? '_total' : ''];
  const labelNames = attributes.map(nameOf);
  const settings = { name: `${nameOf(name)}${ends.join('')}`, help, labelNames };
  const registers = [registry];
  switch (kind) {
    case 'counter': {
      const counter = new Counter({ ...settings, registers });
      return (labels, value) => counter.inc(labels, value);
    }
    case 'gauge': {
      const gauge = new Gauge({ ...settings, registers });
      return (labels, value) => gauge.set(labels, value);
    }
    case 'histogram': {
      const histogram = new Histogram({ ...settings, registers, buckets: [...buckets] });
      return (labels, value) => histogram.observe(labels, value);
    }
  }
}

/** A name of OpenTelemetry as Prometheus takes it. */
function nameOf(name: string): string {
  return name.replaceAll('.', '_');
}

function labelsOf(attributes: Measurement['attributes']): SampleLabels {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [nameOf(name), value]),
  );
}
