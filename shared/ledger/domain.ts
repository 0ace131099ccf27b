/** Which domain a record belongs to. It is said when the record is made and never changes. Ruling 37. */
import type { Proof } from '../shape/proof.ts';

/**
 * The domain that a new record's authors name: in a proof, else in its data, else after the one `@` of
 * its handle; undefined for a record without a domain.
 */
export function domainOf(
  data: Readonly<Record<string, unknown>>,
  proofs: readonly Pick<Proof, 'custom'>[],
): string | undefined {
  const said = proofs.map(({ custom }) => custom?.['domain']).find((name) => isText(name));
  const named = [said, data['domain']].find(isText);
  return named ?? domainOfHandle(data['handle']);
}

function domainOfHandle(handle: unknown): string | undefined {
  const [, domain, ...more] = typeof handle === 'string' ? handle.split('@') : [];
  return more.length === 0 ? domain : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
