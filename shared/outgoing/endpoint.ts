/**
 * Checks the text of an endpoint, before any name is resolved. The WHATWG parser brings every notation of a host to one
 * (`2130706433`, `0177.0.0.1` and `127.1` are all `127.0.0.1`). So the rules judge the address that will be called, not
 * its notation. Ruling 62.
 * https://url.spec.whatwg.org/#host-parsing
 */
import { isIP } from 'node:net';
import { LedgerError } from '../ledger/errors.ts';
import { isOpenAddress, type Policy } from './address.ts';
import { isAmong } from './hosts.ts';
import { addressIn } from './url.ts';

/** An endpoint that passed the rules; the addresses of its name are still to be checked. */
export interface Endpoint {
  readonly href: string;
  readonly protocol: 'http:' | 'https:';
  /** A name, or an IP address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The value of the `host` header. RFC 9110 7.2. */
  readonly host: string;
  /** Path and query, as they are sent. */
  readonly path: string;
}

interface EndpointRule {
  readonly isMet: (url: URL, policy: Policy, text: string) => boolean;
  /** The end of the sentence "The endpoint …". Paths and queries may hold secrets and are not named. */
  readonly detail: (url: URL, policy: Policy) => string;
}

const textLengthMax = 2048;

/**
 * Top-level names of private networks, and those reserved from the public DNS: RFC 6761 6.3, RFC 6762 3 and appendix G,
 * RFC 8375, ICANN resolution 2024.07.29.06 (`internal`).
 */
const insideNames: ReadonlySet<string> = new Set([
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
]);

/**
 * Ports of databases, queues and control planes, and those that browsers refuse
 * (https://fetch.spec.whatwg.org/#port-blocking). They are a second defence; the first is the address.
 */
const servicePorts: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 3659,
  4045, 4190, 4222, 5060, 5061, 5432, 5671, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6443, 6566,
  6665, 6666, 6667, 6668, 6669, 6697, 7000, 7001, 8086, 8500, 9042, 9092, 9160, 9200, 9300, 10080,
  10250, 10255, 11211, 15672, 26379, 27017, 27018, 27019,
]);

/**
 * A host as it is written, in letters of which all versions of Node make the same name: ASCII, Latin, Greek, Cyrillic,
 * Chinese, Japanese and Korean, with their wide forms. Of some others, such as U+1E9E and letters that are not shown, Node 22
 * and 24 make two names, or one of them none. Decision 153.
 */
const plainHost =
  /^[!-~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u04bf\u04c1-\u052f\u2460-\u24ff\u3002\u3040-\u3096\u309d-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\uff61]*$/;

/** In order of precedence: the error is that of the first broken rule. */
const rules: readonly EndpointRule[] = [
  {
    isMet: ({ protocol }, { inside }) => protocol === 'https:' || (inside && protocol === 'http:'),
    detail: (_, { inside }) => (inside ? 'must be http or https' : 'must be https'),
  },
  {
    // The parser drops empty credentials, so this rule reads the text.
    isMet: (_url, _policy, text) => !/^[^/]*\/\/[^/?#]*@/.test(text),
    detail: () => 'must not hold credentials',
  },
  {
    isMet: (_url, _policy, text) => !text.includes('#'),
    detail: () => 'must not have a fragment',
  },
  {
    isMet: (_url, _policy, text) => plainHost.test(/\/\/([^/?#]*)/.exec(text)?.[1] ?? ''),
    detail: ({ hostname }) => `must name its host in ASCII: ${hostname}`,
  },
  {
    isMet: ({ hostname }, policy) => !isLiteral(hostname) || isOpenAddress(bare(hostname), policy),
    detail: ({ hostname }) => `must not call ${bare(hostname)}, which is not a public address`,
  },
  {
    isMet: ({ hostname }) => isLiteral(hostname) || isNameText(hostname),
    detail: ({ hostname }) => `names ${hostname}, which is not a host name`,
  },
  {
    isMet: ({ hostname }, policy) => isLiteral(hostname) || isOpenName(hostname, policy),
    detail: ({ hostname }) => `must not call ${hostname}, which is not a public name`,
  },
  {
    isMet: ({ hostname }, { hosts = [] }) => isAmong(hosts, bare(hostname)),
    detail: ({ hostname }) => `must not call ${bare(hostname)}, which this service may not reach`,
  },
  {
    isMet: (url) => isOpenPort(url),
    detail: ({ port }) => `must not call port ${port}`,
  },
];

/** Parses an endpoint; throws `record.invalid` with its name and the broken rule. Ruling 62. */
export function parseEndpoint(text: string, policy: Policy, name = 'The endpoint'): Endpoint {
  const url = urlOf(text, name);
  const broken = rules.find(({ isMet }) => !isMet(url, policy, text));
  if (broken !== undefined) throw refusal(name, broken.detail(url, policy));
  return {
    href: url.href,
    protocol: url.protocol === 'http:' ? 'http:' : 'https:',
    hostname: bare(url.hostname),
    port: portOf(url),
    host: url.host,
    path: `${url.pathname}${url.search}`,
  };
}

/** True for a name of this machine, whatever a resolver answers. RFC 6761 6.3. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Parses a text without the repairs of the parser, which drops spaces and line ends: two readers of one text must not
 * differ.
 */
function urlOf(text: string, name: string): URL {
  if (text.length > textLengthMax)
    throw refusal(name, `must not exceed ${textLengthMax} characters`);
  if (hasSpaceOrControl(text) || text.includes('\\')) {
    throw refusal(name, 'must not hold spaces, control characters or backslashes');
  }
  const url = addressIn(text);
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || !url) {
    throw refusal(name, 'must be an absolute URL');
  }
  return url;
}

function hasSpaceOrControl(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}

function isLiteral(hostname: string): boolean {
  return isIP(bare(hostname)) !== 0;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** True for labels of letters, digits and hyphens, as in certificates, without a dot at the end. RFC 1123 2.1. */
function isNameText(hostname: string): boolean {
  const labels = hostname.split('.');
  const isLabel = (label: string) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
  return hostname.length <= 253 && labels.every(isLabel);
}

/** Refuses a single label: the search list of this machine resolves it, so it leads inside. */
function isOpenName(hostname: string, { inside }: Policy): boolean {
  if (isLoopbackName(hostname)) return inside;
  const labels = hostname.split('.');
  return labels.length > 1 && !insideNames.has(labels.at(-1) ?? '');
}

/** True for the port of the scheme, and for an unprivileged port of no known service. */
function isOpenPort(url: URL): boolean {
  const port = portOf(url);
  return url.port === '' || (port >= 1024 && !servicePorts.has(port));
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}

function refusal(name: string, detail: string): LedgerError {
  return new LedgerError('record.invalid', `${name} ${detail}.`);
}
