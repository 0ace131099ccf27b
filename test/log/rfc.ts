/**
 * A second verifier, written from the text of RFC 9162 2.1 alone and sharing no code with `shared/log`: trees and proofs
 * as the recursive definitions say, and verification by following the same recursion.
 */
import { createHash } from 'node:crypto';

/** Entries D[n], as bytes. */
export type Entries = readonly Uint8Array[];

const hash = (...parts: readonly Uint8Array[]): Buffer => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
};
const zero = Buffer.of(0);
const one = Buffer.of(1);

/** k, the largest power of two smaller than n. */
const split = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1);

/** MTH(D[n]). RFC 9162 2.1.1. */
export function rfcRoot(entries: Entries): Buffer {
  const n = entries.length;
  if (n === 0) return hash();
  if (n === 1) return hash(zero, entries[0] as Uint8Array);
  const k = split(n);
  return hash(one, rfcRoot(entries.slice(0, k)), rfcRoot(entries.slice(k)));
}

/** PATH(m, D[n]). RFC 9162 2.1.3.1. */
export function rfcPath(m: number, entries: Entries): Buffer[] {
  const n = entries.length;
  if (n === 1) return [];
  const k = split(n);
  return m < k
    ? [...rfcPath(m, entries.slice(0, k)), rfcRoot(entries.slice(k))]
    : [...rfcPath(m - k, entries.slice(k)), rfcRoot(entries.slice(0, k))];
}

/** PROOF(m, D[n]). RFC 9162 2.1.4.1. */
export function rfcProof(m: number, entries: Entries): Buffer[] {
  return subproof(m, entries, true);
}

function subproof(m: number, entries: Entries, b: boolean): Buffer[] {
  const n = entries.length;
  if (m === n) return b ? [] : [rfcRoot(entries)];
  const k = split(n);
  return m <= k
    ? [...subproof(m, entries.slice(0, k), b), rfcRoot(entries.slice(k))]
    : [...subproof(m - k, entries.slice(k), false), rfcRoot(entries.slice(0, k))];
}

/** True when the path leads from the entry to the root, taken apart from its end as PATH puts it together. */
export function rfcIncludes(
  entry: Uint8Array,
  m: number,
  n: number,
  path: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  const up = (index: number, size: number, rest: readonly Uint8Array[]): Buffer | undefined => {
    if (size === 1) return rest.length === 0 ? hash(zero, entry) : undefined;
    const last = rest.at(-1);
    if (!last) return undefined;
    const k = split(size);
    const isLeft = index < k;
    const inner = isLeft
      ? up(index, k, rest.slice(0, -1))
      : up(index - k, size - k, rest.slice(0, -1));
    return inner && (isLeft ? hash(one, inner, last) : hash(one, last, inner));
  };
  return m < n && (up(m, n, path)?.equals(root) ?? false);
}

/** True when the path proves that the tree of size m is the beginning of that of size n. */
export function rfcExtends(
  m: number,
  n: number,
  path: readonly Uint8Array[],
  [older, newer]: readonly [Uint8Array, Uint8Array],
): boolean {
  if (m === 0) return path.length === 0;
  const [first, second] = bothRoots(m, n, path, Buffer.from(older)) ?? [];
  return (first?.equals(older) ?? false) && (second?.equals(newer) ?? false);
}

/** The roots of both trees over the part of SUBPROOF(m, D[n], b); `known` stands for b, and is the root where it is true. */
function bothRoots(
  m: number,
  n: number,
  path: readonly Uint8Array[],
  known: Buffer | undefined,
): readonly [Buffer, Buffer] | undefined {
  const last = path.at(-1);
  const rest = path.slice(0, -1);
  if (m === n) return path.length === (known ? 0 : 1) ? sameTwice(known ?? last) : undefined;
  const k = split(n);
  const isLeft = m <= k;
  const inner = isLeft ? bothRoots(m, k, rest, known) : bothRoots(m - k, n - k, rest, undefined);
  if (!inner || !last) return undefined;
  const [first, second] = inner;
  return isLeft
    ? [first, hash(one, second, last)]
    : [hash(one, last, first), hash(one, last, second)];
}

const sameTwice = (root: Uint8Array | undefined) =>
  root && ([Buffer.from(root), Buffer.from(root)] as const);
