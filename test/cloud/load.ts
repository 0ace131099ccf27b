/** An open loop: so many requests as a rate and a time say arrive, whether earlier ones are answered or not. */
import type { Body } from '../fixture/client.ts';
import { isPassing, newBanks } from './bank.ts';
import { type CloudLedger, type LedgerOptions, newLedger } from './ledger.ts';
import { timesDrawn } from './random.ts';
import type { Posted, Workload } from './workload.ts';

/** What became of a load, with times in virtual milliseconds. */
export interface Outcome {
  /** The intents that were sent. */
  readonly sent: number;
  /** The time of each intent that was done: to its answer, or until its banks had done their parts. */
  readonly doneMs: readonly number[];
  /** Those that were done in each second. */
  readonly doneInSecond: readonly number[];
  /** The time of each intent that was stored as rejected. */
  readonly rejectedMs: readonly number[];
  /** The answers and ends of all that were not done, by status and reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first request to the last one that was done. */
  readonly tookMs: number;
  /** From the last answer until all workers had come to their end; undefined when they have not. */
  readonly behindMs: number | undefined;
}

export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  /** The time that workers may take afterwards. */
  readonly settleMs: number;
  /** The number of its first request, above those of earlier loads; 0 unless given. */
  readonly first?: number;
  /** True for clients that send again what was not answered, until it is. */
  readonly isPatient?: boolean;
  /** Hears of each intent without banks that has come to its end. */
  readonly onEnd?: (end: End) => void;
}

/** The end of an intent. */
export interface End {
  readonly intent: Body;
  readonly sentMs: number;
  readonly endMs: number;
  /** Why it was not done; undefined for one that was. */
  readonly why: string | undefined;
}

/** The requests of a set-up that are under way at a time. */
const setUpLength = 200;
/** The pause of a client before it sends again. */
const againMs = 500;
/** The time between two looks whether all intents have come to their end. */
const lookMs = 100;

export type LoadedLedger = CloudLedger & { readonly banks: ReturnType<typeof newBanks> };

/** A service with the ledgers and banks of a workload, and its records. */
export async function openLedger(
  work: Workload,
  options: Omit<LedgerOptions, 'handles' | 'send'>,
): Promise<LoadedLedger> {
  const banks = newBanks(options);
  const ledger = await newLedger({ ...options, handles: work.ledgers, send: banks.send });
  for (const posts of work.setting) {
    for (let start = 0; start < posts.length; start += setUpLength)
      await Promise.all(posts.slice(start, start + setUpLength).map((one) => made(ledger, one)));
    await ledger.settle(600_000);
  }
  return { ...ledger, banks };
}

/** Sends the requests of a workload, at a rate of intents. */
export async function drive(ledger: LoadedLedger, work: Workload, load: Load): Promise<Outcome> {
  const { clock, random } = ledger;
  const { first = 0 } = load;
  const startMs = clock.now();
  const tally = tallyOf(ledger, work, load);
  const send = async (number: number): Promise<void> => {
    const one = work.requestOf(number, random);
    const sentMs = clock.now();
    tally.begin(one, sentMs);
    let left: Posted | undefined = one;
    for (let attempt = 0; left; attempt += 1) {
      if (attempt > 0) await clock.sleep(againMs * (0.5 + random()));
      const answer = await answerTo(ledger, left, attempt > 0);
      const isLast = !load.isPatient;
      left = tally.hear(left, sentMs, answer, { isLast, isAgain: attempt > 0 });
    }
  };
  const all: Promise<void>[] = [];
  const count = Math.round((load.perSecond * load.seconds) / work.intentsEach);
  for (const atMs of timesDrawn(count, load.seconds * 1_000, random)) {
    await clock.sleep(startMs + atMs - clock.now());
    all.push(send(first + all.length));
  }
  await Promise.all(all);
  const answeredMs = clock.now();
  while (tally.openCount() > 0 && clock.now() < answeredMs + load.settleMs)
    await clock.sleep(lookMs);
  tally.giveUp();
  const isSettled = await ledger.settle(load.settleMs);
  return {
    sent: all.length * work.intentsEach,
    ...{ doneMs: tally.doneMs, rejectedMs: tally.rejectedMs, refused: tally.refused },
    ...{ doneInSecond: tally.doneInSecond, tookMs: tally.lastMs() - startMs },
    behindMs: isSettled ? clock.now() - answeredMs : undefined,
  };
}

/** The answer to a request; to one that came again, what became of its intent the first time. */
async function answerTo(
  { post, get }: CloudLedger,
  { path, body, ledger }: Posted,
  isAgain: boolean,
): Promise<Answered> {
  const answer = await post(path, body, ledger);
  const isThere = isAgain && isDuplicate(answer.status, answer.body['reason']);
  return isThere && 'hash' in body ? get(`${path}/${body.data['handle']}`, ledger) : answer;
}

