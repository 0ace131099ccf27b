/** The variables of OpenTelemetry that the runtime reads by itself; its exporters read the rest. */
import { optionalVariable } from '../runtime/variables.ts';

export type TelemetrySignal = 'TRACES' | 'METRICS';

/** True when a signal is to be exported: an endpoint is configured, and nothing turns it off. */
export function isExported(signal: TelemetrySignal): boolean {
  if (optionalVariable('OTEL_SDK_DISABLED') === 'true') return false;
  if (optionalVariable(`OTEL_${signal}_EXPORTER`) === 'none') return false;
  const own = optionalVariable(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
  return (own ?? optionalVariable('OTEL_EXPORTER_OTLP_ENDPOINT')) !== undefined;
}
