/**
 * `npm run bench:batches`: 1,000 payouts from one wallet to as many, as posts of their own and as batches. Part one: the
 * write units of the requests, and those of what follows: alone, with the workers after every post, and with the workers
 * after every 100 payouts, so that those of single posts are written together as well. Part two: the time on
 * a table that behaves as AWS documents it (`test/cloud`), in virtual time, which no CPU takes. Part three: the time on
 * the offline runtime, as `npm start` starts it, with its workers beside. Nothing is asserted. Decision 161.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stackOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { VirtualClock } from '../cloud/clock.ts';
import type { Batch } from '../cloud/ledger.ts';
import { openLedger } from '../cloud/load.ts';
import { randomOf } from '../cloud/random.ts';
import type { Workload } from '../cloud/workload.ts';
import { type Body, type Json, type Key, newKey, signed } from '../fixture/client.ts';
import { newDataFolder } from '../fixture/runtime.ts';
import { behindOf } from './behind.ts';
import { startLedger } from './ledger.ts';
import { metered } from './metered.ts';
import { fixed, medianOf, tableOf } from './print.ts';

const payoutCount = 1_000;
/** The payouts of a batch, and those between two runs of the workers. */
const together = 100;
/** The payouts of an atomic batch, as many as fit. */
const atomicCount = 47;
const claimCountMax = 40;
const roundCount = 3;
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const symbol = 'usd';
const source = 'payer';
const path = fileURLToPath(import.meta.url);
const targets = Array.from(
  { length: payoutCount },
  (_, index) => `wallet-${String(index).padStart(4, '0')}`,
);

interface Post {
  readonly path: string;
  readonly body: Body | Batch;
}

/** The ways to pay, each as the posts of some payouts. */
const ways = {
  'posts of their own': (all: readonly Body[]): Post[] =>
    all.map((body) => ({ path: '/intents', body })),
  'independent batches': (all: readonly Body[]): Post[] =>
    chunksOf(all, together).map((data) => batchOf('independent', data)),
  'atomic batches': (all: readonly Body[]): Post[] =>
    chunksOf(all, atomicCount).map((data) => batchOf('atomic', data)),
} as const;
type Way = keyof typeof ways;

/** The posts that make the wallets, each with a balance; each inner list needs those before it. */
function settingOf(key: Key): { readonly path: string; readonly body: Body }[][] {
  const post = (at: string, data: Json) => ({ path: at, body: signed(data, key) });
  const issueOf = (target: string, amount: number) => ({
    ...{ action: 'issue', target, symbol, amount },
  });
  const issues = chunksOf(targets, claimCountMax).map((some, index) =>
    post('/intents', { handle: `issue-${index}`, claims: some.map((one) => issueOf(one, 1)) }),
  );
  return [
    [
      post('/signers', { handle: 'author', format: 'ed25519-raw', public: key.public }),
      post('/symbols', { handle: symbol, factor: 100 }),
    ],
    [source, ...targets].map((handle) => post('/wallets', { handle })),
    [...issues, post('/intents', { handle: 'issue', claims: [issueOf(source, 1_000_000_000)] })],
  ];
}

function payoutsOf(key: Key, name: string): Body[] {
  return targets.map((target) => {
    const claims = [{ action: 'transfer', source, target, symbol, amount: 1 }];
    return signed({ handle: `${name}-${target}`, claims }, key);
  });
}

function batchOf(mode: Batch['mode'], data: readonly Body[]): Post {
  return { path: '/intents/!batch', body: { mode, data } };
}

type Row = readonly (string | number)[];

/** The ways whose units are counted, and after how many payouts the workers run; after each post where that is 1. */
const countings = [
  ['posts of their own', 1],
  ['posts of their own', together],
  ['independent batches', together],
  ['atomic batches', together],
] as const satisfies readonly [Way, number][];

/** The units of each payout: of its request, and of what follows. */
function unitsOf(way: Way, workEvery: number): Promise<Row> {
  return metered(async (ledger, meter) => {
    const key = newKey();
    const behind = behindOf(ledger);
    for (const posts of settingOf(key))
      for (const post of posts) await ledger.post(post.path, post.body);
    await behind.work();
    meter.clear();
    const sums = { requests: 0, following: 0 };
    const add = (part: keyof typeof sums) => {
      for (const { writeUnits } of meter.units.values()) sums[part] += writeUnits;
      meter.clear();
    };
    for (const some of chunksOf(payoutsOf(key, 'payout'), workEvery)) {
      for (const post of ways[way](some)) assertStored(await ledger.post(post.path, post.body));
      add('requests');
      await behind.work();
      add('following');
    }
    const each = (units: number) => fixed(units / payoutCount, 2);
    const all = sums.requests + sums.following;
    const name = workEvery === 1 ? `${way}, alone` : way;
    return [name, each(sums.requests), each(sums.following), each(all)];
  });
}

