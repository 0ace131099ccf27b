/** The metrics of the whole runtime, in its main thread: the other threads hand their measurements to it. */
import { stage } from '../../infra/topology.ts';
import type { LogLine } from '../../shared/port/trace.ts';
import { type Measurement, measurementsOf } from './metrics.ts';
import { type OtlpMetrics, otlpMetrics } from './otlp-metrics.ts';
import { prometheus } from './prometheus.ts';
import { isExported } from './settings.ts';

export interface Recorder {
  readonly record: (measurement: Measurement) => void;
  /** Records a request that was answered. */
  readonly answered: (line: LogLine) => void;
  /** All metrics as Prometheus reads them. */
  readonly text: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly close: () => Promise<void>;
}

/** Opens the metrics; `readGauges` reads what no thread measures. */
export async function openRecorder(readGauges: () => Promise<Measurement[]>): Promise<Recorder> {
  const own = prometheus();
  const sent: OtlpMetrics | undefined = isExported('METRICS')
    ? await otlpMetrics(readGauges)
    : undefined;
  const record = (measurement: Measurement): void => {
    own.record(measurement);
    sent?.record(measurement);
  };
  return {
    record,
    answered: (line) => {
      for (const one of measurementsOf(line, stage)) record(one);
    },
    text: async () => {
      for (const one of await readGauges()) own.record(one);
      return { type: own.contentType, text: await own.text() };
    },
    close: async () => sent?.close(),
  };
}
