/**
 * Decides which schema a record must satisfy. Schemas are records: once a ledger has one for a kind, every record of
 * that kind names a schema and satisfies it. Ruling 65, Decision 26.
 */
import type { Kind } from './kind.ts';
import type { RecordData, Version } from './record.ts';
import { producedSchemas } from './report.ts';
import { hasCounter, type Rulebook } from './rulebook.ts';
import type { ShapeViolation } from './violation.ts';

/** Finds all violations in the data of a record; their paths begin at the data. */
export type SchemaJudge = (data: unknown) => readonly ShapeViolation[];

/** Compiles a JSON Schema. Throws `record.schema-invalid` for a value that is none. */
export type SchemaMaker = (schema: unknown) => SchemaJudge;

/** The schemas that the service defines; `undefined` where a record need not name one. */
const builtIn: Readonly<Partial<Record<Kind, readonly unknown[]>>> = {
  bridge: [undefined, 'rest'],
  'signer-factor': [undefined, 'key-pair', 'oauth-client-credentials'],
  policy: ['access', 'status', 'labels'],
  report: producedSchemas,
};

/** True when `schema` of this kind names a schema. In a schema, that member holds the JSON Schema itself. */
export function namesSchema(kind: Kind): boolean {
  return kind !== 'ledger' && kind !== 'schema';
}

/**
 * `free`: no schema applies. `found`: the record must satisfy the one that was read. `unknown`: it names one that does
 * not exist. `unnamed`: it must name one.
 */
export type Demand = 'free' | 'found' | 'unknown' | 'unnamed';

export function demandOf(
  kind: Kind,
  { schema: named }: Pick<RecordData, 'schema'>,
  found: Version | undefined,
  rulebook: Rulebook | undefined,
): Demand {
  if (!namesSchema(kind) || !hasCounter(rulebook, `schema ${kind}`)) return 'free';
  if (found?.record.data['record'] === kind) return 'found';
  if (builtIn[kind]?.includes(named)) return 'free';
  return named === undefined ? 'unnamed' : 'unknown';
}

/** The data that a schema judges: without `parent`, which belongs to the update. */
export function describedIn({ parent: _parent, ...data }: RecordData): unknown {
  return data;
}
