/**
 * Protection of requests that are signed but not stored. Nothing marks such a body as used. A proof counts only when it
 * is recent and when its data could not be a record: proofs of stored records are public, and anyone could send them
 * again. Decision 43.
 */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, kinds } from '../ledger/kind.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import { signedMsOf } from '../record/author.ts';
import { dataShape } from '../shape/body.ts';
import type { SentProof } from '../shape/proof.ts';
import type { SignedBody } from '../shape/record.ts';

/** The highest difference between the moment of a proof and now. */
const maxAgeSeconds = 300;
/** A body that names one event cannot be meant as a record: records do not have such handles. */
const eventHandle = /^evt_[-\w]{17}$/;

/**
 * Runs an action with only those proofs that count. When the others are missed, because a permission is missing or
 * `isNothing` holds for the answer, it refuses with `crypto.signature-invalid` and the first proof that did not count.
 */
export function requiringFreshProofs(
  run: (call: Call) => Promise<Answer>,
  isNothing: (answer: Answer) => boolean = () => false,
): Action['run'] {
  return async (call) => {
    const body = call.body as SignedBody;
    const { proofs } = body.meta;
    const defects = proofs.map((proof) => defectOf(body, proof, call.services.clock()));
    const ignored = defects.findIndex((defect) => defect !== undefined);
    if (ignored < 0) return run(call);
    const counting = proofs.filter((_, index) => defects[index] === undefined);
    const apiError = ignoredProofError(proofs[ignored]?.public, ignored, defects[ignored]);
    const answer = await run({
      ...call,
      body: { ...body, meta: { ...body.meta, proofs: counting } },
    }).catch((error) => Promise.reject(isForAuthority(error) ? apiError : error));
    if (isNothing(answer)) throw apiError;
    return answer;
  };
}

type IgnoredReason = 'record' | 'moment';

/** The reason why a proof does not count, if there is one. */
function defectOf(
  { data }: SignedBody,
  proof: SentProof,
  nowMs: number,
): IgnoredReason | undefined {
  if (couldBeStored(data)) return 'record';
  const isRecent = Math.abs(nowMs - signedMsOf(proof)) <= maxAgeSeconds * 1000;
  return isRecent ? undefined : 'moment';
}

/** True when the data could be that of a record, an update or a drop. */
function couldBeStored(data: SignedBody['data']): boolean {
  if (eventHandle.test(String(data['handle']))) return false;
  const isOf = (kind: string) => dataShape(kind as Kind).safeParse(data).success;
  return data['parent'] !== undefined || Object.keys(kinds).some(isOf);
}

function isForAuthority(error: unknown): boolean {
  return error instanceof LedgerError && error.reason.startsWith('auth.');
}

function ignoredProofError(
  publicKey = '',
  index: number,
  defect: IgnoredReason | undefined,
): LedgerError {
  const why = { index, fault: defect, ...(defect === 'moment' && { maxAgeSeconds }) };
  return new LedgerError(
    'crypto.signature-invalid',
    `Invalid signature for key: ${publicKey}`,
    why,
  );
}
