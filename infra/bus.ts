/** The bus that signals travel on, and its archive to repeat them from. */
import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';

/** Makes the bus with its archive, which keeps each signal for so many days. */
export function ledgerBus(scope: Construct, archiveDays: number): EventBus {
  const bus = new EventBus(scope, 'Bus', { description: 'The signals of the ledger.' });
  bus.archive('Archive', {
    description: 'Every signal of the ledger.',
    eventPattern: { account: [Stack.of(scope).account] },
    retention: Duration.days(archiveDays),
  });
  return bus;
}
