/**
 * A submission of a log to a witness, as a text: the size that the witness knows, the proof from there on, and the new
 * checkpoint. C2SP tlog-witness.
 */
import { toBase64 } from './bytes.ts';
import { hashOfText } from './proof-text.ts';
import type { Hash } from './tree.ts';

export interface Submission {
  /** The size of the tree that the witness has cosigned last; 0 for none. */
  readonly old: number;
  /** The proof of consistency from that size. */
  readonly path: readonly Hash[];
  /** The signed note. */
  readonly checkpoint: string;
}

/** The type of an answer that tells the size that the witness knows. */
export const sizeType = 'text/x.tlog.size';
const pathLengthMax = 63;

export function submissionTextOf({ old, path, checkpoint }: Submission): string {
  return [`old ${old}`, ...path.map(toBase64), '', checkpoint].join('\n');
}

/** The submission in a text; undefined for a text that is none. */
export function submissionOf(text: string): Submission | undefined {
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  const old = sizeIn(/^old (.*)$/.exec(first)?.[1]);
  const path = lines.flatMap((line) => hashOfText(line) ?? []);
  const isWhole = path.length === lines.length && path.length <= pathLengthMax;
  return old === undefined || !isWhole ? undefined : { old, path, checkpoint: text.slice(end + 2) };
}

/** The size in the answer of a witness that knows another one; undefined for a text that is none. */
export function knownSizeOf(text: string): number | undefined {
  return sizeIn(/^(.*)\n$/.exec(text)?.[1]);
}

function sizeIn(digits = ''): number | undefined {
  const size = /^(0|[1-9]\d*)$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}
