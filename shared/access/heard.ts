/**
 * Who is heard when a signed body asks for something and is no record. Nothing remembers such a body, so it is its
 * signers' own wish only when they signed it a moment ago, and when it could not have been signed as a record: what
 * is stored with somebody's proofs is read by others, who could send it here. Decision 43.
 */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, kinds } from '../ledger/kind.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import { signedMsOf } from '../record/author.ts';
import { dataShape } from '../shape/body.ts';
import type { SentProof } from '../shape/proof.ts';
import type { SignedBody } from '../shape/record.ts';

/** How far the moment of a proof may be from now, in seconds. */
const maxAgeSeconds = 300;
/** Whoever wants one event sent again names it. Nobody calls a record so without meaning to. */
const eventHandle = /^evt_[-\w]{17}$/;

/**
 * An action that hears nobody but those whose proofs count. Whoever it refuses for want of a right hears which
 * proof did not count, and so does whoever gets an answer that `isNothing`.
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
    const refusal = notHeard(proofs[unheard]?.public, unheard, faults[unheard]);
    const answer = await run({
      ...call,
      body: { ...body, meta: { ...body.meta, proofs: heard } },
    }).catch((error) => Promise.reject(isForAuthority(error) ? refusal : error));
    if (isNothing(answer)) throw refusal;
    return answer;
  };
}

type ProofFault = 'record' | 'moment';

/** Why a proof does not count, if it does not. */
function faultOf({ data }: SignedBody, proof: SentProof, nowMs: number): ProofFault | undefined {
  if (couldBeStored(data)) return 'record';
  const isRecent = Math.abs(nowMs - signedMsOf(proof)) <= maxAgeSeconds * 1000;
  return isRecent ? undefined : 'moment';
}

/** Whether data could be that of a record of any kind, of an update, or of a drop. */
function couldBeStored(data: SignedBody['data']): boolean {
  if (eventHandle.test(String(data['handle']))) return false;
  const isOf = (kind: string) => dataShape(kind as Kind).safeParse(data).success;
  return data['parent'] !== undefined || Object.keys(kinds).some(isOf);
}

function isForAuthority(error: unknown): boolean {
  return error instanceof LedgerError && error.reason.startsWith('auth.');
}

function notHeard(publicKey = '', index: number, fault: ProofFault | undefined): LedgerError {
  const why = { index, fault, ...(fault === 'moment' && { maxAgeSeconds }) };
  return new LedgerError(
    'crypto.signature-invalid',
    `Invalid signature for key: ${publicKey}`,
    why,
  );
}
