/**
 * The findings of an audit: the invariant that does not hold, the place, and the expected value. The invariants are
 * those of the architecture; `secret` stands for a key that is stored in clear.
 */

import type { Kind } from '../ledger/kind.ts';
import type { Scope } from '../port/ports.ts';

export type Invariant = 1 | 2 | 3 | 4 | 5 | 'secret';

/** The subject of a violation, as precisely as it is known. */
export interface ViolationSubject {
  readonly scope: Scope;
  readonly kind?: Kind;
  readonly handle?: string;
  readonly luid?: string;
  readonly change?: number;
}

export interface AuditViolation extends ViolationSubject {
  readonly invariant: Invariant;
  /** A sentence that describes the violation. */
  readonly fact: string;
  readonly expected?: string;
  readonly found?: string;
}

/** The expected and the found value, when they say more than the fact. */
export interface ViolationValues {
  readonly expected: unknown;
  readonly found: unknown;
}

/** The violations of one check, as they are found. */
export type Finding = Generator<AuditViolation, void, undefined>;

/** Makes a violation of the current subject. */
export type Say = (fact: string, difference?: ViolationValues) => AuditViolation;

/** The name of the scope with the records of the ledgers. */
export const serverName = '(server)';

export function violationOf(
  invariant: Invariant,
  subject: ViolationSubject,
  fact: string,
  difference?: ViolationValues,
): AuditViolation {
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
export function lineOfViolation(violation: AuditViolation): string {
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
