/**
 * `npm run listen [-- [--key file] signal …]`: a tiny receiver. Subscribes to signals of a running ledger, verifies
 * each event as it arrives, and prints it. Ctrl-C drops the subscriptions. On a closed ledger it signs with the key of
 * a file, as `npm run key` makes one.
 */
import { verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { keyOf as verifyingKeyOf } from '../../shared/crypto/key.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { keyOf } from '../bank/key.ts';
import { exitWith } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { argumentsOf } from './arguments.ts';
import { connect, type LedgerClient, newKey, signedDrop, signedRecord } from './client.ts';

const usage = 'Usage: npm run listen [-- [--key <file>] signal …]';
/** The signals without an argument. */
const usual = [
  'wallet-created',
  'symbol-created',
  'intent-created',
  'intent-updated',
  'balance-received',
];
/** The greatest age of a delivery, in seconds; an older one may be a recording. */
const toleranceSeconds = 300;
const timeLength = 'HH:MM:SS.mmm'.length;

async function main(): Promise<void> {
  const server = variable('SERVER');
  const options = { key: { type: 'string' } } as const;
  const args = process.argv.slice(2);
  const { values, positionals } = argumentsOf(args, { options, allowPositionals: true }, usage);
  const signals = positionals.length > 0 ? positionals : usual;
  const { key: path } = values;
  const key = path === undefined ? newKey() : keyOf(path);
  const ledger = await connect(server, path === undefined ? {} : { reader: key });
  const seen = new Set<string>();
  const receiver = createServer((request, answer) => {
    receive(request, ledger.key, seen)
      .then((isOfLedger) => answer.writeHead(isOfLedger ? 204 : 401).end())
      .catch(() => answer.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const drop = await subscribe({ ledger, key }, signals, `http://127.0.0.1:${port}/`);
  console.log(`Listening on port ${port} to ${signals.join(', ')} of ${server}. Ctrl-C stops.`);
  let isStopping = false;
  // Ctrl-C reaches this process twice: from the terminal, and from the npm that started it.
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void drop().finally(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

/** Makes an effect for each signal; returns the function that drops them again. */
async function subscribe(
  { ledger, key }: { ledger: LedgerClient; key: SigningKey },
  signals: readonly string[],
  endpoint: string,
): Promise<() => Promise<void>> {
  const run = Date.now().toString(36);
  const action = { schema: 'webhook', endpoint };
  const made = await Promise.all(
    signals.map((signal) => {
      const data = { handle: `listen-${signal}-${run}`, signal, action };
      return ledger.post('/effects', signedRecord(data, key));
    }),
  );
  return async () => {
    await Promise.all(
      made.map((effect) =>
        ledger.send(`/effects/${String(effect.data['handle'])}/drop`, signedDrop(effect, key)),
      ),
    );
  };
}

/** Prints an event, and marks one that comes again; false when the ledger did not send it. */
async function receive(
  request: IncomingMessage,
  ledgerKey: string,
  seen: Set<string>,
): Promise<boolean> {
  const body = await text(request);
  const problem = faultOf(request.headers, body, ledgerKey, Date.now() / 1000);
  if (problem) {
    console.log(`✗ refused: ${problem}`);
    return false;
  }
  const { data } = JSON.parse(body) as { data: PrintedEvent };
  const again = seen.has(data.handle) ? ' (again)' : '';
  seen.add(data.handle);
  const now = new Date().toISOString().slice(11, 11 + timeLength);
  console.log(`✓ ${now}  ${data.signal.padEnd(18)}  ${data.handle}  ${summaryOf(data)}${again}`);
  return true;
}

/**
 * Verifies a webhook as a receiver does: its age, and the signature over id, time and body by the ledger's key (Standard
 * Webhooks 1.0, `v1a`). Returns why it is not to be trusted; undefined when it is the ledger's. Ruling 59.
 */
function faultOf(
  headers: IncomingHttpHeaders,
  body: string,
  ledgerKey: string,
  nowSeconds: number,
): string | undefined {
  const id = String(headers['webhook-id']);
  const seconds = String(headers['webhook-timestamp']);
  const signatures = String(headers['webhook-signature']).split(' ');
  if (!(Math.abs(nowSeconds - Number(seconds)) <= toleranceSeconds)) return 'too old';
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  const isOfLedger = signatures
    .filter((signature) => signature.startsWith('v1a,'))
    .some((text) =>
      verify(null, signed, verifyingKeyOf(ledgerKey), Buffer.from(text.slice(4), 'base64')),
    );
  return isOfLedger ? undefined : 'not signed by the ledger';
}

type PrintedEvent = Readonly<Record<string, unknown>> & {
  readonly handle: string;
  readonly signal: string;
};

/** The handle of a wallet or symbol, which an event carries as a record while it exists. */
function nameOf(reference: unknown): string {
  return typeof reference === 'string'
    ? reference
    : (reference as { data: { handle: string } }).data.handle;
}

/** The subject of an event, in a few words. */
function summaryOf(event: PrintedEvent): string {
  if (event.signal === 'balance-received')
    return `${nameOf(event['wallet'])} received ${String(event['amount'])} ${nameOf(event['symbol'])}`;
  for (const value of Object.values(event)) {
    if (typeof value !== 'object' || value === null || !('data' in value)) continue;
    const { data, meta } = value as { data: { handle?: string }; meta: { status?: string } };
    return `${data.handle ?? ''} ${meta.status ?? ''}`;
  }
  return '';
}

main().catch(exitWith(1));
