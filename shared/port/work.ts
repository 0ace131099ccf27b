/** What one request may make us do: rows that are looked at, their bytes, and the patterns that are tried on them. */
import { LedgerError } from '../ledger/errors.ts';
import { type PatternMaker, type Purse, pricedOnce, purseOf, unitsFor } from '../ledger/work.ts';

/** The purse of a request, and patterns that are paid from it. */
export interface Work extends Purse {
  readonly patternMaker: PatternMaker;
}

/** What a new request may make us do. */
export function newWork({ patternMaker }: { readonly patternMaker: PatternMaker }): Work {
  const { pay } = purseOf(unitsFor.request, tooMuch);
  return { pay, patternMaker: pricedOnce({ pay }, patternMaker) };
}

function tooMuch(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'The request takes too much work. More filters, rarer words, simpler patterns or a shorter time make it less.',
  );
}
