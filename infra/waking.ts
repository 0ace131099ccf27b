/**
 * What wakes the workers: the table's stream, the rules of the bus, and clocks. Each way gives up
 * after a while and then leaves a dead letter, so that nothing ends unseen.
 *
 * A rule and a clock hand over to a queue inside Lambda, which makes the attempts: both can fail, so
 * both have a limit of their own, and the same queue for letters.
 */
import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { LedgerTable } from './table.ts';
import { rules, schedules, streams, type Woken } from './topology.ts';

/** A worker, and where its dead letters go. */
export interface Station {
  readonly handler: IFunction;
  readonly letters: IQueue;
}

export type Stations = Readonly<Record<Woken, Station>>;

/**
 * A record of the stream only says which outbox to drain, all that is in it, or that something is due soon. So records
 * are given up soon, rather than hold up newer ones; the sweeper finds what they told of within a minute.
 */
const bell = { batchSize: 100, retryAttempts: 10 };

/** An event is handed over for a day, then attempted three times within six hours. */
const eventHandOver = { maxEventAge: Duration.hours(24), retryAttempts: 185 };
const eventAttempts = { maxEventAge: Duration.hours(6), retryAttempts: 2 };

/** A tick that comes too late is of no use: later ones do its work. */
const tickHandOver = { maxEventAge: Duration.minutes(10), retryAttempts: 10 };
const tickAttempts = { maxEventAge: Duration.minutes(10), retryAttempts: 2 };

/** Lets what is new in the table wake its worker. */
export function wakeByStreams({ table }: LedgerTable, stations: Stations): void {
  for (const { name, filter, target, keptMinutes } of streams) {
    const { handler, letters } = stations[target];
    handler.addEventSourceMapping(name, {
      eventSourceArn: table.tableStreamArn ?? '',
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [{ pattern: JSON.stringify(filter) }],
      ...bell,
      maxRecordAge: Duration.minutes(keptMinutes),
      bisectBatchOnError: true,
      parallelizationFactor: 1,
      onFailure: { bind: () => ({ destination: letters.queueArn }) },
    });
  }
}

/** Lets events of the bus wake their worker. */
export function wakeByRules(scope: Construct, eventBus: EventBus, stations: Stations): void {
  for (const { name, pattern, target } of rules) {
    const station = stations[target];
    new Rule(scope, `${name}Rule`, {
      description: `Events for the ${target}.`,
      eventBus,
      eventPattern: { source: [...pattern.source] },
      targets: [new LambdaFunction(station.handler, targetOf(station, eventHandOver))],
    });
    attempt(station, eventAttempts);
  }
}

/** Lets clocks wake their worker. */
export function wakeBySchedules(scope: Construct, stations: Stations): void {
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

interface Limits {
  readonly maxEventAge: Duration;
  readonly retryAttempts: number;
}

function targetOf({ letters }: Station, limits: Limits): Limits & { deadLetterQueue: IQueue } {
  return { ...limits, deadLetterQueue: letters };
}

function attempt({ handler, letters }: Station, limits: Limits): void {
  const onFailure = { bind: () => ({ destination: letters.queueArn }) };
  handler.configureAsyncInvoke({ ...limits, onFailure });
}
