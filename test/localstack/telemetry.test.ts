/**
 * Goal: OpenTelemetry gets traces that begin with the caller's and end at the webhook, and metrics; and nothing of it is
 * loaded unless it is configured. Method: a collector and a receiver on this machine.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { assertInstalled } from '../../localstack/telemetry/sdk.ts';
import { clientOf, newKey, newOwnLedger, signed } from '../fixture/client.ts';
import {
  attributeOf,
  type Collector,
  pointsOf,
  type SentSpan,
  startCollector,
} from '../fixture/collector.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { type Runtime, start } from '../fixture/runtime.ts';

const key = newKey();
const folder = mkdtempSync(join(tmpdir(), 'countersign-telemetry-'));
const hook = join(folder, 'hook.cjs');
/** Writes a line when the SDK is loaded, in whichever thread. */
writeFileSync(
  hook,
  `const module_ = require('node:module');
   const load = module_._load;
   module_._load = function (name, ...rest) {
     if (/@opentelemetry[\\\\/](sdk|exporter|otlp)/.test(String(name))) process.stderr.write('loaded ' + name + '\\n');
     return load.call(this, name, ...rest);
   };`,
);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const watched = { NODE_OPTIONS: `--require ${hook}` };
const loaded = ({ complaints }: Runtime) => complaints.filter((line) => line.startsWith('loaded'));

async function spanWhere(
  collector: Collector,
  what: string,
  isMeant: (span: SentSpan) => boolean,
): Promise<SentSpan> {
  await until(`no span of ${what}`, () => collector.spans().some(isMeant));
  return collector.spans().find(isMeant) as SentSpan;
}

const [server, client] = [2, 3];

test('a trace goes from the caller through request and commit to the webhook', async () => {
  const [collector, receiver] = [await startCollector(), await startReceiver()];
  const env = {
    ...watched,
    LEDGER_LOG: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'ledger-of-a-test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  };
  const runtime = await start({ env });
  const ledger = await newOwnLedger(clientOf(runtime.url, runtime.key), key);
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') };
  await ledger.make('effects', { handle: 'hook', signal: 'wallet-created', action }, key);
  const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'bank=1' };
  const made = await ledger.post('/wallets', signed({ handle: 'alice' }, key), { headers });
  expect(made.status).toBe(201);
  const [arrival] = await receiver.until('/hook', 1);

  const ofTrace = (span: SentSpan) => span.traceId === traceId;
  const request = await spanWhere(
    collector,
    'the request',
    (one) => ofTrace(one) && one.kind === server,
  );
  expect(request).toMatchObject({ name: 'POST /v2/wallets', parentSpanId: parentId });
  expect([
    attributeOf(request, 'http.request.method'),
    attributeOf(request, 'http.route'),
    attributeOf(request, 'http.response.status_code'),
    attributeOf(request, 'countersign.ledger'),
    attributeOf(request, 'countersign.request.id'),
  ]).toEqual(['POST', '/v2/wallets', 201, ledger.ledger, made.headers.get('x-request-id')]);
  const perform = await spanWhere(
    collector,
    'the action',
    (one) => one.parentSpanId === request.spanId,
  );
  expect(perform.name).toBe('action POST /wallets');
  const commit = await spanWhere(
    collector,
    'the commit',
    (one) => one.parentSpanId === perform.spanId,
  );
  expect([commit.kind, attributeOf(commit, 'db.operation.name')]).toEqual([
    client,
    'TransactWriteItems',
  ]);
  const attempt = await spanWhere(
    collector,
    'the attempt',
    (one) => one.parentSpanId === commit.spanId,
  );
  expect([
    attempt.name,
    attempt.traceId,
    attributeOf(attempt, 'http.response.status_code'),
  ]).toEqual(['deliver wallet-created', traceId, 204]);
  expect(arrival?.headers).toMatchObject({
    traceparent: `00-${traceId}-${attempt.spanId}-01`,
    tracestate: 'bank=1',
  });
  await spanWhere(collector, 'the relay', ({ name }) => name === 'publish events');
  for (const attributes of collector.resources())
    expect(attributeOf({ attributes }, 'service.name')).toBe('ledger-of-a-test');
  // The line of the request leads to its trace.
  const id = made.headers.get('x-request-id') ?? '';
  await until('no line', () => runtime.complaints.some((line) => line.includes(id)));
  expect(runtime.complaints.find((line) => line.includes(id))).toContain(`"trace":"${traceId}"`);

  await runtime.stop();
  const metrics = collector.metrics();
  const durations = metrics.find(({ name }) => name === 'http.server.request.duration');
  const wallets = pointsOf(durations ?? { name: '', unit: '' }).find(
    (point) => attributeOf(point, 'http.route') === '/v2/wallets',
  );
  expect([durations?.unit, Number(wallets?.count)]).toEqual(['s', 1]);
  const deliveries = metrics.find(({ name }) => name === 'countersign.delivery.duration');
  expect(Number(pointsOf(deliveries ?? { name: '', unit: '' })[0]?.count)).toBe(1);
  expect(metrics.map(({ name }) => name)).toContain('countersign.backlog');
  const secrets = JSON.stringify([collector.spans(), metrics]);
  for (const secret of ['alice', '/hook', key.public]) expect(secrets).not.toContain(secret);
  expect(loaded(runtime).length).toBeGreaterThan(0);
  await Promise.all([receiver.stop(), collector.stop()]);
});

test('without an endpoint nothing is loaded, and no header is sent', async () => {
  const receiver = await startReceiver();
  const runtime = await start({ env: { ...watched, LEDGER_LOG: 'info' } });
  const ledger = await newOwnLedger(clientOf(runtime.url, runtime.key), key);
  const action = { schema: 'webhook', endpoint: receiver.at('/hook') };
  await ledger.make('effects', { handle: 'hook', signal: 'wallet-created', action }, key);
  const headers = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
  await ledger.post('/wallets', signed({ handle: 'alice' }, key), { headers });
  const [arrival] = await receiver.until('/hook', 1);
  expect(arrival?.headers['traceparent']).toBeUndefined();
  await runtime.stop();
  await receiver.stop();
  expect(loaded(runtime)).toEqual([]);
  expect(runtime.complaints.filter((line) => line.includes('"trace"'))).toEqual([]);
});

test('a collector that does not answer is logged, and stops nothing', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    ...{ OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '200' },
  };
  const runtime = await start({ env });
  const ledger = clientOf(runtime.url, runtime.key);
  expect((await ledger.get('/wallets/none')).status).toBe(404);
  await until('nothing is logged', () =>
    runtime.complaints.some((line) => line.includes('"where":"opentelemetry"')),
  );
  await runtime.stop();
});

test('an endpoint without the packages is one line that says what to install', async () => {
  const missing = () => assertInstalled(() => Promise.reject(new Error('Cannot find package')));
  await expect(missing()).resolves.toBeUndefined();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318');
  await expect(assertInstalled()).resolves.toBeUndefined();
  await expect(missing()).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/^An endpoint .* Run: npm install @opentelemetry\/api@1 \S/),
  });
  vi.stubEnv('OTEL_SDK_DISABLED', 'true');
  await expect(missing()).resolves.toBeUndefined();
});