/** Keeps what becomes of intents. */
function tallyOf({ clock, banks, post }: LoadedLedger, work: Workload, { onEnd }: Load) {
  const doneMs: number[] = [];
  const doneInSecond: number[] = [];
  const rejectedMs: number[] = [];
  const refused = new Map<string, number>();
  /** Intents that wait for banks, with the time when they were sent. */
  const open = new Map<string, number>();
  const startMs = clock.now();
  let lastMs = startMs;
  const refuse = (why: string): void => void refused.set(why, (refused.get(why) ?? 0) + 1);
  const end = (sentMs: number): void => {
    lastMs = clock.now();
    doneMs.push(lastMs - sentMs);
    const second = Math.floor((lastMs - startMs) / 1_000);
    while (doneInSecond.length <= second) doneInSecond.push(0);
    doneInSecond[second] = (doneInSecond[second] ?? 0) + 1;
  };
  const note = (line: Line, sentMs: number, why: string | undefined): void => {
    if (line.meta?.status === 'rejected') rejectedMs.push(clock.now() - sentMs);
    if (why !== undefined) refuse(why);
    else if (!work.isBridged) end(sentMs);
  };
  banks.connect({ post }, (intent, status) => {
    const sentMs = open.get(intent);
    if (sentMs === undefined || !finalStatuses.has(status)) return;
    open.delete(intent);
    if (status === 'completed') end(sentMs);
    else refuse(status);
  });
  return {
    ...{ doneMs, doneInSecond, rejectedMs, refused },
    lastMs: () => lastMs,
    openCount: () => open.size,
    begin: ({ body }: Posted, sentMs: number): void => {
      if (work.isBridged && 'hash' in body) open.set(String(body.data['handle']), sentMs);
    },
    /** Notes the ends of the intents of a request; returns those to send again, if it was not the last time. */
    hear: (
      request: Posted,
      sentMs: number,
      answer: Answered,
      { isLast, isAgain }: { readonly isLast: boolean; readonly isAgain: boolean },
    ): Posted | undefined => {
      const lines = linesIn(request, answer);
      const isLeft = lines.map(({ status }) => !isLast && isPassing(status));
      const bodies = bodiesIn(request);
      for (const [index, line] of lines.entries()) {
        if (isLeft[index]) continue;
        const why = reasonIn(line, isAgain);
        note(line, sentMs, why);
        const intent = bodies[index] as Body;
        if (why !== undefined) open.delete(String(intent.data['handle']));
        onEnd?.({ intent, sentMs, endMs: clock.now(), why });
      }
      return partOf(request, isLeft);
    },
    giveUp: (): void => {
      for (const _ of open) refuse('not at its end yet');
    },
  };
}

const finalStatuses = new Set(['completed', 'aborted', 'rejected', 'failed']);

type Answered = Awaited<ReturnType<CloudLedger['post']>>;
/** What is answered of an intent. */
interface Line {
  readonly status: number;
  readonly reason?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** That of its record. */
  readonly meta?: {
    readonly status?: string;
    readonly proofs?: readonly { readonly custom?: { readonly reason?: string } }[];
  };
}

/** The answer of each intent of a request. */
function linesIn({ body }: Posted, { status, body: answer }: Answered): Line[] {
  const isBatch = 'mode' in body;
  const lines = isBatch && status < 300 ? (answer['data'] as readonly Partial<Line>[]) : [];
  if (lines.length > 0) return lines.map((line) => ({ ...line, status: line.status ?? status }));
  return Array<Line>(isBatch ? body.data.length : 1).fill({ ...answer, status });
}

/** The intents of a request. */
function bodiesIn({ body }: Posted): readonly Body[] {
  return 'mode' in body ? body.data : [body];
}

function isDuplicate(status: number, reason: unknown): boolean {
  return status === 409 && reason === 'record.duplicated';
}

/** Why an intent was not done; undefined for one that was, now or when its answer was lost. */
function reasonIn({ status, reason, data, meta }: Line, isAgain: boolean): string | undefined {
  if (meta?.status === 'rejected')
    return `rejected: ${meta.proofs?.findLast(({ custom }) => custom?.reason)?.custom?.reason}`;
  if (status < 300 || (isAgain && isDuplicate(status, reason))) return undefined;
  return `${status} ${reason ?? data?.['reason'] ?? ''}`.trim();
}

/** The part of a request that is left; undefined when nothing is. */
function partOf(request: Posted, isLeft: readonly boolean[]): Posted | undefined {
  const { body } = request;
  if (!isLeft.includes(true)) return undefined;
  if (!('mode' in body)) return request;
  return { ...request, body: { ...body, data: body.data.filter((_, index) => isLeft[index]) } };
}

async function made(ledger: CloudLedger, { path, body, ledger: handle }: Posted): Promise<void> {
  const { status, body: answer } = await ledger.post(path, body, handle);
  if (status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
}
