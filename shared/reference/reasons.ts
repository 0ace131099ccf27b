/** The reasons of API errors, by what an operation does. */
import type { ErrorReason } from '../ledger/errors.ts';

/** The errors of any request. */
export const always: readonly ErrorReason[] = [
  'api.route-not-found',
  'auth.unauthorized',
  'api.rate-limit-exceeded',
  'api.request-timeout',
  'api.unexpected-error',
];
export const errorsOfRead: readonly ErrorReason[] = [...always, 'auth.forbidden'];
export const errorsOfList: readonly ErrorReason[] = [
  ...errorsOfRead,
  'api.query-malformed',
  'record.not-found',
  'record.schema-invalid',
];
const writing: readonly ErrorReason[] = [
  ...errorsOfRead,
  'api.body-malformed',
  'crypto.signature-invalid',
  'record.invalid',
  'record.schema-invalid',
];
export const errorsOfSigned: readonly ErrorReason[] = [
  ...writing,
  'crypto.hash-invalid',
  'crypto.signature-missing',
];
export const errorsOfUpdate: readonly ErrorReason[] = [
  ...errorsOfSigned,
  'crypto.parent-hash-invalid',
  'record.not-found',
  'record.relation-not-found',
];
export const errorsOfProof: readonly ErrorReason[] = [
  ...writing,
  'record.labels-policy-violation',
  'record.not-found',
  'record.status-policy-violation',
  'record.update-rejected',
];
export const errorsOfDrop: readonly ErrorReason[] = [...errorsOfUpdate, 'record.drop-rejected'];
export const errorsOfRequest: readonly ErrorReason[] = [...errorsOfSigned, 'record.not-found'];
