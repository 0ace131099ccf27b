/** The shape of a policy: which statuses and labels records of a kind may have, and who may do what. Ruling 66. */
import * as z from 'zod/mini';
import { SignerMatcher } from './matcher.ts';
import { AddressHandle, commonData } from './record.ts';
import { accessRecords, GrantingRule } from './rule.ts';

const quorum = {
  type: 'array',
  items: { $ref: '#/components/schemas/SignerMatcher' },
  maxItems: 16,
  description:
    'Matchers, each of which must be met by the proof of a different signer who asks for it. Without a quorum, anybody who has the right may ask.',
};
const name = { type: 'string', minLength: 1, maxLength: 64 };
const names = { type: 'array', items: name, minItems: 1, maxItems: 100 };
const status = { anyOf: [{ ...name, not: { const: 'dropped' } }, { type: 'null' }] };

/** The same values as `valuesOf` below, as JSON Schema for the OpenAPI document. */
const documented = {
  access: { type: 'object', required: ['action'], description: 'An access rule.' },
  status: {
    type: 'object',
    properties: {
      status: { anyOf: [...status.anyOf, oneIn({ ...names, items: status })] },
      quorum,
    },
    additionalProperties: false,
  },
  labels: {
    type: 'object',
    properties: {
      labels: { anyOf: [name, names, oneIn(names)] },
      unique: {
        type: 'boolean',
        description: 'True where only one record at a time may have each of them.',
      },
      quorum,
    },
    required: ['labels'],
    additionalProperties: false,
  },
};

function oneIn(list: object) {
  return {
    type: 'object',
    properties: { $in: list },
    required: ['$in'],
    additionalProperties: false,
  };
}

const conditions = Object.entries(documented).map(([schema, items]) => ({
  if: { properties: { schema: { const: schema } }, required: ['schema'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { values: { items } } },
}));

export const PolicyData = z
  .strictObject({
    ...commonData,
    handle: AddressHandle,
    schema: z.literal(['access', 'status', 'labels']),
    /** A kind, or the proofs that are added to one. Ruling 77. */
    record: z.literal(accessRecords),
    values: z.array(z.looseObject({})).check(z.maxLength(100)),
    filter: z.exactOptional(z.record(z.string(), z.unknown())),
    extend: z.exactOptional(
      z.union([AddressHandle, z.array(AddressHandle).check(z.maxLength(16))]),
    ),
  })
  .check(z.meta({ allOf: conditions }));
export type PolicyData = z.infer<typeof PolicyData>;

const Name = z.string().check(z.minLength(1), z.maxLength(64));
const Names = z.array(Name).check(z.minLength(1), z.maxLength(100));
const Quorum = z.exactOptional(z.array(SignerMatcher).check(z.maxLength(16)));

/** A status that a proof can set. Decision 11. */
const Status = Name.check(z.refine((text) => text !== 'dropped', 'must NOT be dropped'));

const Statuses = z.array(z.union([Status, z.null()])).check(z.minLength(1), z.maxLength(100));

/** The shape of `values`, by the schema of the policy. */
const valuesOf: Readonly<Record<PolicyData['schema'], z.ZodMiniType>> = {
  access: z.array(GrantingRule),
  status: z.array(
    z.strictObject({
      /** Null stands for the initial status. Decision 28. */
      status: z.exactOptional(z.union([Status, z.null(), z.strictObject({ $in: Statuses })])),
      quorum: Quorum,
    }),
  ),
  labels: z.array(
    z.strictObject({
      labels: z.union([Name, Names, z.strictObject({ $in: Names })]),
      /** Only one record at a time may carry each of them. Ruling 75. */
      unique: z.exactOptional(z.boolean()),
      quorum: Quorum,
    }),
  ),
};

/** Checks the values of a policy, whose shape depends on its schema; paths begin at the body. */
export function checkPolicyValues(body: unknown, report: (issue: z.core.$ZodIssue) => void): void {
  const { schema, values } = (body as { data: PolicyData }).data;
  const { error } = valuesOf[schema].safeParse(values);
  for (const issue of error?.issues ?? [])
    report({ ...issue, path: ['data', 'values', ...issue.path] });
}
