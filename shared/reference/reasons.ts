/** The reasons of API errors, by what an operation does. */
import type { ErrorReason } from '../ledger/errors.ts';

/** The errors of any request. */
export const always: readonly ErrorReason[] = [
  'api.route-not-found',
  'api.query-malformed',
  'auth.unauthorized',
  'api.rate-limit-exceeded',
  'api.request-timeout',
  'api.unexpected-error',
];
export const errorsOfRead: readonly ErrorReason[] = [...always, 'auth.forbidden'];
export const errorsOfList: readonly ErrorReason[] = [...errorsOfRead, 'record.not-found'];
const sending: readonly ErrorReason[] = [
  ...errorsOfRead,
  'api.body-malformed',
  'crypto.signature-invalid',
  'record.schema-invalid',
];
const writing: readonly ErrorReason[] = [...sending, 'record.invalid'];
const hashed: readonly ErrorReason[] = ['crypto.hash-invalid', 'crypto.signature-missing'];
export const errorsOfSigned: readonly ErrorReason[] = [...writing, ...hashed];
/** The errors of a batch as a whole; those of its records are in its answer. */
export const errorsOfBatch: readonly ErrorReason[] = [
  ...always,
  'api.body-malformed',
  'record.invalid',
  'record.schema-invalid',
];
/** The errors of a create that is not carried out, and may lack its signatures. */
export const errorsOfPreview: readonly ErrorReason[] = [
  ...writing,
  'crypto.hash-invalid',
  'record.duplicated',
  'record.relation-not-found',
];
export const errorsOfUpdate: readonly ErrorReason[] = [
  ...errorsOfSigned,
  'crypto.parent-hash-invalid',
  'record.not-found',
  'record.relation-not-found',
];
export const errorsOfProof: readonly ErrorReason[] = [
  ...writing,
  'record.duplicated',
  'record.labels-policy-violation',
  'record.not-found',
  'record.status-policy-violation',
  'record.update-rejected',
];
export const errorsOfDrop: readonly ErrorReason[] = [
  ...errorsOfSigned,
  'crypto.parent-hash-invalid',
  'record.drop-rejected',
  'record.not-found',
];
/** The errors of a signed request that is not stored. */
export const errorsOfRequest: readonly ErrorReason[] = [...sending, ...hashed, 'record.not-found'];
