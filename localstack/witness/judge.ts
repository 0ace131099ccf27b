/**
 * The answer of a witness to a submission, as C2SP tlog-witness has it. It cosigns what follows from all that it has
 * cosigned of the log, and nothing else.
 */
import { isSignedBytes } from '../../shared/crypto/proof.ts';
import { isSameBytes, toBase64 } from '../../shared/log/bytes.ts';
import { type Checkpoint, checkpointOf } from '../../shared/log/checkpoint.ts';
import { isSignedBy, type Note, type NoteKey, type VerifyBytes } from '../../shared/log/note.ts';
import { isConsistent, type SeenTree } from '../../shared/log/path.ts';
import { submissionOf } from '../../shared/log/submission.ts';
import { emptyTree, rootOf } from '../../shared/log/tree.ts';

/** The knowledge of a witness: its logs, and the trees that it has cosigned. */
export interface WitnessKnowledge {
  /** The keys of logs, by origin. */
  readonly keys: ReadonlyMap<string, readonly NoteKey[]>;
  /** The tree that it has cosigned last; undefined for a log of which it has cosigned none. */
  readonly seen: (origin: string) => SeenTree | undefined;
}

/** A submission that was judged: the checkpoint may be cosigned, or is refused. */
export type Judgement =
  | { readonly status: 200; readonly checkpoint: Checkpoint & { readonly note: Note } }
  | Refusal;

export interface Refusal {
  readonly status: 400 | 403 | 404 | 409 | 422;
  /** The reason, a sentence. */
  readonly why: string;
  readonly origin?: string;
  /** With 409: the size that the witness has cosigned last. */
  readonly size?: number;
  /** True when the log has signed what does not follow from what it has signed before. */
  readonly isEvidence?: true;
}

/** A log of which nothing was cosigned. */
const unseen: SeenTree = { size: 0, root: rootOf(emptyTree) };

const verify: VerifyBytes = (bytes, signature, { public: key }) =>
  isSignedBytes(bytes, signature, toBase64(key));

export function judged(body: string, { keys, seen }: WitnessKnowledge): Judgement {
  const submission = submissionOf(body);
  const checkpoint = submission && checkpointOf(submission.checkpoint);
  if (!submission || !checkpoint) return { status: 400, why: 'The body is no submission.' };
  const { origin, size, root, note } = checkpoint;
  const refuse = (status: Refusal['status'], why: string, more: Partial<Refusal> = {}) =>
    ({ status, why, origin, ...more }) as const;
  const known = keys.get(origin);
  if (!known) return refuse(404, 'The log is not known here.');
  if (!known.some((key) => isSignedBy(note, key, verify)))
    return refuse(403, 'No known key of the log has signed the checkpoint.');
  const { old, path } = submission;
  if (old > size) return refuse(400, `The old size, ${old}, is more than the new one, ${size}.`);
  const last = seen(origin) ?? unseen;
  if (old !== last.size)
    return refuse(
      409,
      `The log names ${old} leaves as the last that were cosigned, and ${last.size} were.`,
      { size: last.size },
    );
  if (size === last.size && !isSameBytes(root, last.root))
    return refuse(409, `Another root of the same ${size} leaves was cosigned before.`, {
      ...{ size: last.size, isEvidence: true },
    });
  if (!isConsistent(last, checkpoint, path))
    return refuse(
      422,
      `The proof does not lead from the ${old} leaves that were cosigned to these ${size}.`,
      { isEvidence: true },
    );
  return { status: 200, checkpoint };
}
