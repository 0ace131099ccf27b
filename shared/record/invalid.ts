/** Bodies that their shape lets pass and that cannot be, refused in the words of the shape's own refusals. */
import type { LedgerError } from '../ledger/errors.ts';
import { schemaInvalid, type Violation } from '../ledger/violation.ts';

/** Something that is wrong at a place in the body. */
export function violation(
  instancePath: string,
  keyword: string,
  params: Violation['params'],
  message: string,
): Violation {
  const schemaPath = `#${instancePath.replaceAll('/', '/properties/')}/${keyword}`;
  return { instancePath, schemaPath, keyword, params, message };
}

/** Refuses with `record.schema-invalid` and every violation, when there is any. */
export function assertNone(violations: readonly Violation[]): void {
  if (violations.length > 0) throw schemaInvalid(violations);
}

/** The refusal of a body with one thing that is wrong. */
export function invalid(...parts: Parameters<typeof violation>): LedgerError {
  return schemaInvalid([violation(...parts)]);
}
