/** Invariant 3, where a record lies: in a domain that was said when it was made. Rulings 37 and 70. */
import { domainsSaid } from '../ledger/domain.ts';
import type { Version } from '../ledger/record.ts';
import { parentOf } from '../ledger/relation.ts';
import type { Proof } from '../shape/proof.ts';
import type { Say, Violation } from './violation.ts';
import { isForwarded } from './word.ts';

/**
 * It lies in a domain that was said when it was made; in which one, a release before took other words for. What hangs on
 * another record, or is forwarded by one, lies where that does. Rulings 37 and 70, Decision 81.
 */
export function* checkDomain(
  { kind, record }: Version,
  authored: readonly Proof[],
  say: Say,
): Generator<Violation, void, undefined> {
  const { data, meta } = record;
  if (parentOf(kind, data) || isForwarded(record)) return;
  const said = kind === 'ledger' ? [] : domainsSaid(data, authored);
  const isSaid = meta.domain === undefined ? said.length === 0 : said.includes(meta.domain);
  if (!isSaid)
    yield say('The record lies in a domain that its authors did not say.', {
      expected: said,
      found: meta.domain,
    });
}
