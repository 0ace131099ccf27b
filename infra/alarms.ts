/**
 * What somebody has to look at. The figures of the ledger come from its logs, as lines in CloudWatch's
 * embedded metric format. No figure is a good figure: an idle ledger measures nothing.
 */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stations } from './waking.ts';

/** Where the ledger's own figures are. */
const namespace = 'Countersign';

/** A signal that the relay missed is told by the next sweep or the one after; then it is late. */
const lagMs = 3 * 60_000;
const minute = Duration.minutes(1);

/** The alarms on signals and calls: none is lost, none is late. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, stations: Stations) {
    super(scope, id);
    this.#above(0, 'OutboxSetAside', figure('OutboxSetAside', Stats.SUM), {
      meaning: 'A signal could not be told and was put aside, with the reason beside it.',
    });
    this.#above(lagMs, 'OutboxLag', figure('OutboxLag', Stats.MAXIMUM), {
      meaning: 'A signal has reached the bus late.',
    });
    this.#above(0, 'BridgeSilent', figure('BridgeSilent', Stats.SUM), {
      meaning: 'A bridge has not carried out for an hour what was decided.',
    });
    // The lag is known once a signal is told; this one grows while none is.
    const age = { statistic: Stats.MAXIMUM, period: minute };
    this.#above(lagMs, 'StreamAge', stations.relay.handler.metric('IteratorAge', age), {
      meaning: 'The relay does not keep up with the stream of the table.',
      minutes: 3,
    });
    for (const [worker, { letters }] of Object.entries(stations)) {
      const count = letters.metricApproximateNumberOfMessagesVisible(age);
      this.#above(0, `${worker}Letters`, count, {
        meaning: `The ${worker} has given something up; its dead letters say what.`,
      });
    }
  }

  #above(
    threshold: number,
    id: string,
    metric: IMetric,
    { meaning, minutes = 1 }: { readonly meaning: string; readonly minutes?: number },
  ): void {
    new Alarm(this, id, {
      alarmDescription: meaning,
      metric,
      threshold,
      evaluationPeriods: minutes,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** A figure of the ledger, minute by minute. */
function figure(metricName: string, statistic: string): Metric {
  return new Metric({ namespace, metricName, statistic, period: minute });
}
