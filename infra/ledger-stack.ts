/** The stack: everything of `topology.ts`, put together. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { alarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { ledgerBus } from './bus.ts';
import { dashboard } from './dashboard.ts';
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
  senders,
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
  readonly #parameters: Parameters;

  constructor(scope: Construct, id: string, parameters: Parameters, props?: StackProps) {
    super(scope, id, { description: 'Countersign: a ledger that you own.', ...props });
    this.#parameters = parameters;
    const bus = ledgerBus(this, parameters.archiveDays);
    const ledger = ledgerTable(this, parameters.table);
    const resources: Resources = { ...ledger, keyring: keyringKey(this), bus };
    const api = gateway(this, parameters);
    const serverUrls = parameters.serverUrls ?? [addressOf(api, parameters)];
    const environment = {
      TABLE_NAME: resources.table.tableName,
      KMS_KEY_ID: resources.keyring.keyArn,
      LEDGER_HANDLE: parameters.ledger,
      SERVER_URLS: serverUrls.join(','),
      EFFECTS_PER_SIGNAL: String(parameters.effectsPerSignal),
      ...(parameters.outgoingHosts && { OUTGOING_HOSTS: parameters.outgoingHosts.join(',') }),
      ...(parameters.allowedOrigins && { ALLOWED_ORIGINS: parameters.allowedOrigins.join(',') }),
    };
    const endpoints = this.#answer(api, environment, resources);
    this.#make(api, environment, resources);
    const stations = this.#tell(environment, resources);
    const watched = { api, table: resources.table, endpoints, stations };
    const topic = alarmTopic(this, parameters.alarmEmail);
    dashboard(this, watched, new Alarms(this, 'Alarms', watched, topic));
    this.#say('Address', serverUrls[0] ?? '', 'The base address.');
    this.#say('TableName', resources.table.tableName);
    this.#say('BusName', bus.eventBusName);
    this.#say('AlarmTopicArn', topic.topicArn, 'What is told of alarms.');
    if (parameters.localstack) fitLocalStack(this, parameters.localstack);
  }

  /** The functions that answer the API. */
  #answer(api: RestApi, environment: Environment, resources: Resources): Map<Group, Lambda> {
    const made = new Map<Group, Lambda>();
    for (const group of Object.keys(groups) as Group[]) {
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

  /** The default ledger: made last, when its maker's permissions have reached every part of AWS. */
  #make(api: RestApi, environment: Environment, resources: Resources): void {
    const { owner } = this.#parameters;
    const known = { ...environment, ...(owner !== undefined && { LEDGER_OWNER: owner }) };
    const handler = this.#worker('found', known, resources);
    new Trigger(this, 'Founding', { handler, executeAfter: [api] });
  }

  /** The workers that tell what has happened, and what wakes them. */
  #tell(environment: Environment, resources: Resources): Stations {
    const { bus } = resources;
    const stationOf = (worker: Woken, known: Environment): Station => {
      const letters = deadLetters(this, worker);
      return { handler: this.#worker(worker, known, { ...resources, letters }), letters };
    };
    const knowingBus = { ...environment, EVENT_BUS_NAME: bus.eventBusName };
    const stations: Stations = {
      relay: stationOf('relay', knowingBus),
      courier: stationOf('courier', { ...environment, ...this.#sending('courier') }),
      sweeper: stationOf('sweeper', { ...knowingBus, ...this.#sending('sweeper') }),
      reporter: stationOf('reporter', environment),
    };
    wakeByStreams(resources, stations);
    wakeByRules(this, bus, stations);
    wakeBySchedules(this, stations);
    return stations;
  }

  /** What one process of a worker may send of what a ledger may send in all. Decision 86. */
  #sending(worker: (typeof senders)[number]): Environment {
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

  #say(name: string, value: string, description?: string): void {
    new CfnOutput(this, name, { value, ...(description !== undefined && { description }) });
  }
}
