/**
 * Luids: identities that the ledger gives, in the order of time. Ruling 10.
 *
 * `$wlt.` and 17 characters: eight hold the millisecond, nine are chance. The alphabet is in ASCII
 * order, so luids of one kind sort as text by the time they were made, in DynamoDB as in JavaScript.
 */

import { createHash, randomBytes as nativeRandomBytes } from 'node:crypto';
import { assert } from '../ledger/assert.ts';

const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const bitsPerChar = 6n;
const timeLength = 8;
const timeMax = 2 ** 48 - 1;
const chanceLength = 9;
const chanceBits = 54n;
const chanceBytes = 7;

/**
 * By how much a clock may be set back, in milliseconds, while luids count on: those are then ahead of it by as much.
 * A clock that is set back further had run ahead, and is followed. Decision 87.
 */
export const setBackMsMax = 60_000;

const prefixPattern = /^[a-z]{3}$/;
const luidPattern = /^\$([a-z]{3})\.([-\w]{17})$/;

/** Makes luids: given the three letters of a kind and the time, a text that was never given before. */
export type LuidMaker = (prefix: string, nowMs: number) => string;

/**
 * A maker of luids, each greater than the one before unless the clock is set back by more than a minute:
 * within a millisecond, or when the clock steps back, it counts on from the last. Makers in different processes are kept
 * apart by 54 bits of chance in each millisecond.
 *
 * @example
 * const luidOf = luidMaker();
 * luidOf('wlt', Date.now()) // '$wlt.' and 17 characters
 */
export function luidMaker(
  randomBytes: (size: number) => Uint8Array = nativeRandomBytes,
): LuidMaker {
  let last = -1n;
  return (prefix, nowMs) => {
    assert(prefixPattern.test(prefix), 'a luid begins with three letters');
    assert(isTime(nowMs), 'a luid is made at a time');
    // Time and chance are one number, so counting past the last chance runs into the next time.
    const [now, before] = [BigInt(nowMs), last >> chanceBits];
    const isOwnTime = now > before || now < before - BigInt(setBackMsMax);
    last = isOwnTime ? (now << chanceBits) + chanceOf(randomBytes) : last + 1n;
    return `$${prefix}.${textOf(last, timeLength + chanceLength)}`;
  };
}

/** The millisecond in which a luid was made. */
export function timeOfLuid(luid: string): number {
  assert(isLuid(luid), 'only a luid tells its time');
  const timeStart = '$wlt.'.length;
  return decodeTime(luid.slice(timeStart, timeStart + timeLength));
}

/** A time as eight characters that sort as the time does: 48 bits, the greatest first. */
export function encodeTime(ms: number): string {
  assert(isTime(ms), 'a time is 48 bits of milliseconds');
  return textOf(BigInt(ms), timeLength);
}

/** The time that eight characters tell. */
export function decodeTime(text: string): number {
  let ms = 0;
  for (const char of text) ms = ms * alphabet.length + alphabet.indexOf(char);
  return ms;
}

/** Whether the text is a luid and, when a prefix is given, one of that kind. */
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

/** The luid that follows from a time and a name: made again it is the same. */
export function namedLuid(prefix: string, ms: number, name: string): string {
  const digest = createHash('sha256').update(name).digest('base64url');
  return `$${prefix}.${encodeTime(ms)}${digest.slice(0, chanceLength)}`;
}
