/**
 * Where ajv would count something as evaluated that is not, or the other way around: what a failed `if` looked at, and
 * of arrays what `contains` found and what one of several forms says of all elements. A schema of which that would
 * decide is refused. Decision 88.
 */
import { isPlain } from '../ledger/compare.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Finds the subschema that a `$ref` leads to. */
type Find = (reference: unknown) => unknown;

/** A subschema that is applied to the same value, and whether only where it fits. */
interface Applied {
  readonly schema: Schema;
  readonly isForm: boolean;
}

/** The keyword, applied to the same value, beside which this one cannot be judged; undefined where it can. */
export function misjudgedBeside(keyword: string, schema: Schema, find: Find): string | undefined {
  const applied = appliedWith({ schema, isForm: false }, find);
  const uses = (name: string) => applied.some((one) => one.schema[name] !== undefined);
  if (uses('if')) return 'if';
  if (keyword !== 'unevaluatedItems') return undefined;
  if (uses('contains')) return 'contains';
  const isOfForm = (name: string) =>
    applied.some((one) => one.isForm && one.schema[name] !== undefined);
  return ['items', 'unevaluatedItems'].find(isOfForm);
}

/** A subschema, and all that are applied with it to the same value. */
function appliedWith(first: Applied, find: Find): readonly Applied[] {
  const found: Applied[] = [];
  const open: Applied[] = [first];
  const seen = { form: new Set<Schema>(), all: new Set<Schema>() };
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
