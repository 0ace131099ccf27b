/**
 * The proofs of a record, packed: signer and key once for all of their proofs, statements as `pack-words.ts` has them, and
 * digests only where they are not those of the hash and the statement. Keys and signatures are bytes: each key once, then
 * each signature.
 */
import { digestOf } from '../crypto/digest.ts';
import { assert } from '../ledger/assert.ts';
import type { Proof } from '../shape/proof.ts';
import {
  type Custom,
  type PackedStatement,
  packStatements,
  unpackStatements,
} from './pack-words.ts';

/** A key, by its index in the table of keys, and the signer that it belongs to; 0 for none. */
export type PackedAuthor = readonly [key: number, signer?: string | 0, hasOrigin?: 1];

/** A proof: its packed statement, null for none, with the flags of the packing. */
export type PackedProof = readonly [
  author: number,
  custom?: Custom | null,
  flags?: number,
  /** Present when it differs from the text of `digestOf`: a client may write it in upper case. */
  digest?: string,
];

/** Members that the statements of a record leave out, and the hash that its proofs sign. */
interface StatedBy {
  readonly hash: string;
  readonly luid: string;
  readonly moment: string;
}

export const keyBytes = 32;
export const resultBytes = 64;

/** The proofs of a record, packed; adds their keys to the table. */
export function packProofs(
  all: readonly Proof[],
  { hash, ...said }: StatedBy,
  keys: string[],
): { readonly authors: PackedAuthor[]; readonly proofs: PackedProof[] } {
  const authors: PackedAuthor[] = [];
  const words = packStatements(all, said);
  const proofs = all.map((proof, index) =>
    packProof(proof, words[index] as PackedStatement, hash, authors, keys),
  );
  return { authors, proofs };
}

/** The proofs of a record, from their authors, the keys, and the signature of each. */
export function unpackProofs(
  packed: readonly PackedProof[],
  authors: readonly PackedAuthor[],
  { hash, ...said }: StatedBy,
  bytes: {
    readonly keyAt: (index: number) => string;
    readonly resultAt: (index: number) => string;
  },
): Proof[] {
  const words = unpackStatements(packed.map(wordsOf), said);
  return packed.map((proof, index) => {
    const author = authors[proof[0]];
    assert(author, 'a stored proof has an author');
    const parts = { hash, public: bytes.keyAt(author[0]), result: bytes.resultAt(index) };
    return unpackProof(proof, author, { ...parts, custom: words[index] });
  });
}

/** The bytes of keys and signatures, in this order. */
export function packBytes(keys: readonly string[], results: readonly string[]): Buffer {
  return Buffer.concat([
    ...keys.map((key) => bytesOf(key, keyBytes)),
    ...results.map((result) => bytesOf(result, resultBytes)),
  ]);
}

/** The text of some bytes, as keys and signatures have it. */
export function textOfBytes(bytes: Buffer, start: number, length: number): string {
  return bytes.toString('base64', start, start + length);
}

/** True for a text of so many bytes that is restored from these. */
export function isTextOfBytes(text: unknown, length: number): text is string {
  if (typeof text !== 'string') return false;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text;
}

/** The index of a text, which is added if it is not there. */
export function indexIn(texts: string[], text: string): number {
  const index = texts.indexOf(text);
  return index >= 0 ? index : texts.push(text) - 1;
}

function packProof(
  proof: Proof,
  [custom, flags]: PackedStatement,
  hash: string,
  authors: PackedAuthor[],
  keys: string[],
): PackedProof {
  const key = indexIn(keys, proof.public);
  const signer = proof.signer ?? 0;
  const author = authorIn(authors, proof.origin ? [key, signer, 1] : [key, signer]);
  if (digestOf(hash, proof.custom) !== proof.digest) return [author, custom, flags, proof.digest];
  if (flags > 0) return [author, custom, flags];
  return custom === null ? [author] : [author, custom];
}

function wordsOf([, custom = null, flags = 0]: PackedProof): PackedStatement {
  return [custom, flags];
}

function unpackProof(
  [, , , oddDigest]: PackedProof,
  [, signer, hasOrigin]: PackedAuthor,
  parts: { hash: string; public: string; result: string; custom: Custom | undefined },
): Proof {
  const { hash, result, custom } = parts;
  return {
    method: 'ed25519-v2',
    public: parts.public,
    digest: oddDigest ?? digestOf(hash, custom),
    result,
    ...(custom && { custom }),
    ...(typeof signer === 'string' && { signer }),
    ...(hasOrigin && { origin: 'key-pair' }),
  };
}

function authorIn(authors: PackedAuthor[], author: PackedAuthor): number {
  const [key, signer, hasOrigin] = author;
  const index = authors.findIndex(
    (other) => other[0] === key && other[1] === signer && other[2] === hasOrigin,
  );
  return index >= 0 ? index : authors.push(author) - 1;
}

function bytesOf(text: string, length: number): Uint8Array {
  assert(isTextOfBytes(text, length), 'keys and signatures were checked before they are stored');
  return Buffer.from(text, 'base64');
}
