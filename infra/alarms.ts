/**
 * What somebody has to look at: `infra/README.md` says what each means and what to do. No figure is a
 * good figure: an idle ledger measures nothing.
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

/** A signal that the relay missed is told by the next sweep or the one after; then it is late. */
const lagMs = 3 * 60_000;
/** What a client is not to wait for: some ten times what a transfer takes. */
const latencyMs = 3_000;
/** Of hundred commits; below it those that meet lose a few milliseconds. */
const conflictPercent = 20;
/** How many figures one alarm can take. */
const figureCountMax = 10;

interface Line {
  readonly above: number;
  readonly metric: IMetric;
  readonly meaning: string;
  /** For how many minutes in a row; one when it is not said. */
  readonly minutes?: number;
}

/** All alarms, each of which is told to the topic when it begins and when it ends. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, watched: Watched, topic: ITopic) {
    super(scope, id);
    const action = new SnsAction(topic);
    const lines = { ...ofRequests(watched), ...ofSignals(watched), ...ofLetters(watched) };
    this.all = Object.entries(lines).map(([name, { above, metric, meaning, minutes = 1 }]) => {
      const alarm = new Alarm(this, name, {
        alarmDescription: meaning,
        metric,
        threshold: above,
        evaluationPeriods: minutes,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
  }
}

/** What callers notice. */
function ofRequests({ api, table, endpoints }: Watched): Record<string, Line> {
  const handlers = [...endpoints.values()];
  const lines: Record<string, Line> = {
    ServerErrors: {
      above: 0,
      metric: serverErrorsOf(api),
      meaning: 'A request was answered with 5xx.',
    },
    Latency: {
      above: latencyMs,
      metric: latencyOf(api, 99),
      meaning: 'One request in a hundred takes more than three seconds.',
      minutes: 5,
    },
    ConflictRate: {
      above: conflictPercent,
      metric: conflictRateOf(table),
      meaning: 'Many commits meet others on the same records.',
      minutes: 5,
    },
    TableThrottles: {
      above: 0,
      metric: throttlesOf(table),
      meaning: 'The table turns requests away: a partition has too much to do.',
      minutes: 5,
    },
  };
  for (let start = 0; start < handlers.length; start += figureCountMax) {
    const some = handlers.slice(start, start + figureCountMax);
    lines[`EndpointThrottles${1 + start / figureCountMax}`] = {
      above: 0,
      metric: sumOf('Throttles', some, 'throttled'),
      meaning: 'Functions of the API are not started: the account runs as many as it may.',
    };
  }
  return lines;
}

/** What happens after a request: no signal is lost and none is late, and no intent is forgotten. */
function ofSignals({ stations }: Watched): Record<string, Line> {
  const { relay, courier } = stations;
  const workers = Object.values(stations).map(({ handler }) => handler);
  return {
    OutboxSetAside: {
      above: 0,
      metric: figure('OutboxSetAside', Stats.SUM),
      meaning: 'A signal could not be told and was put aside, with the reason beside it.',
    },
    OutboxLag: {
      above: lagMs,
      metric: figure('OutboxLag', Stats.MAXIMUM),
      meaning: 'A signal has reached the bus late.',
    },
    // The lag is known once a signal is told; this one grows while none is.
    StreamAge: {
      above: lagMs,
      metric: streamAgeOf(stations),
      meaning: 'The relay does not keep up with the stream of the table.',
      minutes: 3,
    },
    BridgeSilent: {
      above: 0,
      metric: figure('BridgeSilent', Stats.SUM),
      meaning: 'A bridge has not carried out for an hour what was decided.',
    },
    IntentForgotten: {
      above: 0,
      metric: figure('IntentForgotten', Stats.MAXIMUM),
      meaning: 'Intents whose time is over could not be ended.',
      minutes: 5,
    },
    DeliveryCancelled: {
      above: 0,
      metric: figure('DeliveryCancelled', Stats.SUM),
      meaning: 'A delivery was given up: its target does not want it, or was never reached.',
    },
    WorkerErrors: {
      above: 0,
      metric: sumOf('Errors', workers, 'errors'),
      meaning: 'A worker fails again and again.',
      minutes: 3,
    },
    // The sweeper and the reporter are throttled on purpose: so many and no more run at a time.
    WorkerThrottles: {
      above: 0,
      metric: sumOf('Throttles', [relay.handler, courier.handler], 'throttled'),
      meaning: 'The relay or the courier has more to do than may run at a time.',
      minutes: 5,
    },
  };
}

/** What was given up. */
function ofLetters({ stations }: Watched): Record<string, Line> {
  const count = { statistic: Stats.MAXIMUM, period: minute };
  const lines = Object.entries(stations).map(([worker, { letters }]) => {
    const metric = letters.metricApproximateNumberOfMessagesVisible(count);
    const meaning = `The ${worker} has given something up; its dead letters say what.`;
    return [`${worker}Letters`, { above: 0, metric, meaning }] as const;
  });
  return Object.fromEntries(lines);
}
