/** The rules that stand in a ledger, and because of a record, as they are now. Rulings 30, 31 and 38. */
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
import { withExtended } from '../record/extension.ts';
import { isInactive } from '../record/inactive.ts';
import { domainsAbove, domainsFrom, lineageOf } from '../record/lineage.ts';
import { domainOfRecord, recordNamed } from '../record/place.ts';
import { remembered } from '../record/remembered.ts';

/** What all decisions of one request have in common. */
export interface Ground {
  readonly home: LedgerRecord | undefined;
  readonly rulebook: Rulebook | undefined;
}

/** How many domains are read at a time where all are asked, and how often: a refusal must not cost more. */
const pageLength = 100;
const pageCountMax = 10;
/** How many policies are read that domains name, and what is made in them, where all are asked; and how many of one. */
const policiesForDomains = { all: 1_000, most: 100 };

/** Whether anybody ever said anything about who may do what. Ruling 31, Decision 47. */
export function isGoverned({ home, rulebook }: Ground): boolean {
  return hasRule(rulebook, governed) || (home !== undefined && governs('ledger', home));
}

/** The rules that stand whatever record is asked about; of circles, those of the callers and outward ones. */
export async function standingsIn(
  call: Call,
  { home }: Ground,
  own: readonly Version[],
): Promise<Standing[]> {
  const server: Standing = { place: 'server', rules: [...serverRules, ...systemRules] };
  if (isByPolicies(home)) return [server];
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

/** The rules that stand because of the record: its domains', its own, and with policies those on its kind. */
export async function standingsAt(call: Call, { home }: Ground, asked: Asked): Promise<Standing[]> {
  const { kind, record, beside } = asked;
  if (isByPolicies(home)) {
    const names = policiesOf(beside ?? kind, asked.about);
    return remembered(call, `policies ${names}`, () => policiesFor(call, names));
  }
  const [domains, parent] = await Promise.all([
    asked.isEverywhere && asked.within === undefined
      ? allDomains(call)
      : lineageOf(call, await domainAt(call, asked)),
    beside ? [] : standingsOfParent(call, asked),
  ]);
  // A circle's rules stand for its members wherever they are, and the ledger's for all: once already.
  const stands = kind === 'circle' || kind === 'ledger';
  const reaches = !beside || isReached(kind, beside);
  const own = record && reaches && !stands ? [standingOf(kind, record.data)] : [];
  const above = domains.map(({ record }) => standingOf('domain', record.data, record.meta));
  return [...above, ...parent, ...own];
}

/**
 * The domains that what is asked about lies in, nearest first; undefined where it could lie in any, as the rows of a
 * list. What would be made in a domain lies in that domain. Of all that there could be some lies in none.
 */
export async function liesIn(call: Call, asked: Asked): Promise<string[] | undefined> {
  const { kind, record, draft, beside, domain, within, extent } = asked;
  const isSomewhere = record ?? draft ?? domain ?? within;
  if (isSomewhere === undefined) return extent === 'all' ? [] : undefined;
  const lies = await domainsFrom(call, await domainAt(call, asked));
  return record && beside && kind === 'domain' ? [record.data.handle, ...lies] : lies;
}

/** In which domain each one lies where rules were laid down, and each of those. */
export function above(
  call: Call,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, string>> {
  const domains = new Set(standings.flatMap((one) => domainOfStanding(one) ?? []));
  const own = standings.filter(({ place }) => place === 'domain');
  return domainsAbove(call, [...domains], new Map(own.map((one) => [one.name ?? '', one.within])));
}

/** The domain that what is asked about lies in; the rows of a list lie where the record does that they belong to. */
async function domainAt(call: Call, asked: Asked): Promise<string | undefined> {
  const { kind, record, draft, domain } = asked;
  if (record) return domainOfRecord(call, kind, record);
  return draft?.domain ?? domain ?? (await parentOf(call, asked))?.record.meta.domain;
}

/** All domains of the ledger, or those that changed last. */
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

/** The rules of the record that this one belongs to: a signer's for its factors. Those of a circle stand already. */
async function standingsOfParent(call: Call, asked: Asked): Promise<Standing[]> {
  const { within } = lineOf(asked.kind);
  const parent = within === 'circle' ? undefined : await parentOf(call, asked);
  return parent && within ? [standingOf(within, parent.record.data)] : [];
}

/** The record that this one belongs to, or that those of a list do. */
async function parentOf(call: Call, { kind, record, draft, ...asked }: Asked) {
  const { within } = lineOf(kind);
  const data = record?.data ?? draft?.data;
  const handle = data ? withinOf(kind, data) : asked.within;
  if (!within || handle === undefined) return undefined;
  return recordNamed(call, { kind: within, handle });
}

/** What policies name that speak of a kind, or of its proofs, and of what is asked about. Ruling 77. */
function policiesOf(kind: Kind, about: string = kind): string[] {
  return [...new Set([kind, `${kind}-proof`, about, any])];
}

/** With the strategy `policy-based`, only active policies for access speak. Ruling 30. */
async function policiesFor(call: Call, names: readonly string[]): Promise<Standing[]> {
  const { store } = call.services;
  const scope = call.ledger.handle;
  const found = await Promise.all(names.map((one) => store.indexed(scope, 'policy', one)));
  return Promise.all(
    found.flat().map(async (policy) => {
      const laid = await laidBy(call, policy);
      return { place: 'policy', name: policy.record.data.handle, covers: any, ...laid };
    }),
  );
}

/** The rules that a policy lays down, and how far they reach. */
type Laid = Pick<Standing, 'rules' | 'domain'>;

function grantsAccess({ record }: Version): boolean {
  return record.data.schema === 'access' && record.meta.status !== inactive;
}

/**
 * The rules of a policy and of those that it extends, none of them about more than it is itself, and where it was made.
 * Decision 29.
 */
async function laidBy(call: Call, policy: Version): Promise<Laid> {
  const { data: own, meta } = policy.record;
  const { domain } = meta;
  if (!grantsAccess(policy)) return { rules: [] };
  const all = await withExtended(call, [policy]);
  const rules = all.filter(grantsAccess).flatMap(({ record: { data } }) => {
    const values = rulesAbout(String(data['record']), data['values'] as Rule[]);
    const filters = [...new Set([own['filter'], data['filter']])] as (Conditions | undefined)[];
    const about = filters.filter((filter) => filter !== undefined);
    return rulesAbout(String(own['record']), values).map((rule) => ({ ...rule, about }));
  });
  return { rules, ...(domain !== undefined && { domain }) };
}

/**
 * The standings with the rules of the policies that they name, as far as they reach what is asked about: what was laid
 * down elsewhere is not read for it. Where it could lie anywhere, each domain has its share of all that is read.
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

/** How much of something the domains have that standings lie in. */
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

/** What policies say; nothing where one is not there. Many records may name the same ones: each is read once, those that are not known together. */
async function rulesNamed(
  call: Call,
  handles: readonly string[],
): Promise<ReadonlyMap<string, Laid>> {
  const known = remembered(call, 'laid down', () => new Map<string, Promise<Laid>>());
  const fresh = handles.filter((handle) => !known.has(handle));
  const scope = call.ledger.handle;
  const wants = fresh.map((handle) => ({ what: 'record', scope, kind: 'policy', handle }) as const);
  const read = fresh.length > 0 ? call.services.store.load(wants) : Promise.resolve([]);
  const lay = async (index: number): Promise<Laid> => {
    const policy = (await read)[index];
    return policy ? laidBy(call, policy) : { rules: [] };
  };
  for (const [index, handle] of fresh.entries()) known.set(handle, lay(index));
  const laid = handles.map(async (handle) => [handle, await known.get(handle)] as const);
  return new Map((await Promise.all(laid)) as (readonly [string, Laid])[]);
}

function ledgerRulesOf(home: LedgerRecord | undefined): readonly Rule[] {
  return home ? rulesOfLedger(home) : [];
}

function isByPolicies(home: LedgerRecord | undefined): boolean {
  return home !== undefined && isByPolicy(home);
}
