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
const sending: readonly Refusal[] = [
  ...reading,
  'api.body-malformed',
  'crypto.signature-invalid',
  'record.schema-invalid',
];
const writing: readonly Refusal[] = [...sending, 'record.invalid'];
const hashed: readonly Refusal[] = ['crypto.hash-invalid', 'crypto.signature-missing'];
export const signing: readonly Refusal[] = [...writing, ...hashed];
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
/** The errors of a signed request that is not stored. */
export const asking: readonly Refusal[] = [...sending, ...hashed, 'record.not-found'];
