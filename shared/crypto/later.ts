/**
 * Signatures that are made later, all at once: those on intents that are decided one after the other and stored together.
 * Until then a proof has a mark of the same length in place of each. Decision 160.
 */
import { assert } from '../ledger/assert.ts';
import type { Proof } from '../shape/proof.ts';
import { runForMany } from './pool.ts';
import { type SigningKey, signBytesAsync } from './proof.ts';

export interface LaterSignatures {
  /** The key, with which every proof gets a mark. */
  readonly key: SigningKey;
  /** Makes all signatures. What it resolves to puts them in place of the marks, and returns any other proof as it is. */
  readonly made: () => Promise<(proof: Proof) => Proof>;
}

/** No base64 begins with it, so that nobody takes a mark for a signature. */
const markBegin = '-';
/** The length of a signature in base64, since the size of a record is judged before it is signed. */
const markLength = 88;

/** The signatures by a key on what is decided together. */
export function laterSignatures(key: SigningKey): LaterSignatures {
  const open = new Map<string, Uint8Array>();
  const sign = (bytes: Uint8Array): string => {
    const mark = String(open.size).padStart(markLength, markBegin);
    open.set(mark, bytes);
    return mark;
  };
  const made = async () => {
    const results = await runForMany(() =>
      Promise.all(
        [...open].map(async ([mark, bytes]) => [mark, await signBytesAsync(bytes, key)] as const),
      ),
    );
    const byMark = new Map(results);
    return (proof: Proof): Proof => {
      if (!proof.result.startsWith(markBegin)) return proof;
      const result = byMark.get(proof.result);
      assert(result, 'what is stored or answered is signed');
      return { ...proof, result };
    };
  };
  return { key: { ...key, sign }, made };
}
