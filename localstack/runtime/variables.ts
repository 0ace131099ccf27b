/**
 * The variables that the runtime and its commands are told by, each with what it may say. One that says something
 * else is refused before anything is made: what is mistyped must not count as not said.
 */
import { isValidPublic } from '../../shared/crypto/key.ts';
import { isOrigin, originsMust } from '../../shared/http/origins.ts';
import { isHost } from '../../shared/outgoing/hosts.ts';
import { NameHandle } from '../../shared/shape/record.ts';
import { Ending, endCodes } from './failing.ts';

interface Variable {
  /** What it may say, in words that follow "must be". */
  readonly must: string;
  readonly isRight: (text: string) => boolean;
  /** What it says when it is not there, or empty. */
  readonly usual?: string;
  /** Whether it means something else when it is empty than when it is not there. */
  readonly isTold?: true;
}

const threadsPattern = /^[1-9]\d?$/;

const variables = {
  PORT: { must: 'a number from 0 to 65535', isRight: isPort, usual: '3000' },
  LEDGER_DATA: { must: 'a folder, or :memory:', isRight: () => true, usual: '.countersign' },
  LEDGER_HANDLE: {
    must: "the handle of a ledger: 1 to 256 of letters, digits and _-:.=$/+, and no luid's beginning",
    isRight: (text) => NameHandle.safeParse(text).success,
    usual: 'main',
  },
  LEDGER_OWNER: {
    must: 'an ed25519 public key in base64, as `npm run key` makes one, or left out',
    isRight: isValidPublic,
    // A text that was to be filled in and is empty must not open the ledger.
    isTold: true,
  },
  LEDGER_THREADS: { must: 'a number from 1 to 99', isRight: (text) => threadsPattern.test(text) },
  LEDGER_LOG: {
    must: 'info, error or none',
    isRight: (text) => ['info', 'error', 'none'].includes(text),
    usual: 'info',
  },
  OUTGOING_HOSTS: {
    must: 'names of hosts in small letters or IPv4 addresses with commas between, as a.example,*.b.example',
    isRight: (text) => text.split(',').every(isHost),
  },
  ALLOWED_ORIGINS: {
    must: originsMust,
    isRight: (text) => text.split(',').every(isOrigin),
    // None at all would be said otherwise than by leaving the list out.
    isTold: true,
  },
  EFFECTS_PER_SIGNAL: { must: 'a number from 1 to 10000', isRight: isCountTo(10_000) },
  SENT_BYTES_PER_SECOND: {
    must: 'a number of bytes from 1 to 999999999999',
    isRight: isCountTo(999_999_999_999),
  },
  REPORT_DELAY_MS: {
    must: 'a number of milliseconds, 0 or more',
    isRight: (text) => /^\d{1,9}$/.test(text),
  },
  TABLE_NAME: {
    must: 'the name of a table: 3 to 255 letters, digits, dots, dashes and underscores',
    isRight: (text) => /^[\w.-]{3,255}$/.test(text),
    usual: 'countersign',
  },
  DYNAMODB_ENDPOINT: { must: 'an http or https address', isRight: isAddress },
  SERVER: {
    must: 'the http or https base address of a ledger',
    isRight: isAddress,
    usual: 'http://127.0.0.1:3000/v2',
  },
  EDGE_PORT: {
    must: 'a number from 1 to 65535',
    isRight: (text) => isPort(text) && Number(text) > 0,
    usual: '4566',
  },
} as const satisfies Readonly<Record<string, Variable>>;

type Name = keyof typeof variables;
/** Those that say something when nobody set them. */
type Usual = {
  [One in Name]: (typeof variables)[One] extends { usual: string } ? One : never;
}[Name];

/** What a variable says, or what is usual. */
export function variable(name: Usual): string {
  return told(name) ?? variables[name].usual;
}

/** What a variable says that nobody has to set. */
export function optionalVariable(name: Exclude<Name, Usual>): string | undefined {
  return told(name);
}

/** Refuses variables that say what they cannot, a line for each. */
export function assertVariables(...names: readonly Name[]): void {
  const faults = names.flatMap((name) => faultOf(name) ?? []);
  if (faults.length > 0) throw new Ending(endCodes.misconfigured, faults.join('\n'));
}

function told(name: Name): string | undefined {
  assertVariables(name);
  return process.env[name] || undefined;
}

function faultOf(name: Name): string | undefined {
  const { must, isRight, isTold }: Variable = variables[name];
  const text = process.env[name];
  if (text === undefined || (text === '' && !isTold) || isRight(text)) return undefined;
  return `${name} must be ${must}, not '${text}'.`;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function isCountTo(most: number): (text: string) => boolean {
  return (text) => /^[1-9]\d*$/.test(text) && Number(text) <= most;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
