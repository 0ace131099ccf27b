/** Codecs between attributes of items and members of lines, exact in both directions. */
import { deflated, inflated } from '../store/deflated.ts';
import { isSpreadCount, spreadCounts } from '../store/keys.ts';
import { packContent, unpackContent } from '../store/pack-content.ts';
import { ArchiveError } from './form.ts';
import { sortedOf } from './write.ts';

export interface Codec {
  readonly write: (value: unknown) => unknown;
  readonly read: (member: unknown) => unknown;
}

const digits = /^-?(0|[1-9]\d{0,37})$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const text: Codec = { write: textOf, read: textOf };

/** A number that JSON holds exactly. */
export const count: Codec = { write: numberOf, read: numberOf };

/** A number of partitions over which lists spread. */
export const spreadCount: Codec = { write: spreadCountOf, read: spreadCountOf };

/** An amount: up to 38 digits, as text. Ruling 39. */
export const amount: Codec = {
  write: (value) => String(BigInt(value as bigint)),
  read: (member) => {
    if (typeof member !== 'string' || !digits.test(member)) throw noSuch('an amount', member);
    return BigInt(member);
  },
};

/** Bytes, in base64. */
export const bytes: Codec = { write: base64Of, read: bytesOf };

/** Bytes by name. */
export const manyBytes: Codec = {
  write: (value) => mapped(value, base64Of),
  read: (member) => mapped(member, bytesOf),
};

/** Text that is JSON: as its value, or as text where the value would be written differently. */
export const json: Codec = {
  write: (value) => parsed(textOf(value)),
  read: (member) => (typeof member === 'string' ? member : JSON.stringify(member)),
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** As `json`, of an object: whoever shows it or works on it reads its members. */
export const jsonObject = jsonOf('an object', isObject);

/** As `json`, of a list of objects, such as proofs. */
export const jsonObjects = jsonOf('a list of objects', isListOf(isObject));

/** As `json`, of a list of lists. */
export const jsonLists = jsonOf('a list of lists', isListOf(Array.isArray));

/** Text that is JSON and was deflated, as `json`. */
export const deflatedJson: Codec = {
  write: (value) => json.write(inflated(asBytes(value))),
  read: (member) => deflated(textOf(json.read(member))),
};

/** The content of a delivery in few bytes, as `json`. */
export const contentJson: Codec = {
  write: (value) => json.write(unpackContent(asBytes(value))),
  read: (member) => {
    const content = packContent(textOf(json.read(member)));
    if (!content) throw noSuch('a content', member);
    return content;
  },
};

/** Objects, texts and numbers that JSON holds exactly. */
export const plain: Codec = { write: plainOf, read: plainOf };

/** As `json`, of values of one form: a file that somebody made must not bring what nobody can read. */
function jsonOf(what: string, isFormed: (value: unknown) => boolean): Codec {
  return {
    write: json.write,
    read: (member) => {
      const text = json.read(member);
      if (!isFormed(valueIn(text))) throw noSuch(what, member);
      return text;
    },
  };
}

function isListOf(isOne: (value: unknown) => boolean) {
  return (value: unknown): boolean => Array.isArray(value) && value.every(isOne);
}

/** The value in a text of JSON; undefined where it is none. */
function valueIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function parsed(value: string): unknown {
  try {
    const said: unknown = JSON.parse(value);
    const isSame = typeof said === 'object' && JSON.stringify(said) === value;
    return isSame ? said : value;
  } catch {
    return value;
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw noSuch('a text', value);
  return value;
}

function numberOf(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (!Number.isSafeInteger(number)) throw noSuch('a whole number', value);
  return number as number;
}

function spreadCountOf(value: unknown): number {
  const number = numberOf(value);
  if (!isSpreadCount(number)) throw noSuch(`one of ${spreadCounts.join(', ')}`, value);
  return number;
}

function base64Of(value: unknown): string {
  const { buffer, byteOffset, byteLength } = asBytes(value);
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function asBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw noSuch('bytes', value);
  return value;
}

function bytesOf(member: unknown): Uint8Array {
  if (typeof member !== 'string' || !base64.test(member)) throw noSuch('base64', member);
  const value = Buffer.from(member, 'base64');
  if (value.toString('base64') !== member) throw noSuch('base64', member);
  return value;
}

function mapped(value: unknown, each: (one: unknown) => unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw noSuch('an object', value);
  // A table returns the members of a map in any order; an archive of a ledger has one order.
  return sortedOf(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)])),
  );
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'object') return mapped(value, plainOf);
  return typeof value === 'string' || typeof value === 'boolean' ? value : numberOf(value);
}

function noSuch(what: string, found: unknown): ArchiveError {
  return new ArchiveError(`Expected ${what}, found ${shown(found)}.`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
