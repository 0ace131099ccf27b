/**
 * The content of a delivery in few bytes: canonical JSON without what can be derived, deflated with a dictionary of what
 * most contents have. Of each signed record in it, the event itself and the intent among them, proofs are packed as those
 * of versions are (`pack-proofs.ts`), and a hash that follows from the data is left out. A call about
 * an intent between two bridges takes a kilobyte, where it was two. Decision 147.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { hashOf } from '../crypto/digest.ts';
import { assert } from '../ledger/assert.ts';
import { isPlain, type PlainObject } from '../ledger/compare.ts';
import type { Proof } from '../shape/proof.ts';
import { deflatedBy, inflatedBy } from './deflated.ts';
import {
  indexIn,
  isTextOfBytes,
  keyBytes,
  type PackedAuthor,
  type PackedProof,
  packBytes,
  packProofs,
  resultBytes,
  textOfBytes,
  unpackProofs,
} from './pack-proofs.ts';

/** The meta of a signed record, packed: `signed` in place of `proofs`, and owners as indexes of keys. */
interface ShortMeta extends PlainObject {
  readonly signed: readonly [authors: readonly PackedAuthor[], proofs: readonly PackedProof[]];
}

/** The dictionary, the number of keys, and that of signatures, which takes two bytes. */
const headBytes = 4;
const keyCountMax = 255;
const resultCountMax = 65_535;

/** The dictionaries, as those of versions (`pack-texts.ts`): append only, and change none. */
const dictionaries: readonly Buffer[] = [
  [
    '"bridge-entry":{"data":{"change":1,"moment":"2026-","previous":"signal":"bridge-entry-created","bridge-entry-updated","intent-created","intent-updated","intent-proofs-added","balance-received",',
    '"custom":{"detail":"","reason":"bridge.","coreId":"","status":"failed"},"status":"aborted"},"status":"rejected"},"labels":["domain":"thread":"access":[{"action":"any","signer":{"public":"schema":"',
    '{"data":{"action":"abort","handle":"","suffix":"_","intent":{"data":{"claims":[{"action":"issue","amount":1000,"symbol":{"handle":"usd"},"source":"svgs:","target":"tran:@',
    '","config":{"commit":"auto"},"custom":{"","meta":{"moment":"2026-12-T00:00:00.000Z","status":"aborted","owners":[0],"signed":[[[0,"owner",1],[1,"system"]],[[0,{"moment":-1,"status":0},20],[1,{"status":1},19],',
    '{"data":{"claims":[{"action":"transfer","amount":100,"source":"","symbol":"usd","target":""}],"handle":"","luid":"$int.-P7","meta":{"moment":"2026-12-T00:00:00.000Z","status":"prepared","owners":[0],"signed":[[[0,"',
    '"status":"completed","owners":[0],"signed":[[[0,"","status":2,"symbol":"usd","wallet":""},17],[1,{"status":3},17],[2,{"moment":50,"handle":2,"status":4},28]]]}},"luid":"$ben.-P7',
    '[1,{"moment":80,"status":4},20]]]}}[1,{"moment":80,"status":5},20],[2,{"moment":160,"handle":2,"status":5},28],[3,{"moment":170,"handle":3,"status":5},28],[1,{"moment":170,"status":6},20]]]}}',
    '{"data":{"amount":100,"handle":"deb_-P7","inputs":[0],"intent":{"data":{"claims":[{"action":"transfer","amount":1,"source":"","meta":{"moment":"2026-12-T00:00:00.000Z","status":"processing","owners":[0],"signed":[[[0,"',
    '",1],[1,"system"]],[[0,{"moment":-1,"status":0},20],[1,{"expiry":"2026-12-T",1],[1,"system"],[2,"",1]],[[0,{"moment":-1,"status":0},20],[1,{"expiry":"2026-12-T',
    '[1,{"status":3},17]]]}},"luid":"$ben.-P7","schema":"credit","source":{"handle":""},"schema":"debit","source":{"handle":""},"symbol":{"handle":"usd"},"target":{"handle":""}},"meta":{"signed":[[[1,"system"]],[[0,{"moment":"2026-12-T',
    '{"data":{"action":"commit","handle":"deb_-P7{"data":{"action":"commit","handle":"cre_-P7","intent":{"data":{"claims":[{"action":"transfer","amount":1,"source":"","symbol":"usd","target":""}],"handle":"","luid":"$int.-P7',
    '","meta":{"moment":"2026-12-T00:00:00.000Z","status":"committed","owners":[0],"signed":[[[0,"",1],[1,"system"],[2,"",1],[3,"",1]],[[0,{"moment":-1,"status":0},20],[1,{"expiry":"2026-12-T00:00:00.000Z","status":1},19],',
    '[1,{"amount":100,"bridge":"","handle":"deb_-P7","inputs":[0],"schema":"debit","status":2,"symbol":"usd","wallet":""},17],[1,{"amount":100,"bridge":"","handle":"cre_-P7","inputs":[0],"schema":"credit","status":2,"symbol":"usd","wallet":""},17],',
    '[1,{"status":3},17],[2,{"moment":50,"handle":2,"status":4},28],[3,{"moment":80,"handle":3,"status":4},28],[1,{"moment":80,"status":4},20],[1,{"moment":80,"status":5},20]]]}}},"meta":{"signed":[[[1,"system"]],[[0,{"moment":"2026-12-T00:00:00.000Z"}]]]}}',
  ].join(''),
].map((text) => Buffer.from(text));
const current = dictionaries.length - 1;

