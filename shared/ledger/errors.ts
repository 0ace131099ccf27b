/**
 * Reasons for errors and failures. Clients switch on a reason, so a published one never changes. The HTTP status of a
 * reason is in `shared/port/status.ts`: the core knows no HTTP.
 */

/** Why the API refused a request. */
export type ErrorReason =
  | 'api.body-malformed'
  | 'api.method-not-allowed'
  | 'api.query-malformed'
  | 'api.rate-limit-exceeded'
  | 'api.request-timeout'
  | 'api.route-not-found'
  | 'api.unexpected-error'
  | 'auth.forbidden'
  | 'auth.unauthorized'
  | 'crypto.hash-invalid'
  | 'crypto.parent-hash-invalid'
  | 'crypto.signature-invalid'
  | 'crypto.signature-missing'
  | 'record.drop-rejected'
  | 'record.duplicated'
  | 'record.invalid'
  | 'record.labels-policy-violation'
  | 'record.not-found'
  | 'record.relation-not-found'
  | 'record.schema-invalid'
  | 'record.status-policy-violation'
  | 'record.update-rejected';

/** Why an intent failed. The reason is written on a proof of the intent and has no HTTP status. Ruling 47. */
export const failureReasons = [
  'core.bridge-prepare-failed',
  'core.bridge-unreachable',
  'core.bridge-unsupported-operation',
  'core.insufficient-balance',
  'core.intent-expired',
  'core.limit-exceeded',
  'core.reversal-exceeded',
  'core.reversal-invalid',
  'core.routing-failed',
  'core.source-inactive',
  'core.source-invalid',
  'core.symbol-inactive',
  'core.symbol-invalid',
  'core.target-inactive',
  'core.target-invalid',
  'core.thread-size-exceeded',
  'core.unexpected-error',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Details of an error for programs, as JSON. */
export type ErrorCustom = Readonly<Record<string, unknown>>;

/** An API error: the answer to a request that is refused. For bugs of the service there is `assert`. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly reason: ErrorReason;
  readonly detail: string;
  readonly custom: ErrorCustom | undefined;
  /** HTTP headers of the response, by lower-case name (`retry-after`, `www-authenticate`). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    reason: ErrorReason,
    detail: string,
    custom?: ErrorCustom,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
    this.custom = custom;
    this.headers = headers;
  }
}
