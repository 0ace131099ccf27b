/**
 * The hosts that an operator allows the service to call, if not all public ones: names, IPv4 addresses, and
 * `*.bank.example` for every name below `bank.example`. Decision 76.
 */
import { isIPv4 } from 'node:net';

const labelPattern = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const namePattern = new RegExp(`^(?:\\*\\.)?(?:${labelPattern}\\.)*${labelPattern}$`);

/** Parses hosts, separated by commas; an empty text means all. */
export function hostsOf(text: string): readonly string[] {
  const hosts = text === '' ? [] : text.split(',');
  const wrong = hosts.find((host) => !isHost(host));
  if (wrong !== undefined) throw new Error(`A host to call must be a name, not '${wrong}'.`);
  return hosts;
}

/** True for the name of a host, or of those below it, in lower case. */
export function isHost(text: string): boolean {
  // A URL parser reads `1.2` and `0x7f` as addresses, so they never match a name.
  const isNumber = /(^|\.)(\d+|0x[0-9a-f]*)$/.test(text);
  return text.length <= 253 && namePattern.test(text) && (!isNumber || isIPv4(text));
}

/** True for one of these hosts, and for every host when there are none. */
export function isAmong(hosts: readonly string[], hostname: string): boolean {
  return hosts.length === 0 || hosts.some((host) => isMeant(host, hostname));
}

function isMeant(host: string, hostname: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}
