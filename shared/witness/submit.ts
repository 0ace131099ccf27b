/**
 * One submission of a checkpoint to a witness, and the meaning of its answer. A witness that knows another size than was
 * thought says so, and is asked once more. C2SP tlog-witness.
 */
import { isSignedBytes } from '../crypto/proof.ts';
import { toBase64 } from '../log/bytes.ts';
import { cosignatureBy } from '../log/cosignature.ts';
import { noteOf } from '../log/note.ts';
import { consistencyRanges } from '../log/path.ts';
import { knownSizeOf, submissionTextOf } from '../log/submission.ts';
import type { OutgoingRequest, SendOutcome } from '../outgoing/send.ts';
import type { Logs, StoredCheckpoint } from '../port/logs.ts';
import type { Scope } from '../port/ports.ts';
import { hashesIn } from '../record/inclusion.ts';
import type { Witness } from '../record/witnesses.ts';

export interface SubmitPorts {
  readonly logs: Logs;
  /** Sends a request to an address that callers name, and keeps the body of the answer. Ruling 62. */
  readonly send: (request: OutgoingRequest) => Promise<SendOutcome>;
}

/** The answer of a witness. */
export type WitnessAnswer =
  | { readonly is: 'cosigned'; readonly line: string }
  /** It has cosigned a larger tree. */
  | { readonly is: 'ahead'; readonly known: number }
  /** It has cosigned another tree of so many leaves: evidence of a fork, or of a log that was put back. */
  | { readonly is: 'contradicted'; readonly known: number }
  | { readonly is: 'failed'; readonly known: number; readonly fault: string };

/** The faults of answers that no repetition changes soon. */
const faults: Readonly<Record<number, string>> = {
  400: 'It takes the request for malformed',
  403: 'It does not know the key of this log',
  404: 'It does not know this log',
};
const conflict = 409;
const refusedProof = 422;

/** Asks a witness, which has cosigned `known` leaves last, to cosign a checkpoint of this log. */
export async function submit(
  ports: SubmitPorts,
  scope: Scope,
  checkpoint: StoredCheckpoint,
  { witness, known }: { readonly witness: Witness; readonly known: number },
): Promise<WitnessAnswer> {
  // Only a log that was put back to an older copy has fewer leaves than it remembers of a witness.
  const old = known <= checkpoint.size ? known : 0;
  const first = await submitFrom(ports, scope, checkpoint, { witness, known: old });
  const isElsewhere = first.is === 'other' && first.known !== old;
  if (!isElsewhere) return first.is === 'other' ? contradictedAt(first.known) : first;
  if (first.known > checkpoint.size) return { is: 'ahead', known: first.known };
  const second = await submitFrom(ports, scope, checkpoint, { witness, known: first.known });
  if (second.is !== 'other') return second;
  const { known: last } = second;
  if (last === first.known) return contradictedAt(last);
  // Another process has asked it in between.
  if (last > checkpoint.size) return { is: 'ahead', known: last };
  return { is: 'failed', known: last, fault: 'It names another size with each answer.' };
}

async function submitFrom(
  { logs, send }: SubmitPorts,
  scope: Scope,
  { size, note }: StoredCheckpoint,
  { witness, known }: { readonly witness: Witness; readonly known: number },
): Promise<WitnessAnswer | { readonly is: 'other'; readonly known: number }> {
  const ranges = known === 0 ? [] : consistencyRanges(known, size);
  const path = await hashesIn(logs, scope, ranges, size);
  const outcome = await send({
    endpoint: `${witness.url}/add-checkpoint`,
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: submissionTextOf({ old: known, path, checkpoint: note }),
  });
  const failed = (fault: string) => ({ is: 'failed', known, fault }) as const;
  if (outcome.kind === 'unreachable') return failed(outcome.detail);
  const { status, body = '' } = outcome;
  if (status === 200) {
    const line = lineIn(note, body, witness);
    return line ? { is: 'cosigned', line } : failed('It answers no cosignature that verifies.');
  }
  const other = status === conflict ? knownSizeOf(body) : undefined;
  if (other !== undefined) return { is: 'other', known: other };
  if (status === refusedProof) return contradictedAt(known);
  return failed(`${faults[status] ?? 'It answers'} (${status}).`);
}

function contradictedAt(known: number): WitnessAnswer {
  return { is: 'contradicted', known };
}

/** The cosignature of a witness in its answer. */
function lineIn(note: string, body: string, { key }: Witness): string | undefined {
  const read = noteOf(note + body);
  const cosignature =
    read &&
    cosignatureBy(read, key, (bytes, signature, { public: by }) =>
      isSignedBytes(bytes, signature, toBase64(by)),
    );
  return cosignature?.line;
}
