/**
 * `npm run bench:crowd`: the latency of a plain read under expensive queries of others. Part one: twelve broad filters
 * at once, over wallets of 300 KB (`BENCH_MB` megabytes in all). Part two: patterns that are slow by design, in a filter
 * and in the rules of wallets and intents. Both run on the offline runtime, as `npm start` starts it. Times are printed,
 * never asserted.
 */
import { availableParallelism, cpus } from 'node:os';
import { stackOf } from '../../shared/ledger/thrown.ts';
import {
  type Client,
  clientOf,
  newKey,
  newLedger,
  newOwnLedger,
  type Reply,
  signed,
} from '../fixture/client.ts';
import { start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';
import { fixed, quantileOf, tableOf } from './print.ts';

const megabytes = Number(process.env['BENCH_MB'] ?? 106);
const essayLength = 300_000;
const crowdSize = 12;
const makerCount = 4;
/** Duration of the plain reads without load. */
const quietMs = 3_000;

/** One of the most expensive patterns of 256 characters that the engine accepts. */
const expensive = '(?:\\B[abcd]){1,900}\\bd';
const text = `d${'abc'.repeat(5_460)}`;
const key = newKey();

async function main(): Promise<void> {
  const runtime = await start();
  const home = clientOf(runtime.url, runtime.key);
  const isBroad = megabytes > 0;
  const rows = [...(isBroad ? await broad(home) : []), ...(await patterns(home))];
  console.log(
    [
      'How long others wait',
      tableOf(['', 'answers', 'median ms', 'longest ms'], rows),
      `  on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    ].join('\n\n'),
  );
  await runtime.stop();
}

type Row = readonly [what: string, answers: string, median: string, longest: string];

function rowOf(what: string, answers: readonly string[], ms: readonly number[]): Row {
  const counts = [...new Set(answers)].map(
    (one) => `${answers.filter((other) => other === one).length} × ${one}`,
  );
  return [what, counts.join(', '), fixed(quantileOf(ms, 0.5)), fixed(Math.max(...ms))];
}

/** Measures reads of one wallet, one after the other, beside twelve filters that scan everything. */
async function broad(home: Client): Promise<Row[]> {
  const ledger = await newLedger(home, key);
  const other = await newLedger(home, key);
  const count = Math.ceil((megabytes * 1_000_000) / essayLength);
  await inParts(count, (n) =>
    ledger.make('wallets', { handle: `w${n}`, custom: { n, essay: 'x'.repeat(essayLength) } }, key),
  );
  await other.make('wallets', { handle: 'w0' }, key);
  const quiet = await readsUntil(other, pause(quietMs));
  const started = performance.now();
  const filters = Array.from({ length: crowdSize }, (_, n) =>
    timed(() => ledger.get(`/wallets?data.custom.n.$regex=^none${n}$`)),
  );
  const [own, beside, answers] = await Promise.all([
    readsUntil(ledger, Promise.all(filters)),
    readsUntil(other, Promise.all(filters)),
    Promise.all(filters),
  ]);
  const words = (reads: readonly Timed[]) => reads.map(({ said }) => said);
  const times = (reads: readonly Timed[]) => reads.map(({ ms }) => ms);
  process.stderr.write(`all filters ended after ${fixed(performance.now() - started)} ms\n`);
  return [
    rowOf('a read, alone', words(quiet), times(quiet)),
    rowOf(`${crowdSize} filters over ${megabytes} MB`, words(answers), times(answers)),
    rowOf('a read of the same ledger beside them', words(own), times(own)),
    rowOf('a read of another ledger beside them', words(beside), times(beside)),
  ];
}

/** Measures a pattern in a filter, and in the access rules of listed records. */
async function patterns(home: Client): Promise<Row[]> {
  const open = await newLedger(home, key);
  await open.make('wallets', { handle: 'long', custom: { text } }, key);
  const filter = await times3(() =>
    open.get(`/wallets?data.custom.text.$regex=${encodeURIComponent(expensive)}`),
  );
  const rows = [rowOf('a filter over 16 KB', filter.said, filter.ms)];
  const reader = newKey();
  const access = [
    { action: 'create', record: 'wallet' },
    { action: 'create', record: 'signer' },
    { action: 'create', record: 'symbol' },
    { action: 'create', record: 'intent' },
    { action: 'query', record: 'any' },
  ];
  const ledger = await newOwnLedger(home, key, { access });
  await ledger.make(
    'signers',
    { handle: 'reader', public: reader.public, format: 'ed25519-raw' },
    key,
  );
  const rule = (path: string) => ({ action: 'read', filter: { [path]: { $regex: expensive } } });
  const own = (path: string) => [rule(path), rule(path), rule(path)];
  const wallet = await ledger.post(
    '/wallets',
    signed({ handle: 'long', custom: { text }, access: own('custom.text') }, key),
  );
  const claims = [{ action: 'issue', target: 'long', symbol: 'usd', amount: 1 }];
  const intent = await ledger.post(
    '/intents',
    signed({ handle: 'long', claims, custom: { text }, access: own('custom.text') }, key),
  );
  process.stderr.write(`with three such rules: wallet ${wallet.status}, intent ${intent.status}\n`);
  for (const group of ['wallets', 'intents']) {
    const list = await times3(() => ledger.get(`/${group}`, bearing(reader)));
    rows.push(rowOf(`a list of ${group} with three such rules`, list.said, list.ms));
  }
  return rows;
}

interface Timed {
  readonly ms: number;
  readonly said: string;
}

async function timed(ask: () => Promise<Reply>): Promise<Timed> {
  const startMs = performance.now();
  const { status, items } = await ask();
  return { ms: performance.now() - startMs, said: `${status}${items.length ? ' found' : ''}` };
}

async function times3(ask: () => Promise<Reply>) {
  const all: Timed[] = [];
  for (let n = 0; n < 3; n += 1) all.push(await timed(ask));
  return { said: all.map(({ said }) => said), ms: all.map(({ ms }) => ms) };
}

/** Reads one wallet again and again, one read after the other. */
async function readsUntil(ledger: Client, end: Promise<unknown>): Promise<Timed[]> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  void end.then(over, over);
  const path = ledger.ledger === undefined ? '/wallets' : '/wallets/w0/balances';
  const all: Timed[] = [];
  do all.push(await timed(() => ledger.get(path)));
  while (!isOver);
  return all;
}

async function inParts(count: number, make: (n: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += makerCount) {
    const length = Math.min(makerCount, count - first);
    await Promise.all(Array.from({ length }, (_, index) => make(first + index)));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
