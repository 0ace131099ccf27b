/** The reasons of API errors, by what an operation does. */
import type { Refusal } from '../ledger/errors.ts';

/** The errors of any request. */
export const always: readonly Refusal[] = [
  'api.route-not-found',
  'api.query-malformed',
  'auth.unauthorized',
  'api.rate-limit-exceeded',
  'api.request-timeout',
  'api.unexpected-error',
];
export const reading: readonly Refusal[] = [...always, 'auth.forbidden'];
export const paging: readonly Refusal[] = [...reading, 'record.not-found'];
const writing: readonly Refusal[] = [
  ...reading,
  'api.body-malformed',
  'crypto.signature-invalid',
  'record.invalid',
  'record.schema-invalid',
];
export const signing: readonly Refusal[] = [
  ...writing,
  'crypto.hash-invalid',
  'crypto.signature-missing',
];
export const replacing: readonly Refusal[] = [
  ...signing,
  'crypto.parent-hash-invalid',
  'record.not-found',
  'record.relation-not-found',
];
export const proving: readonly Refusal[] = [
  ...writing,
  'record.duplicated',
  'record.labels-policy-violation',
  'record.not-found',
  'record.status-policy-violation',
  'record.update-rejected',
];
export const dropping: readonly Refusal[] = [
  ...signing,
  'crypto.parent-hash-invalid',
  'record.drop-rejected',
  'record.not-found',
];
export const asking: readonly Refusal[] = [...signing, 'record.not-found'];
