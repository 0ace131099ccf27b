/**
 * The clients, in a process of their own, so that their CPU time is not counted as the ledger's. This process also opens
 * the file of the floor. All bodies are made and signed before the measurement. Closed loop: a client sends its next
 * request when the last one is answered.
 */
import { Agent, request } from 'node:http';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { addressOfFile, fileClient } from '../../localstack/engine/file-table.ts';
import { privateKeyOf } from '../../shared/crypto/key.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { stackOf } from '../../shared/ledger/thrown.ts';
import type { FileClient } from '../../shared/store/client.ts';
import { cpuMsOf, cpuMsOfAll } from './cpu.ts';
import { handleOf, type Pair, transferOf, type Workload } from './scene.ts';

/** A recorded transaction, and the parts that must be new each time. */
export interface Template {
  readonly input: TransactWriteCommandInput;
  readonly luid: string;
  readonly handle: string;
  readonly token: string;
}

/** The first message to the clients. */
export interface Setting {
  readonly public: string;
  readonly seed: Uint8Array;
  readonly ledgerUrl: string;
  /** The processes of the ledger, whose CPU time is measured. */
  readonly ledgerProcesses: readonly number[];
  /** A file of LMDB that has the records of the templates. */
  readonly floorPath: string;
  readonly pairs: Readonly<Record<Workload, readonly Pair[]>>;
  readonly templates: Readonly<Record<Workload, readonly Template[]>>;
}

/** A period of load on one side. */
export interface Stretch {
  readonly side: 'ledger' | 'floor';
  readonly workload: Workload;
  readonly clients: number;
  readonly seconds: number;
  /** Number of prepared bodies; the period ends early when they run out. */
  readonly bodies: number;
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

/** CPU time in milliseconds: of the measured side, and of all processes that are none of this bench. */
interface CpuMs {
  readonly own: number;
  readonly others: number;
}

/** The setting, and the client of the floor. */
interface Told {
  readonly setting: Setting;
  readonly floor: FileClient;
}

type Answered = { readonly status: number; readonly text: string };

/** Sends a prepared request; returns what went wrong, if anything. */
type Send = () => Promise<string | undefined>;

/** Above the numbers of the rehearsal. */
let lastNumber = 1_000_000;
const luidOf = luidMaker();
const agent = new Agent({ keepAlive: true });

function preparedOf({ setting, floor }: Told, { side, workload, bodies }: Stretch): Send[] {
  const key = { public: setting.public, privateKey: privateKeyOf(setting.seed) };
  return Array.from({ length: bodies }, () => {
    lastNumber += 1;
    return side === 'floor'
      ? storing(floor, bareTransaction(at(setting.templates[workload], lastNumber), lastNumber))
      : posting(
          setting.ledgerUrl,
          intent(at(setting.pairs[workload], lastNumber), lastNumber, key),
        );
  });
}

function intent(pair: Pair, number: number, key: SigningKey): Buffer {
  return Buffer.from(JSON.stringify(transferOf(pair, number, key)));
}

/** The same transaction for another intent: its names are new and of the same length. */
function bareTransaction(
  { input, luid, handle, token }: Template,
  number: number,
): TransactWriteCommand {
  const other = luidOf('int', Date.now());
  const [time, otherTime] = [luid.slice(5, 13), other.slice(5, 13)];
  const renamed = withTexts(input, (text) =>
    text
      .replaceAll(luid.slice(13), other.slice(13))
      .replaceAll(time, otherTime)
      .replaceAll(handle, handleOf(number)),
  );
  const ClientRequestToken = token.slice(0, -7) + String(number).padStart(7, '0');
  return new TransactWriteCommand({ ...renamed, ClientRequestToken });
}

/** A copy of plain objects and lists, with other texts. */
function withTexts<Value>(value: Value, change: (text: string) => string): Value;
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (value instanceof Set) return new Set([...value].map((one) => withTexts(one, change)));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name), withTexts(one, change)]),
  );
}

function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

async function run(told: Told, stretch: Stretch): Promise<Measured> {
  const { setting } = told;
  const { side, clients, seconds } = stretch;
  const prepared = preparedOf(told, stretch);
  const latenciesMs: number[] = [];
  let failed = 0;
  let firstFailure = '';
  const cpuBefore = cpuNow(side, setting);
  const start = performance.now();
  const client = async () => {
    while (performance.now() < start + seconds * 1000) {
      const send = prepared.pop();
      if (!send) return;
      const sent = performance.now();
      const failure = await send();
      const latencyMs = performance.now() - sent;
      if (failure === undefined) {
        latenciesMs.push(latencyMs);
      } else {
        failed += 1;
        firstFailure ||= failure;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - start) / 1000;
  const cpuAfter = cpuNow(side, setting);
  const cpuMs = { own: cpuAfter.own - cpuBefore.own, others: cpuAfter.others - cpuBefore.others };
  const completed = latenciesMs.length;
  return { completed, failed, firstFailure, seconds: elapsed, latenciesMs, cpuMs };
}

/** The floor is part of this process. */
function cpuNow(side: Stretch['side'], { ledgerProcesses }: Setting): CpuMs {
  const [clients, ledger] = [cpuMsOf([process.pid]), cpuMsOf(ledgerProcesses)];
  return { own: side === 'floor' ? clients : ledger, others: cpuMsOfAll() - clients - ledger };
}

/** Sends a transaction to the file of the floor. */
function storing(floor: FileClient, command: TransactWriteCommand): Send {
  return async () => {
    try {
      await floor.send(command);
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
}

/** Posts an intent to the ledger. */
function posting(ledgerUrl: string, body: Buffer): Send {
  return async () => {
    const { status, text } = await post(`${ledgerUrl}/intents`, body);
    return isCompleted({ status, text }) ? undefined : `${status} ${text.slice(0, 300)}`;
  };
}

function isCompleted({ status, text }: Answered): boolean {
  if (status !== 201) return false;
  const { meta } = JSON.parse(text) as { meta: { status: string } };
  return meta.status === 'completed';
}

function post(url: string, body: Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': body.length },
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
let told: Told | undefined;
process.on('message', (message: Setting | Stretch) => {
  if (!('side' in message)) {
    told = { setting: message, floor: fileClient(addressOfFile(message.floorPath)) };
    return;
  }
  if (!told) throw new Error('The clients are told the setting first.');
  run(told, message).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      process.stderr.write(`${stackOf(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
