/** An open loop: intents arrive at a rate, whether earlier ones are answered or not. */
import type { CloudLedger } from './ledger.ts';
import { waitDrawn } from './random.ts';
import type { Posted, Workload } from './workload.ts';

/** What became of a load, with times in virtual milliseconds. */
export interface Outcome {
  readonly sent: number;
  /** The time of each intent that was stored, from the request to the answer. */
  readonly storedMs: readonly number[];
  /** The other answers, by status and reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first request to the last answer. */
  readonly tookMs: number;
  /** From the last answer until all workers had come to their end; undefined when they have not. */
  readonly behindMs: number | undefined;
}

export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  /** The time that workers may take afterwards. */
  readonly settleMs: number;
}

/** The requests of a set-up that are under way at a time. */
const setUpLength = 200;

/** Creates the records of a workload; every request must succeed. */
export async function setUp(ledger: CloudLedger, { setting }: Workload): Promise<void> {
  for (const posts of setting) {
    for (let start = 0; start < posts.length; start += setUpLength)
      await Promise.all(posts.slice(start, start + setUpLength).map((one) => made(ledger, one)));
    await ledger.settle(600_000);
  }
}

/** Sends the intents of a workload. */
export async function drive(ledger: CloudLedger, work: Workload, load: Load): Promise<Outcome> {
  const { clock, random } = ledger;
  const startMs = clock.now();
  const storedMs: number[] = [];
  const refused = new Map<string, number>();
  const send = async (number: number): Promise<void> => {
    const { path, body, ledger: handle } = work.intentOf(number, random);
    const sentMs = clock.now();
    const { status, body: answer } = await ledger.post(path, body, handle);
    if (status < 300) storedMs.push(clock.now() - sentMs);
    else count(refused, `${status} ${answer['reason']}`);
  };
  const all: Promise<void>[] = [];
  const endMs = startMs + load.seconds * 1_000;
  for (;;) {
    await clock.sleep(waitDrawn(load.perSecond, random));
    if (clock.now() >= endMs) break;
    all.push(send(all.length));
  }
  await Promise.all(all);
  const tookMs = clock.now() - startMs;
  const isSettled = await ledger.settle(load.settleMs);
  const behindMs = isSettled ? clock.now() - startMs - tookMs : undefined;
  return { sent: all.length, storedMs, refused, tookMs, behindMs };
}

async function made(ledger: CloudLedger, { path, body, ledger: handle }: Posted): Promise<void> {
  const { status, body: answer } = await ledger.post(path, body, handle);
  if (status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
