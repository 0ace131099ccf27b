/** HTTP statuses of API errors. A reason without a status does not compile. SPEC, Requests and answers. */
import type { ErrorReason, LedgerError } from '../ledger/errors.ts';

export const statusOf = {
  'api.body-malformed': 400,
  'api.method-not-allowed': 405,
  'api.query-malformed': 400,
  'api.rate-limit-exceeded': 429,
  'api.request-timeout': 408,
  'api.route-not-found': 404,
  'api.unexpected-error': 500,
  'auth.forbidden': 403,
  'auth.unauthorized': 401,
  'crypto.hash-invalid': 422,
  'crypto.parent-hash-invalid': 422,
  'crypto.signature-invalid': 422,
  'crypto.signature-missing': 422,
  'record.drop-rejected': 422,
  'record.duplicated': 409,
  'record.invalid': 422,
  'record.labels-policy-violation': 422,
  'record.not-found': 404,
  'record.relation-not-found': 422,
  'record.schema-invalid': 422,
  'record.status-policy-violation': 422,
  'record.update-rejected': 422,
} as const satisfies Record<ErrorReason, number>;

/** The HTTP status of an API error. A body that is too large, or not JSON, has a status of its own. */
export function httpStatusOf({ reason, custom }: LedgerError): number {
  if (custom?.['fault'] === 'too-large') return 413;
  return custom?.['fault'] === 'not-json-type' ? 415 : statusOf[reason];
}
