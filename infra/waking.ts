/**
 * Invokes the workers: by the stream of the table, the rules of the bus, and schedules. Each way gives up after a while
 * and then sends to the dead-letter queue of the worker, so that no failure goes unseen.
 *
 * Rules and schedules hand over to a queue inside Lambda, which makes the attempts. Either step can fail, so each has
 * limits of its own, and both use the same dead-letter queue.
 */
import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acceptLast } from './suppressions.ts';
import type { LedgerTable } from './table.ts';
import { type InvokedWorker, rules, schedules, streams } from './topology.ts';

/** A worker, and its dead-letter queue. */
export interface DeployedWorker {
  readonly handler: IFunction;
  readonly deadLetters: IQueue;
}

export type DeployedWorkers = Readonly<Record<InvokedWorker, DeployedWorker>>;

/** The longest that SQS keeps a message. */
const deadLetterDays = 14;

/**
 * Makes the dead-letter queue of a worker: what invoked it and failed in all attempts. A message of the courier holds
 * the event; those of other workers are a notice only, since what they had to do is still in the table.
 */
export function deadLetterQueue(scope: Construct, worker: InvokedWorker): Queue {
  const queue = new Queue(scope, `${worker}Letters`, {
    retentionPeriod: Duration.days(deadLetterDays),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  acceptLast(queue);
  return queue;
}

/**
 * A stream record only says that an outbox has entries, or that a delivery is due soon. It is given up early, rather
 * than hold up newer ones; the sweeper finds the work within a minute.
 */
const bell = { batchSize: 100, retryAttempts: 10 };

/** EventBridge hands an event over for a day; then Lambda makes three attempts within six hours. */
const eventHandOver = { maxEventAge: Duration.hours(24), retryAttempts: 185 };
const eventAttempts = { maxEventAge: Duration.hours(6), retryAttempts: 2 };

/** A late tick is useless: later ones do its work. */
const tickHandOver = { maxEventAge: Duration.minutes(10), retryAttempts: 10 };
const tickAttempts = { maxEventAge: Duration.minutes(10), retryAttempts: 2 };

export function invokeByStreams({ table }: LedgerTable, stations: DeployedWorkers): void {
  for (const { name, filter, target, retentionMinutes } of streams) {
    const { handler, deadLetters } = stations[target];
    handler.addEventSourceMapping(name, {
      eventSourceArn: table.tableStreamArn ?? '',
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [{ pattern: JSON.stringify(filter) }],
      ...bell,
      maxRecordAge: Duration.minutes(retentionMinutes),
      bisectBatchOnError: true,
      parallelizationFactor: 1,
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    });
  }
}

export function invokeByRules(
  scope: Construct,
  eventBus: EventBus,
  stations: DeployedWorkers,
): void {
  for (const { name, pattern, target } of rules) {
    const station = stations[target];
    new Rule(scope, `${name}Rule`, {
      description: `Events for the ${target}.`,
      eventBus,
      eventPattern: { source: [...pattern.source], detail: { ...pattern.detail } },
      targets: [new LambdaFunction(station.handler, targetOf(station, eventHandOver))],
    });
    attempt(station, eventAttempts);
  }
}

export function invokeBySchedules(scope: Construct, stations: DeployedWorkers): void {
  for (const { name, everyMinutes, target } of schedules) {
    const station = stations[target];
    new Rule(scope, `${name}Schedule`, {
      description: `The clock of the ${target}.`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(station.handler, targetOf(station, tickHandOver))],
    });
    attempt(station, tickAttempts);
  }
}

interface RetryLimits {
  readonly maxEventAge: Duration;
  readonly retryAttempts: number;
}

function targetOf(
  { deadLetters }: DeployedWorker,
  limits: RetryLimits,
): RetryLimits & { deadLetterQueue: IQueue } {
  return { ...limits, deadLetterQueue: deadLetters };
}

function attempt({ handler, deadLetters }: DeployedWorker, limits: RetryLimits): void {
  const onFailure = { bind: () => ({ destination: deadLetters.queueArn }) };
  handler.configureAsyncInvoke({ ...limits, onFailure });
}
