/**
 * The alarms. `infra/README.md` says what each means and what to do. Missing data points raise no alarm: an idle ledger
 * measures nothing.
 */
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import {
  conflictRateOf,
  figure,
  latencyOf,
  minute,
  serverErrorsOf,
  streamAgeOf,
  sumOf,
  throttlesOf,
  type Watched,
} from './figures.ts';

/** The next sweep, or the one after, publishes a signal that the relay missed. Later than that is an alarm. */
const lagMs = 3 * 60_000;
/** Some ten times what a transfer takes. */
const latencyMs = 3_000;
/** A witness that contradicts a log is asked every ten minutes at least. The alarm lasts from one answer to the next. */
const contradictedMinutes = 15;
/** At a lower rate, conflicts cost a few milliseconds. */
const conflictPercent = 20;
/** The most metrics that one alarm can combine. */
const figureCountMax = 10;

interface AlarmLine {
  readonly above: number;
  readonly metric: IMetric;
  readonly meaning: string;
  /** Consecutive minutes above the threshold; 1 by default. */
  readonly minutes?: number;
  /** The alarm lasts until the last of them is so many minutes ago; by default it ends with the next minute. */
  readonly lasting?: number;
}

/** All alarms. Each notifies the topic when it begins and when it ends. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, watched: Watched, topic: ITopic) {
    super(scope, id);
    const action = new SnsAction(topic);
    const lines = { ...ofRequests(watched), ...ofSignals(watched), ...ofDeadLetters(watched) };
    this.all = Object.entries(lines).map(([name, line]) => {
      const { above, metric, meaning, minutes = 1, lasting = minutes } = line;
      const alarm = new Alarm(this, name, {
        alarmDescription: meaning,
        metric,
        threshold: above,
        evaluationPeriods: lasting,
        datapointsToAlarm: minutes,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
  }
}

function ofRequests(watched: Watched): Record<string, AlarmLine> {
  const { api, table, endpoints } = watched;
  const handlers = [...endpoints.values()];
  const lines: Record<string, AlarmLine> = {
    ServerErrors: {
      above: 0,
      metric: serverErrorsOf(api),
      meaning: 'The API answered a request with a 5xx status.',
    },
    Latency: {
      above: latencyMs,
      metric: latencyOf(api, 99),
      meaning: 'The p99 latency of the API is above three seconds.',
      minutes: 5,
    },
    ConflictRate: {
      above: conflictPercent,
      metric: conflictRateOf(watched),
      meaning:
        'More than 20 of 100 commits conflict with others on the same records, and are retried.',
      minutes: 5,
    },
    TableThrottles: {
      above: 0,
      metric: throttlesOf(table),
      meaning: 'DynamoDB throttles requests: a partition of the table receives too many.',
      minutes: 5,
    },
  };
  for (let start = 0; start < handlers.length; start += figureCountMax) {
    const some = handlers.slice(start, start + figureCountMax);
    lines[`EndpointThrottles${1 + start / figureCountMax}`] = {
      above: 0,
      metric: sumOf('Throttles', some, 'throttled'),
      meaning: 'Lambda throttles functions of the API: the account is at its limit of concurrency.',
    };
  }
  return lines;
}

function ofSignals(watched: Watched): Record<string, AlarmLine> {
  const { stations } = watched;
  const { relay, courier } = stations;
  const workers = Object.values(stations).map(({ handler }) => handler);
  return {
    OutboxSetAside: {
      above: 0,
      metric: figure(watched, 'OutboxSetAside', Stats.SUM),
      meaning: 'A signal could not be published or indexed, and was set aside with the reason.',
    },
    OutboxLag: {
      above: lagMs,
      metric: figure(watched, 'OutboxLag', Stats.MAXIMUM),
      meaning: 'A signal reached the bus more than three minutes after its commit.',
    },
    // OutboxLag is measured when a signal is published; this one also grows while none is.
    StreamAge: {
      above: lagMs,
      metric: streamAgeOf(stations),
      meaning: 'The relay is more than three minutes behind the stream of the table.',
      minutes: 3,
    },
    BridgeSilent: {
      above: 0,
      metric: figure(watched, 'BridgeSilent', Stats.SUM),
      meaning: 'A bridge has not carried out a decided commit or abort for an hour.',
    },
    LogContradicted: {
      above: 0,
      metric: figure(watched, 'LogContradicted', Stats.SUM),
      meaning: 'A witness has cosigned another tree than a log has: it was put back or altered.',
      lasting: contradictedMinutes,
    },
    IntentForgotten: {
      above: 0,
      metric: figure(watched, 'IntentForgotten', Stats.MAXIMUM),
      meaning: 'Expired intents could not be ended.',
      minutes: 5,
    },
    DeliveryCancelled: {
      above: 0,
      metric: figure(watched, 'DeliveryCancelled', Stats.SUM),
      meaning: 'A delivery was given up: its target rejected it, or could never be reached.',
    },
    WorkerErrors: {
      above: 0,
      metric: sumOf('Errors', workers, 'errors'),
      meaning: 'A worker fails repeatedly.',
      minutes: 3,
    },
    // The sweeper and the reporter have a low concurrency on purpose, so throttling them is normal.
    WorkerThrottles: {
      above: 0,
      metric: sumOf('Throttles', [relay.handler, courier.handler], 'throttled'),
      meaning: 'Lambda throttles the relay or the courier: all of its reserved concurrency runs.',
      minutes: 5,
    },
  };
}

function ofDeadLetters({ stations }: Watched): Record<string, AlarmLine> {
  const count = { statistic: Stats.MAXIMUM, period: minute };
  const lines = Object.entries(stations).map(([worker, { deadLetters }]) => {
    const metric = deadLetters.metricApproximateNumberOfMessagesVisible(count);
    const meaning = `The dead-letter queue of the ${worker} holds work that it gave up.`;
    return [`${worker}Letters`, { above: 0, metric, meaning }] as const;
  });
  return Object.fromEntries(lines);
}
