/**
 * The names of a server that only this machine reaches. A page of the web can turn its own name to this machine (DNS
 * rebinding): for the browser it is then of the origin that it asks, and reads all answers. Its requests have that name
 * in `host`, so other names than these are refused.
 */
import { isIP } from 'node:net';
import { isLoopback } from './listen.ts';
import { optionalVariable, variable } from './variables.ts';

/** This machine, as a container of it calls it. */
const fromContainer = 'host.docker.internal';

/** True for a `host` of a request that is for this server: an address, `localhost`, or a host of `LEDGER_URLS`. RFC 9110 7.2. */
export type IsOwnName = (host: string | undefined) => boolean;

/** The check for a server that only this machine reaches; undefined for others, whose names are not known. */
export function ownNames(): IsOwnName | undefined {
  if (!isLoopback(variable('LEDGER_HOST'))) return undefined;
  const urls = optionalVariable('LEDGER_URLS')?.split(',') ?? [];
  const names = new Set([fromContainer, ...urls.map((url) => nameOf(new URL(url).host))]);
  return (host) => {
    // Browsers always send one.
    if (host === undefined) return true;
    const name = nameOf(host);
    return isIP(name) !== 0 || /(^|\.)localhost$/.test(name) || names.has(name);
  };
}

/** The name or address, without port, brackets and the dot at the end. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$|\.$/, '$1');
}
