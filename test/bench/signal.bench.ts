/**
 * `npm run bench:signals`: the time of an event from its commit to a webhook of an idle ledger, and the events a second
 * that one endpoint receives; alone, and beside two dead endpoints, of which one hangs and one refuses connections. Both
 * sides take turns, each on a new ledger. `BENCH_SECONDS` is the duration of the load of a turn, `BENCH_TURNS` the number
 * of turns. Times are printed, never asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { connect, newKey } from '../../shared/client/client.ts';
import { type Body, newKey as plainKey, signed } from '../fixture/client.ts';
import { type Arrival, pause, type Receiver, startReceiver } from '../fixture/receiver.ts';
import { startLedger } from './ledger.ts';
import { fixed, medianOf, quantileOf, rangeOf, tableOf } from './print.ts';

const sides = ['alone', 'beside dead ones'] as const;
type Side = (typeof sides)[number];

const turnCount = Number(process.env['BENCH_TURNS'] || 2);
const seconds = Number(process.env['BENCH_SECONDS'] || 15);
const ratePerSecond = 200;
const idleCount = 100;
const idlePerSecond = 20;
const closedClients = 16;
const closedSeconds = Math.min(8, seconds);
const warmUpSeconds = 3;
const delayGoalMs = 150;
const changeGoal = 0.2;
/** Time limit for the last events of a period. */
const lateMsMax = 30_000;
const livePath = '/live';
const signal = 'wallet-created';

/** The result of a period, in milliseconds. */
interface Stretch {
  readonly asked: number;
  readonly arrived: number;
  /** From the moment of the change (before its commit), and from the answer (after it). */
  readonly fromMomentMs: readonly number[];
  readonly fromAnswerMs: readonly number[];
  readonly perSecond: number;
  /** From the last answer to the last event. */
  readonly behindMs: number;
}

interface Turn {
  readonly side: Side;
  readonly idle: Stretch;
  readonly loaded: Stretch;
  readonly closed: Stretch;
}

/** A ledger with its subscribers, and functions that create events in it. */
interface Scene {
  readonly receiver: Receiver;
  readonly bodies: (count: number) => Body[];
  /** Posts a wallet; resolves with the time of the answer. */
  readonly post: (body: Body) => Promise<number>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const key = plainKey();
let lastNumber = 0;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  const turns: Turn[] = [];
  for (let turn = 0; turn < turnCount; turn += 1)
    for (const side of sides) turns.push(await turnOf(side, join(folder, `${turn}-${side}`)));
  console.log(turnsText(turns));
  console.log(`\n${goalsText(turns)}`);
  if (process.argv.includes('--json')) console.log(JSON.stringify(turns.map(figuresOf)));
}

/** One turn of one side, on a ledger of its own. */
async function turnOf(side: Side, folder: string): Promise<Turn> {
  const ledger = await startLedger(folder);
  const receiver = await startReceiver();
  await subscribe(ledger.url, receiver, side);
  const context: Scene = { receiver, bodies, post: (body) => post(`${ledger.url}/wallets`, body) };
  // Time for V8 to compile hot code.
  await stretch(context, warmUpSeconds * ratePerSecond, paced(ratePerSecond));
  const idle = await stretch(context, idleCount, paced(idlePerSecond));
  const loaded = await stretch(context, seconds * ratePerSecond, paced(ratePerSecond));
  const closed = await stretch(context, closedSeconds * 1000, closedLoop);
  await receiver.stop();
  await ledger.stop();
  return { side, idle, loaded, closed };
}

async function subscribe(url: string, receiver: Receiver, side: Side): Promise<void> {
  const ledger = await connect(url, { signer: newKey() });
  const gone = await startReceiver();
  receiver.behave('/hanging', 'hang');
  const endpoints = [
    receiver.at(livePath),
    ...(side === 'alone' ? [] : [elsewhere(receiver.at('/hanging')), elsewhere(gone.at('/gone'))]),
  ];
  await gone.stop();
  for (const [index, endpoint] of endpoints.entries()) {
    const action = { schema: 'webhook', endpoint } as const;
    await ledger.create('/effects', { handle: `hook-${index}`, signal, action });
  }
}

