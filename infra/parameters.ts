/**
 * The parameters of a deployment, given as CDK context: `npx cdk deploy -c ledger=bank`. An invalid value is refused
 * before anything is built. The command line passes texts only, so a number or a list may be a text.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { isValidPublic } from '../shared/crypto/key.ts';
import { isOrigin, originsMust } from '../shared/http/origins.ts';
import { isHost } from '../shared/outgoing/hosts.ts';
import { NameHandle } from '../shared/shape/record.ts';

export interface Parameters {
  /** The handle of the ledger that answers without `x-ledger`. Ruling 25. */
  readonly ledger: string;
  /** Public key of the ledger's owner, who alone has rights in it at first; without one it is open. Decision 75. */
  readonly owner?: string;
  /** The base addresses that clients use; by default that of the domain, or the API's own. */
  readonly serverUrls?: readonly string[];
  /** A custom domain of the API, and the ARN of its certificate in the same region. */
  readonly domain?: { readonly name: string; readonly certificate: string };
  /** The only hosts that the ledger may call; by default any public one. Decision 76. */
  readonly outgoingHosts?: readonly string[];
  /** The only origins whose pages may read answers; by default any. Decision 82. */
  readonly allowedOrigins?: readonly string[];
  /** The most effects of a ledger with the same signal, and the bytes a second sent for a ledger. Decision 86. */
  readonly effectsPerSignal: number;
  readonly sentBytesPerSecond: number;
  /** The e-mail address that receives alarms. */
  readonly alarmEmail?: string;
  /** Throttling limits of the API: requests a second, and the size of a burst. */
  readonly requestsPerSecond: number;
  readonly requestsAtOnce: number;
  /** Days for which logs are kept, and events in the archive of the bus. */
  readonly logDays: RetentionDays;
  readonly archiveDays: number;
  /** A table to use instead of the stack's own, as after a restore. */
  readonly table?: { readonly name: string; readonly stream: string };
  /** Given when the stack is for LocalStack: the id of its API there. */
  readonly localstack?: string;
}

/** A parameter is unknown, missing or invalid; the message says which, and what it must be. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

function wrong(name: string, must: string, value: unknown): ParameterError {
  const found = value === undefined ? '. It is missing' : `, not ${JSON.stringify(value)}`;
  return new ParameterError(`The parameter ${name} must be ${must}${found}.`);
}

const tableMust = 'the name of a table: 3 to 255 letters, digits, dots, dashes and underscores';

const names: readonly string[] = [
  ...['ledger', 'owner', 'access', 'domain', 'certificate', 'serverUrls', 'outgoingHosts'],
  ...[
    'allowedOrigins',
    'effectsPerSignal',
    'sentBytesPerSecond',
    'alarmEmail',
    'requestsPerSecond',
    'requestsAtOnce',
    'logDays',
    'archiveDays',
  ],
  ...['table', 'tableStream', 'localstack'],
];
/** Names in the context that are CDK's own: all contain a colon or a slash but those that its command line stores. */
const nameOfCdk = /[:/]|^(?:acknowledged|cdk|cli)-/;

const ledgerDefault = 'main';
/** Half of an account's quota for all its APIs in a region, which leaves room for another API. */
const requestsPerSecondDefault = 5_000;
const requestsAtOnceDefault = 2_500;
/** The highest quota that an account can ask API Gateway for. */
const requestsMax = 100_000;
const effectsPerSignalDefault = 100;
const effectsPerSignalMax = 10_000;
const sentBytesPerSecondDefault = 10_000_000;
/** At a lower rate, one event of 400 KB would hold up the next one for minutes. */
const sentBytesPerSecondMin = 100_000;
const sentBytesPerSecondMax = 10_000_000_000;
const archiveDaysDefault = 90;
const archiveDaysMax = 3_650;
const logDays = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const ownKey = `an ed25519 public key in base64, as \`countersign key owner.key\` makes one, or left out with \`access=open\` for a ledger that belongs to nobody`;

/** Reads and checks the parameters in the context of an app. */
export function parametersOf(node: Node): Parameters {
  const all = Object.entries(node.getAllContext() as object);
  return checkedParameters(Object.fromEntries(all.filter(([name]) => !nameOfCdk.test(name))));
}

/**
 * Checks the parameters by name, each as text or as the type that it means. Throws a `ParameterError` for one that is
 * unknown, missing or invalid.
 */
