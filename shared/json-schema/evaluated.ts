/**
 * Finds `unevaluated…` keywords that ajv would judge wrongly. Ajv counts members that a failed `if` looked at. Of
 * arrays it counts what `contains` found, and elements that one of several alternatives applied to. A schema whose
 * result depends on this is refused. Decision 88.
 */
import { isPlain } from '../ledger/compare.ts';
import type { JsonSchema } from './keyword.ts';

/** Returns the subschema that a `$ref` names. */
type Find = (reference: unknown) => unknown;

/** A subschema for the same value. `isForm`: it is one of several alternatives and applies only where it fits. */
interface Applied {
  readonly schema: JsonSchema;
  readonly isForm: boolean;
}

/** The keyword on the same value beside which this one would be misjudged; undefined when there is none. */
export function misjudgedNextTo(
  keyword: string,
  schema: JsonSchema,
  find: Find,
): string | undefined {
  const applied = appliedWith({ schema, isForm: false }, find);
  const uses = (name: string) => applied.some((one) => one.schema[name] !== undefined);
  if (uses('if')) return 'if';
  if (keyword !== 'unevaluatedItems') return undefined;
  if (uses('contains')) return 'contains';
  const isOfForm = (name: string) =>
    applied.some((one) => one.isForm && one.schema[name] !== undefined);
  return ['items', 'unevaluatedItems'].find(isOfForm);
}

/** A subschema, and all others that apply to the same value with it. */
function appliedWith(first: Applied, find: Find): readonly Applied[] {
  const found: Applied[] = [];
  const open: Applied[] = [first];
  const seen = { form: new Set<JsonSchema>(), all: new Set<JsonSchema>() };
  for (let one = open.pop(); one; one = open.pop()) {
    const known = one.isForm ? seen.form : seen.all;
    if (known.has(one.schema)) continue;
    known.add(one.schema);
    found.push(one);
    open.push(...nextOf(one, find));
  }
  return found;
}

function nextOf({ schema, isForm }: Applied, find: Find): Applied[] {
  const same = [find(schema['$ref']), ...elementsOf(schema['allOf'])];
  const forms = [
    ...elementsOf(schema['anyOf']),
    ...elementsOf(schema['oneOf']),
    ...elementsOf(schema['dependentSchemas']),
    ...elementsOf(schema['dependencies']),
  ];
  const of = (some: readonly unknown[], isForm: boolean) =>
    some.filter(isPlain).map((one) => ({ schema: one, isForm }));
  return [...of(same, isForm), ...of(forms, true)];
}

function elementsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