function assertStored(answer: unknown): void {
  const { data } = answer as { readonly data: unknown };
  const lines = (Array.isArray(data) ? data : [answer]) as { meta: { status?: string } }[];
  const lost = lines.find(({ meta }) => meta.status !== 'completed');
  if (lost) throw new Error(`A payout is not completed: ${JSON.stringify(lost)}`);
}

/** The ways to send all payouts, and the posts that are under way at once. */
const sendings = [
  ['posts of their own', 1],
  ['posts of their own', 16],
  ['independent batches', 1],
  ['independent batches', 4],
  ['atomic batches', 1],
] as const satisfies readonly [Way, number][];

/** The milliseconds of all payouts on the model of the cloud. */
function modelledMs(way: Way, width: number): Promise<number> {
  const [random, key] = [randomOf(1), newKey()];
  const clock = new VirtualClock(startMs, random);
  const posted = (post: Post) => ({ ledger: 'main', ...post });
  const work: Workload = {
    ...{ title: way, ledgers: ['main'], intentsEach: 1 },
    setting: settingOf(key).map((posts) => posts.map(posted)),
    requestOf: () => posted({ path: '/intents', body: {} as Body }),
  };
  return clock.run(async () => {
    const ledger = await openLedger(work, { clock, random, savedSeconds: 0, lost: 0 });
    ledger.open();
    const beganMs = clock.now();
    await inParallel(ways[way](payoutsOf(key, 'payout')), width, async (post) =>
      assertStored((await ledger.post(post.path, post.body, 'main')).body),
    );
    return clock.now() - beganMs;
  });
}

/** The milliseconds of all payouts on the offline runtime, the median of three times. */
async function offlineMs(): Promise<number[]> {
  const folder = newDataFolder();
  const { url, stop } = await startLedger(folder);
  const send = async ({ path: at, body }: Post): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${url}${at}`, init);
    if (answer.status >= 300) throw new Error(await answer.text());
    return answer.json();
  };
  try {
    const key = newKey();
    for (const posts of settingOf(key))
      await inParallel(posts, 8, async (post) => {
        await send(post);
      });
    const all: number[] = [];
    for (const [way, width] of sendings) {
      const times: number[] = [];
      for (let round = 0; round < roundCount; round += 1) {
        const posts = ways[way](payoutsOf(key, `${way}-${width}-${round}`.replaceAll(' ', '-')));
        const beganMs = performance.now();
        await inParallel(posts, width, async (post) => assertStored(await send(post)));
        times.push(performance.now() - beganMs);
      }
      all.push(medianOf(times));
    }
    return all;
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await run(one);
  };
  await Promise.all(Array.from({ length: width }, work));
}

function chunksOf<Item>(items: readonly Item[], length: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}

/** Each way has a process of its own, since a process has one table. */
async function rowIn(way: Way, workEvery: number): Promise<Row> {
  const options = { execArgv: ['--import', 'tsx'] };
  const child = fork(path, ['--one', way, String(workEvery)], options);
  const [row] = (await once(child, 'message')) as [Row];
  return row;
}

async function main([flag, way, workEvery]: readonly string[]): Promise<void> {
  if (flag === '--one') {
    process.send?.(await unitsOf(way as Way, Number(workEvery)));
    return;
  }
  const rows: Row[] = [];
  for (const [one, workEvery] of countings) rows.push(await rowIn(one, workEvery));
  const columns = ['write units of each', 'request', 'what follows', 'all'];
  const title = `${payoutCount} payouts from one wallet to as many, the workers after every ${together}`;
  console.log(`${title}\n\n${tableOf(columns, rows)}\n`);
  const modelled: number[] = [];
  for (const [one, width] of sendings) modelled.push(await modelledMs(one, width));
  const offline = await offlineMs();
  const times = sendings.map(([one, width], index) => [
    `${one}, ${width} at a time`,
    fixed(modelled[index] ?? Number.NaN),
    fixed(offline[index] ?? Number.NaN),
  ]);
  console.log(tableOf(['ms of all of them', 'model of AWS', 'offline'], times));
  console.log(
    `\n  on: Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
  );
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(stackOf(error));
    process.exit(1);
  },
);
