/**
 * What an audit finds: which invariant does not hold, where, and what was expected instead. The
 * invariants are those of the architecture; `secret` stands for a key that is stored in clear.
 */

import type { Kind } from '../ledger/kind.ts';
import type { Scope } from '../port/ports.ts';

export type Invariant = 1 | 2 | 3 | 4 | 5 | 'secret';

/** What a violation is about, as precisely as it is known. */
export interface Subject {
  readonly scope: Scope;
  readonly kind?: Kind;
  readonly handle?: string;
  readonly luid?: string;
  readonly change?: number;
}

/** One thing that is not as it must be. */
export interface Violation extends Subject {
  readonly invariant: Invariant;
  /** A sentence that says what is wrong. */
  readonly fact: string;
  readonly expected?: string;
  readonly found?: string;
}

/** What was expected and what was found, when that says more than the fact. */
export interface Difference {
  readonly expected: unknown;
  readonly found: unknown;
}

/** Names a violation of what is being looked at. */
export type Say = (fact: string, difference?: Difference) => Violation;

/** How the audit calls the place where the records of the ledgers are. */
export const serverName = '(server)';

/** A violation of an invariant. */
export function violationOf(
  invariant: Invariant,
  subject: Subject,
  fact: string,
  difference?: Difference,
): Violation {
  const { scope, kind, handle, luid, change } = subject;
  return {
    invariant,
    scope,
    ...(kind !== undefined && { kind }),
    ...(handle !== undefined && { handle }),
    ...(luid !== undefined && { luid }),
    ...(change !== undefined && { change }),
    fact,
    ...(difference && {
      expected: wordsOf(difference.expected),
      found: wordsOf(difference.found),
    }),
  };
}

/** A violation in one line. Two are the same when their lines are. */
export function lineOfViolation(violation: Violation): string {
  const { invariant, scope, kind, handle, luid, change, fact, expected, found } = violation;
  const where = [
    invariant === 'secret' ? 'Secret' : `Invariant ${invariant}`,
    scope === '' ? serverName : `ledger ${scope}`,
    ...(kind === undefined ? [] : [[kind, handle].filter(Boolean).join(' ')]),
    ...(luid === undefined ? [] : [luid]),
    ...(change === undefined ? [] : [`change ${change}`]),
  ];
  const difference = expected === undefined ? '' : ` Expected ${expected}, found ${found}.`;
  return `${where.join(' · ')}: ${fact}${difference}`;
}

function wordsOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
