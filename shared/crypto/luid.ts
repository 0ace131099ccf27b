/**
 * Luids: identities that the ledger gives to records, in the order of time. Ruling 10.
 *
 * `$wlt.` and 17 characters: eight hold the millisecond, nine are random. The alphabet is in ASCII order, so luids of
 * one kind sort as text by the time of their creation, in DynamoDB as in JavaScript.
 */

import { hash as nativeHash, randomBytes as nativeRandomBytes } from 'node:crypto';
import { assert } from '../ledger/assert.ts';

const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const bitsPerChar = 6n;
const timeLength = 8;
const timeMax = 2 ** 48 - 1;
const chanceLength = 9;
/** The characters of a luid behind its prefix. */
export const luidTextLength = timeLength + chanceLength;
const chanceBits = 54n;
const chanceBytes = 7;

/**
 * The clock correction, in milliseconds, up to which luids count on and are ahead of the clock. A larger one means that
 * the clock had run ahead before, so the new time is used. Decision 87.
 */
export const setBackMsMax = 60_000;

const prefixPattern = /^[a-z]{3}$/;
const luidPattern = /^\$([a-z]{3})\.([-\w]{17})$/;

/** The most partitions over which a ledger spreads records by their luids, so the highest count of a share. */
export const shareCountMax = 64;

/** Makes a new luid from the three letters of a kind and the current time; with a share, one of that share among 64. */
export type LuidMaker = (prefix: string, nowMs: number, share?: number) => string;

/**
 * A maker of increasing luids. Within one millisecond, and when the clock goes back by up to a minute, it counts on
 * from the last one. Makers in different processes avoid each other by 54 random bits in each millisecond.
 *
 * @example
 * const luidOf = luidMaker();
 * luidOf('wlt', Date.now()) // '$wlt.' and 17 characters
 */
export function luidMaker(
  randomBytes: (size: number) => Uint8Array = nativeRandomBytes,
): LuidMaker {
  let last = -1n;
  return (prefix, nowMs, share) => {
    assert(prefixPattern.test(prefix), 'a luid begins with three letters');
    assert(isTime(nowMs), 'a luid is made at a time');
    // Time and random bits are one number, so counting past the last random value runs into the next millisecond.
    const [now, before] = [BigInt(nowMs), last >> chanceBits];
    const isOwnTime = now > before || now < before - BigInt(setBackMsMax);
    last = isOwnTime ? (now << chanceBits) + chanceOf(randomBytes) : last + 1n;
    if (share !== undefined) last = nextOfShare(prefix, last, share);
    return `$${prefix}.${textOf(last, luidTextLength)}`;
  };
}

/** The first number from this one on whose luid has the share. */
function nextOfShare(prefix: string, from: bigint, share: number): bigint {
  for (let value = from; ; value = ((value >> bitsPerChar) + 1n) << bitsPerChar) {
    const sum = sumOf(`$${prefix}.${textOf(value >> bitsPerChar, timeLength + chanceLength - 1)}`);
    for (let last = Number(value & 63n); last < alphabet.length; last += 1)
      if ((sum + alphabet.charCodeAt(last)) % shareCountMax === share)
        return ((value >> bitsPerChar) << bitsPerChar) + BigInt(last);
  }
}

/** The milliseconds of which records may share items of a list, an index or a log: a reader in the middle reads so much again. */
export const spanMs = 256;

/** The span in which a luid was made, as its first millisecond. */
export function spanOfLuid(luid: string): number {
  const ms = timeOfLuid(luid);
  return ms - (ms % spanMs);
}

/** The share of a text among so many equal ones, from 0. */
export function shareOf(text: string, count: number): number {
  return sumOf(text) % count;
}

/** A number of the random part of a luid, from 0 to 4,095. It goes on by little where luids of one share follow each other. */
export function chanceIn(luid: string): number {
  // The last letter is what gives them their share.
  return decodeTime(luid.slice(-3, -1));
}

function sumOf(text: string): number {
  let sum = 0;
  for (const char of text) sum += char.charCodeAt(0);
  return sum;
}

/** The millisecond in which a luid was made. */
export function timeOfLuid(luid: string): number {
  assert(isLuid(luid), 'only a luid tells its time');
  const timeStart = '$wlt.'.length;
  return decodeTime(luid.slice(timeStart, timeStart + timeLength));
}

/** A time in eight characters that sort as the time does: 48 bits, the most significant first. */
export function encodeTime(ms: number): string {
  assert(isTime(ms), 'a time is 48 bits of milliseconds');
  let text = '';
  for (let rest = ms; text.length < timeLength; rest = Math.floor(rest / alphabet.length))
    text = alphabet.charAt(rest % alphabet.length) + text;
  return text;
}

/** The time in eight characters. */
export function decodeTime(text: string): number {
  let ms = 0;
  for (const char of text) ms = ms * alphabet.length + alphabet.indexOf(char);
  return ms;
}

/** True for a luid and, when a prefix is given, for one of that kind. */
export function isLuid(text: string, prefix?: string): boolean {
  const [, ownPrefix] = luidPattern.exec(text) ?? [];
  return ownPrefix !== undefined && (prefix === undefined || prefix === ownPrefix);
}

const isTime = (ms: number): boolean => Number.isInteger(ms) && ms >= 0 && ms <= timeMax;

function chanceOf(randomBytes: (size: number) => Uint8Array): bigint {
  const hex = Buffer.from(randomBytes(chanceBytes)).toString('hex');
  return BigInt.asUintN(Number(chanceBits), BigInt(`0x${hex}`));
}

function textOf(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= bitsPerChar) {
    text = alphabet.charAt(Number(rest & 63n)) + text;
  }
  return text;
}

/** A luid derived from a time and a name, so that repeating the work gives the same luid. */
export function namedLuid(prefix: string, ms: number, name: string): string {
  const digest = nativeHash('sha256', name, 'base64url');
  return `$${prefix}.${encodeTime(ms)}${digest.slice(0, chanceLength)}`;
}