/** The same place by another name: the attempts at one host share places, as dead and living endpoints do not. */
function elsewhere(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

function bodies(count: number): Body[] {
  return Array.from({ length: count }, () => {
    lastNumber += 1;
    return signed({ handle: `wallet-${lastNumber}` }, key);
  });
}

type Sender = (bodies: readonly Body[], send: (body: Body) => Promise<void>) => Promise<void>;

/** Sends at a steady rate, without waiting for answers. */
function paced(perSecond: number): Sender {
  return async (all, send) => {
    const startMs = performance.now();
    const sent: Promise<void>[] = [];
    for (const [index, body] of all.entries()) {
      const waitMs = startMs + (index * 1000) / perSecond - performance.now();
      if (waitMs > 0) await pause(waitMs);
      sent.push(send(body));
    }
    await Promise.all(sent);
  };
}

/** Sends as fast as a few clients are answered, for a while; there are more bodies than needed. */
const closedLoop: Sender = async (all, send) => {
  const rest = all.slice();
  const endMs = performance.now() + closedSeconds * 1000;
  const client = async () => {
    for (let body = rest.pop(); body && performance.now() < endMs; body = rest.pop())
      await send(body);
  };
  await Promise.all(Array.from({ length: closedClients }, client));
};

async function stretch(context: Scene, count: number, send: Sender): Promise<Stretch> {
  const { receiver } = context;
  const ready = context.bodies(count);
  const answers = new Map<string, number>();
  const before = receiver.arrivals(livePath).length;
  await send(ready, async (body) => {
    answers.set(String(body.data['handle']), await context.post(body));
  });
  const lastAnswerMs = Math.max(...answers.values());
  // Events of an earlier period do not count.
  const own = () =>
    receiver
      .arrivals(livePath)
      .slice(before)
      .filter((one) => answers.has(handleOf(one)));
  const endMs = Date.now() + lateMsMax;
  while (own().length < answers.size && Date.now() < endMs) await pause(50);
  const arrivals = own();
  const times = arrivals.map(({ atMs }) => atMs);
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  return {
    asked: answers.size,
    arrived: new Set(arrivals.map(({ handle }) => handle)).size,
    fromMomentMs: arrivals.map(({ atMs, data }) => atMs - Date.parse(String(data['moment']))),
    fromAnswerMs: arrivals.map((one) => one.atMs - (answers.get(handleOf(one)) ?? Number.NaN)),
    perSecond: (arrivals.length * 1000) / (lastMs - firstMs),
    behindMs: lastMs - lastAnswerMs,
  };
}

function handleOf({ data }: Arrival): string {
  return (data['wallet'] as { data: { handle: string } }).data.handle;
}

function post(url: string, body: Body): Promise<number> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (message) => {
      message.resume();
      message.on('end', () => {
        if (message.statusCode === 201) resolve(Date.now());
        else reject(new Error(`POST ${url}: ${message.statusCode}`));
      });
    });
    sending.on('error', reject);
    sending.end(text);
  });
}

function turnsText(turns: readonly Turn[]): string {
  const delays = (values: readonly number[]) =>
    `${fixed(quantileOf(values, 0.5))} / ${fixed(quantileOf(values, 0.99))}`;
  const rowsOf = (of: 'idle' | 'loaded' | 'closed') =>
    turns.map((turn) => [
      turn.side,
      `${turn[of].arrived} of ${turn[of].asked}`,
      fixed(turn[of].perSecond, 1),
      delays(turn[of].fromMomentMs),
      delays(turn[of].fromAnswerMs),
      fixed(turn[of].behindMs),
    ]);
  const columns = [
    ...['', 'events', 'arrived/s', 'p50 / p99 ms from the change'],
    ...['from its answer', 'last one ms late'],
  ];
  return [
    `An idle ledger: ${idlePerSecond} events a second`,
    tableOf(columns, rowsOf('idle')),
    `${ratePerSecond} events a second for ${seconds} s, to one endpoint`,
    tableOf(columns, rowsOf('loaded')),
    `As many as ${closedClients} clients get stored in ${closedSeconds} s, to one endpoint`,
    tableOf(columns, rowsOf('closed')),
  ].join('\n\n');
}

function figuresOf({ side, idle, loaded, closed }: Turn) {
  const figures = ({ fromMomentMs, perSecond, behindMs, asked, arrived }: Stretch) => ({
    asked,
    arrived,
    p50Ms: quantileOf(fromMomentMs, 0.5),
    p99Ms: quantileOf(fromMomentMs, 0.99),
    perSecond,
    behindMs,
  });
  return { side, idle: figures(idle), loaded: figures(loaded), closed: figures(closed) };
}

function goalsText(turns: readonly Turn[]): string {
  const of = (wanted: Side, value: (figures: ReturnType<typeof figuresOf>) => number) =>
    turns.filter(({ side }) => side === wanted).map((turn) => value(figuresOf(turn)));
  const delays = of('alone', ({ idle }) => idle.p50Ms);
  const rates = of('alone', ({ loaded }) => loaded.perSecond);
  const ratio = (value: (figures: ReturnType<typeof figuresOf>) => number) =>
    medianOf(of('beside dead ones', value)) / medianOf(of('alone', value));
  const delayRatio = ratio(({ idle }) => idle.p50Ms);
  const rateRatio = ratio(({ loaded }) => loaded.perSecond);
  const closedRatio = ratio(({ closed }) => closed.perSecond);
  const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  return tableOf(
    ['', 'figure', 'goal', ''],
    [
      [
        'from commit to webhook, idle, median ms',
        rangeOf(delays),
        `< ${delayGoalMs}`,
        met(medianOf(delays) < delayGoalMs),
      ],
      [
        'events a second to one endpoint',
        rangeOf(rates, 1),
        `${ratePerSecond}`,
        // The last interval is not part of the rate.
        met(medianOf(rates) > ratePerSecond * 0.99),
      ],
      [
        'delay beside dead ones ÷ alone',
        fixed(delayRatio, 2),
        `≤ ${1 + changeGoal}`,
        met(delayRatio <= 1 + changeGoal),
      ],
      [
        'events a second beside dead ones ÷ alone',
        fixed(rateRatio, 2),
        `≥ ${1 - changeGoal}`,
        met(rateRatio >= 1 - changeGoal),
      ],
      ['the same, as many as get stored', fixed(closedRatio, 2), '', ''],
      [
        'load of this machine, over its cores',
        fixed((loadavg()[0] ?? 0) / cpus().length, 2),
        '',
        '',
      ],
    ],
  );
}

main().then(
  () => {
    console.log(
      `\n  on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    );
    process.exit(0);
  },
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
