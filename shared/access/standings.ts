/** Rule sources: the places of a ledger's access rules, and those that count for a query. Rulings 30, 31 and 38. */
import { type Kind, lineOf, withinOf } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Conditions, Rule } from '../ledger/rule.ts';
import { governed, governs, hasRule, type Rulebook } from '../ledger/rulebook.ts';
import { lineageAmong, sharesOf } from '../ledger/shares.ts';
import {
  any,
  domainOfStanding,
  isByPolicy,
  isInReach,
  isReached,
  policiesNamedAt,
  rulesAbout,
  rulesOfLedger,
  type Standing,
  serverRules,
  standingOf,
  systemRules,
  withPolicies,
} from '../ledger/standing.ts';
import { inactive } from '../ledger/vouching.ts';
import type { Call } from '../port/action.ts';
import type { Asked } from '../port/asked.ts';
import { extendedOr } from '../record/extension.ts';
import { isInactive } from '../record/inactive.ts';
import { domainsAbove, domainsFrom, lineageOf } from '../record/lineage.ts';
import { domainOfRecord, recordNamed } from '../record/place.ts';
import { remembered } from '../record/remembered.ts';

/** Facts about a ledger that every decision of a request needs. */
export interface Ground {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
}

/** Bounds on reading all domains, so that a refusal stays cheap. */
const pageLength = 100;
const pageCountMax = 10;
/** Bounds on policies that are named by domains or lie in them: in all, and for one domain. */
const policiesForDomains = { all: 1_000, most: 100 };

/** True once the ledger has any access rule. Ruling 31, Decision 47. */
export function isGoverned({ home, rulebook }: Ground): boolean {
  return hasRule(rulebook, governed) || (home !== undefined && governs('ledger', home));
}

/** The rule sources for every record: server, ledger, the callers' circles, and those with outward rules. */
export async function standingsIn(
  call: Call,
  { home }: Ground,
  own: readonly Version[],
): Promise<Standing[]> {
  const server: Standing = { place: 'server', rules: [...serverRules, ...systemRules] };
  if (isPolicyBased(home)) return [server];
  const scope = call.ledger.handle;
  const outward = await call.services.store.indexed(scope, 'circle', 'outward');
  const active = outward.filter((one) => !isInactive(one));
  const circles = new Map([...own, ...active].map((one) => [one.record.luid, one.record]));
  return [
    server,
    { place: 'ledger', name: scope, rules: ledgerRulesOf(home), covers: 'ledger' },
    ...[...circles.values()].map(({ data, meta }) => standingOf('circle', data, meta)),
  ];
}

/**
 * The rule sources that count for this record: its domains, its parent and itself. With the policy-based strategy they
 * are the policies about its kind.
 */
export async function standingsAt(call: Call, { home }: Ground, asked: Asked): Promise<Standing[]> {
  const { kind, record, beside } = asked;
  if (isPolicyBased(home)) {
    const names = policiesOf(beside ?? kind, asked.about);
    return remembered(call, `policies ${names}`, () => policiesFor(call, names));
  }
  const [domains, parent] = await Promise.all([
    asked.isEverywhere && asked.within === undefined
      ? allDomains(call)
      : lineageOf(call, await domainAt(call, asked)),
    beside ? [] : standingsOfParent(call, asked),
  ]);
  // The rules of circles and of the ledger are among the general sources already.
  const stands = kind === 'circle' || kind === 'ledger';
  const reaches = !beside || isReached(kind, beside);
  const own = record && reaches && !stands ? [standingOf(kind, record.data)] : [];
  const above = domains.map(({ record }) => standingOf('domain', record.data, record.meta));
  return [...above, ...parent, ...own];
}

/**
 * The domains of the record in question, nearest first; undefined when it could be in any domain, as rows of a list. A
 * record that would be created in a domain lies in it. A query about all possible records includes those in no domain.
 */
export async function liesIn(call: Call, asked: Asked): Promise<string[] | undefined> {
  const { kind, record, draft, beside, domain, within, extent } = asked;
  const isSomewhere = record ?? draft ?? domain ?? within;
  if (isSomewhere === undefined) return extent === 'all' ? [] : undefined;
  const lies = await domainsFrom(call, await domainAt(call, asked));
  return record && beside && kind === 'domain' ? [record.data.handle, ...lies] : lies;
}

