/**
 * The only file that reads the environment and builds clients. Every function imports what it needs
 * from here, on AWS as offline; nothing in the environment is a secret.
 */
import type { Services } from '../shared/action/action.ts';
import { identities } from '../shared/action/identity.ts';
import { luidMaker } from '../shared/crypto/luid.ts';
import type { Wiring } from '../shared/http/api.ts';
import type { LogLine } from '../shared/http/log.ts';
import { kmsKeyring } from '../shared/keyring/kms.ts';
import { localKeyring } from '../shared/keyring/local.ts';
import { tableClient } from '../shared/store/client.ts';
import { dynamoStore } from '../shared/store/store.ts';
import { semver } from './version.ts';

/** A variable that the deployment always sets. */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

function wire(): Wiring {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  const client = tableClient(endpoint ? { endpoint } : {});
  const store = dynamoStore({ client, tableName: required('TABLE_NAME') });
  const keyFile = process.env['MASTER_KEY_FILE'];
  const keyring = keyFile ? localKeyring(keyFile) : kmsKeyring(required('KMS_KEY_ID'));
  const services: Services = {
    store,
    keyring,
    clock: Date.now,
    luids: luidMaker(),
    identityOf: identities(store, keyring),
    settings: {
      defaultLedger: required('LEDGER_HANDLE'),
      servers: required('SERVER_URLS').split(','),
      semver,
      startedMs: Date.now(),
    },
  };
  return { services, log: logTo(process.env['LEDGER_LOG'] ?? 'info') };
}

/** Writes lines of the level and above: `info`, `error` or `none`. */
function logTo(level: string): (line: LogLine) => void {
  if (level === 'none') return () => {};
  return (line) => {
    if (level === 'info' || line.level === 'error')
      process.stdout.write(`${JSON.stringify(line)}\n`);
  };
}

export const wiring: Wiring = wire();
