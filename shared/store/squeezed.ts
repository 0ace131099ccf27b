/** The texts of an intent of more than a kilobyte, deflated, and back. Decision 127. */
import { deflated, inflated } from './deflated.ts';
import { usualWords } from './usual-words.ts';

/** The attributes of a version, beside its key. */
export interface VersionItem {
  /** Also a condition of every update, with `change`. */
  readonly luid: string;
  /** `Version.change`. */
  readonly change: number;
  /** Canonical JSON of the record's data. Ruling 1. */
  readonly data?: string;
  /** JSON of `PackedMeta`: everything else but keys and signatures. */
  readonly meta?: string;
  /** Both, in place of them, with a line break between them and deflated. Decision 127. */
  readonly texts?: Uint8Array;
  /** The distinct public keys, 32 bytes each, then the result of each proof, 64 bytes each. */
  readonly proofs: Uint8Array;
  /** `Version.spread`, beside the content: the store chooses it once a version was found to fit. Decision 124. */
  readonly spread?: number;
}

/** A version with its texts as they are. */
export type PlainItem = Omit<VersionItem, 'data' | 'meta' | 'texts'> & Texts;

interface Texts {
  readonly data: string;
  readonly meta: string;
}

/** The bytes of an item beside texts and proofs, some more than less: keys, names and numbers. */
const besideBytes = 160;
const unitBytes = 1024;

/** Deflates the texts of an item that takes more than one write unit. */
export function squeezed({ data, meta, ...item }: PlainItem): VersionItem {
  const bytes =
    besideBytes + Buffer.byteLength(data) + Buffer.byteLength(meta) + item.proofs.length;
  return bytes <= unitBytes
    ? { ...item, data, meta }
    : { ...item, texts: deflated(`${data}\n${meta}`, usualWords) };
}

/** The texts of an item. JSON has no line break. */
export function textsIn({
  data = '',
  meta = '',
  texts,
}: Pick<VersionItem, 'data' | 'meta' | 'texts'>): Texts {
  if (!texts) return { data, meta };
  const [own = '', rest = ''] = inflated(texts, usualWords).split('\n');
  return { data: own, meta: rest };
}
