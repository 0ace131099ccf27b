/** Proofs of inclusion as a text: the index of a leaf, its path, and the checkpoint. C2SP tlog-proof. */
import { fromBase64, toBase64 } from './bytes.ts';
import { type Hash, hashByteCount } from './tree.ts';

export interface InclusionProof {
  /** The number of the leaf, from 0. */
  readonly index: number;
  /** From the sibling of the leaf up to the child of the root. */
  readonly path: readonly Hash[];
  /** The signed note. */
  readonly checkpoint: string;
}

const firstLine = 'c2sp.org/tlog-proof@v1';

export function proofTextOf({ index, path, checkpoint }: InclusionProof): string {
  return [firstLine, `index ${index}`, ...path.map(toBase64), '', checkpoint].join('\n');
}

/** The proof in a text; undefined for a text that is none. Extra data is left alone: nothing vouches for it. */
export function proofOfText(text: string): InclusionProof | undefined {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  const [indexLine = '', ...pathLines] = lines[0]?.startsWith('extra ') ? lines.slice(1) : lines;
  const [, indexText] = /^index (0|[1-9]\d*)$/.exec(indexLine) ?? [];
  const index = Number(indexText);
  const path = pathLines.flatMap((line) => hashOfText(line) ?? []);
  const isRead = first === firstLine && Number.isSafeInteger(index);
  if (!isRead || path.length !== pathLines.length) return undefined;
  return { index, path, checkpoint: text.slice(end + 2) };
}

/** A hash of a tree in base64; undefined for any other text. */
export function hashOfText(text: string): Hash | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === hashByteCount ? bytes : undefined;
}
