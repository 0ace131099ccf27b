/** Moments in a query: ISO 8601 with a time zone. Rulings 81 and 82. */
import { momentOf } from '../ledger/compare.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Query } from '../ledger/query.ts';

const nsPerMs = 1_000_000n;

/** A moment of a query, between two milliseconds. */
export interface QueryMoment {
  /** The last millisecond that is not after it, and the first that is not before it, since 1970. */
  readonly atMs: number;
  readonly fromMs: number;
}

/** Reads a moment of a query; refuses with `api.query-malformed` a text that is none, and a moment of the future. */
export function parseMoment(query: Query, name: string, nowMs: number): QueryMoment | undefined {
  const written = query[name];
  if (!written) return undefined;
  const [text = '', ...more] = written;
  const ns = momentOf(text);
  if (more.length > 0 || ns === undefined)
    throw refusedParameter(
      name,
      'must be one moment with a time zone, such as 2026-01-31T00:00:00Z.',
    );
  const atMs = Number(ns / nsPerMs);
  if (atMs > nowMs) throw refusedParameter(name, 'must not be in the future.');
  // A moment before 1970 has nothing before it.
  return { atMs: Math.max(0, atMs), fromMs: Math.max(0, Number((ns + nsPerMs - 1n) / nsPerMs)) };
}

/** The refusal of a parameter, which it names. */
export function refusedParameter(name: string, why: string): LedgerError {
  return new LedgerError('api.query-malformed', `Query parameter '${name}' ${why}`, {
    parameter: name,
  });
}
