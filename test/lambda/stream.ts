/**
 * Emulates Lambda's event source mapping for the stream of the table: reads its shards, applies the filter, and invokes
 * the function with batches. A failed batch is retried, and in the end is a dead letter.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
import { call } from './aws-json.ts';
import { type LambdaFunction, lineOf } from './function.ts';
import type { DeadLetter } from './later.ts';
import { fits } from './pattern.ts';

const service = 'DynamoDBStreams_20120810';
/** AWS polls four times a second. */
const pollMs = 50;
const batchSize = 100;
const retryCountMax = 10;
const pauseMs = 200;

interface Records {
  readonly Records: readonly unknown[];
  readonly NextShardIterator?: string;
}

export interface StreamOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly filter: unknown;
  readonly target: LambdaFunction;
  readonly deadLetter: DeadLetter;
  /** Receives errors of reading the stream, which is then retried. */
  readonly complain: (why: string) => void;
}

/** Follows the stream of a table from now on; returns a function that ends it. */
export async function followStream(options: StreamOptions): Promise<() => Promise<void>> {
  const { endpoint, complain } = options;
  const state = { isEnded: false };
  let iterator = await firstIterator(options);
  const turn = async (): Promise<void> => {
    const input = { ShardIterator: iterator };
    const { Records, NextShardIterator = iterator } = await call<Records>(
      endpoint,
      `${service}.GetRecords`,
      input,
    );
    for (const batch of batchesOf(Records.filter((record) => fits(options.filter, record))))
      await handOver(options, batch, state);
    iterator = NextShardIterator;
  };
  const run = async (): Promise<void> => {
    while (!state.isEnded) {
      await turn().catch((error: Error) => complain(`stream: ${error.message}`));
      await pause(pollMs);
    }
  };
  const ended = run();
  return async () => {
    state.isEnded = true;
    await ended;
  };
}

/** The embedded database has one shard a stream. */
async function firstIterator({ endpoint, tableName }: StreamOptions): Promise<string> {
  const { Streams } = await call<{ Streams: readonly { readonly StreamArn: string }[] }>(
    endpoint,
    `${service}.ListStreams`,
    { TableName: tableName },
  );
  const StreamArn = Streams[0]?.StreamArn;
  const { StreamDescription } = await call<{
    StreamDescription: { readonly Shards: readonly { readonly ShardId: string }[] };
  }>(endpoint, `${service}.DescribeStream`, { StreamArn });
  const [shard, ...others] = StreamDescription.Shards;
  if (!shard || others.length > 0) throw new Error('The stream does not have one shard.');
  const { ShardIterator } = await call<{ readonly ShardIterator: string }>(
    endpoint,
    `${service}.GetShardIterator`,
    { StreamArn, ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' },
  );
  return ShardIterator;
}

async function handOver(
  { target, deadLetter }: StreamOptions,
  batch: readonly unknown[],
  state: { readonly isEnded: boolean },
): Promise<void> {
  const event = { Records: batch };
  let why = '';
  for (let count = 0; count <= retryCountMax && !state.isEnded; count += 1) {
    if (count > 0) await pause(pauseMs * count);
    const outcome = await target.invoke(event);
    if ('answer' in outcome) return;
    why = lineOf(outcome.failure);
  }
  if (!state.isEnded) deadLetter(target.name, event, why);
}

function batchesOf(records: readonly unknown[]): unknown[][] {
  const count = Math.ceil(records.length / batchSize);
  return Array.from({ length: count }, (_, index) =>
    records.slice(index * batchSize, (index + 1) * batchSize),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
