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
import { nearestOf } from '../../shared/ledger/nearest.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { signalNames } from '../../shared/shape/signal-name.ts';
import { type ConnectionOptions, type Session, withLedger } from '../command/connection.ts';
import { printAnswer } from '../command/printable.ts';
import { misused } from '../runtime/failing.ts';
import { stopSignal } from '../runtime/stop-signal.ts';
import { outputLost } from '../runtime/streams.ts';
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
  signals.forEach(assertMeant);
  const isJson = options.json ?? false;
  await withLedger(options, (session) => watched(session, signals, isJson), { otherKey: newKey });
}

/** Refuses a misspelled signal. One that is near to none may be of a newer ledger, which knows. */
function assertMeant(signal: string): void {
  const nearest = signalNames.includes(signal) ? undefined : nearestOf(signal, signalNames);
  if (nearest !== undefined)
    throw misused(`There is no signal '${printable(signal)}'. Did you mean ${nearest}?`);
}

async function watched(
  { ledger }: Session,
  signals: readonly string[],
  isJson: boolean,
): Promise<void> {
  const show = isJson ? showDocument : showLine;
  const say = isJson ? warn : print;
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
  // From here on a signal to stop has to wait until what it drops is made.
  const stopped = Promise.race([stopSignal(), outputLost()]);
  try {
    const drop = await subscribe(ledger, signals, `http://127.0.0.1:${port}/`);
    say(`Listening on port ${port} to ${signals.join(', ')}. Ctrl-C stops.`);
    await stopped;
    await drop();
  } finally {
    receiver.close().closeAllConnections();
  }
}

/** Makes an effect for each signal, or none; returns the function that drops them again. */
async function subscribe(
  ledger: Ledger,
  signals: readonly string[],
  endpoint: string,
): Promise<() => Promise<void>> {
  const run = Date.now().toString(36);
  const action = { schema: 'webhook' as const, endpoint };
  const made = await Promise.allSettled(
    signals.map((signal) => {
      const data = { handle: `listen-${signal}-${run}`, signal, action };
      return ledger.create('/effects', data as DataOf<'/effects', 'post'>);
    }),
  );
  const drop = async () => {
    const effects = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(effects.map((effect) => ledger.drop('/effects/{id}/drop', effect)));
  };
  const refused = made.find((one) => one.status === 'rejected');
  if (!refused) return drop;
  await drop();
  throw refused.reason;
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
    warn(`✗ refused: ${error.message}`);
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

/** Prints a line beside the documents of standard output. */
function warn(line: string): void {
  process.stderr.write(`${line}\n`);
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
