/** The work budget of one request. Rows that are read, their bytes, and patterns that are tried all spend from it. */

import {
  type Budget,
  budgetOf,
  type PatternMaker,
  paidOnceFrom,
  unitsFor,
} from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';

export interface Work extends Budget {
  readonly patternMaker: PatternMaker;
}

/** A full budget for a new request. Spending more than it has refuses with `api.request-timeout`. */
export function newWork({ patternMaker }: { readonly patternMaker: PatternMaker }): Work {
  const { pay } = budgetOf(unitsFor.request, tooMuch);
  return { pay, patternMaker: paidOnceFrom({ pay }, patternMaker) };
}

function tooMuch(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'The request takes too much work. More filters, rarer words, simpler patterns or a shorter time make it less.',
  );
}
