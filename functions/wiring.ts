/**
 * The only file that reads the environment and builds clients. Every function imports what it needs
 * from here, on AWS as offline; nothing in the environment is a secret.
 */
import { BroadcastChannel } from 'node:worker_threads';
import type { Services } from '../shared/action/action.ts';
import type { Expiries } from '../shared/action/expiries.ts';
import { identities } from '../shared/action/identity.ts';
import type { Outbox } from '../shared/action/outbox.ts';
import { isValidPublic } from '../shared/crypto/key.ts';
import { luidMaker } from '../shared/crypto/luid.ts';
import type { Wiring } from '../shared/http/api.ts';
import type { LogLine } from '../shared/http/log.ts';
import { schemaMaker } from '../shared/json-schema/maker.ts';
import { kmsKeyring } from '../shared/keyring/kms.ts';
import { localKeyring } from '../shared/keyring/local.ts';
import type { Policy } from '../shared/outgoing/address.ts';
import { parseEndpoint } from '../shared/outgoing/endpoint.ts';
import { hostsOf } from '../shared/outgoing/hosts.ts';
import { patternMaker } from '../shared/signal/pattern.ts';
import { tableClient } from '../shared/store/client.ts';
import {
  type DynamoStoreOptions,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoExpiries,
  dynamoNotes,
  dynamoOutbox,
  dynamoReports,
  dynamoStore,
} from '../shared/store/store.ts';
import { metric } from './figures.ts';
import { semver } from './version.ts';

/** A variable that the deployment always sets. */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** A request ends within 30 s of its beginning, and with it whatever it was still storing. */
const reportDelayMsDefault = 30_000;

/** What the workers need beside what the endpoints need. */
export interface WorkerWiring extends Wiring {
  readonly outbox: Outbox;
  readonly expiries: Expiries;
  /** Where calls may go. Ruling 62. */
  readonly policy: Policy;
  /** The key whose owner alone may do anything in the default ledger at first. Decision 78. */
  readonly owner?: string;
  /** How long after the end of an interval its report is produced, in milliseconds. Decision 25. */
  readonly reportDelayMs: number;
  /** Writes what went wrong on our side, where nobody waits for an answer. */
  readonly complain: (where: string, error: unknown) => void;
}

function wire(): WorkerWiring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  const client = tableClient(endpoint ? { endpoint } : {});
  const tableName = required('TABLE_NAME');
  const onConflict = (): void => metric('CommitConflict', 1);
  const nudges = nudging(process.env['OUTBOX_CHANNEL']);
  const store = dynamoStore({ client, tableName, onConflict, ...nudges });
  const policy = {
    inside: process.env['OUTGOING_INSIDE'] === 'true',
    hosts: hostsOf(process.env['OUTGOING_HOSTS'] ?? ''),
  };
  const owner = ownerOf(process.env['LEDGER_OWNER']);
  const keyFile = process.env['MASTER_KEY_FILE'];
  const keyring = keyFile ? localKeyring(keyFile) : kmsKeyring(required('KMS_KEY_ID'));
  const services: Services = {
    store,
    // An emulator takes one write at a time, and those of the requests come first.
    catalog: dynamoCatalog({ client, tableName, ...(endpoint && { batchesAtOnce: 1 }) }),
    keyring,
    clock: Date.now,
    luids: luidMaker(),
    identityOf: identities(store, keyring),
    deliveries: dynamoDeliveries({ client, tableName }),
    notes: dynamoNotes({ client, tableName }),
    reports: dynamoReports({ client, tableName }),
    assertEndpoint: (text) => void parseEndpoint(text, policy),
    patternMaker,
    schemaMaker,
    settings: {
      defaultLedger: required('LEDGER_HANDLE'),
      servers: required('SERVER_URLS').split(','),
      semver,
      startedMs: Date.now(),
    },
  };
  return {
    services,
    outbox: dynamoOutbox({ client, tableName }),
    expiries: dynamoExpiries({ client, tableName }),
    policy,
    ...(owner !== undefined && { owner }),
    reportDelayMs: Number(process.env['REPORT_DELAY_MS'] ?? reportDelayMsDefault),
    complain,
    log: logTo(process.env['LEDGER_LOG'] ?? 'info'),
  };
}

/** A key of whoever may begin; nobody's would lock the ledger for ever. */
function ownerOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!isValidPublic(text))
    throw new Error(`LEDGER_OWNER must be an ed25519 public key in base64, not '${text}'.`);
  return text;
}

function complain(where: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stdout.write(`${JSON.stringify({ level: 'error', where, error: text })}\n`);
}

/** Writes lines of the level and above: `info`, `error` or `none`. */
function logTo(level: string): (line: LogLine) => void {
  if (level === 'none') return () => {};
  return (line) => {
    if (level === 'info' || line.level === 'error')
      process.stdout.write(`${JSON.stringify(line)}\n`);
  };
}

/**
 * Tells the relay which outbox has something new. On AWS the table's stream does that; offline the
 * relay runs in another thread and listens on a channel of this name.
 */
function nudging(channel: string | undefined): Pick<DynamoStoreOptions, 'onStored'> {
  if (!channel) return {};
  const nudges = new BroadcastChannel(channel);
  nudges.unref();
  return { onStored: (places) => nudges.postMessage(places) };
}

export const wiring: WorkerWiring = wire();
