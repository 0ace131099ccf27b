/**
 * A table as AWS documents it, in virtual time: the engine answers, and in between come latencies, transactions that
 * meet, throttles and lost answers. The figures are in `parameters.ts`.
 */
import {
  ProvisionedThroughputExceededException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { textOf } from '../../shared/store/keys.ts';
import type { VirtualClock } from './clock.ts';
import { type Charge, type Command, cancellation, type Engine } from './engine.ts';
import { latencies, silenceMs, transaction } from './parameters.ts';
import { Partitions } from './partitions.ts';
import { drawn, type Random } from './random.ts';

export interface CloudOptions {
  readonly engine: Engine;
  readonly clock: Pick<VirtualClock, 'now' | 'sleep'>;
  readonly random: Random;
  /** The unused capacity that each partition begins with, in seconds of its capacity. */
  readonly savedSeconds: number;
  /** The part of all requests whose answer is lost. */
  readonly lost: number;
  /** The part of its documented capacity that a partition has, so that little work is throttled; 1 unless given. */
  readonly capacity?: number | undefined;
}

/** What stood in the way of requests, by partition key or by item. */
export interface Friction {
  /** The requests that were throttled. */
  readonly throttled: ReadonlyMap<string, number>;
  /** The transactions that met another one on an item, by `<pk> <sk>`. */
  readonly met: ReadonlyMap<string, number>;
  readonly requests: ReadonlyMap<string, number>;
  /** The units that were asked of each partition, also by requests that were throttled or cancelled. */
  readonly asked: ReadonlyMap<string, Asked>;
  readonly lost: () => number;
  /** The parts of batches that were left over. */
  readonly leftOver: () => number;
}

interface Asked {
  writeUnits: number;
  readUnits: number;
}

type Transaction = ClientToken & TransactWriteCommand;
interface ClientToken {
  readonly input: { readonly ClientRequestToken?: string | undefined };
}

const $metadata = {};

/** A table that behaves as AWS says; `client` speaks to it. */
export function newCloud(options: CloudOptions) {
  const { engine, clock, random, lost } = options;
  const partitions = new Partitions(options);
  const marks = new Set<string>();
  const underWay = new Set<string>();
  const counts = {
    throttled: new Map<string, number>(),
    met: new Map<string, number>(),
    requests: new Map<string, number>(),
    asked: new Map<string, Asked>(),
  };
  let [lostCount, leftCount] = [0, 0];
  let isOpen = false;

  /** Takes the units of a request; returns, charge by charge, whether there were none. */
  const throttledOf = (charges: readonly Charge[]): boolean[] =>
    charges.map((charge) => {
      ask(counts.asked, charge);
      const isThrottled = !partitions.take(charge, clock.now());
      if (isThrottled) count(counts.throttled, charge.key.pk);
      return isThrottled;
    });

  /** Marks the items that bear no mark until `release`. */
  const mark = (names: readonly string[]) => {
    const met = names.map((name) => marks.has(name));
    const own = names.filter((_, index) => !met[index]);
    for (const name of names.filter((_, index) => met[index])) count(counts.met, name);
    for (const name of own) marks.add(name);
    const release = (): void => {
      for (const name of own) marks.delete(name);
    };
    return { met, release };
  };

  const transact = async (command: Transaction, ms: number): Promise<object> => {
    const { ClientRequestToken: token } = command.input;
    if (token !== undefined && underWay.has(token))
      throw new TransactionInProgressException({ $metadata, message: 'The token is in use.' });
    if (token !== undefined) underWay.add(token);
    const { met, release } = mark(engine.actions(command).map(({ key }) => textOf(key)));
    const throttled = throttledOf(engine.charges(command));
    try {
      await clock.sleep(ms * transaction.decidedAt);
      const outcome = decide(command, met, throttled);
      await clock.sleep(ms * (1 - transaction.decidedAt));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    } finally {
      release();
      if (token !== undefined) underWay.delete(token);
    }
  };

  const decide = (
    command: Transaction,
    met: readonly boolean[],
    throttled: readonly boolean[],
  ): object => {
    if (![...met, ...throttled].some(Boolean)) return outcomeOf(() => engine.answer(command));
    const failures = engine.failures(command);
    return cancellation(
      met.map((isMet, index) => {
        if (isMet) return 'TransactionConflict';
        return throttled[index] ? 'ThrottlingError' : failures[index];
      }),
    );
  };

  /** A write of its own, which is rejected where a transaction is under way. */
  const write = async (command: UpdateCommand, ms: number): Promise<object> => {
    if (throttledOf(engine.charges(command)).some(Boolean)) return refuse(ms);
    await clock.sleep(ms * transaction.decidedAt);
    const names = engine.actions(command).map(({ key }) => textOf(key));
    const met = names.filter((name) => marks.has(name));
    for (const name of met) count(counts.met, name);
    const outcome =
      met.length > 0
        ? new TransactionConflictException({ $metadata, message: 'A transaction is under way.' })
        : outcomeOf(() => engine.answer(command));
    await clock.sleep(ms * (1 - transaction.decidedAt));
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  const batchWrite = async (command: BatchWriteCommand, ms: number): Promise<object> => {
    const throttled = throttledOf(engine.charges(command));
    if (throttled.every(Boolean)) return refuse(ms);
    await clock.sleep(ms * transaction.decidedAt);
    const names = engine.actions(command).map(({ key }) => textOf(key));
    const left = names.map((name, index) => throttled[index] || marks.has(name));
    leftCount += left.filter(Boolean).length;
    const [done, rest] = [false, true].map((isLeft) =>
      partOf(command.input.RequestItems ?? {}, (index) => left[index] === isLeft),
    );
    const output =
      Object.values(done ?? {}).flat().length > 0
        ? engine.answer(new BatchWriteCommand({ ...command.input, RequestItems: done }))
        : {};
    await clock.sleep(ms * (1 - transaction.decidedAt));
    return { ...output, UnprocessedItems: rest };
  };

  /** A batch is read item by item: a transaction may come between two of them. */
  const batchGet = async (command: BatchGetCommand, ms: number): Promise<object> => {
    const throttled = throttledOf(engine.charges(command));
    if (throttled.every(Boolean)) return refuse(ms);
    const isEarly = throttled.map(() => random() < 0.5);
    const [[tableName, { Keys = [], ...options }] = ['', {}]] = Object.entries(
      command.input.RequestItems ?? {},
    );
    const read = (isWanted: (index: number) => boolean) => {
      const keys = Keys.filter((_, index) => isWanted(index));
      if (keys.length === 0) return [];
      const RequestItems = { [tableName]: { ...options, Keys: keys } };
      const output = engine.answer(new BatchGetCommand({ RequestItems }));
      return (output as { Responses: Record<string, object[]> }).Responses[tableName] ?? [];
    };
    await clock.sleep(ms / 3);
    const early = read((index) => !throttled[index] && isEarly[index] === true);
    await clock.sleep(ms / 3);
    const late = read((index) => !throttled[index] && isEarly[index] === false);
    await clock.sleep(ms / 3);
    const left = Keys.filter((_, index) => throttled[index]);
    leftCount += left.length;
    return {
      Responses: { [tableName]: [...early, ...late] },
      UnprocessedKeys: left.length > 0 ? { [tableName]: { ...options, Keys: left } } : {},
    };
  };

  const read = async (command: Command, ms: number): Promise<object> => {
    if (throttledOf(engine.charges(command)).some(Boolean)) return refuse(ms);
    await clock.sleep(ms / 2);
    const output = engine.answer(command);
    await clock.sleep(ms / 2);
    return output;
  };

  const refuse = async (ms: number): Promise<never> => {
    await clock.sleep(ms);
    throw new ProvisionedThroughputExceededException({ $metadata, message: 'Throttled.' });
  };

  const answer = (command: Command, ms: number): Promise<object> => {
    if (command instanceof TransactWriteCommand) return transact(command, ms);
    if (command instanceof UpdateCommand) return write(command, ms);
    if (command instanceof BatchWriteCommand) return batchWrite(command, ms);
    if (command instanceof BatchGetCommand) return batchGet(command, ms);
    return read(command, ms);
  };

  const send = async (command: Command): Promise<object> => {
    if (!isOpen) return engine.answer(command);
    count(counts.requests, command.constructor.name);
    const ms = Math.min(silenceMs, drawn(latencyOf(engine, command), random));
    const isLost = random() < lost;
    const startMs = clock.now();
    const outcome = await answer(command, ms).catch((error: unknown) => error as Error);
    if (isLost) {
      lostCount += 1;
      // Half of them are noticed at once, by a connection that ends.
      if (random() < 0.5) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      await clock.sleep(startMs + silenceMs - clock.now());
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    }
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };

  const friction: Friction = { ...counts, lost: () => lostCount, leftOver: () => leftCount };
  /** Forgets what stood in the way so far. */
  const clear = (): void => {
    for (const one of Object.values(counts)) one.clear();
    lostCount = 0;
    leftCount = 0;
  };
  /** Begins to behave as a cloud: what was asked before was answered at once. */
  const open = (): void => {
    isOpen = true;
  };
  return { client: engine.client(send), friction, open, clear };
}

/** What a request comes to: its answer, or the error. */
function outcomeOf(work: () => object): object {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

function latencyOf(engine: Engine, command: Command) {
  if (command instanceof TransactWriteCommand)
    return latencies.transaction(engine.actions(command).length);
  if (command instanceof BatchWriteCommand) return latencies.batch(engine.actions(command).length);
  if (!(command instanceof BatchGetCommand)) return latencies.one();
  const [{ Keys = [] } = {}] = Object.values(command.input.RequestItems ?? {});
  return latencies.batch(Keys.length);
}

/** The writes of a batch at some indexes. */
function partOf<Write>(
  requests: Readonly<Record<string, readonly Write[]>>,
  isWanted: (index: number) => boolean,
): Record<string, Write[]> {
  const parts = Object.entries(requests).map(([tableName, writes]) => [
    tableName,
    writes.filter((_, index) => isWanted(index)),
  ]);
  return Object.fromEntries(parts.filter(([, writes]) => writes?.length));
}

function ask(asked: Map<string, Asked>, { key: { pk }, units, isWrite }: Charge): void {
  const sum = asked.get(pk) ?? { writeUnits: 0, readUnits: 0 };
  sum[isWrite ? 'writeUnits' : 'readUnits'] += units;
  asked.set(pk, sum);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
