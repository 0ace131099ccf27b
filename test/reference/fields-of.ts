/** The members of a kind's records, by path, from the OpenAPI document, which is made from the shapes that check bodies. */
import { readFileSync } from 'node:fs';
import type { Schema } from '../../shared/reference/openapi.ts';

const { schemas } = JSON.parse(readFileSync('functions/openapi.json', 'utf8')).components as {
  schemas: Readonly<Record<string, Schema>>;
};

/** The types of members by path, such as `data.claims[].amount`. */
export type Fields = ReadonlyMap<string, string>;

/** References that are shown by a word; those to other schemas are shown by the name of the schema. */
const words: Readonly<Record<string, string>> = {
  Handle: 'handle',
  LedgerHandle: 'handle',
  Hash: 'hash',
  Custom: 'object',
};
const types: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  undefined: 'any',
};
const valueCountMax = 8;

/** The members below a schema of the document; members of objects of their own schema are not theirs. */
export function fieldsOf(name: string): Fields {
  const fields = new Map<string, string>();
  const schema = schemas[name];
  if (!schema) throw new Error(`The document has no schema ${name}.`);
  collect(schema, '', fields);
  return fields;
}

function collect(schema: Schema, path: string, fields: Map<string, string>): void {
  const { properties = {}, items } = schema;
  for (const [name, member] of Object.entries(properties)) {
    const own = path === '' ? name : `${path}.${name}`;
    const before = fields.get(own);
    const type = typeOf(member);
    fields.set(own, before && before !== type ? joined(before, type) : type);
    collect(member, own, fields);
  }
  if (items && !items.$ref) collect(items, `${path}[]`, fields);
  // A reference to a wallet or symbol is a handle or `{handle, custom}`; its page is that of claims.
  for (const form of formsOf(schema)) collect(form, path, fields);
}

/** The types that forms of a member have together. */
function joined(one: string, other: string): string {
  return [...new Set([...one.split(', '), ...other.split(', ')])].join(', ');
}

function typeOf(schema: Schema): string {
  const { $ref, type, items, const: only, enum: all = [] } = schema;
  if ($ref) return words[nameIn($ref)] ?? nameIn($ref);
  const values = only === undefined ? all : [only];
  if (values.length > 0 && values.length <= valueCountMax)
    return values.map((value) => `\`${value}\``).join(', ');
  const forms = formsOf(schema);
  if (forms.length > 0) return [...new Set(forms.map(typeOf))].join(' or ');
  if (type === 'array') return items ? `list of ${typeOf(items)}` : 'list';
  return schema.format === 'date-time' ? 'moment' : (types[String(type)] ?? String(type));
}

function formsOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
