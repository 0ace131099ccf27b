/**
 * Dead letters: what a worker was woken by and could not do, after all its attempts. A letter of the
 * courier holds the event; those of the others only say that something is wrong, because what was to
 * be done is still in the table. They lie until someone has looked, for at most two weeks.
 */
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acceptLast } from './suppressions.ts';
import type { Woken } from './topology.ts';

const retentionDays = 14;

/** Makes the queue for the dead letters of a worker. */
export function deadLetters(scope: Construct, worker: Woken): Queue {
  const queue = new Queue(scope, `${worker}Letters`, {
    retentionPeriod: Duration.days(retentionDays),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  acceptLast(queue);
  return queue;
}
