/**
 * Table and keys, for functions that sign in the name of ledgers and judge nothing that callers wrote. What
 * judges is heavy: `judging.ts` and `wiring.ts` add it, for those who need it.
 */

import { isValidPublic } from '../shared/crypto/key.ts';
import { luidMaker } from '../shared/crypto/luid.ts';
import type { Wiring } from '../shared/http/api.ts';
import { originsOf } from '../shared/http/origins.ts';
import { kmsKeyring } from '../shared/keyring/kms.ts';
import { localKeyring } from '../shared/keyring/local.ts';
import type { Policy } from '../shared/outgoing/address.ts';
import { hostsOf } from '../shared/outgoing/hosts.ts';
import type { Services } from '../shared/port/action.ts';
import type { Expiries } from '../shared/port/expiries.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import { identities } from '../shared/record/identity.ts';
import {
  dynamoDeliveries,
  dynamoExpiries,
  dynamoNotes,
  dynamoReports,
} from '../shared/store/store.ts';
import { effectsPerSignal } from './bounds.ts';
import { complain, logTo, required } from './environment.ts';
import { table } from './table.ts';
import { semver } from './version.ts';

/** A request ends within 30 s of its beginning, and with it whatever it was still storing. */
const reportDelayMsDefault = 30_000;

/** What the workers need beside what the endpoints need. */
export interface WorkerWiring extends Wiring {
  readonly outbox: Outbox;
  readonly expiries: Expiries;
  /** Where calls may go. Ruling 62. */
  readonly policy: Policy;
  /** The key whose owner alone may do anything in the default ledger at first. Decision 75. */
  readonly owner?: string;
  /** How long after the end of an interval its report is produced, in milliseconds. Decision 25. */
  readonly reportDelayMs: number;
  /** Writes what went wrong on our side, where nobody waits for an answer. */
  readonly complain: (where: string, error: unknown) => void;
}

function wire(): WorkerWiring {
  const { at, store, catalog, outbox } = table;
  const keyFile = process.env['MASTER_KEY_FILE'];
  const keyring = keyFile ? localKeyring(keyFile) : kmsKeyring(required('KMS_KEY_ID'));
  const owner = ownerOf(process.env['LEDGER_OWNER']);
  // A text that was to be filled in and is empty must not let in everybody.
  const origins = process.env['ALLOWED_ORIGINS'];
  const services: Services = {
    store,
    catalog,
    keyring,
    clock: Date.now,
    luids: luidMaker(),
    identityOf: identities(store, keyring),
    deliveries: dynamoDeliveries(at),
    notes: dynamoNotes(at),
    reports: dynamoReports(at),
    assertEndpoint: () => notHere('endpoints'),
    patternMaker: () => notHere('patterns'),
    schemaMaker: () => notHere('schemas'),
    settings: {
      defaultLedger: required('LEDGER_HANDLE'),
      servers: required('SERVER_URLS').split(','),
      ...(origins !== undefined && { origins: originsOf(origins) }),
      semver,
      startedMs: Date.now(),
      effectsPerSignal,
    },
  };
  return {
    services,
    outbox,
    expiries: dynamoExpiries(at),
    policy: {
      inside: process.env['OUTGOING_INSIDE'] === 'true',
      hosts: hostsOf(process.env['OUTGOING_HOSTS'] ?? ''),
    },
    ...(owner !== undefined && { owner }),
    reportDelayMs: Number(process.env['REPORT_DELAY_MS'] || reportDelayMsDefault),
    complain,
    log: logTo(process.env['LEDGER_LOG'] || 'info'),
  };
}

/** A key of whoever may begin; nobody's would lock the ledger for ever. */
function ownerOf(text: string | undefined): string | undefined {
  // A text that was to be filled in and is empty must not open the ledger.
  if (text === undefined) return undefined;
  if (!isValidPublic(text))
    throw new Error(`LEDGER_OWNER must be an ed25519 public key in base64, not '${text}'.`);
  return text;
}

/** Nothing is let through that nobody has judged. */
function notHere(what: string): never {
  throw new Error(`This function judges no ${what}.`);
}

export const signing: WorkerWiring = wire();
