/** The address on which the ledger listens: `LEDGER_HOST` and `PORT`. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { stage } from '../../infra/topology.ts';
import { misused } from './failing.ts';
import { variable } from './variables.ts';

/** Addresses that mean all addresses of this machine. */
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** True for an address of this machine that others do not reach. */
export function isLoopback(address: string): boolean {
  return loopback.test(address);
}

/** Listens; resolves once it does. Throws for a port that cannot be had, and names the variable. */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, variable('LEDGER_HOST'));
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw refusalOf(error, port);
  });
}

/** The base address by which a client on this machine reaches the ledger. */
export function addressAt(port: number): string {
  const host = variable('LEDGER_HOST');
  const reached = everywhere.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}/${stage}`;
}

/** A line about an open ledger that others reach; undefined where only this machine reaches it. */
export function warningOf(handle: string, port: number): string | undefined {
  const host = variable('LEDGER_HOST');
  if (isLoopback(host)) return undefined;
  const where = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return `The ledger ${handle} is open: whoever reaches ${where} may do everything, unencrypted. Give a new one an owner by LEDGER_OWNER, or lay down its first rule, and put a proxy with TLS before it.`;
}

function refusalOf(error: NodeJS.ErrnoException, port: number): unknown {
  const options = { cause: error };
  if (error.code === 'EADDRINUSE')
    return new Error(`The port is in use; choose another PORT. ${error.message}`, options);
  if (error.code === 'EADDRNOTAVAIL')
    return misused(
      `LEDGER_HOST is no address of this machine: ${variable('LEDGER_HOST')}.`,
      options,
    );
  if (error.code === 'EACCES')
    return misused(`PORT ${port} may not be used by this user; choose one from 1024 on.`, options);
  return error;
}
