/**
 * Which domain a record belongs to, and how far what is made in one reaches. A record's domain is said when the record
 * is made and never changes. Rulings 37 and 70, Decision 81.
 */
import type { Proof } from '../shape/proof.ts';
import { LedgerError } from './errors.ts';
import { type Kind, lineOf } from './kind.ts';

type Data = Readonly<Record<string, unknown>>;
type Proofs = readonly Pick<Proof, 'custom'>[];

/** The domain that a handle says: what comes after its one `@`. */
export function domainOfHandle(handle: unknown): string | undefined {
  const [, domain, ...more] = typeof handle === 'string' ? handle.split('@') : [];
  return more.length === 0 ? domain : undefined;
}

/**
 * The domains that are said of a new record, the one that counts first: by its handle, else by a proof, else by its
 * data.
 */
export function domainsSaid(data: Data, proofs: Proofs): string[] {
  const said = [
    domainOfHandle(data['handle']),
    ...proofs.map(({ custom }) => custom?.['domain']),
    data['domain'],
  ];
  return said.filter((name) => typeof name === 'string');
}

/** The domain that a new record's authors name; undefined for a record without a domain. */
export function domainOf(data: Data, proofs: Proofs): string | undefined {
  return domainsSaid(data, proofs)[0];
}

/**
 * Refuses a body that says two domains where one is given: by its handle, by another author, or of a domain by its
 * data, which name the one that it lies in. Elsewhere what an author says counts before the data. Ruling 37.
 */
export function assertOneDomain(kind: Kind, data: Data, proofs: Proofs): void {
  const [domain, ...others] = domainsSaid(data, proofs);
  const isGiven = domainOfHandle(data['handle']) !== undefined || kind === 'domain';
  const binding = isGiven ? others : domainsSaid({}, proofs);
  const other = binding.find((name) => name !== domain);
  if (domain !== undefined && other !== undefined) throw otherDomain(kind, data, domain, other);
}

/** The refusal of a domain that is said of what is in another one, or in none. */
export function otherDomain(
  kind: Kind,
  { handle = '' }: Data,
  domain: string | undefined,
  other: string,
): LedgerError {
  const named = `${lineOf(kind).title} ${handle}`.trim();
  const where = domain === undefined ? 'in no domain' : `in the domain ${domain.slice(0, 256)}`;
  return new LedgerError('record.invalid', `${named} is ${where}, not in ${other.slice(0, 256)}.`, {
    ...(domain !== undefined && { domain: domain.slice(0, 256) }),
    said: other.slice(0, 256),
  });
}

/**
 * Whether what was made in a domain reaches what lies in these domains, each of them in the next: only that domain and
 * those in it. What was made in none reaches all. Ruling 70.
 */
export function reaches(made: string | undefined, lies: readonly string[]): boolean {
  return made === undefined || lies.includes(made);
}
