/** What an operation may refuse, as the answers of its statuses. Rulings, section 2. */

import { statusOf } from '../http/status.ts';
import type { Refusal } from '../ledger/errors.ts';
import type { Reference, Response } from './openapi.ts';
import type { Described } from './operation.ts';

/** Every reason there is. */
export const reasons = Object.keys(statusOf).sort() as Refusal[];

/** Two of the faults of a body have a status of their own. */
const statusesOf = (reason: Refusal): readonly number[] =>
  reason === 'api.body-malformed' ? [400, 413, 415] : [statusOf[reason]];

/** What people are told of a status. */
const words: Readonly<Record<number, string>> = {
  400: 'What was sent cannot be read.',
  401: 'The token does not hold.',
  403: 'The caller may not do this.',
  404: 'There is no such record, endpoint or ledger.',
  408: 'It took too long, and may or may not have been done.',
  409: 'A record with this handle exists; `custom` names its luid and hash.',
  413: 'The body, or the record that it would make, is too large.',
  415: 'The body says it is not JSON.',
  422: 'What was sent is well-formed, and no record can come of it.',
  429: 'Too many requests: try again after `retry-after` seconds.',
  500: 'The service failed; `custom.request` is the name under which its log tells why.',
};

/** The refusals of an operation by status, each by the name of a component. */
export function refusalsOf(described: Described): Readonly<Record<string, Reference>> {
  const entries = [...byStatus(described.refusals)].map(([status, all]) => {
    const $ref = `#/components/responses/${nameOf(status, all, described)}`;
    return [String(status), { $ref }] as const;
  });
  return Object.fromEntries(entries);
}

/** The components that the refusals of these operations are. */
export function refusalComponents(all: readonly Described[]): Record<string, Response> {
  const entries = all.flatMap((described) =>
    [...byStatus(described.refusals)].map(
      ([status, some]) => [nameOf(status, some, described), responseOf(status, some)] as const,
    ),
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function byStatus(refusals: readonly Refusal[]): Map<number, Refusal[]> {
  const found = new Map<number, Refusal[]>();
  for (const reason of [...refusals].sort())
    for (const status of statusesOf(reason))
      found.set(status, [...(found.get(status) ?? []), reason]);
  return found;
}

/** Few reasons name themselves; many are those of a body: `422.update`. */
function nameOf(status: number, some: readonly Refusal[], { body }: Described): string {
  return `${status}.${some.length > 2 ? body : some.join('_')}`;
}

function responseOf(status: number, some: readonly Refusal[]): Response {
  const reason = { enum: some };
  const retry =
    status === 429 ? { 'retry-after': { $ref: '#/components/headers/retry-after' } } : {};
  return {
    description: `${words[status]} Reasons: ${some.map((one) => `\`${one}\``).join(', ')}.`,
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
