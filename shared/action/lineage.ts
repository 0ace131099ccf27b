/** Domains and the ones that they lie in, as far as what is made in one reaches. Rulings 37, 38 and 70. */
import { reaches } from '../ledger/domain.ts';
import type { Version } from '../ledger/record.ts';
import type { Call, Services } from './action.ts';
import type { Scope } from './ports.ts';
import { remembered } from './remembered.ts';

/** How many domains lie in one another at most, as far as they are followed. */
const depthMax = 100;

/** The domain of this handle and those that it lies in, nearest first, as far as they are there. */
async function lineageIn(
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  handle: string | undefined,
): Promise<Version[]> {
  const lineage: Version[] = [];
  let next = handle;
  while (next !== undefined && lineage.length < depthMax) {
    const want = { what: 'record', scope, kind: 'domain', handle: next } as const;
    const [domain] = await store.load([want]);
    if (domain) lineage.push(domain);
    next = domain?.record.meta.domain;
  }
  return lineage;
}

/** The same, read once for a request. */
export function lineageOf(call: Call, handle: string | undefined): Promise<Version[]> {
  return remembered(call, `domains ${handle}`, () =>
    lineageIn(call.services, call.ledger.handle, handle),
  );
}

/** The handles of a domain and of those that it lies in, nearest first; none without a domain. */
export async function domainsFrom(call: Call, handle: string | undefined): Promise<string[]> {
  return namesFrom(handle, await lineageOf(call, handle));
}

/** Whether what was made in a domain, or in none, reaches what lies in another. Nothing is read where it is the same. */
export async function reachesTo(
  call: Call,
  made: string | undefined,
  lies: string | undefined,
): Promise<boolean> {
  if (made === undefined || made === lies) return true;
  return lies !== undefined && reaches(made, await domainsFrom(call, lies));
}

/** The same where no request asks. */
export async function reachesIn(
  services: Pick<Services, 'store'>,
  scope: Scope,
  made: string | undefined,
  lies: string | undefined,
): Promise<boolean> {
  if (made === undefined || made === lies) return true;
  return lies !== undefined && reaches(made, await domainsIn(services, scope, lies));
}

/** The handles of a domain and of those that it lies in, nearest first, where no request asks. */
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
