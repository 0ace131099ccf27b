/** Loads the SDK of OpenTelemetry, which is an optional package, only where it is configured. */
import type { Resource } from '@opentelemetry/resources';
import { complain } from '../../functions/environment.ts';
import { semver } from '../../functions/version.ts';
import { ExitError, exitCodes } from '../runtime/failing.ts';
import { isExported } from './settings.ts';

const packages = [
  ...['api@1', 'core@2.12', 'resources@2.12', 'sdk-trace@2.12', 'sdk-metrics@2.12'],
  ...['exporter-trace-otlp-http@0.223', 'exporter-metrics-otlp-http@0.223'],
].map((name) => `@opentelemetry/${name}`);

/** The time to send what is left, in milliseconds. */
const shutdownMsMax = 2_000;

/** Loads the packages that export; rejects where one is missing. */
async function load(): Promise<void> {
  await Promise.all([
    ...[import('@opentelemetry/core'), import('@opentelemetry/resources')],
    ...[import('@opentelemetry/sdk-trace'), import('@opentelemetry/sdk-metrics')],
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
}

/** Throws an `ExitError` when OpenTelemetry is configured and `loading` rejects, since it is not installed. */
export async function assertInstalled(loading: () => Promise<void> = load): Promise<void> {
  if (!isExported('TRACES') && !isExported('METRICS')) return;
  try {
    await loading();
  } catch (error) {
    const text = `An endpoint of OpenTelemetry is configured, and its packages are missing. Run: npm install ${packages.join(' ')}`;
    throw new ExitError(exitCodes.misconfigured, text, { cause: error });
  }
}

/** Logs what the SDK cannot do, such as to reach its collector. */
export async function reportProblems(): Promise<void> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const report = (message: string): void => complain('opentelemetry', message);
  const silent = (): void => {};
  const logger = { error: report, warn: report, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

/** Ends a part of the SDK, with what is left to send, or leaves it when that takes too long. */
export async function shutdown(part: { readonly shutdown: () => Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, shutdownMsMax);
  });
  const ended = part.shutdown().catch((error: unknown) => complain('opentelemetry', error));
  await Promise.race([ended, late]);
  clearTimeout(timer);
}

/** The service as a resource; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go first. */
export async function resource(): Promise<Resource> {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  const own = { 'service.name': 'countersign', 'service.version': semver };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}
