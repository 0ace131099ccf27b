/**
 * The texts of a version, deflated where the item would be charged for more than a kilobyte: with a
 * dictionary of what many versions have, those of a transfer take a fifth of their bytes, and the transfer one kilobyte
 * instead of two. Decision 132.
 */
import { assert } from '../ledger/assert.ts';
import { deflatedBy, inflatedBy } from './deflated.ts';

/** The texts of a version. */
export interface Texts {
  readonly data: string;
  readonly meta: string;
}

/** The texts as they are stored: as they are, or deflated. */
export interface PackedTexts extends Partial<Texts> {
  readonly texts?: Uint8Array;
}

/** An item is charged by the kilobyte; its key, names and numbers take up to this many bytes of the first one. */
const unitBytes = 1024;
const frameBytes = 184;
/** Separates the texts: JSON has no line break. */
const separator = '\n';

/**
 * The dictionaries, each by the first byte of what was deflated with it: append only, and change none, or what is stored
 * is lost. What is frequent stands at the end. The second one knows intents between bridges, which pass a kilobyte.
 */
const dictionaries: readonly Buffer[] = [
  [
    '"bearer":{"$record":"owner","$signer":{"$in":["invoke","manage","query","update","drop","create"',
    '"record":"wallet","format":"ed25519-raw","public":"","security":[{"kind":"bearer","type":"webhook","endpoint":"https://',
    '"bridge":"","factor":100,"filter":{"signal":"","metric":"available","reverses":"","capture":"","notBefore":"2026-',
    '"config":{"commit":"auto","expiry":"","core.bridge-unsupported-operation","core.insufficient-balance","reason":"","detail":"',
    '"hash":"","parent":"","labels":["","domain":"","clientId":"","drop":{"counted":{"voices":{"thread":"","together":["',
    '"access":[{"action":"any","signer":{"public":"","schema":"","custom":{"moment":"2026-","coreId":"","status":"failed',
    '{"claims":[{"action":"issue","amount":1000,"symbol":{"handle":"usd"},"source":{"handle":"svgs:","target":{"handle":"tran:@',
    '{"claims":[{"action":"transfer","amount":100,"source":"","symbol":"usd","target":""}],"handle":"',
    '["2026-12-T00:00:00.000Z",[0],[[0,"owner",1],[1,"system"],[2,"bridge",1]],[[0,{"moment":-1,"status":0},20],[1,{"status":1},19],',
    '[1,{"handle":"deb_-P7","schema":"debit","wallet":"","symbol":"usd","amount":100,"inputs":[0],"status":2},17],',
    '[1,{"handle":"cre_-P7","schema":"credit","wallet":"","symbol":"usd","amount":100,"inputs":[0],"status":2},17],',
    '[2,{"moment":25,"coreId":"","handle":2,"status":4},30],[1,{"moment":30,"status":3},22],[1,{"moment":40,"status":5},22],',
    '[1,{"status":3},17],[1,{"status":4},17],[1,{"status":5},17],[1,{"status":6},17]],',
    '[[0,"pending",2],[1,"processing",5],[1,"prepared",5],[1,"committed",6],[1,"completed",7]]]',
  ].join(''),
  [
    '"bearer":{"$record":"owner","$signer":{"$in":["invoke","manage","query","update","drop","create"',
    '"record":"wallet","format":"ed25519-raw","public":"","security":[{"kind":"bearer","type":"webhook","endpoint":"https://',
    '"factor":100,"filter":{"signal":"","metric":"available","reverses":"","capture":"","notBefore":"2026-',
    '"config":{"commit":"auto","core.bridge-unsupported-operation","core.insufficient-balance","reason":"","detail":"',
    '"hash":"","parent":"","labels":["","domain":"","clientId":"","drop":{"thread":"","together":["',
    '"access":[{"action":"any","signer":{"public":"","schema":"","custom":{"moment":"2026-","coreId":"","status":"failed',
    '{"claims":[{"action":"issue","amount":1000,"symbol":{"handle":"usd"},"source":{"handle":"svgs:","target":{"handle":"tran:@',
    '[2,{"moment":25,"coreId":"","handle":2,"status":4},30],[3,{"moment":40,"coreId":"","handle":3,"status":4},30],',
    '[1,{"status":4},17],[1,{"status":5},17],[1,{"status":6},17]],[[0,"pending",2],[1,"prepared",5],[1,"committed",6],[1,"completed",7]]]',
    '[1,{"status":3},17]],[[0,"pending",2],[1,"processing",5]],{"voices":{"',
    ':4},28]],[[1,"processing",6,50]],{"accepted":[5],"voices":{"',
    ':4},20],[1,{"moment":90,"status":5},20]],[[1,"processing",7,90],[1,"prepared",8,90],[1,"committed",9,90]],{"counted":{"status":9},"accepted":[5,6],"voices":{"',
    ':5},28]],[[1,"committed",10,150]],{"counted":{"status":9},"accepted":[5,6,9],"voices":{"',
    '{"claims":[{"action":"transfer","amount":100,"source":"","symbol":"usd","target":""}],"handle":"',
    '["2026-12-T00:00:00.000Z",[0],[[0,"owner",1],[1,"system"],[2,"",1],[3,"",1]],[[0,{"moment":-1,"status":0},20],[1,{"status":1},19],[1,{"expiry":"2026-12-T","status":1},19],',
    '[1,{"handle":"deb_-P7","schema":"debit","wallet":"","symbol":"usd","amount":100,"inputs":[0],"status":2},17],[1,{"handle":"cre_-P7","schema":"credit","wallet":"","symbol":"usd","amount":100,"inputs":[0],"bridge":"","status":2},17],',
    '[1,{"status":3},17],[2,{"moment":50,"handle":2,"status":4},28],[3,{"moment":90,"handle":3,"status":4},28],[1,{"moment":90,"status":4},20],[1,{"moment":90,"status":5},20],[2,{"moment":160,"handle":2,"status":5},28],[3,{"moment":170,"handle":3,"status":5},28],[1,{"moment":170,"status":6},20]],[[1,"committed",11,170],[1,"completed",12,170]],{"counted":{"status":12},"accepted":[5,6,9,10],"voices":{"":[2],"":[3]}}]',
  ].join(''),
].map((text) => Buffer.from(text));
const current = dictionaries.length - 1;

/** The texts as they are stored, beside so many bytes of keys and signatures. */
export function packTexts(texts: Texts, proofBytes: number): PackedTexts {
  const text = `${texts.data}${separator}${texts.meta}`;
  if (frameBytes + proofBytes + Buffer.byteLength(text) <= unitBytes) return texts;
  const dictionary = dictionaries[current];
  assert(dictionary, 'there is a dictionary');
  return { texts: Buffer.concat([Uint8Array.of(current), deflatedBy(dictionary, text)]) };
}

/** The texts of an item. */
export function unpackTexts({ texts, data, meta }: PackedTexts): Texts {
  if (texts === undefined) {
    assert(data !== undefined && meta !== undefined, 'a stored version has its texts');
    return { data, meta };
  }
  const dictionary = dictionaries[texts[0] ?? -1];
  assert(dictionary, 'a stored version was deflated with a known dictionary');
  const text = inflatedBy(dictionary, texts.subarray(1));
  const end = text.indexOf(separator);
  return { data: text.slice(0, end), meta: text.slice(end + 1) };
}
