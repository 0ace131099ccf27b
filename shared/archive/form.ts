/**
 * The form of an archive: a ledger with all its history as lines of JSON, each one object. The first line is a header;
 * the last one has the number of lines and their hash, so that a reader knows that none is missing. README.md shows
 * every line.
 */
import type { PlainObject } from '../ledger/compare.ts';
import type { Version } from '../ledger/record.ts';
import { messageOf } from '../ledger/thrown.ts';

/** The first line. */
export interface ArchiveHeader {
  readonly what: 'archive';
  readonly format: typeof format;
  readonly version: (typeof formatVersions)[number];
  /** The handle and the luid of the ledger. */
  readonly ledger: string;
  readonly luid: string;
  /** The moment when the table was read to its end, ISO 8601 UTC. */
  readonly moment: string;
  /** The encryption of its private keys and secrets. */
  readonly secrets: Sealing;
}

/** By the keyring of its server, or under a passphrase: then with the salt of the key, in base64. */
export type Sealing =
  | { readonly by: 'keyring' }
  | { readonly by: 'passphrase'; readonly salt: string };

/** A version of a record, as it is stored; the record of the ledger has the `kind` ledger. */
export type VersionLine = { readonly what: 'version' } & Version;

/** Any other line: its name in `what`, and its members (`wording.ts`). */
export interface OtherLine extends PlainObject {
  readonly what: string;
}

export type ArchiveLine = VersionLine | OtherLine;

/** The last line. */
export interface EndLine {
  readonly what: 'end';
  /** The number of lines before this one, with the first one. */
  readonly lines: number;
  /** The number of lines of each name. */
  readonly counts: Readonly<Record<string, number>>;
  /** The hash of all lines before this one with their ends, in hexadecimal. */
  readonly sha256: string;
}

export const format = 'countersign-ledger';
/** The versions that can be read. Version 1 has no lines of holders. */
export const formatVersions = [1, 2] as const;
export const formatVersion = 2;

interface ArchiveErrorOptions {
  readonly cause?: unknown;
  readonly isOfWhole?: boolean;
}

/** An error in an archive, or in an item that cannot be exported; `line` counts from 1. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly line: number | undefined;
  /** True when each line could be read, but all of them together are not as they were written. */
  readonly isOfWhole: boolean;

  constructor(fact: string, line?: number, { cause, isOfWhole = false }: ArchiveErrorOptions = {}) {
    super(line === undefined ? fact : `Line ${line}: ${fact}`, { cause });
    this.line = line;
    this.isOfWhole = isOfWhole;
  }
}

/** The fault at this line. */
export function errorAt(line: number, error: unknown): ArchiveError {
  if (error instanceof ArchiveError && error.line !== undefined) return error;
  const fact = messageOf(error);
  return new ArchiveError(fact, line, { cause: error });
}
