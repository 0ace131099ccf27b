/** Rule sources: the places of a ledger's access rules, and those that count for a query. Rulings 30, 31 and 38. */
import { type Kind, lineOf, withinOf } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Conditions, Rule } from '../ledger/rule.ts';
import {
  any,
  domainOfSource,
  isByPolicy,
  isInReach,
  isReached,
  policiesNamedAt,
  type RuleSource,
  ruleSourceOf,
  rulesAbout,
  rulesOfLedger,
  serverRules,
  systemRules,
  withPolicies,
} from '../ledger/rule-source.ts';
import { governed, governs, hasCounter, type Rulebook } from '../ledger/rulebook.ts';
import { lineageAmong, sharesOf } from '../ledger/shares.ts';
import { inactive } from '../ledger/vouching.ts';
import type { Call } from '../port/action.ts';
import type { PermissionQuery } from '../port/permission-query.ts';
import { extendedOr } from '../record/extension.ts';
import { isInactive } from '../record/inactive.ts';
import { domainsAbove, domainsFrom, lineageOf } from '../record/lineage.ts';
import { oncePerCall } from '../record/once-per-call.ts';
import { domainOfRecord, recordNamed } from '../record/place.ts';

/** Facts about a ledger that every decision of a request needs. */
export interface LedgerContext {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
}

/** Bounds on reading all domains, so that a refusal stays cheap. */
const pageLength = 100;
const pageCountMax = 10;
/** Bounds on policies that are named by domains or lie in them: in all, and for one domain. */
const policiesForDomains = { all: 1_000, most: 100 };

/** True once the ledger has any access rule. Ruling 31, Decision 47. */
export function isGoverned({ home, rulebook }: LedgerContext): boolean {
  return hasCounter(rulebook, governed) || (home !== undefined && governs('ledger', home));
}

/** The rule sources for every record: server, ledger, the callers' circles, and those with outward rules. */
export async function ruleSourcesIn(
  call: Call,
  { home }: LedgerContext,
  own: readonly Version[],
): Promise<RuleSource[]> {
  const server: RuleSource = { place: 'server', rules: [...serverRules, ...systemRules] };
  if (isPolicyBased(home)) return [server];
  const scope = call.ledger.handle;
  const outward = await call.services.store.indexed(scope, 'circle', 'outward', 'recent');
  const active = outward.filter((one) => !isInactive(one));
  const circles = new Map([...own, ...active].map((one) => [one.record.luid, one.record]));
  return [
    server,
    { place: 'ledger', name: scope, rules: ledgerRulesOf(home), covers: 'ledger' },
    ...[...circles.values()].map(({ data, meta }) => ruleSourceOf('circle', data, meta)),
  ];
}

/**
 * The rule sources that count for this record: its domains, its parent and itself. With the policy-based strategy they
 * are the policies about its kind.
 */
export async function ruleSourcesAt(
  call: Call,
  { home }: LedgerContext,
  query: PermissionQuery,
): Promise<RuleSource[]> {
  const { kind, record, placedKind } = query;
  if (isPolicyBased(home)) {
    const names = policiesOf(placedKind ?? kind, query.about);
    return oncePerCall(call, `policies ${names}`, () => policiesFor(call, names));
  }
  const [domains, parent] = await Promise.all([
    query.isEverywhere && query.within === undefined
      ? allDomains(call)
      : lineageOf(call, await domainAt(call, query)),
    placedKind ? [] : ruleSourcesOfParent(call, query),
  ]);
  // The rules of circles and of the ledger are among the general sources already.
  const stands = kind === 'circle' || kind === 'ledger';
  const reaches = !placedKind || isReached(kind, placedKind);
  const own = record && reaches && !stands ? [ruleSourceOf(kind, record.data)] : [];
  const above = domains.map(({ record }) => ruleSourceOf('domain', record.data, record.meta));
  return [...above, ...parent, ...own];
}

/**
 * The domains of the record in question, nearest first; undefined when it could be in any domain, as rows of a list. A
 * record that would be created in a domain lies in it. A query about all possible records includes those in no domain.
 */
