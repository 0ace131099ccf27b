/**
 * Where rules stand: on the server, the ledger, circles, domains, the record itself, and in policies. The place
 * says what a rule covers and whom it means when the rule does not. Rulings 30 to 32.
 */
import { reaches } from './domain.ts';
import { type Kind, lineOf, nameOf } from './kind.ts';
import { namesIn, type OneOf } from './matcher.ts';
import type { LedgerRecord } from './record.ts';
import type { Conditions, Rule } from './rule.ts';

/** Every action, every kind of record. Ruling 33. */
export const any = 'any';

/** In this order rules are asked. Ruling 30. */
export const places = ['server', 'ledger', 'circle', 'domain', 'record', 'policy'] as const;
type Place = (typeof places)[number];

/** Rules, and what they stand on. */
export interface Standing {
  readonly place: Place;
  readonly rules: readonly Rule[];
  /** What they stand on, among all of its kind: of a circle, its members are known by it. */
  readonly name?: string;
  /** What its rules without `record` cover; undefined for every record in reach. */
  readonly covers?: string;
  /** The domain in which a circle or a policy was made, beyond which its rules do not reach. Ruling 70. */
  readonly domain?: string | undefined;
  /** Of a domain: the one that it lies in. */
  readonly within?: string;
  /** Of a policy: where it is named. Its rules mean whom they would mean there. */
  readonly namedAt?: Standing;
}

/** Owners may do anything with their own records, and read them by token. Ruling 30. */
export const serverRules: readonly Rule[] = [
  { action: any, signer: { $record: 'owner' } },
  { action: 'read', bearer: { $signer: { $record: 'owner' } } },
];

/** The rules that count for what is asked: of `some` records, all but what everybody has by owning one. Ruling 71. */
export function standingsFor(
  { extent }: { readonly extent?: 'some' | 'all' },
  standings: readonly Standing[],
): readonly Standing[] {
  if (extent !== 'some') return standings;
  const without = (rules: readonly Rule[]) => rules.filter((rule) => !serverRules.includes(rule));
  return standings.map((one) =>
    one.place === 'server' ? { ...one, rules: without(one.rules) } : one,
  );
}

/** The key of a ledger is everyone's to know, whatever its rules are. Ruling 24. */
export const systemRules: readonly Rule[] = [
  { action: 'read', record: 'signer', filter: { handle: 'system' } },
];

/** A ledger that was made without `access` belongs to its owners alone. Ruling 31. */
export const ownersRules: readonly Rule[] = [
  { action: any, record: any, signer: { $ledger: 'owner' } },
  { action: 'read', record: any, bearer: { $signer: { $ledger: 'owner' } } },
  { action: 'query', record: any, bearer: { $signer: { $ledger: 'owner' } } },
];

/** The same for one key, whoever it belongs to: what a closed ledger begins with. Decision 75. */
export function rulesOfKey(publicKey: string): readonly Rule[] {
  const owner = { public: publicKey };
  return [
    { action: any, record: any, signer: owner },
    { action: 'read', record: any, bearer: { $signer: owner } },
    { action: 'query', record: any, bearer: { $signer: owner } },
  ];
}

/** The rules that stand on a ledger; those of its owners where it was made without any. */
export function rulesOfLedger({
  data,
  meta,
}: Pick<LedgerRecord, 'data' | 'meta'>): readonly Rule[] {
  if (data['access'] === undefined && meta.owners.length > 0) return ownersRules;
  return (data['access'] ?? []) as readonly Rule[];
}

/** Whether policies alone say who may do what. Ruling 30. */
export function isByPolicy({ data }: Pick<LedgerRecord, 'data'>): boolean {
  const config = (data['config'] ?? {}) as Readonly<Record<string, unknown>>;
  return config['access.strategy'] === 'policy-based';
}

/**
 * The rules that a record lays down. Those of a circle and of a domain are about what is in their reach, also
 * when the circle or the domain itself is asked about: a circle's rules never mean others than its members
 * because somebody asks for the circle. Ruling 32. Those of a circle do not reach beyond its domain.
 */
export function standingOf(
  kind: Kind,
  data: Conditions,
  { domain }: { readonly domain?: string | undefined } = {},
): Standing {
  const rules = (data['access'] ?? []) as readonly Rule[];
  const name = nameOf(kind, data);
  if (kind === 'domain')
    return { place: kind, name, rules, ...(domain !== undefined && { within: domain }) };
  if (kind === 'circle')
    return { place: kind, name, rules, ...(domain !== undefined && { domain }) };
  return { place: kind === 'ledger' ? kind : 'record', name, rules, covers: kind };
}

/** The domain whose owner has to do with the rules: of a policy that is named in one, that one. */
export function domainOfStanding(standing: Standing): string | undefined {
  const { place, name, domain } = standing.namedAt ?? standing;
  return place === 'domain' ? name : (domain ?? standing.domain);
}

/** Whether the rules of a record are also about records of another kind, which lie in it or belong to it. Decision 48. */
export function isReached(kind: Kind, other: Kind): boolean {
  return kind === 'domain' || lineOf(other).within === kind;
}

/** The rules of a policy for access, none of which reaches beyond what the policy is about. Ruling 66. */
export function rulesAbout(record: string, values: readonly Rule[]): Rule[] {
  return values.flatMap((rule) => {
    const names = namesIn(rule.record ?? record).flatMap((own) => {
      if (record === any || own === record || own === `${record}-proof`) return [own];
      return own === any ? [record] : [];
    });
    const [first, ...others] = names;
    if (first === undefined) return [];
    return [{ ...rule, record: others.length > 0 ? { $in: names } : first }];
  });
}

/**
 * The standings, and after them the policies that their rules name. A policy that is not there grants
 * nothing, and one that names another does not bring it along. Ruling 30.
 */
export function withPolicies(
  standings: readonly Standing[],
  policies: ReadonlyMap<string, Pick<Standing, 'rules' | 'domain'>>,
): Standing[] {
  const naming = standings.filter(({ place }) => place !== 'policy');
  const named = naming.flatMap((standing) =>
    policiesNamedAt(standing).flatMap((name) => {
      const policy = policies.get(name);
      return policy ? [{ place: 'policy', name, ...policy, namedAt: standing } as const] : [];
    }),
  );
  return [...standings, ...named];
}

/** The policies that rules name, each once, in their order. */
export function policiesNamedBy(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ policy }) => (policy === undefined ? [] : namesIn(policy)));
  return [...new Set(names)];
}

/**
 * How many policies the rules that stand somewhere may name. Each has to be read, those of a single record for every
 * row of a list, and whoever may create the record chooses them.
 */
export function policyCountMaxAt({ place }: Pick<Standing, 'place'>): number {
  return place === 'record' ? 16 : 100;
}

/** Those that count: as many as may be named, also where more were before there was a bound. */
export function policiesNamedAt(standing: Standing): string[] {
  return policiesNamedBy(standing.rules).slice(0, policyCountMaxAt(standing));
}

/** What a rule of a standing covers: kinds, their proofs, or `any`. Ruling 32. */
export function coverageOf({ record }: Rule, standing: Standing): OneOf {
  const { covers } = standing.namedAt ?? standing;
  return record ?? covers ?? any;
}

/**
 * Whether the rules of a standing reach what lies in these domains; where that is not known, they could. Those of a
 * policy reach no further than where it is named. Ruling 70.
 */
export function isInReach(
  { domain, namedAt }: Standing,
  lies: readonly string[] | undefined,
): boolean {
  if (lies === undefined) return true;
  return reaches(domain, lies) && (namedAt === undefined || reaches(namedAt.domain, lies));
}
