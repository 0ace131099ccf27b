/**
 * Prices of AWS in US dollars: us-east-1, list prices of 2026 without free tiers and discounts. Check them before you
 * rely on them: https://aws.amazon.com/pricing/
 */

/** Per million, except for prices by gigabyte. */
export const prices = {
  /** DynamoDB on demand: request units of the standard table class. */
  writeUnits: 0.625,
  readUnits: 0.125,
  /** DynamoDB: a gigabyte kept for a month, with recovery to any second. */
  storedGigabyteMonth: 0.25 + 0.2,
  /** API Gateway, REST API: the first 333 million requests of a month. */
  requests: 3.5,
  /** Lambda: invocations, and gigabyte-seconds on arm64. */
  invocations: 0.2,
  gigabyteSeconds: 13.3334,
  /** EventBridge: events on a bus of one's own, each 64 KB begun; archived gigabytes. */
  events: 1,
  archivedGigabyte: 0.1,
  /** CloudWatch Logs: a gigabyte taken in. */
  loggedGigabyte: 0.5,
} as const;

/**
 * Assumptions that only a deployment can measure: the duration of functions of 1 GB, waits for the table included, and
 * the bytes of all logs for an invocation.
 */
export const assumed = {
  endpointMs: 60,
  relayMs: 60,
  courierMs: 20,
  loggedBytes: 1_000,
} as const;
