/** Domains and their ancestors. A record applies in its domain and in those below it. Rulings 37, 38 and 70. */
import { reaches } from '../ledger/domain.ts';
import type { Version } from '../ledger/record.ts';
import type { Call, Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import { oncePerCall } from './once-per-call.ts';

/** Ancestors are followed this far. */
const depthMax = 100;

/** The domain and its ancestors, nearest first, as far as they exist. */
async function lineageIn(
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  handle: string | undefined,
): Promise<Version[]> {
  const lineage: Version[] = [];
  let next = handle;
  while (next !== undefined && lineage.length < depthMax) {
    const [domain] = await store.load([domainWant(scope, next)]);
    if (domain) lineage.push(domain);
    next = domain?.record.meta.domain;
  }
  return lineage;
}

/** The domain and its ancestors, read once per request. */
export function lineageOf(call: Call, handle: string | undefined): Promise<Version[]> {
  return oncePerCall(call, `domains ${handle}`, () =>
    lineageIn(call.services, call.ledger.handle, handle),
  );
}

/**
 * Maps each domain to its parent, for the given ones and all their ancestors. It reads level by level, each domain
 * once per request. Parents in `known` are not read.
 */
export async function domainsAbove(
  call: Call,
  handles: readonly string[],
  known: ReadonlyMap<string, string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const above = oncePerCall(call, 'above', () => new Map<string, Promise<string | undefined>>());
  const found = new Map<string, string>();
  let level = handles;
  for (let depth = 0; level.length > 0 && depth < depthMax; depth += 1) {
    const fresh = level.filter((handle) => !known.has(handle) && !above.has(handle));
    const wants = fresh.map((handle) => domainWant(call.ledger.handle, handle));
    const read = fresh.length > 0 ? call.services.store.load(wants) : Promise.resolve([]);
    for (const [index, handle] of fresh.entries())
      above.set(
        handle,
        read.then((domains) => domains[index]?.record.meta.domain),
      );
    const next = await Promise.all(
      level.map(async (handle) => {
        const domain = known.has(handle) ? known.get(handle) : await above.get(handle);
        if (domain !== undefined) found.set(handle, domain);
        return domain;
      }),
    );
    level = [...new Set(next)].flatMap((one) => (one === undefined || found.has(one) ? [] : [one]));
  }
  return found;
}

function domainWant(scope: Scope, handle: string) {
  return { what: 'record', scope, kind: 'domain', handle, mayBeRecent: true } as const;
}

/** The handles of a domain and its ancestors, nearest first; empty without a domain. */
export async function domainsFrom(call: Call, handle: string | undefined): Promise<string[]> {
  return namesFrom(handle, await lineageOf(call, handle));
}

/** The outermost ancestor of a domain, or the domain itself. */
export async function outermostOf(
  call: Call,
  domain: string | undefined,
): Promise<string | undefined> {
  return domain === undefined ? undefined : (await domainsFrom(call, domain)).at(-1);
}

/** True when a record of the domain `made` applies in the domain `lies`; one in no domain applies everywhere. */
export async function reachesTo(
  call: Call,
  made: string | undefined,
  lies: string | undefined,
): Promise<boolean> {
  if (made === undefined || made === lies) return true;
  return lies !== undefined && reaches(made, await domainsFrom(call, lies));
}

/** `reachesTo` for workers, which have no request to cache for. */
export async function reachesIn(
  services: Pick<Services, 'store'>,
  scope: Scope,
  made: string | undefined,
  lies: string | undefined,
): Promise<boolean> {
  if (made === undefined || made === lies) return true;
  return lies !== undefined && reaches(made, await domainsIn(services, scope, lies));
}

/** `domainsFrom` for workers, which have no request to cache for. */
export async function domainsIn(
  services: Pick<Services, 'store'>,
  scope: Scope,
  handle: string,
): Promise<string[]> {
  return namesFrom(handle, await lineageIn(services, scope, handle));
}

function namesFrom(handle: string | undefined, lineage: readonly Version[]): string[] {
  const above = lineage.map(({ record }) => record.meta.domain);
  return [handle, ...above].filter((name) => name !== undefined);
}
