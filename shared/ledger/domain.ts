/**
 * Decides which domain a record belongs to, and which domains its rules reach. The domain is fixed when the record is
 * created. Rulings 37 and 70, Decision 81.
 */
import type { Proof } from '../shape/proof.ts';
import type { PlainObject } from './compare.ts';
import { cut } from './cut.ts';
import { LedgerError } from './errors.ts';
import { type Kind, lineOf } from './kind.ts';

type NamingProofs = readonly Pick<Proof, 'custom'>[];

/** The domain in a handle: the part after its only `@`. */
export function domainOfHandle(handle: unknown): string | undefined {
  const [, domain, ...more] = typeof handle === 'string' ? handle.split('@') : [];
  return more.length === 0 ? domain : undefined;
}

/** The domains that a new record names, in order of precedence: in its handle, in a proof, in its data. */
export function domainsSaid(data: PlainObject, proofs: NamingProofs): string[] {
  const said = [
    domainOfHandle(data['handle']),
    ...proofs.map(({ custom }) => custom?.['domain']),
    data['domain'],
  ];
  return said.filter((name) => typeof name === 'string');
}

/** The domain of a new record; undefined for a record outside all domains. */
export function domainOf(data: PlainObject, proofs: NamingProofs): string | undefined {
  return domainsSaid(data, proofs)[0];
}

/**
 * Throws `record.invalid` for a body that names two domains, or one by no text. In a domain record, or beside a handle
 * that names a domain, every mention must agree. Elsewhere only the authors' proofs must agree; they precede the data.
 * Ruling 37.
 */
export function assertOneDomain(kind: Kind, data: PlainObject, proofs: NamingProofs): void {
  assertDomainsText(proofs);
  const [domain, ...others] = domainsSaid(data, proofs);
  const isGiven = domainOfHandle(data['handle']) !== undefined || kind === 'domain';
  const binding = isGiven ? others : domainsSaid({}, proofs);
  const other = binding.find((name) => name !== domain);
  if (domain !== undefined && other !== undefined) throw otherDomain(kind, data, domain, other);
}

/** Throws `record.invalid` for a proof whose domain is no text: its record would lie in none. Null says no domain. */
function assertDomainsText(proofs: NamingProofs): void {
  const index = proofs.findIndex(({ custom }) => !isTextOrNone(custom?.['domain']));
  if (index < 0) return;
  const detail = `The domain in proof ${index} is neither a text nor null.`;
  throw new LedgerError('record.invalid', detail, { index });
}

function isTextOrNone(domain: unknown): boolean {
  return domain === undefined || domain === null || typeof domain === 'string';
}

/** The error for a body that names another domain than the record's. */
export function otherDomain(
  kind: Kind,
  { handle = '' }: PlainObject,
  domain: string | undefined,
  other: string,
): LedgerError {
  const named = `${lineOf(kind).title} ${handle}`.trim();
  const where = domain === undefined ? 'in no domain' : `in the domain ${cut(domain)}`;
  return new LedgerError('record.invalid', `${named} is ${where}, not in ${cut(other)}.`, {
    ...(domain !== undefined && { domain: cut(domain) }),
    said: cut(other),
  });
}

/**
 * True when something created in a domain reaches a record in the domains `lies`, innermost first. Its reach is its
 * domain and the domains inside it; without a domain it reaches all. Ruling 70.
 */
export function reaches(made: string | undefined, lies: readonly string[]): boolean {
  return made === undefined || lies.includes(made);
}
