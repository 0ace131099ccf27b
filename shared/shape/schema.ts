/** The shape of a schema: a JSON Schema that records of a kind must satisfy. Ruling 65. */
import * as z from 'zod/mini';
import { AddressHandle, commonData } from './record.ts';
import { subjects } from './subject.ts';

const { schema: _text, ...common } = commonData;

/** Schemas and ledgers have no schema of their own. Decision 26. */
const described = subjects.filter((subject) => subject !== 'ledger' && subject !== 'schema');

export const SchemaData = z.strictObject({
  handle: AddressHandle,
  record: z.literal(described),
  format: z.literal('json-schema'),
  schema: z.record(z.string(), z.unknown()),
  extend: z.exactOptional(AddressHandle),
  ...common,
});
export type SchemaData = z.infer<typeof SchemaData>;
