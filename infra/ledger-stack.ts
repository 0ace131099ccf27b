/** The stack: creates everything that `topology.ts` names. */
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { alarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { dashboard } from './dashboard.ts';
import { ledgerFunction, triggerLogs } from './function.ts';
import { addressOf, gateway, mount } from './gateway.ts';
import { adaptToLocalStack } from './localstack.ts';
import type { Parameters } from './parameters.ts';
import { permissionsOf, type Resources } from './permissions.ts';
import { ledgerTable } from './table.ts';
import {
  type FunctionGroup,
  groups,
  groupTimeoutSeconds,
  type InvokedWorker,
  senders,
  type Worker,
  workers,
} from './topology.ts';
import {
  type DeployedWorker,
  type DeployedWorkers,
  deadLetterQueue,
  invokeByRules,
  invokeBySchedules,
  invokeByStreams,
} from './waking.ts';

type Environment = Readonly<Record<string, string>>;

/** One ledger service in one account and region. */
export class LedgerStack extends Stack {
  readonly #parameters: Parameters;

  constructor(scope: Construct, id: string, parameters: Parameters, props?: StackProps) {
    super(scope, id, { description: 'Countersign: a ledger that you own.', ...props });
    this.#parameters = parameters;
    const bus = ledgerBus(this, parameters.archiveDays);
    const ledger = ledgerTable(this, parameters.table);
    const resources: Resources = { ...ledger, keyring: keyringKey(this), bus };
    const api = gateway(this, parameters);
    const serverUrls = parameters.serverUrls ?? [addressOf(api, parameters)];
    // Metrics of stacks beside each other stay apart.
    const namespace = this.stackName;
    const environment = {
      TABLE_NAME: resources.table.tableName,
      KMS_KEY_ID: resources.keyring.keyArn,
      LEDGER_HANDLE: parameters.ledger,
      SERVER_URLS: serverUrls.join(','),
      EFFECTS_PER_SIGNAL: String(parameters.effectsPerSignal),
      METRIC_NAMESPACE: namespace,
      ...(parameters.outgoingHosts && { OUTGOING_HOSTS: parameters.outgoingHosts.join(',') }),
      ...(parameters.allowedOrigins && { ALLOWED_ORIGINS: parameters.allowedOrigins.join(',') }),
    };
    const endpoints = this.#endpointFunctions(api, environment, resources);
    this.#makeDefaultLedger(api, environment, resources);
    const stations = this.#stations(environment, resources);
    const watched = { api, table: resources.table, endpoints, stations, namespace };
    const topic = alarmTopic(this, parameters.alarmEmail);
    dashboard(this, watched, new Alarms(this, 'Alarms', watched, topic));
    this.#output('Address', serverUrls[0] ?? '', 'The base address of the API.');
    this.#output('TableName', resources.table.tableName, 'The DynamoDB table.');
    this.#output('BusName', bus.eventBusName, 'The EventBridge bus of the events.');
    this.#output('AlarmTopicArn', topic.topicArn, 'The SNS topic of the alarms.');
    if (parameters.localstack) adaptToLocalStack(this, parameters.localstack);
  }

  /** Makes a function for each group of endpoints, and mounts it. */
  #endpointFunctions(
    api: RestApi,
    environment: Environment,
    resources: Resources,
  ): Map<FunctionGroup, Lambda> {
    const made = new Map<FunctionGroup, Lambda>();
    for (const group of Object.keys(groups) as FunctionGroup[]) {
      const handler = ledgerFunction(this, group, {
        description: `Answers the endpoints of ${group}.`,
        timeoutSeconds: groupTimeoutSeconds,
        environment,
        logDays: this.#parameters.logDays,
        permissions: permissionsOf(group, resources),
      });
      mount(api, group, handler);
      made.set(group, handler);
    }
    return made;
  }

  /** Runs after the API was made: permissions take a while to reach every part of AWS. */
  #makeDefaultLedger(api: RestApi, environment: Environment, resources: Resources): void {
    const { owner } = this.#parameters;
    const known = { ...environment, ...(owner !== undefined && { LEDGER_OWNER: owner }) };
    const handler = this.#worker('found', known, resources);
    new Trigger(this, 'Founding', { handler, executeAfter: [api] });
    triggerLogs(this, this.#parameters.logDays);
  }

  /** Makes the workers that are invoked again and again, and what invokes them. */
  #stations(environment: Environment, resources: Resources): DeployedWorkers {
    const { bus } = resources;
    const stationOf = (worker: InvokedWorker, known: Environment): DeployedWorker => {
      const deadLetters = deadLetterQueue(this, worker);
      return {
        handler: this.#worker(worker, known, { ...resources, deadLetters }),
        deadLetters,
      };
    };
    const knowingBus = { ...environment, EVENT_BUS_NAME: bus.eventBusName };
    const stations: DeployedWorkers = {
      relay: stationOf('relay', knowingBus),
      courier: stationOf('courier', { ...environment, ...this.#sendLimit('courier') }),
      sweeper: stationOf('sweeper', { ...knowingBus, ...this.#sendLimit('sweeper') }),
      reporter: stationOf('reporter', environment),
    };
    invokeByStreams(resources, stations);
    invokeByRules(this, bus, stations);
    invokeBySchedules(this, stations);
    return stations;
  }

  /** The share of a ledger's byte rate that one process of a worker may send. Decision 86. */
  #sendLimit(worker: (typeof senders)[number]): Environment {
    const processCount = senders.length * workers[worker].concurrency;
    const bytes = Math.floor(this.#parameters.sentBytesPerSecond / processCount);
    return { SENT_BYTES_PER_SECOND: String(bytes) };
  }

  #worker(worker: Worker, environment: Environment, resources: Resources): Lambda {
    const { does: description, ...limits } = workers[worker];
    const permissions = permissionsOf(worker, resources);
    const { logDays } = this.#parameters;
    const props = { description, ...limits, environment, logDays, permissions };
    return ledgerFunction(this, worker, props);
  }

  #output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}

/** Makes the bus, with an archive from which events can be replayed. */
function ledgerBus(scope: Construct, archiveDays: number): EventBus {
  const bus = new EventBus(scope, 'Bus', { description: 'The events of the ledger.' });
  bus.archive('Archive', {
    description: 'Every event of the ledger.',
    eventPattern: { account: [Stack.of(scope).account] },
    retention: Duration.days(archiveDays),
  });
  return bus;
}

/**
 * Makes the key that encrypts the private keys of the ledgers. It is not the table's: a reader of the table has only
 * ciphertext, and decryption requires the name of the ledger. It outlives the stack: without it no ledger can sign.
 */
function keyringKey(scope: Construct): Key {
  return new Key(scope, 'KeyringKey', {
    description: 'Encrypts the private keys of the ledgers.',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
