/**
 * The form of an archive: a ledger with all its history as lines of JSON, each one object. The first line says what
 * it is, the last one how many lines there are and what they hash to, so that whoever has all of them knows it.
 * README.md shows every line.
 */
import type { Version } from '../ledger/record.ts';

type Json = Readonly<Record<string, unknown>>;

/** The first line. */
export interface Header {
  readonly what: 'archive';
  readonly format: typeof format;
  readonly version: typeof formatVersion;
  /** The handle and the luid of the ledger. */
  readonly ledger: string;
  readonly luid: string;
  /** When the table was read to its end, ISO 8601 UTC. */
  readonly moment: string;
  /** How its private keys and secrets are encrypted. */
  readonly secrets: Sealing;
}

/** As the keyring of its server wrapped them, or under a passphrase: the salt of the key, in base64. */
export type Sealing =
  | { readonly by: 'keyring' }
  | { readonly by: 'passphrase'; readonly salt: string };

/** A version of a record, as the ledger keeps it; its `kind` says whether it is the record of the ledger. */
export type VersionLine = { readonly what: 'version' } & Version;

/** All that is no version: what it is, and its members (`wording.ts`). */
export interface OtherLine extends Json {
  readonly what: string;
}

export type Line = VersionLine | OtherLine;

/** The last line. */
export interface End {
  readonly what: 'end';
  /** How many lines come before this one, the first one included. */
  readonly lines: number;
  /** How many of each there are. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of all lines before this one with their ends, in hexadecimal. */
  readonly sha256: string;
}

export const format = 'countersign-ledger';
export const formatVersion = 1;

interface FaultOptions {
  readonly cause?: unknown;
  readonly isOfWhole?: boolean;
}

/** Something that an archive cannot say, or says wrongly; `line` counts from 1. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly line: number | undefined;
  /** Whether each line could be read, and it is all of them together that are not as they were written. */
  readonly isOfWhole: boolean;

  constructor(fact: string, line?: number, { cause, isOfWhole = false }: FaultOptions = {}) {
    super(line === undefined ? fact : `Line ${line}: ${fact}`, { cause });
    this.line = line;
    this.isOfWhole = isOfWhole;
  }
}

/** The fault, said of a line. */
export function faultAt(line: number, error: unknown): ArchiveFault {
  if (error instanceof ArchiveFault && error.line !== undefined) return error;
  const fact = error instanceof Error ? error.message : String(error);
  return new ArchiveFault(fact, line, { cause: error });
}
