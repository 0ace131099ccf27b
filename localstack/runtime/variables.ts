/**
 * Environment variables of the runtime and its commands, with their valid values. An invalid value is refused before
 * anything is made, and never treated as absent.
 */
import { isIP } from 'node:net';
import { isValidPublic } from '../../shared/crypto/key.ts';
import { isOrigin, originsMust } from '../../shared/http/origins.ts';
import { isHost } from '../../shared/outgoing/hosts.ts';
import { NameHandle } from '../../shared/shape/record.ts';
import { ExitError, exitCodes } from './failing.ts';

interface Variable {
  /** The valid values, as text after "must be". */
  readonly must: string;
  readonly isValid: (text: string) => boolean;
  /** The default, also for an empty text. */
  readonly usual?: string;
  /** An empty text is invalid, and not the same as an absent variable. */
  readonly isEmptyInvalid?: true;
}

const threadsPattern = /^[1-9]\d?$/;

const addressMust = 'an http or https address';
const millisecondsMust = 'a whole number of milliseconds, 1 or more';

const variables = {
  PORT: { must: 'a whole number from 0 to 65535', isValid: isPort, usual: '3000' },
  LEDGER_DATA: { must: 'a folder, or :memory:', isValid: () => true, usual: '.countersign' },
  LEDGER_HANDLE: {
    must: 'the handle of a ledger: 1 to 256 letters, digits and _-:.=$/+, without the prefix of a luid',
    isValid: (text) => NameHandle.safeParse(text).success,
    usual: 'main',
  },
  LEDGER_OWNER: {
    must: 'an ed25519 public key in base64, as `countersign key` makes one, or left out',
    isValid: isValidPublic,
    // An unfilled placeholder must not open the ledger.
    isEmptyInvalid: true,
  },
  LEDGER_HOST: {
    must: 'an IP address to listen on, as 127.0.0.1 or 0.0.0.0',
    isValid: (text) => isIP(text) !== 0,
    usual: '127.0.0.1',
  },
  LEDGER_URLS: {
    must: 'http or https base addresses of this server, separated by commas, as https://ledger.example/v2',
    isValid: (text) => text.split(',').every(isAddress),
  },
  LEDGER_THREADS: {
    must: 'a whole number from 1 to 99',
    isValid: (text) => threadsPattern.test(text),
  },
  LEDGER_LOG: {
    must: 'info, error or none',
    isValid: isOneOf('info', 'error', 'none'),
    usual: 'info',
  },
  LEDGER_METRICS: {
    must: 'local, all or none',
    isValid: isOneOf('local', 'all', 'none'),
    usual: 'local',
  },
  LEDGER_LOG_FORMAT: {
    must: 'json or text',
    isValid: isOneOf('json', 'text'),
  },
  OUTGOING_HOSTS: {
    must: 'names of hosts in lower case or IPv4 addresses, separated by commas, as a.example,*.b.example',
    isValid: (text) => text.split(',').every(isHost),
  },
  ALLOWED_ORIGINS: {
    must: originsMust,
    isValid: (text) => text.split(',').every(isOrigin),
    // An empty list could mean none or any, so it is refused.
    isEmptyInvalid: true,
  },
  EFFECTS_PER_SIGNAL: { must: 'a whole number from 1 to 10000', isValid: isCountTo(10_000) },
  SENT_BYTES_PER_SECOND: {
    must: 'a whole number of bytes from 1 to 999999999999',
    isValid: isCountTo(999_999_999_999),
  },
  REPORT_DELAY_MS: {
    must: 'a whole number of milliseconds, 0 or more',
    isValid: (text) => /^\d{1,9}$/.test(text),
  },
  TABLE_NAME: {
    must: 'the name of a table: 3 to 255 letters, digits, dots, dashes and underscores',
    isValid: (text) => /^[\w.-]{3,255}$/.test(text),
    usual: 'countersign',
  },
  DYNAMODB_ENDPOINT: { must: 'an http or https address', isValid: isAddress },
  DYNOXIDE_PATH: { must: 'the path of a program', isValid: () => true },
  OTEL_SDK_DISABLED: { must: 'true or false', isValid: isOneOf('true', 'false') },
  OTEL_EXPORTER_OTLP_ENDPOINT: { must: addressMust, isValid: isAddress },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { must: addressMust, isValid: isAddress },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { must: addressMust, isValid: isAddress },
  OTEL_EXPORTER_OTLP_PROTOCOL: { must: 'http/json', isValid: isOneOf('http/json') },
  OTEL_TRACES_EXPORTER: { must: 'otlp or none', isValid: isOneOf('otlp', 'none') },
  OTEL_METRICS_EXPORTER: { must: 'otlp or none', isValid: isOneOf('otlp', 'none') },
  OTEL_TRACES_SAMPLER: {
    must: 'always_on, always_off or traceidratio, each also with parentbased_ before it',
    isValid: (text) => /^(parentbased_)?(always_on|always_off|traceidratio)$/.test(text),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    must: 'a number from 0 to 1',
    isValid: (text) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text),
  },
  OTEL_METRIC_EXPORT_INTERVAL: { must: millisecondsMust, isValid: isCountTo(999_999_999) },
  OTEL_BSP_SCHEDULE_DELAY: { must: millisecondsMust, isValid: isCountTo(999_999_999) },
  SERVER: {
    must: 'the http or https base address of a ledger',
    isValid: isAddress,
    usual: 'http://127.0.0.1:3000/v2',
  },
  EDGE_PORT: {
    must: 'a whole number from 1 to 65535',
    isValid: (text) => isPort(text) && Number(text) > 0,
    usual: '4566',
  },
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof variables;
/** Variables that have a default. */
type Usual = {
  [One in VariableName]: (typeof variables)[One] extends { usual: string } ? One : never;
}[VariableName];

/** The value of a variable, or its default. */
export function variable(name: Usual): string {
  return given(name) ?? variables[name].usual;
}

/** The value of a variable without a default; undefined when it is absent or empty. */
export function optionalVariable(name: Exclude<VariableName, Usual>): string | undefined {
  return given(name);
}

/** The variables of OpenTelemetry. */
export const telemetryVariables = (Object.keys(variables) as VariableName[]).filter((name) =>
  name.startsWith('OTEL_'),
);

/** Throws an `ExitError` for invalid variables, with a line for each. */
export function assertVariables(...names: readonly VariableName[]): void {
  const errors = names.flatMap((name) => errorOf(name) ?? []);
  const [first, ...advice] = errors;
  if (first !== undefined) throw new ExitError(exitCodes.misconfigured, first, { advice });
}

/** The valid values of a variable, as text after "must be"; undefined when the text is one. */
export function mustOf(name: VariableName, text: string): string | undefined {
  const { must, isValid }: Variable = variables[name];
  return isValid(text) ? undefined : must;
}

function given(name: VariableName): string | undefined {
  assertVariables(name);
  return process.env[name] || undefined;
}

function errorOf(name: VariableName): string | undefined {
  const { must, isValid, isEmptyInvalid }: Variable = variables[name];
  const text = process.env[name];
  if (text === undefined || (text === '' && !isEmptyInvalid) || isValid(text)) return undefined;
  return `${name} must be ${must}, not '${text}'.`;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function isOneOf(...values: readonly string[]): (text: string) => boolean {
  return (text) => values.includes(text);
}

function isCountTo(most: number): (text: string) => boolean {
  return (text) => /^[1-9]\d*$/.test(text) && Number(text) <= most;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
