/**
 * Resolves a name by c-ares. `dns.lookup` waits in the four threads of libuv, where a few dead name servers would hold
 * up every other endpoint (Ruling 61), and it reads the hosts file.
 */
import { Resolver } from 'node:dns/promises';
import { isLoopbackName } from './endpoint.ts';

/** All addresses of a name, in the order to try them; rejects or is empty when there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface KnownAddresses {
  readonly addresses: Promise<readonly string[]>;
  readonly untilMs: number;
}

const knownMs = 5000;
const knownCountMax = 1000;
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** Resolves a name, at most once in 5 s. */
export const resolveName: Resolve = remembering(askServers);

/**
 * Asks once for all callers of a name, and remembers its addresses for 5 s. Each call checks them again, and connects
 * to a checked address, so that an old answer is as safe as a new one.
 */
export function remembering(ask: Resolve): Resolve {
  const known = new Map<string, KnownAddresses>();
  return function resolveOnce(name) {
    const nowMs = performance.now();
    const last = known.get(name);
    if (last !== undefined && last.untilMs > nowMs) return last.addresses;
    const addresses = forgettingNone(known, name, ask(name));
    known.delete(name);
    known.set(name, { addresses, untilMs: nowMs + knownMs });
    // A map keeps the order of its keys: the first one is the oldest.
    const [oldest] = known.keys();
    if (known.size > knownCountMax && oldest !== undefined) known.delete(oldest);
    return addresses;
  };
}

/** Forgets a name without addresses, which may have some at the next call. */
async function forgettingNone(
  known: Map<string, KnownAddresses>,
  name: string,
  pending: Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    const addresses = await pending;
    if (addresses.length === 0) known.delete(name);
    return addresses;
  } catch (error) {
    known.delete(name);
    throw error;
  }
}

/** IPv4 first, because a Lambda function has no way out for IPv6 unless its network gives it one. */
async function askServers(name: string): Promise<readonly string[]> {
  if (isLoopbackName(name)) return ['127.0.0.1', '::1'];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
