/** The signals of a running ledger, as they happen. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type DataOf,
  type Ledger,
  newKey,
  verifyWebhook,
  type WebhookEvent,
  WebhookRefused,
} from '../../shared/client/client.ts';
import { type ConnectionOptions, type Session, withLedger } from '../command/connection.ts';
import { printAnswer, printable } from '../command/printable.ts';
import { stopSignal } from '../runtime/stop-signal.ts';
import { colours, print } from './output.ts';

/** The signals without an argument. */
export const usualSignals = [
  'wallet-created',
  'symbol-created',
  'intent-created',
  'intent-updated',
  'balance-received',
];
const timeLength = 'HH:MM:SS.mmm'.length;

/**
 * `countersign watch`: a tiny receiver. Subscribes to signals of a running ledger, verifies each event as it arrives, and
 * prints it. When it is asked to stop, it drops the subscriptions. Where there is no key, it signs with a new one, which
 * an open ledger takes.
 */
export async function runWatch(
  signals: readonly string[],
  options: ConnectionOptions,
): Promise<void> {
  const stopped = stopSignal();
  const work = (session: Session) => watched(session, signals, { ...options, stopped });
  await withLedger(options, work, { otherKey: newKey });
}

async function watched(
  { ledger }: Session,
  signals: readonly string[],
  { json: isJson = false, stopped }: ConnectionOptions & { readonly stopped: Promise<void> },
): Promise<void> {
  const show = isJson ? showDocument : showLine;
  const seen = new Set<string>();
  const receiver = createServer((request, answer) => {
    receive(request, ledger.key, (event) => {
      const isAgain = seen.has(event.data.handle);
      seen.add(event.data.handle);
      show(event, isAgain);
    })
      .then((isOfLedger) => answer.writeHead(isOfLedger ? 204 : 401).end())
      .catch(() => answer.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const drop = await subscribe(ledger, signals, `http://127.0.0.1:${port}/`);
  const line = `Listening on port ${port} to ${signals.join(', ')}. Ctrl-C stops.`;
  if (isJson) process.stderr.write(`${line}\n`);
  else print(line);
  await stopped;
  await drop();
  receiver.close().closeAllConnections();
}

/** Makes an effect for each signal; returns the function that drops them again. */
async function subscribe(
  ledger: Ledger,
  signals: readonly string[],
  endpoint: string,
): Promise<() => Promise<void>> {
  const run = Date.now().toString(36);
  const action = { schema: 'webhook' as const, endpoint };
  const made = await Promise.all(
    signals.map((signal) =>
      ledger.create('/effects', {
        handle: `listen-${signal}-${run}`,
        signal,
        action,
      } as DataOf<'/effects', 'post'>),
    ),
  );
  return async () => {
    await Promise.all(made.map((effect) => ledger.drop('/effects/{id}/drop', effect)));
  };
}

/** Shows an event; false when the ledger did not send it. */
async function receive(
  request: IncomingMessage,
  key: string,
  show: (event: WebhookEvent) => void,
): Promise<boolean> {
  const body = await text(request);
  try {
    show(verifyWebhook(request.headers, body, { key }));
    return true;
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    process.stderr.write(`✗ refused: ${error.message}\n`);
    return false;
  }
}

/** Prints an event, and marks one that comes again. */
function showLine({ data }: WebhookEvent, isAgain: boolean): void {
  const now = new Date().toISOString().slice(11, 11 + timeLength);
  const again = isAgain ? ' (again)' : '';
  const what = `${data.signal.padEnd(18)}  ${data.handle}  ${summaryOf(data)}${again}`;
  print(`${colours().green('✓')} ${now}  ${printable(what)}`);
}

function showDocument(event: WebhookEvent): void {
  printAnswer(event);
}

/** The handle of a wallet or symbol, which an event carries as a record while it exists. */
function nameOf(reference: unknown): string {
  return typeof reference === 'string'
    ? reference
    : (reference as { data: { handle: string } }).data.handle;
}

/** The subject of an event, in a few words. */
function summaryOf(event: WebhookEvent['data']): string {
  if (event.signal === 'balance-received')
    return `${nameOf(event['wallet'])} received ${String(event['amount'])} ${nameOf(event['symbol'])}`;
  for (const value of Object.values(event)) {
    if (typeof value !== 'object' || value === null || !('data' in value)) continue;
    const { data, meta } = value as { data: { handle?: string }; meta: { status?: string } };
    return `${data.handle ?? ''} ${meta.status ?? ''}`;
  }
  return '';
}
