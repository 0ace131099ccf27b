/** What a shape says about a body: the violations that a caller would read. */

import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import { assertShape } from '../../shared/record/shape-violation.ts';
import { type BodyShape, createBody } from '../../shared/shape/body.ts';

/** One violation, without what its keyword implies. */
type Broken = readonly [instancePath: string, keyword: string, params: unknown];

export const hash = '0123456789abcdefABCDEF'.padEnd(64, '0');

/** A proof as a client sends it; nothing here is verified. */
export const proof = {
  method: 'ed25519-v2',
  public: 'A'.repeat(44),
  digest: hash,
  result: 'A'.repeat(88),
};

/** A body that creates a record with this data. */
export function bodyOf(data: unknown, more: object = {}): object {
  return { hash, data, meta: { proofs: [proof] }, ...more };
}

/** The refusal of a body; undefined when it has the shape. */
export function refusalOf(shape: BodyShape, body: unknown): LedgerError | undefined {
  try {
    assertShape(shape, body);
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
}

/** Every violation of a body, in order. */
export function brokenBy(shape: BodyShape, body: unknown): Broken[] {
  const errors = (refusalOf(shape, body)?.custom?.['errors'] ?? []) as {
    instancePath: string;
    keyword: string;
    params: unknown;
  }[];
  return errors.map(({ instancePath, keyword, params }) => [instancePath, keyword, params]);
}

/** Every violation of the data of a create. */
export function brokenData(kind: Kind, data: unknown): Broken[] {
  return brokenBy(createBody(kind), bodyOf(data));
}

export const handlePattern = {
  pattern: '^([a-zA-Z0-9_\\-+.]+:)?[a-zA-Z0-9_\\-+.]+(@[a-zA-Z0-9_\\-+.]+)?$',
};
export const hexPattern = { pattern: '^[A-Fa-f0-9]{64}$' };
