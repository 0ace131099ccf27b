/**
 * `table.ts` with keys, for functions that sign but neither match patterns nor validate schemas. Those are heavy, so
 * `judging.ts` and `wiring.ts` add them where they are needed.
 */
import { isValidPublic } from '../shared/crypto/key.ts';
import { luidMaker } from '../shared/crypto/luid.ts';
import type { Wiring } from '../shared/http/api.ts';
import { originsOf } from '../shared/http/origins.ts';
import { kmsKeyring } from '../shared/keyring/kms.ts';
import { masterKeyring } from '../shared/keyring/local.ts';
import type { Policy } from '../shared/outgoing/address.ts';
import { hostsOf } from '../shared/outgoing/hosts.ts';
import type { Audits } from '../shared/port/audits.ts';
import type { Backlogs } from '../shared/port/backlogs.ts';
import type { Expiries } from '../shared/port/expiries.ts';
import type { Outbox } from '../shared/port/outbox.ts';
import { dynamoAudits, dynamoBacklogs, dynamoExpiries } from '../shared/store/store.ts';
import { effectsPerSignal } from './bounds.ts';
import { complain, logTo, required } from './environment.ts';
import { servicesAt } from './service-ports.ts';
import { table } from './table.ts';
import { semver } from './version.ts';

/** A request ends within 30 s, and so do its writes. */
const reportDelayMsDefault = 30_000;

/** The services of workers, beside those of endpoints. */
export interface WorkerWiring extends Wiring {
  readonly outbox: Outbox;
  readonly backlogs: Backlogs;
  readonly audits: Audits;
  readonly expiries: Expiries;
  /** The addresses that may be called. Ruling 62. */
  readonly policy: Policy;
  /** The key whose owner alone may change the new default ledger. Decision 75. */
  readonly owner?: string;
  /** The delay of a report after the end of its interval, in milliseconds. Decision 25. */
  readonly reportDelayMs: number;
  /** Logs an error of a worker, which has no caller to answer. */
  readonly complain: (where: string, error: unknown) => void;
}

function wire(): WorkerWiring {
  const { at, outbox } = table;
  const keyFile = process.env['MASTER_KEY_FILE'];
  const keyring = keyFile ? masterKeyring(keyFile) : kmsKeyring(required('KMS_KEY_ID'));
  const owner = ownerOf(process.env['LEDGER_OWNER']);
  // A variable that is set but empty is an error: it must not allow every origin.
  const origins = process.env['ALLOWED_ORIGINS'];
  const services = servicesAt(table, {
    keyring,
    clock: Date.now,
    luids: luidMaker(),
    assertEndpoint: () => notHere('endpoints'),
    patternMaker: () => notHere('patterns'),
    schemaMaker: () => notHere('schemas'),
    settings: {
      defaultLedger: required('LEDGER_HANDLE'),
      servers: required('SERVER_URLS').split(','),
      ...(origins !== undefined && { origins: originsOf(origins) }),
      ...(process.env['TEXT_ONLY'] && { isTextOnly: true }),
      semver,
      startedMs: Date.now(),
      effectsPerSignal,
    },
  });
  return {
    services,
    outbox,
    backlogs: dynamoBacklogs(at),
    audits: dynamoAudits(at),
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

/** Parses the key of the first owner. An invalid key would lock the ledger for ever, so it throws. */
function ownerOf(text: string | undefined): string | undefined {
  // A variable that is set but empty is an error: it must not open the ledger.
  if (text === undefined) return undefined;
  if (!isValidPublic(text))
    throw new Error(`LEDGER_OWNER must be an ed25519 public key in base64, not '${text}'.`);
  return text;
}

/** Calling a missing check throws, so that nothing passes unchecked. */
function notHere(what: string): never {
  throw new Error(`This function judges no ${what}.`);
}

export const signing: WorkerWiring = wire();
