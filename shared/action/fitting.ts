/**
 * Whether a new or changed record fits into its ledger: what it names is there, and it is as the schema
 * says that it names. Rulings 38 and 64 to 66, Decision 26.
 */
import type { Kind } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { demandOf, describedIn } from '../ledger/schema.ts';
import { missing, schemaInvalid, type Violation } from '../ledger/violation.ts';
import type { Call } from './action.ts';
import { assertExtends, withExtended } from './extension.ts';
import { scopeOf } from './find.ts';
import { assertNamed, type Named, relationNotFound, schemaAmong } from './relations.ts';

/** A draft's data and what it names. */
interface Fitted {
  readonly kind: Kind;
  readonly data: RecordData;
  readonly named: Named;
}

/** Refuses what does not fit; `found` as `namedWants` asked for it. */
export async function assertFits(
  call: Call,
  { kind, data, named }: Fitted,
  found: readonly (Version | undefined)[],
  rulebook: Rulebook | undefined,
): Promise<void> {
  assertNamed(named, found, rulebook);
  if (kind === 'schema' || kind === 'policy') {
    const extended = found.filter((version) => version?.kind === kind) as Version[];
    await assertExtends(call.services, call.ledger.handle, kind, data, extended);
  }
  await assertAsSchema(call, kind, data, schemaAmong(named, found), rulebook);
}

/** Refuses a record that is not as its schema, and those that this one extends, say. Ruling 65. */
async function assertAsSchema(
  { services, ledger }: Call,
  kind: Kind,
  data: RecordData,
  schema: Version | undefined,
  rulebook: Rulebook | undefined,
): Promise<void> {
  const demand = demandOf(kind, data, schema, rulebook);
  if (demand === 'unnamed') throw schemaInvalid([missing('/data', 'schema')]);
  if (demand === 'unknown') throw relationNotFound('schema', data.schema ?? '');
  if (demand === 'free' || !schema) return;
  const all = await withExtended(services, scopeOf(kind, ledger.handle), [schema]);
  const violations: Violation[] = [];
  for (const { record } of all) {
    const judge = await services.schemaMaker(record.data['schema']);
    const found = judge(describedIn(data));
    const isNamed = record === schema.record;
    violations.push(...(isNamed ? found : found.map((one) => within(record.data.handle, one))));
  }
  if (violations.length > 0) throw schemaInvalid(violations);
}

/** A violation of an extended schema says which: `<handle>#/properties/…`. */
function within(schema: string, violation: Violation): Violation {
  return { ...violation, schemaPath: `${schema}${violation.schemaPath}` };
}