/** A text of a content in few bytes; undefined for one that would not come back as it is. */
export function packContent(text: string): Uint8Array | undefined {
  const keys: string[] = [];
  const results: string[] = [];
  const short = JSON.stringify(packed(JSON.parse(text), keys, results));
  if (keys.length > keyCountMax || results.length > resultCountMax) return undefined;
  const bytes = packBytes(keys, results);
  if (!isSame(text, short, bytes, keys.length)) return undefined;
  const head = Buffer.of(current, keys.length, results.length >> 8, results.length & 255);
  return Buffer.concat([head, bytes, deflatedBy(dictionaryOf(current), short)]);
}

/** The text of a content. */
export function unpackContent(content: Uint8Array): string {
  const all = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const keyCount = all.readUInt8(1);
  const textStart = headBytes + keyCount * keyBytes + all.readUInt16BE(2) * resultBytes;
  const short = inflatedBy(dictionaryOf(all.readUInt8(0)), all.subarray(textStart));
  return unpackedText(short, all.subarray(headBytes, textStart), keyCount);
}

function dictionaryOf(number: number): Buffer {
  const dictionary = dictionaries[number];
  assert(dictionary, 'a stored content was deflated with a known dictionary');
  return dictionary;
}

function isSame(text: string, short: string, bytes: Buffer, keyCount: number): boolean {
  try {
    return unpackedText(short, bytes, keyCount) === text;
  } catch {
    // Authors may write what looks as if it were packed.
    return false;
  }
}

function unpackedText(short: string, bytes: Buffer, keyCount: number): string {
  const keyAt = (index: number): string => textOfBytes(bytes, index * keyBytes, keyBytes);
  let start = keyCount * keyBytes;
  const nextResult = (): string => {
    start += resultBytes;
    return textOfBytes(bytes, start - resultBytes, resultBytes);
  };
  return canonicalOf(unpacked(JSON.parse(short), keyAt, nextResult));
}

/** A value with its signed records packed, those inside of a record before it. */
function packed(value: unknown, keys: string[], results: string[]): unknown {
  const isSigned = isSignedRecord(value);
  if (!isSigned) return mapped(value, (one) => packed(one, keys, results));
  const { hash, meta, ...rest } = value;
  const { proofs, owners, ...others } = meta;
  const data = packed(value.data, keys, results);
  const signed = packProofs(proofs, signedBy(hash, rest, others), keys);
  for (const { result } of proofs) results.push(result);
  const isOwned = Array.isArray(owners) && owners.every((one) => isTextOfBytes(one, keyBytes));
  const kept = isOwned ? owners.map((owner: string) => indexIn(keys, owner)) : owners;
  return {
    ...rest,
    data,
    ...(hash !== hashOf(value.data) && { hash }),
    meta: {
      ...others,
      ...(owners !== undefined && { owners: kept }),
      signed: [signed.authors, signed.proofs],
    },
  };
}

function unpacked(
  value: unknown,
  keyAt: (index: number) => string,
  nextResult: () => string,
): unknown {
  if (!isPackedRecord(value)) return mapped(value, (one) => unpacked(one, keyAt, nextResult));
  const { meta, ...rest } = value;
  const {
    signed: [authors, proofs],
    owners,
    ...others
  } = meta;
  const data = unpacked(value.data, keyAt, nextResult);
  const hash = (value['hash'] as string | undefined) ?? hashOf(data);
  const bytes = { keyAt, resultAt: nextResult };
  const ownerOf = (one: unknown) => (typeof one === 'number' ? keyAt(one) : one);
  return {
    ...rest,
    ...{ data, hash },
    meta: {
      ...others,
      ...(owners !== undefined && { owners: (owners as unknown[]).map(ownerOf) }),
      proofs: unpackProofs(proofs, authors, signedBy(hash, rest, others), bytes),
    },
  };
}

/** Members that the statements of a record leave out. An event has no luid, and no moment of its own. */
function signedBy(hash: string, { luid }: PlainObject, { moment }: PlainObject) {
  const textOf = (said: unknown): string => (typeof said === 'string' ? said : '');
  return { hash, luid: textOf(luid), moment: textOf(moment) };
}

function mapped(value: unknown, each: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)]));
}

interface SignedRecord extends PlainObject {
  readonly hash: string;
  readonly data: PlainObject;
  readonly meta: PlainObject & { readonly proofs: readonly Proof[] };
}

function isSignedRecord(value: unknown): value is SignedRecord {
  if (!isPlain(value)) return false;
  const { hash, data, meta } = value;
  if (typeof hash !== 'string' || !isPlain(data) || !isPlain(meta)) return false;
  return Array.isArray(meta['proofs']) && meta['proofs'].every(isWhole);
}

/** True for a proof whose key and signature are those bytes, with a statement or none. */
function isWhole(proof: unknown): boolean {
  if (!isPlain(proof)) return false;
  const { public: key, result, custom } = proof;
  const isStated = custom === undefined || isPlain(custom);
  return isStated && isTextOfBytes(key, keyBytes) && isTextOfBytes(result, resultBytes);
}

function isPackedRecord(
  value: unknown,
): value is PlainObject & { readonly data: PlainObject; readonly meta: ShortMeta } {
  if (!isPlain(value)) return false;
  const { data, meta } = value;
  return isPlain(data) && isPlain(meta) && Array.isArray(meta['signed']);
}
