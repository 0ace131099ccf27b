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
export function hearing(
  run: (call: Call) => Promise<Answer>,
  isNothing: (answer: Answer) => boolean = () => false,
): Action['run'] {
  return async (call) => {
    const body = call.body as SignedBody;
    const { proofs } = body.meta;
    const faults = proofs.map((proof) => faultOf(body, proof, call.services.clock()));
    const unheard = faults.findIndex((fault) => fault !== undefined);
    if (unheard < 0) return run(call);
    const heard = proofs.filter((_, index) => faults[index] === undefined);
    const refusal = unheardError(proofs[unheard]?.public, unheard, faults[unheard]);
    const answer = await run({
      ...call,
      body: { ...body, meta: { ...body.meta, proofs: heard } },
    }).catch((error) => Promise.reject(isForAuthority(error) ? refusal : error));
    if (isNothing(answer)) throw refusal;
    return answer;
  };
}

type UnheardReason = 'record' | 'moment';

/** The reason why a proof does not count, if there is one. */
function faultOf({ data }: SignedBody, proof: SentProof, nowMs: number): UnheardReason | undefined {
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

function unheardError(
  publicKey = '',
  index: number,
  fault: UnheardReason | undefined,
): LedgerError {
  const why = { index, fault, ...(fault === 'moment' && { maxAgeSeconds }) };
  return new LedgerError(
    'crypto.signature-invalid',
    `Invalid signature for key: ${publicKey}`,
    why,
  );
}
