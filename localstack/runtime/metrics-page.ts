/** `GET /metrics` of the offline runtime, for Prometheus. Decision 113. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Recorder } from '../telemetry/recorder.ts';
import { isLoopback } from './listen.ts';
import { variable } from './variables.ts';

/** Answers a request for metrics. */
export type ServeMetrics = (answer: ServerResponse, isStopping: () => boolean) => Promise<void>;

/** True for a request for metrics that its caller may make: by default only one on this machine. */
export function isMetrics({ url = '', method = '', socket }: IncomingMessage): boolean {
  if (!/^\/metrics(\?|$)/.test(url) || !['GET', 'HEAD'].includes(method)) return false;
  const reach = variable('LEDGER_METRICS');
  return reach === 'all' || (reach === 'local' && isLoopback(socket.remoteAddress ?? ''));
}

export function metricsPage({ text }: Pick<Recorder, 'text'>): ServeMetrics {
  return async (answer, isStopping) => {
    const page = await text();
    // A server that is about to stop would wait for the next request over the connection.
    if (isStopping()) answer.setHeader('connection', 'close');
    answer.writeHead(200, { 'content-type': page.type, 'cache-control': 'no-store' });
    answer.end(page.text);
  };
}