/** The parent domain of each domain with rules, and of their ancestors. */
export function above(
  call: Call,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, string>> {
  const domains = new Set(standings.flatMap((one) => domainOfStanding(one) ?? []));
  const own = standings.filter(({ place }) => place === 'domain');
  return domainsAbove(call, [...domains], new Map(own.map((one) => [one.name ?? '', one.within])));
}

/** The domain of the record in question; rows of a list lie in the domain of their parent. */
async function domainAt(call: Call, asked: Asked): Promise<string | undefined> {
  const { kind, record, draft, domain } = asked;
  if (record) return domainOfRecord(call, kind, record);
  return draft?.domain ?? domain ?? (await parentOf(call, asked))?.record.meta.domain;
}

/** All domains of the ledger, up to a bound, the last changed first. */
async function allDomains({ services, ledger }: Call): Promise<Version[]> {
  const all: Version[] = [];
  for (let index = 0; index < pageCountMax; index += 1) {
    const page = { index, limit: pageLength };
    const domains = await services.store.list(ledger.handle, 'domain', page);
    all.push(...domains);
    if (domains.length < pageLength) break;
  }
  return all;
}

/** The rules of the parent: a signer's count for its factors. A circle's are among the general sources already. */
async function standingsOfParent(call: Call, asked: Asked): Promise<Standing[]> {
  const { within } = lineOf(asked.kind);
  const parent = within === 'circle' ? undefined : await parentOf(call, asked);
  return parent && within ? [standingOf(within, parent.record.data)] : [];
}

/** The parent of the record in question, or of the listed ones. */
async function parentOf(call: Call, { kind, record, draft, ...asked }: Asked) {
  const { within } = lineOf(kind);
  const data = record?.data ?? draft?.data;
  const handle = data ? withinOf(kind, data) : asked.within;
  if (!within || handle === undefined) return undefined;
  return recordNamed(call, { kind: within, handle });
}

/** The index values of policies about a kind, its proofs, or the subject of the query. Ruling 77. */
function policiesOf(kind: Kind, about: string = kind): string[] {
  return [...new Set([kind, `${kind}-proof`, about, any])];
}

/** With the strategy `policy-based`, only active access policies count. Ruling 30. */
async function policiesFor(call: Call, names: readonly string[]): Promise<Standing[]> {
  const { store } = call.services;
  const scope = call.ledger.handle;
  const found = await Promise.all(names.map((one) => store.indexed(scope, 'policy', one)));
  return Promise.all(
    found.flat().map(async (policy) => {
      const laid = await rulesOfPolicy(call, policy);
      return { place: 'policy', name: policy.record.data.handle, covers: any, ...laid };
    }),
  );
}

/** The rules of a policy, and the domain in which they hold. */
type PolicyRules = Pick<Standing, 'rules' | 'domain'>;

function grantsAccess({ record }: Version): boolean {
  return record.data.schema === 'access' && record.meta.status !== inactive;
}

/**
 * The rules of a policy and of those that it extends, each limited to the scope of the policy itself; none where it
 * extends too many. Decision 29.
 */
async function rulesOfPolicy(call: Call, policy: Version): Promise<PolicyRules> {
  const { data: own, meta } = policy.record;
  const { domain } = meta;
  if (!grantsAccess(policy)) return { rules: [] };
  // An error here would refuse every request, also the one that mends the policy.
  const all = await extendedOr(call, [policy], () => []);
  const rules = all.filter(grantsAccess).flatMap(({ record: { data } }) => {
    const values = rulesAbout(String(data['record']), data['values'] as Rule[]);
    const filters = [...new Set([own['filter'], data['filter']])] as (Conditions | undefined)[];
    const about = filters.filter((filter) => filter !== undefined);
    return rulesAbout(String(own['record']), values).map((rule) => ({ ...rule, about }));
  });
  return { rules, ...(domain !== undefined && { domain }) };
}

/**
 * Adds the rules of named policies to the sources that can reach the record; others are not read. When the record could
 * be in any domain, each domain gets a share of the reads.
 */
export async function withNamed(
  call: Call,
  standings: readonly Standing[],
  lies: readonly string[] | undefined,
): Promise<readonly Standing[]> {
  const near = standings.filter((one) => isInReach(one, lies) && policiesNamedAt(one).length > 0);
  if (near.length === 0) return standings;
  const shares = lies ? undefined : sharesIn(near, await above(call, near), policiesForDomains);
  const handles = near.flatMap((one) => {
    const domain = domainOfStanding(one);
    const names = policiesNamedAt(one);
    const share = domain === undefined ? undefined : shares?.get(domain);
    if (domain === undefined || share === undefined) return names;
    shares?.set(domain, Math.max(0, share - names.length));
    return names.slice(0, share);
  });
  return withPolicies(standings, await rulesNamed(call, [...new Set(handles)]));
}

/** The share of each domain among the given sources. */
function sharesIn(
  standings: readonly Standing[],
  domains: ReadonlyMap<string, string>,
  bounds: Parameters<typeof sharesOf>[1],
): Map<string, number> {
  const names = new Set(standings.flatMap((one) => domainOfStanding(one) ?? []));
  return new Map(
    sharesOf(
      [...names].map((name) => lineageAmong(domains, name)),
      bounds,
    ),
  );
}

/** Reads named policies, each once per request and all new ones together. A missing policy has no rules. */
async function rulesNamed(
  call: Call,
  handles: readonly string[],
): Promise<ReadonlyMap<string, PolicyRules>> {
  const known = remembered(call, 'laid down', () => new Map<string, Promise<PolicyRules>>());
  const fresh = handles.filter((handle) => !known.has(handle));
  const scope = call.ledger.handle;
  const wants = fresh.map((handle) => ({ what: 'record', scope, kind: 'policy', handle }) as const);
  const read = fresh.length > 0 ? call.services.store.load(wants) : Promise.resolve([]);
  const lay = async (index: number): Promise<PolicyRules> => {
    const policy = (await read)[index];
    return policy ? rulesOfPolicy(call, policy) : { rules: [] };
  };
  for (const [index, handle] of fresh.entries()) known.set(handle, lay(index));
  const laid = handles.map(async (handle) => [handle, await known.get(handle)] as const);
  return new Map((await Promise.all(laid)) as (readonly [string, PolicyRules])[]);
}

function ledgerRulesOf(home: LedgerRecord | undefined): readonly Rule[] {
  return home ? rulesOfLedger(home) : [];
}

function isPolicyBased(home: LedgerRecord | undefined): boolean {
  return home !== undefined && isByPolicy(home);
}
