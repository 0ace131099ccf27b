/**
 * The figures of the model, each with its source. What AWS does not publish says so. Not modelled, since they can be
 * raised: the quotas of a table, and those of an account beside its instances. Not modelled at all: the time of API
 * Gateway and of Lambda, cold starts among it.
 */

/** A log-normal time, by two of its percentiles, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

const measured = {
  put: { p50: 7.55, p99: 16.2 },
  batch5: { p50: 8.14, p99: 25.5 },
  batch25: { p50: 10.2, p99: 27.6 },
  transaction5: { p50: 25.3, p99: 92.5 },
  transaction25: { p50: 32.1, p99: 97.5 },
} as const;

/**
 * Times from a function to the table and back, by the number of items, between and beyond 5 and 25 on a line.
 * Measured in 2020 from Lambda by 400 requests each, one at a time; a transaction that fails takes as long (25.3 / 84.9).
 * https://github.com/alexdebrie/dynamodb-performance-testing (README, «Results») and
 * https://www.alexdebrie.com/posts/dynamodb-transactions-performance/
 * Reads are not measured there, and take the times of writes of as many items: AWS says of both «single-digit
 * milliseconds». https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Introduction.html
 */
export const latencies = {
  one: () => measured.put,
  batch: (count: number) => between(count, measured.batch5, measured.batch25),
  transaction: (count: number) => between(count, measured.transaction5, measured.transaction25),
} as const;

/**
 * A partition: «3,000 read units per second and 1,000 write units per second», also for a single item.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export const partition = {
  readUnitsPerSecond: 3_000,
  writeUnitsPerSecond: 1_000,
  /**
   * «up to five minutes (300 seconds) of unused read and write capacity».
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  burstSeconds: 300,
  /**
   * A partition near its limit is split by sort key, unless one item has the traffic, or the sort keys grow with time.
   * https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/
   * How long it must be hot is not published: «sustained».
   */
  splitAfterMs: 5 * 60_000,
  /** The last requests by which a split is decided. Not published. */
  sampleCount: 64,
} as const;

/**
 * A transaction marks its items while it is prepared, and writes them before it ends; others that meet a mark are
 * rejected, not queued. https://www.usenix.org/conference/atc23/presentation/idziorek and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export const transaction = {
  /** The part of its time after which a transaction has decided. Not published: two phases of equal length. */
  decidedAt: 0.5,
} as const;

/** A request that is not answered ends at the time limit of the client: `attemptMs` of `shared/store/client.ts`. */
export const silenceMs = 3_000;

/**
 * «Lambda polls shards in your DynamoDB stream for records at a base rate of 4 times per second», and takes up to 100
 * records at a time. One invocation runs for a shard of the stream.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html and
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html
 */
export const streamPollMs = 250;
export const streamTaken = 100;
/** The relays at a time: their places in `infra/topology.ts`. A busy table has at least as many shards. */
export const streamShardCount = 20;

/** The couriers at a time: their places in `infra/topology.ts`. */
export const courierCount = 100;

/** The time between two runs of the sweeper: its schedule in `infra/topology.ts`. */
export const sweepMs = 60_000;

/** «Concurrent executions: 1,000», by default. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const instanceCount = 1_000;

/**
 * The bus from an event to its target, by the two percentiles that are published: 80 ms at p90, measured over 14 million
 * calls, and 129.33 ms at p99. They make a median of 45 ms.
 * https://aws.amazon.com/blogs/architecture/mastering-millisecond-latency-and-millions-of-events-the-event-driven-architecture-behind-the-amazon-key-suite/
 * https://aws.amazon.com/about-aws/whats-new/2024/11/amazon-eventbridge-improvement-latency-event-buses/
 */
export const busLatency: Latency = { p50: 45, p99: 129 };

/**
 * «Lambda retries function errors twice», after one minute the first time. The model goes on for ever.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export const redeliveryMs = 60_000;

/** Assumed, since no bank publishes it: the time to answer a call, and that until its work is done and reported. */
export const bank = {
  answers: { p50: 20, p99: 100 },
  works: { p50: 50, p99: 250 },
} as const;

function between(count: number, five: Latency, twentyFive: Latency): Latency {
  const share = (count - 5) / 20;
  const at = (name: keyof Latency) => five[name] + share * (twentyFive[name] - five[name]);
  return { p50: at('p50'), p99: at('p99') };
}
