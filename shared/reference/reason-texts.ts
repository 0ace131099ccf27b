/** The meaning of each reason: of refusals, of intents that fail, and of deliveries that fail. A missing one does not compile. */
import type { ErrorReason, FailureReason } from '../ledger/errors.ts';

export const refusalTexts: Readonly<Record<ErrorReason, string>> = {
  'api.body-malformed':
    'The body is not strict JSON, is larger than 1 MiB, or has another content type. `custom` names the place.',
  'api.method-not-allowed':
    'The path exists, but not with this method; `allow` lists those that it has.',
  'api.query-malformed':
    'A parameter that the operation does not know, or a value that cannot be read. `custom` names it, and the nearest one that is known.',
  'api.rate-limit-exceeded': 'Too many requests; `retry-after` says when to try again.',
  'api.request-timeout':
    'The request took too long. A change may have been stored; the same request may be sent again.',
  'api.route-not-found': 'There is no such endpoint, or no such ledger.',
  'api.unexpected-error':
    'The service failed. `custom.request` is the id under which its log has the cause.',
  'auth.forbidden': 'No rule grants this to the caller.',
  'auth.unauthorized': 'The token is not valid, or an identity is required and none was given.',
  'crypto.hash-invalid': '`hash` is not that of `data`.',
  'crypto.parent-hash-invalid':
    '`data.parent` is not the hash of the current version: somebody has changed the record.',
  'crypto.signature-invalid': 'A proof does not verify, is over another hash, or is too old.',
  'crypto.signature-missing': 'The body has no proof.',
  'record.drop-rejected': 'The state of the record forbids its end.',
  'record.duplicated':
    'The handle is taken. `custom` names the luid and the hash of its record, so that a client knows whether that is its own.',
  'record.invalid': 'The content contradicts itself, or goes beyond a bound.',
  'record.labels-policy-violation': 'A policy forbids the labels.',
  'record.not-found': 'There is no such record.',
  'record.relation-not-found': 'The data names a record that does not exist.',
  'record.schema-invalid':
    'The body does not have its shape, or the data does not satisfy its schema. `custom.errors` lists every violation.',
  'record.status-policy-violation': 'A policy, or the state of the record, forbids the status.',
  'record.update-rejected': 'The state of the record forbids the change.',
};

export const failureTexts: Readonly<Record<FailureReason, string>> = {
  'core.bridge-prepare-failed': 'A bridge refused to prepare its side.',
  'core.bridge-unreachable': 'A bridge did not answer in time.',
  'core.bridge-unsupported-operation': 'The traits of a bridge do not take such a call.',
  'core.insufficient-balance': 'A wallet has not enough.',
  'core.intent-expired': 'The time of the intent was over before it was decided.',
  'core.limit-exceeded': 'A limit of a wallet does not allow it.',
  'core.reversal-exceeded': 'A reversal takes back more than is left of what was moved.',
  'core.reversal-invalid': 'The intent that is reversed cannot be, or not in this way.',
  'core.routing-failed': 'The routes of a wallet lead nowhere, or in a circle.',
  'core.source-inactive': 'The wallet that gives is inactive.',
  'core.source-invalid': 'The wallet that gives does not exist.',
  'core.symbol-inactive': 'The symbol is inactive.',
  'core.symbol-invalid': 'The symbol does not exist.',
  'core.target-inactive': 'The wallet that receives is inactive.',
  'core.target-invalid': 'The wallet that receives does not exist.',
  'core.thread-size-exceeded': 'Routes forward it to more intents than commit as one.',
  'core.unexpected-error': 'The service failed while it settled the intent.',
};
