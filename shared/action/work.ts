/** What one request may make us do: rows that are looked at, their bytes, and the patterns that are tried on them. */
import { LedgerError } from '../ledger/errors.ts';
import { type PatternMaker, type Purse, pricedOnce, purseOf, unitsFor } from '../ledger/work.ts';
import type { Call } from './action.ts';
import { remembered } from './remembered.ts';

/** The purse of a request, and patterns that are paid from it. */
export interface Work extends Purse {
  readonly patternMaker: PatternMaker;
}

const name = 'work';

/** The work of a request: each question of it pays from the same purse. Decision 83. */
export function workOf(call: Call): Work {
  return remembered(call, name, () => {
    const { pay } = purseOf(unitsFor.request, tooMuch);
    return { pay, patternMaker: pricedOnce({ pay }, call.services.patternMaker) };
  });
}

/** A call that is heard elsewhere pays from the same purse. */
export function sharingWork(call: Call, other: Call): Call {
  remembered(other, name, () => workOf(call));
  return other;
}

function tooMuch(): LedgerError {
  return new LedgerError(
    'api.request-timeout',
    'The request takes too much work. More filters, rarer words, simpler patterns or a shorter time make it less.',
  );
}
