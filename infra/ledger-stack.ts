/** The stack: everything of `topology.ts`, put together. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { ledgerBus } from './bus.ts';
import { ledgerFunction } from './function.ts';
import { addressOf, gateway, mount } from './gateway.ts';
import { keyringKey } from './keyring.ts';
import type { Parameters } from './parameters.ts';
import { permissionsOf, type Resources } from './permissions.ts';
import { ledgerTable } from './table.ts';
import { type Group, groups } from './topology.ts';

/** One ledger service in one account and region. */
export class LedgerStack extends Stack {
  constructor(scope: Construct, id: string, parameters: Parameters, props?: StackProps) {
    super(scope, id, { description: 'Countersign: a ledger that you own.', ...props });
    const resources: Resources = { ...ledgerTable(this), keyring: keyringKey(this) };
    const bus = ledgerBus(this);
    const api = gateway(this);
    const serverUrls = parameters.serverUrls ?? [addressOf(api)];
    const environment = {
      TABLE_NAME: resources.table.tableName,
      KMS_KEY_ID: resources.keyring.keyArn,
      LEDGER_HANDLE: parameters.ledger,
      SERVER_URLS: serverUrls.join(','),
    };
    for (const group of Object.keys(groups) as Group[]) {
      const description = `Answers the endpoints of ${group}.`;
      const permissions = permissionsOf(group, resources);
      mount(api, group, ledgerFunction(this, group, { description, environment, permissions }));
    }
    const founder = ledgerFunction(this, 'found', {
      description: 'Makes the default ledger.',
      environment,
      permissions: permissionsOf('found', resources),
    });
    // Last, so that its permissions have reached every part of AWS when it runs.
    new Trigger(this, 'Founding', { handler: founder, executeAfter: [api] });
    new CfnOutput(this, 'Address', {
      value: serverUrls[0] ?? '',
      description: 'The base address.',
    });
    new CfnOutput(this, 'TableName', { value: resources.table.tableName });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
  }
}
