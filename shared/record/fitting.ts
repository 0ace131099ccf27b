/**
 * Checks of a new or changed record against the ledger: the records that it names exist, and its data conforms to
 * its schema. Rulings 38 and 64 to 66, Decision 26.
 */
import { reaches } from '../ledger/domain.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { demandOf, describedIn } from '../ledger/schema.ts';
import { missing, type ShapeViolation, schemaInvalid } from '../ledger/violation.ts';
import type { Call } from '../port/action.ts';
import { assertExtends, withExtended } from './extension.ts';
import { domainsFrom, reachesTo } from './lineage.ts';
import { type RecordNames, relationNotFound, schemaAmong } from './relations.ts';

interface NewRecord {
  readonly kind: Kind;
  readonly data: RecordData;
  readonly named: RecordNames;
  /** The domain of the record. */
  readonly domain: string | undefined;
}

/**
 * Refuses a record that does not fit its ledger, with `record.relation-not-found` for a schema, `record.invalid` or
 * `record.schema-invalid`. `found` are the records that it names, all of which exist, as the reader returned them.
 */
export async function assertFits(
  call: Call,
  { kind, data, named, domain }: NewRecord,
  found: readonly (Version | undefined)[],
  rulebook: Rulebook | undefined,
): Promise<void> {
  if (kind === 'schema' || kind === 'policy') {
    const extended = found.filter((version) => version?.kind === kind) as Version[];
    await assertExtends(call, kind, { data, domain }, extended);
  }
  if (kind === 'effect') await assertMayPublish(call, data, domain, found);
  await assertConforms(call, { kind, data, named, domain }, schemaAmong(named, found), rulebook);
}

/**
 * Refuses with `record.invalid` an effect for a bridge of an unrelated domain, which has secrets of its own, and one
 * that watches a wallet whose events do not reach it.
 */
async function assertMayPublish(
  call: Call,
  { handle }: RecordData,
  domain: string | undefined,
  found: readonly (Version | undefined)[],
): Promise<void> {
  const wallet = found.find((version) => version?.kind === 'wallet');
  if (wallet && !(await reachesTo(call, domain, wallet.record.meta.domain)))
    throw new LedgerError('record.invalid', `Effect ${handle} watches a wallet of another domain.`);
  const bridge = found.find((version) => version?.kind === 'bridge');
  const other = bridge?.record.meta.domain;
  if ((await reachesTo(call, other, domain)) || (await reachesTo(call, domain, other))) return;
  throw new LedgerError('record.invalid', `Effect ${handle} tells a bridge of another domain.`);
}

/** Refuses with `record.schema-invalid` data that violates its schema, or one that this schema extends. Ruling 65. */
async function assertConforms(
  call: Call,
  fitted: NewRecord,
  named: Version | undefined,
  rulebook: Rulebook | undefined,
): Promise<void> {
  const schema = await bindingSchema(call, fitted, named, rulebook);
  if (!schema) return;
  const all = await withExtended(call, [schema]);
  const violations: ShapeViolation[] = [];
  for (const { record } of all) {
    const judge = await call.services.schemaMaker(record.data['schema']);
    const found = judge(describedIn(fitted.data));
    const isNamed = record === schema.record;
    violations.push(...(isNamed ? found : found.map((one) => within(record.data.handle, one))));
  }
  if (violations.length > 0) throw schemaInvalid(violations);
}

/**
 * The schema that binds the data. Refuses data that has to name a schema and names none, or one that does not
 * exist. A schema of another domain binds nothing.
 */
async function bindingSchema(
  call: Call,
  { kind, data, domain }: NewRecord,
  named: Version | undefined,
  rulebook: Rulebook | undefined,
): Promise<Version | undefined> {
  const isNear = named && (await reachesTo(call, named.record.meta.domain, domain));
  const schema = isNear ? named : undefined;
  const demand = demandOf(kind, data, schema, rulebook);
  if (demand === 'found') return schema;
  if (demand === 'free' || !(await hasBindingSchema(call, kind, domain))) return undefined;
  if (demand === 'unnamed') throw schemaInvalid([missing('/data', 'schema')]);
  throw relationNotFound('schema', data.schema ?? '');
}

/** True when a schema for the kind exists whose domain reaches this one. Ruling 70. */
async function hasBindingSchema(
  call: Call,
  kind: Kind,
  domain: string | undefined,
): Promise<boolean> {
  const { services, ledger } = call;
  const schemas = await services.store.indexed(ledger.handle, 'schema', kind, 'recent');
  const lies = schemas.some(({ record }) => record.meta.domain !== undefined)
    ? await domainsFrom(call, domain)
    : [];
  return schemas.some(({ record }) => reaches(record.meta.domain, lies));
}

/** The violation of an extended schema is prefixed with its handle: `<handle>#/properties/…`. */
function within(schema: string, violation: ShapeViolation): ShapeViolation {
  return { ...violation, schemaPath: `${schema}${violation.schemaPath}` };
}
