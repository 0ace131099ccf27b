/** The work budget of one request. Rows that are read, their bytes, and patterns that are tried all spend from it. */
import { LedgerError } from '../ledger/errors.ts';
import { type PatternMaker, type Purse, pricedOnce, purseOf, unitsFor } from '../ledger/work.ts';

export interface Work extends Purse {
  readonly patternMaker: PatternMaker;
}

/** A full budget for a new request. Spending more than it has refuses with `api.request-timeout`. */
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