export function checkedParameters(parameters: Readonly<Record<string, unknown>>): Parameters {
  const given = (name: string): unknown => parameters[name];
  assertKnown(Object.keys(parameters));
  const ledger = given('ledger') ?? ledgerDefault;
  const owner = ownerOf(given('access') ?? 'closed', given('owner'));
  const serverUrls = listOf('serverUrls', given('serverUrls'), isServerUrl, serverUrlsMust);
  const outgoingHosts = listOf('outgoingHosts', given('outgoingHosts'), isHost, hostsMust);
  const allowedOrigins = listOf('allowedOrigins', given('allowedOrigins'), isOrigin, originsMust);
  const alarmEmail = given('alarmEmail');
  const domain = domainOf(given('domain'), given('certificate'));
  const table = tableOf(given('table'), given('tableStream'));
  const localstack = given('localstack');
  const count = (name: string, most: number, otherwise: number, least = 1): number =>
    countOf(name, given(name) ?? otherwise, { least, most });
  return {
    ledger: textOf('ledger', ledger, isLedgerHandle, 'the handle of a ledger'),
    ...(owner !== undefined && { owner }),
    ...(serverUrls && { serverUrls }),
    ...(domain && { domain }),
    ...(outgoingHosts && { outgoingHosts }),
    ...(allowedOrigins && { allowedOrigins }),
    ...(alarmEmail !== undefined && {
      alarmEmail: textOf('alarmEmail', alarmEmail, isEmail, 'an e-mail address'),
    }),
    effectsPerSignal: count('effectsPerSignal', effectsPerSignalMax, effectsPerSignalDefault),
    sentBytesPerSecond: count(
      'sentBytesPerSecond',
      sentBytesPerSecondMax,
      sentBytesPerSecondDefault,
      sentBytesPerSecondMin,
    ),
    requestsPerSecond: count('requestsPerSecond', requestsMax, requestsPerSecondDefault),
    requestsAtOnce: count('requestsAtOnce', requestsMax, requestsAtOnceDefault),
    logDays: logDaysOf(given('logDays') ?? RetentionDays.THREE_MONTHS),
    archiveDays: count('archiveDays', archiveDaysMax, archiveDaysDefault),
    ...(table && { table }),
    ...(localstack !== undefined && {
      localstack: textOf('localstack', localstack, isApiId, '1 to 32 small letters and digits'),
    }),
  };
}

/** Refuses unknown names: a misspelt `outgoingHosts` must not allow every host. */
function assertKnown(given: readonly string[]): void {
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ParameterError(`There is no parameter ${unknown}. There are ${names.join(', ')}.`);
}

/** The owner of a closed ledger. A ledger is closed unless `access` is `open`; an open one has no owner. */
function ownerOf(access: unknown, owner: unknown): string | undefined {
  if (access !== 'closed' && access !== 'open') throw wrong('access', 'closed or open', access);
  if (access === 'closed') return textOf('owner', owner, isValidPublic, ownKey);
  if (owner !== undefined) throw wrong('owner', 'left out where access is open', owner);
  return undefined;
}

function isApiId(text: string): boolean {
  return /^[a-z0-9]{1,32}$/.test(text);
}

function domainOf(name: unknown, certificate: unknown): Parameters['domain'] {
  if (name === undefined && certificate === undefined) return undefined;
  const isName = (text: string) => isHost(text) && text.includes('.') && !text.startsWith('*');
  return {
    name: textOf('domain', name, isName, 'a name such as ledger.bank.example, with a certificate'),
    certificate: textOf(
      'certificate',
      certificate,
      (text) => /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/.test(text),
      'the ARN of a certificate for the domain',
    ),
  };
}

function tableOf(name: unknown, stream: unknown): Parameters['table'] {
  if (name === undefined && stream === undefined) return undefined;
  const must = 'the ARN of the stream of the table that the parameter table names';
  const table = textOf('table', name, (text) => /^[\w.-]{3,255}$/.test(text), tableMust);
  const isOfTable = (text: string) =>
    /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\dT:.-]+$/.test(text) &&
    text.includes(`:table/${table}/stream/`);
  return { name: table, stream: textOf('tableStream', stream, isOfTable, must) };
}

function textOf(
  name: string,
  value: unknown,
  isRight: (text: string) => boolean,
  must: string,
): string {
  if (typeof value === 'string' && isRight(value)) return value;
  throw wrong(name, must, value);
}

/** Reads a list, or one text with commas. */
function listOf(
  name: string,
  value: unknown,
  isRight: (text: string) => boolean,
  must: string,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const all: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  const right = all.filter((one) => typeof one === 'string').filter(isRight);
  if (right.length > 0 && right.length === all.length) return right;
  throw wrong(name, must, value);
}

function countOf(
  name: string,
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const isWritten = typeof value === 'string' && /^\d+$/.test(value);
  const count = isWritten ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isInteger(count);
  if (isCount && count >= least && count <= most) return count;
  throw wrong(name, `a whole number from ${least} to ${most}`, value);
}

function logDaysOf(value: unknown): RetentionDays {
  const found = logDays.find((days) => String(days) === String(value));
  if (found !== undefined) return found;
  throw wrong('logDays', `one of ${logDays.join(', ')}`, value);
}

function isLedgerHandle(text: string): boolean {
  return NameHandle.safeParse(text).success;
}

/** A rough check; AWS asks the owner of the address to confirm it. */
function isEmail(text: string): boolean {
  return /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(text);
}

const hostsMust = 'names of hosts in lower case, or *.bank.example for all below a name';
const serverUrlsMust = 'https addresses without a query and without a slash at the end';

function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin, pathname } = new URL(text);
  const isOfThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isOfThisMachine);
  return (
    isProtected && text === `${origin}${pathname === '/' ? '' : pathname}` && !text.endsWith('/')
  );
}
