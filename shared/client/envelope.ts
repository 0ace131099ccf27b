/** The members of an answer that its hash does not cover, and the shape of its proofs. */
import { statuses } from '../ledger/thread.ts';
import type { Proof } from '../shape/proof.ts';

/** The statuses of an intent. The other statements on it are about entries, which have a `handle`, signatures and reversals. */
const intentStatuses: readonly unknown[] = statuses;
const intentPrefix = '$int.';
/** The status of any other record that nothing follows: proofs of clients bring others, and a policy may let them have none. */
const endStatuses: readonly unknown[] = ['dropped'];

/**
 * Problems of what stands beside the data and its hash: the luid, and the status of an intent or of a record that has
 * ended. The hash covers neither; the statements of the ledger's proofs do.
 */
export function envelopeProblems(
  { luid, status }: { readonly luid: unknown; readonly status: unknown },
  statements: readonly Readonly<Record<string, unknown>>[],
): string[] {
  const problems: string[] = [];
  const stated = statements.find((custom) => custom['luid'] !== undefined);
  if (stated && luid !== undefined && stated['luid'] !== luid)
    problems.push('The luid is not the one that the ledger has signed.');
  const isIntent = typeof luid === 'string' && luid.startsWith(intentPrefix);
  const signed = isIntent ? intentStatuses : endStatuses;
  const last = statements
    .filter((custom) => custom['handle'] === undefined)
    .map((custom) => custom['status'])
    .filter((one) => signed.includes(one))
    .at(-1);
  if (last && last !== status)
    problems.push(`The status is not the last that the ledger has signed, which is ${last}.`);
  return problems;
}

/** True for a value that has the members of a proof. */
export function isShaped(proof: unknown): proof is Proof {
  if (!isObject(proof)) return false;
  const { public: key, digest, result, custom } = proof;
  const isText = [key, digest, result].every((text) => typeof text === 'string');
  return isText && (custom === undefined || isObject(custom));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
