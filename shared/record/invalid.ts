/** Errors for bodies that pass their shape and break a rule, in the same form as the errors of the shape. */
import type { LedgerError } from '../ledger/errors.ts';
import { type ShapeViolation, schemaInvalid } from '../ledger/violation.ts';

/** A violation at a JSON pointer into the body. */
export function violation(
  instancePath: string,
  keyword: string,
  params: ShapeViolation['params'],
  message: string,
): ShapeViolation {
  const schemaPath = `#${instancePath.replaceAll('/', '/properties/')}/${keyword}`;
  return { instancePath, schemaPath, keyword, params, message };
}

/** Refuses with `record.schema-invalid` and all violations, when there are any. */
export function assertNone(violations: readonly ShapeViolation[]): void {
  if (violations.length > 0) throw schemaInvalid(violations);
}

/** The `record.schema-invalid` error of a single violation. */
export function invalid(...parts: Parameters<typeof violation>): LedgerError {
  return schemaInvalid([violation(...parts)]);
}
