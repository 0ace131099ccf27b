/**
 * The clients, in a process of their own, so that their CPU time is not counted as the ledger's. All bodies are made
 * and signed before the measurement. Closed loop: a client sends its next request when the last one is answered.
 */
import { Agent, request } from 'node:http';
import { privateKeyOf } from '../../shared/crypto/key.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { cpuMsOf, cpuMsOfAll } from './cpu.ts';
import { handleOf, type Pair, transferOf, type Workload } from './scene.ts';

/** A recorded transaction, and the parts that must be new each time. */
export interface Template {
  readonly text: string;
  readonly luid: string;
  readonly handle: string;
  readonly token: string;
}

/** The first message to the clients. */
export interface Setting {
  readonly public: string;
  readonly seed: Uint8Array;
  readonly ledgerUrl: string;
  readonly floorUrl: string;
  readonly pairs: Readonly<Record<Workload, readonly Pair[]>>;
  readonly templates: Readonly<Record<Workload, readonly Template[]>>;
}

/** The measured processes, beside the clients. */
export interface Processes {
  readonly ledger: readonly number[];
  readonly database: readonly number[];
}

/** A period of load on one side. */
export interface Stretch {
  readonly side: 'ledger' | 'floor';
  readonly workload: Workload;
  readonly clients: number;
  readonly seconds: number;
  /** Number of prepared bodies; the period ends early when they run out. */
  readonly bodies: number;
  readonly processes: Processes;
}

export interface Measured {
  readonly completed: number;
  /** Unexpected answers. */
  readonly failed: number;
  readonly firstFailure: string;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  readonly cpuMs: CpuMs;
}

/** CPU time in milliseconds; `others` is that of all other processes of this machine. */
interface CpuMs {
  readonly ledger: number;
  readonly database: number;
  readonly others: number;
}

type Answered = { readonly status: number; readonly text: string };

/** Above the numbers of the rehearsal. */
let lastNumber = 1_000_000;
const luidOf = luidMaker();
const agent = new Agent({ keepAlive: true });

/** The embedded database requires a signature, and does not verify it. */
const floorHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.TransactWriteItems',
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};
const ledgerHeaders = { 'content-type': 'application/json' };

function bodiesOf(setting: Setting, { side, workload, bodies }: Stretch): Buffer[] {
  const key = { public: setting.public, privateKey: privateKeyOf(setting.seed) };
  return Array.from({ length: bodies }, () => {
    lastNumber += 1;
    return side === 'floor'
      ? bareTransaction(at(setting.templates[workload], lastNumber), lastNumber)
      : intent(at(setting.pairs[workload], lastNumber), lastNumber, key);
  });
}

function intent(pair: Pair, number: number, key: SigningKey): Buffer {
  return Buffer.from(JSON.stringify(transferOf(pair, number, key)));
}

/** The same transaction for another intent: its names are new and of the same length. */
function bareTransaction({ text, luid, handle, token }: Template, number: number): Buffer {
  const other = luidOf('int', Date.now());
  const [time, otherTime] = [luid.slice(5, 13), other.slice(5, 13)];
  const renamed = text
    .replaceAll(luid.slice(13), other.slice(13))
    .replaceAll(time, otherTime)
    .replaceAll(handle, handleOf(number))
    .replace(token, token.slice(0, -7) + String(number).padStart(7, '0'));
  return Buffer.from(renamed);
}

function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

async function run(setting: Setting, stretch: Stretch): Promise<Measured> {
  const { side, clients, seconds, processes } = stretch;
  const bodies = bodiesOf(setting, stretch);
  const [url, headers, isDone] =
    side === 'floor'
      ? ([setting.floorUrl, floorHeaders, isStored] as const)
      : ([`${setting.ledgerUrl}/intents`, ledgerHeaders, isCompleted] as const);
  const latenciesMs: number[] = [];
  let failed = 0;
  let firstFailure = '';
  const cpuBefore = cpuNow(processes);
  const start = performance.now();
  const client = async () => {
    while (performance.now() < start + seconds * 1000) {
      const body = bodies.pop();
      if (!body) return;
      const sent = performance.now();
      const answer = await post(url, headers, body);
      const latencyMs = performance.now() - sent;
      if (isDone(answer)) {
        latenciesMs.push(latencyMs);
      } else {
        failed += 1;
        firstFailure ||= `${answer.status} ${answer.text.slice(0, 300)}`;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - start) / 1000;
  const cpuAfter = cpuNow(processes);
  const cpuMs = {
    ledger: cpuAfter.ledger - cpuBefore.ledger,
    database: cpuAfter.database - cpuBefore.database,
    others: cpuAfter.others - cpuBefore.others,
  };
  const completed = latenciesMs.length;
  return { completed, failed, firstFailure, seconds: elapsed, latenciesMs, cpuMs };
}

function cpuNow({ ledger, database }: Processes): CpuMs {
  const [ofLedger, ofDatabase] = [cpuMsOf(ledger), cpuMsOf(database)];
  const others = cpuMsOfAll() - ofLedger - ofDatabase - cpuMsOf([process.pid]);
  return { ledger: ofLedger, database: ofDatabase, others };
}

function isStored({ status }: Answered): boolean {
  return status === 200;
}

function isCompleted({ status, text }: Answered): boolean {
  if (status !== 201) return false;
  const { meta } = JSON.parse(text) as { meta: { status: string } };
  return meta.status === 'completed';
}

function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': body.length },
    };
    const sending = request(url, options, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        resolve({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

// The parent sends a setting and then periods, one at a time; each is answered.
let setting: Setting | undefined;
process.on('message', (message: Setting | Stretch) => {
  if (!('side' in message)) {
    setting = message;
    return;
  }
  if (!setting) throw new Error('The clients are told the setting first.');
  run(setting, message).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
