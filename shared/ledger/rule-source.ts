/**
 * Sources of access rules: the server, the ledger, circles, domains, the record itself, and policies. The source
 * decides what a rule covers, and whom it applies to when the rule itself does not say. Rulings 30 to 32.
 */
import { reaches } from './domain.ts';
import { type Kind, lineOf, nameOf } from './kind.ts';
import { namesIn, type OneOf } from './matcher.ts';
import type { LedgerRecord } from './record.ts';
import type { Conditions, Rule } from './rule.ts';

/** Stands for every action or every kind of record. Ruling 33. */
export const any = 'any';

/** The order in which rules are evaluated. Ruling 30. */
export const places = ['server', 'ledger', 'circle', 'domain', 'record', 'policy'] as const;
type SourcePlace = (typeof places)[number];

/** Rules with their source. */
export interface RuleSource {
  readonly place: SourcePlace;
  readonly rules: readonly Rule[];
  /** The name of the source, unique in its kind. For a circle, its members are known by this name. */
  readonly name?: string;
  /** The kind that rules without `record` cover; undefined for every record in reach. */
  readonly covers?: string;
  /** The domain of a circle or a policy. Its rules reach no further. Ruling 70. */
  readonly domain?: string | undefined;
  /** Of a domain: the domain that contains it. */
  readonly within?: string;
  /** Of a policy: the source whose rules name it. Its rules apply to the same principals as rules there. */
  readonly namedAt?: RuleSource;
}

/** Owners may do everything with their own records, and read them by token. Ruling 30. */
export const serverRules: readonly Rule[] = [
  { action: any, signer: { $record: 'owner' } },
  { action: 'read', bearer: { $signer: { $record: 'owner' } } },
];

/**
 * The rule sources for an access check. A check about `some` records leaves out the rules for owners, since every
 * caller could own some record. Ruling 71.
 */
export function ruleSourcesFor(
  { extent }: { readonly extent?: 'some' | 'all' },
  sources: readonly RuleSource[],
): readonly RuleSource[] {
  if (extent !== 'some') return sources;
  const without = (rules: readonly Rule[]) => rules.filter((rule) => !serverRules.includes(rule));
  return sources.map((one) =>
    one.place === 'server' ? { ...one, rules: without(one.rules) } : one,
  );
}

/** The signer `system`, with the ledger's public key, can be read by everyone, whatever the other rules. Ruling 24. */
export const systemRules: readonly Rule[] = [
  { action: 'read', record: 'signer', filter: { handle: 'system' } },
];

/** The rules of a ledger that was created without `access`: it belongs to its owners alone. Ruling 31. */
export const ownersRules: readonly Rule[] = [
  { action: any, record: any, signer: { $ledger: 'owner' } },
  { action: 'read', record: any, bearer: { $signer: { $ledger: 'owner' } } },
  { action: 'query', record: any, bearer: { $signer: { $ledger: 'owner' } } },
];

/** The same rules for one key, of any signer: the start of a closed ledger. Decision 75. */
export function rulesOfKey(publicKey: string): readonly Rule[] {
  const owner = { public: publicKey };
  return [
    { action: any, record: any, signer: owner },
    { action: 'read', record: any, bearer: { $signer: owner } },
    { action: 'query', record: any, bearer: { $signer: owner } },
  ];
}

/** The rules of a ledger; those for its owners if it was created without any. */
export function rulesOfLedger({
  data,
  meta,
}: Pick<LedgerRecord, 'data' | 'meta'>): readonly Rule[] {
  if (data['access'] === undefined && meta.owners.length > 0) return ownersRules;
  return (data['access'] ?? []) as readonly Rule[];
}

/** True when only policies grant access. Ruling 30. */
export function isByPolicy({ data }: Pick<LedgerRecord, 'data'>): boolean {
  const config = (data['config'] ?? {}) as Readonly<Record<string, unknown>>;
  return config['access.strategy'] === 'policy-based';
}

/**
 * The rules that a record lays down. Those of a circle or a domain are about the records in their reach, even in a
 * question about the circle or domain itself. So a circle's rules never apply to others than its members because the
 * question is about the circle. Ruling 32.
 */
export function ruleSourceOf(
  kind: Kind,
  data: Conditions,
  { domain }: { readonly domain?: string | undefined } = {},
): RuleSource {
  const rules = (data['access'] ?? []) as readonly Rule[];
  const name = nameOf(kind, data);
  if (kind === 'domain')
    return { place: kind, name, rules, ...(domain !== undefined && { within: domain }) };
  if (kind === 'circle')
    return { place: kind, name, rules, ...(domain !== undefined && { domain }) };
  return { place: kind === 'ledger' ? kind : 'record', name, rules, covers: kind };
}

/** The domain whose owner controls the rules; for a policy, that of the source that names it. */
export function domainOfSource(source: RuleSource): string | undefined {
  const { place, name, domain } = source.namedAt ?? source;
  return place === 'domain' ? name : (domain ?? source.domain);
}

/** True when the rules of a record also reach records of another kind, which belong to it or are in it. Decision 48. */
export function isReached(kind: Kind, other: Kind): boolean {
  return kind === 'domain' || lineOf(other).within === kind;
}

/** The rules of an access policy, limited to the records that the policy is for. Ruling 66. */
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
 * Adds the policies that the rules name, after the sources themselves. An absent policy grants nothing, and a policy
 * that names another does not include it. Ruling 30.
 */
export function withPolicies(
  sources: readonly RuleSource[],
  policies: ReadonlyMap<string, Pick<RuleSource, 'rules' | 'domain'>>,
): RuleSource[] {
  const naming = sources.filter(({ place }) => place !== 'policy');
  const named = naming.flatMap((source) =>
    policiesNamedAt(source).flatMap((name) => {
      const policy = policies.get(name);
      return policy ? [{ place: 'policy', name, ...policy, namedAt: source } as const] : [];
    }),
  );
  return [...sources, ...named];
}

/** The policies that rules name, each once, in order of appearance. */
export function policiesNamedBy(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ policy }) => (policy === undefined ? [] : namesIn(policy)));
  return [...new Set(names)];
}

/**
 * The most policies that the rules of one source may name, since each has to be read. Those of a record are read for
 * each row of a list, and any creator of a record can choose them.
 */
export function policyCountMaxAt({ place }: Pick<RuleSource, 'place'>): number {
  return place === 'record' ? 16 : 100;
}

/** The named policies that count. Data from before the limit existed may name more. */
export function policiesNamedAt(source: RuleSource): string[] {
  return policiesNamedBy(source.rules).slice(0, policyCountMaxAt(source));
}

/** The kinds and proofs that a rule covers, or `any`. Ruling 32. */
export function coverageOf({ record }: Rule, source: RuleSource): OneOf {
  const { covers } = source.namedAt ?? source;
  return record ?? covers ?? any;
}

/**
 * True when rules reach a record in these domains, or when the domains are unknown. Rules of a policy reach no further
 * than the source that names it. Ruling 70.
 */
export function isInReach(
  { domain, namedAt }: RuleSource,
  lies: readonly string[] | undefined,
): boolean {
  if (lies === undefined) return true;
  return reaches(domain, lies) && (namedAt === undefined || reaches(namedAt.domain, lies));
}
