/** The stack: everything of `topology.ts`, put together. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { ledgerBus } from './bus.ts';
import { ledgerFunction } from './function.ts';
import { addressOf, gateway, mount } from './gateway.ts';
import { keyringKey } from './keyring.ts';
import { deadLetters } from './letters.ts';
import { fitLocalStack } from './localstack.ts';
import type { Parameters } from './parameters.ts';
import { permissionsOf, type Resources } from './permissions.ts';
import { ledgerTable } from './table.ts';
import {
  type Group,
  groups,
  groupTimeoutSeconds,
  type Woken,
  type Worker,
  workers,
} from './topology.ts';
import {
  type Station,
  type Stations,
  wakeByRules,
  wakeBySchedules,
  wakeByStreams,
} from './waking.ts';

type Environment = Readonly<Record<string, string>>;

/** One ledger service in one account and region. */
export class LedgerStack extends Stack {
  constructor(scope: Construct, id: string, parameters: Parameters, props?: StackProps) {
    super(scope, id, { description: 'Countersign: a ledger that you own.', ...props });
    const bus = ledgerBus(this);
    const resources: Resources = { ...ledgerTable(this), keyring: keyringKey(this), bus };
    const api = gateway(this);
    const serverUrls = parameters.serverUrls ?? [addressOf(api)];
    const environment = {
      TABLE_NAME: resources.table.tableName,
      KMS_KEY_ID: resources.keyring.keyArn,
      LEDGER_HANDLE: parameters.ledger,
      SERVER_URLS: serverUrls.join(','),
    };
    this.#answer(api, environment, resources);
    this.#make(api, environment, resources);
    this.#tell(environment, resources);
    new CfnOutput(this, 'Address', {
      value: serverUrls[0] ?? '',
      description: 'The base address.',
    });
    new CfnOutput(this, 'TableName', { value: resources.table.tableName });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
    if (parameters.localstack) fitLocalStack(this, parameters.localstack);
  }

  /** The functions that answer the API. */
  #answer(api: RestApi, environment: Environment, resources: Resources): void {
    for (const group of Object.keys(groups) as Group[]) {
      const handler = ledgerFunction(this, group, {
        description: `Answers the endpoints of ${group}.`,
        timeoutSeconds: groupTimeoutSeconds,
        environment,
        permissions: permissionsOf(group, resources),
      });
      mount(api, group, handler);
    }
  }

  /** The default ledger: made last, when its maker's permissions have reached every part of AWS. */
  #make(api: RestApi, environment: Environment, resources: Resources): void {
    const handler = this.#worker('found', environment, resources);
    new Trigger(this, 'Founding', { handler, executeAfter: [api] });
  }

  /** The workers that tell what has happened, what wakes them, and what watches over them. */
  #tell(environment: Environment, resources: Resources): void {
    const { bus } = resources;
    const stationOf = (worker: Woken, known: Environment): Station => {
      const letters = deadLetters(this, worker);
      return { handler: this.#worker(worker, known, { ...resources, letters }), letters };
    };
    const knowingBus = { ...environment, EVENT_BUS_NAME: bus.eventBusName };
    const stations: Stations = {
      relay: stationOf('relay', knowingBus),
      courier: stationOf('courier', environment),
      sweeper: stationOf('sweeper', knowingBus),
      reporter: stationOf('reporter', environment),
    };
    wakeByStreams(resources, stations);
    wakeByRules(this, bus, stations);
    wakeBySchedules(this, stations);
    new Alarms(this, 'Alarms', stations);
  }

  #worker(worker: Worker, environment: Environment, resources: Resources): Lambda {
    const { does: description, ...limits } = workers[worker];
    const permissions = permissionsOf(worker, resources);
    return ledgerFunction(this, worker, { description, ...limits, environment, permissions });
  }
}