export async function liesIn(call: Call, query: PermissionQuery): Promise<string[] | undefined> {
  const { kind, record, draft, placedKind, domain, within, extent } = query;
  const isSomewhere = record ?? draft ?? domain ?? within;
  if (isSomewhere === undefined) return extent === 'all' ? [] : undefined;
  const lies = await domainsFrom(call, await domainAt(call, query));
  return record && placedKind && kind === 'domain' ? [record.data.handle, ...lies] : lies;
}

/** The parent domain of each domain with rules, and of their ancestors. */
export function above(
  call: Call,
  sources: readonly RuleSource[],
): Promise<ReadonlyMap<string, string>> {
  const domains = new Set(sources.flatMap((one) => domainOfSource(one) ?? []));
  const own = sources.filter(({ place }) => place === 'domain');
  return domainsAbove(call, [...domains], new Map(own.map((one) => [one.name ?? '', one.within])));
}

/** The domain of the record in question; rows of a list lie in the domain of their parent. */
async function domainAt(call: Call, query: PermissionQuery): Promise<string | undefined> {
  const { kind, record, draft, domain } = query;
  if (record) return domainOfRecord(call, kind, record);
  return draft?.domain ?? domain ?? (await parentOf(call, query))?.record.meta.domain;
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
async function ruleSourcesOfParent(call: Call, query: PermissionQuery): Promise<RuleSource[]> {
  const { within } = lineOf(query.kind);
  const parent = within === 'circle' ? undefined : await parentOf(call, query);
  return parent && within ? [ruleSourceOf(within, parent.record.data)] : [];
}

/** The parent of the record in question, or of the listed ones. */
async function parentOf(call: Call, { kind, record, draft, ...query }: PermissionQuery) {
  const { within } = lineOf(kind);
  const data = record?.data ?? draft?.data;
  const handle = data ? withinOf(kind, data) : query.within;
  if (!within || handle === undefined) return undefined;
  return recordNamed(call, { kind: within, handle });
}

/** The index values of policies about a kind, its proofs, or the subject of the query. Ruling 77. */
function policiesOf(kind: Kind, about: string = kind): string[] {
  return [...new Set([kind, `${kind}-proof`, about, any])];
}

/** With the strategy `policy-based`, only active access policies count. Ruling 30. */
async function policiesFor(call: Call, names: readonly string[]): Promise<RuleSource[]> {
  const { store } = call.services;
  const scope = call.ledger.handle;
  const found = await Promise.all(
    names.map((one) => store.indexed(scope, 'policy', one, 'recent')),
  );
  return Promise.all(
    found.flat().map(async (policy) => {
      const laid = await rulesOfPolicy(call, policy);
      return { place: 'policy', name: policy.record.data.handle, covers: any, ...laid };
    }),
  );
}

/** The rules of a policy, and the domain in which they hold. */
type PolicyRules = Pick<RuleSource, 'rules' | 'domain'>;

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
  sources: readonly RuleSource[],
  lies: readonly string[] | undefined,
): Promise<readonly RuleSource[]> {
  const near = sources.filter((one) => isInReach(one, lies) && policiesNamedAt(one).length > 0);
  if (near.length === 0) return sources;
  const shares = lies ? undefined : sharesIn(near, await above(call, near), policiesForDomains);
  const handles = near.flatMap((one) => {
    const domain = domainOfSource(one);
    const names = policiesNamedAt(one);
    const share = domain === undefined ? undefined : shares?.get(domain);
    if (domain === undefined || share === undefined) return names;
    shares?.set(domain, Math.max(0, share - names.length));
    return names.slice(0, share);
  });
  return withPolicies(sources, await rulesNamed(call, [...new Set(handles)]));
}

/** The share of each domain among the given sources. */
function sharesIn(
  sources: readonly RuleSource[],
  domains: ReadonlyMap<string, string>,
  bounds: Parameters<typeof sharesOf>[1],
): Map<string, number> {
  const names = new Set(sources.flatMap((one) => domainOfSource(one) ?? []));
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
  const known = oncePerCall(call, 'policy rules', () => new Map<string, Promise<PolicyRules>>());
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
