/**
 * References of a record: other records, its domain and its schema. They must exist; the domain must once the
 * ledger has any. Rulings 38 and 64 to 66.
 */
import { isHandleText } from '../ledger/address.ts';
import { cut } from '../ledger/cut.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { type Relation, relationsOf } from '../ledger/relation.ts';
import { hasCounter, type Rulebook } from '../ledger/rulebook.ts';
import { namesSchema } from '../ledger/schema.ts';

/** The references in new data. */
export interface RecordNames {
  readonly relations: readonly Relation[];
  readonly domain?: string;
  readonly schema?: string;
}

/** The records behind the references: relations in their order, then domain and schema if they are named. */
export type NamedRecords = readonly (Version | undefined)[];

/** The references in new data. An update names no domain, since a record keeps its own. */
export function namedBy(kind: Kind, data: RecordData, domain?: string): RecordNames {
  const named = relationsOf(kind, data);
  const { schema } = data;
  // The parent of a domain must exist even in a ledger without domains; otherwise two domains could become parents
  // of each other.
  const isParent = kind === 'domain' && domain !== undefined && named.length === 0;
  const relations = isParent ? [{ kind, handle: domain }] : named;
  // A text that cannot be a handle is a schema of the author's own, outside the ledger.
  const isHandle = namesSchema(kind) && typeof schema === 'string' && isHandleText(schema);
  return {
    relations,
    ...(domain !== undefined && { domain }),
    ...(isHandle && { schema }),
  };
}

/** Throws `record.relation-not-found` for the first reference that does not exist. */
export function assertNamed(
  named: RecordNames,
  found: readonly (Version | undefined)[],
  rulebook: Rulebook | undefined,
): void {
  const { relations, domain } = named;
  for (const [index, { kind, handle }] of relations.entries())
    if (!found[index]) throw relationNotFound(kind, handle);
  if (domain === undefined || !hasCounter(rulebook, 'domain')) return;
  if (!found[relations.length]) throw relationNotFound('domain', domain);
}

/** Refuses with `record.invalid` a record that names itself: by the handle that it has, or by the one that it gets. */
export function assertNamesOthers(kind: Kind, data: RecordData, current = data.handle): void {
  const names = [current, data.handle];
  const isOwn = (named: Relation) => named.kind === kind && names.includes(named.handle);
  if (relationsOf(kind, data).some(isOwn))
    throw new LedgerError('record.invalid', `${lineOf(kind).title} ${current} names itself.`);
}

/** The schema among the found references. */
export function schemaAmong(
  { schema }: RecordNames,
  found: readonly (Version | undefined)[],
): Version | undefined {
  return schema === undefined ? undefined : found.at(-1);
}

/** The error for a missing reference: `Bridge bank not found`. */
export function relationNotFound(kind: Kind, handle: string): LedgerError {
  return new LedgerError('record.relation-not-found', `${lineOf(kind).title} ${handle} not found`, {
    [kind]: handle,
  });
}

/** All references, domain and schema last. Throws `record.relation-not-found` for a name that cannot be a handle. */
export function namedPlaces({ relations, domain, schema }: RecordNames): readonly Relation[] {
  const all: Relation[] = [...relations];
  if (domain !== undefined) all.push({ kind: 'domain', handle: domain });
  if (schema !== undefined) all.push({ kind: 'schema', handle: schema });
  const impossible = all.find(({ handle }) => !isHandleText(handle));
  if (impossible) throw relationNotFound(impossible.kind, cut(impossible.handle));
  return all;
}
