/** The error responses of operations, by status. */

import type { ErrorReason } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { statusOf } from '../port/status.ts';
import type { Reference, Response } from './openapi.ts';
import type { OperationInfo } from './operation.ts';

export const reasons = Object.keys(statusOf).sort() as ErrorReason[];

/** A malformed body is 400; one that is too large or not JSON has a status of its own. */
const statusesOf = (reason: ErrorReason): readonly number[] =>
  reason === 'api.body-malformed' ? [400, 413, 415] : [statusOf[reason]];

export const statusTexts: Readonly<Record<number, string>> = {
  400: 'The body or the query cannot be parsed.',
  401: 'The token is invalid, or an identity is required and none was given.',
  403: 'No access rule grants this to the caller.',
  404: 'The record, the endpoint or the ledger does not exist.',
  408: 'Processing timed out; the request may or may not have been processed.',
  409: 'A record with this handle exists, or this very body was accepted before; `custom` names the luid and the hash of the record, and of an intent its status, to callers who may read it.',
  413: 'The body, or the record that it would make, is too large.',
  415: 'The content type of the body is not JSON.',
  422: 'The body is well-formed JSON, but its content is not valid; for `record.schema-invalid`, `custom.errors` lists every violation.',
  429: 'Too many requests: try again after `retry-after` seconds.',
  500: 'The service failed; `custom.request` is the id under which its log has the cause.',
};

/** The errors of an operation by status, as references to components. */
export function errorsOf(described: OperationInfo): Readonly<Record<string, Reference>> {
  const entries = [...byStatus(described.reasons)].map(([status, all]) => {
    const $ref = `#/components/responses/${nameOf(status, all, described)}`;
    return [String(status), { $ref }] as const;
  });
  return Object.fromEntries(entries);
}

export function errorComponents(all: readonly OperationInfo[]): Record<string, Response> {
  const entries = all.flatMap((described) =>
    [...byStatus(described.reasons)].map(
      ([status, some]) => [nameOf(status, some, described), responseOf(status, some)] as const,
    ),
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function byStatus(reasons: readonly ErrorReason[]): Map<number, ErrorReason[]> {
  const found = new Map<number, ErrorReason[]>();
  for (const reason of [...reasons].sort())
    for (const status of statusesOf(reason))
      found.set(status, [...(found.get(status) ?? []), reason]);
  return found;
}

/** The bodies whose reasons are not the same for every kind, with the kinds that have reasons of their own. */
const ownReasons: Readonly<Record<string, readonly (Kind | undefined)[]>> = {
  create: ['bridge', 'intent', 'ledger'],
  update: ['ledger'],
  request: ['bridge'],
};

/** A component is named by its status and up to two reasons, else by body and kind: `422.update`, `422.create.bridge`. */
function nameOf(
  status: number,
  some: readonly ErrorReason[],
  { body, kind }: OperationInfo,
): string {
  if (some.length <= 2) return `${status}.${some.join('_')}`;
  return ownReasons[body ?? '']?.includes(kind) ? `${status}.${body}.${kind}` : `${status}.${body}`;
}

function responseOf(status: number, some: readonly ErrorReason[]): Response {
  const reason = { enum: some };
  const retry =
    status === 429 ? { 'retry-after': { $ref: '#/components/headers/retry-after' } } : {};
  return {
    description: `${statusTexts[status]} Reasons: ${some.map((one) => `\`${one}\``).join(', ')}.`,
    headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' }, ...retry },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { properties: { data: { properties: { reason } } } },
          ],
        },
      },
    },
  };
}
