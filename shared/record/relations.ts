/**
 * What a record names must be there: other records, and its domain once the ledger has any. Rulings 38
 * and 64 to 66.
 */
import { isHandleText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { type Relation, relationsOf } from '../ledger/relation.ts';
import { hasRule, type Rulebook } from '../ledger/rulebook.ts';
import { namesSchema } from '../ledger/schema.ts';

/** What a record names: others, and perhaps the domain that it is made in and its schema. */
export interface Named {
  readonly relations: readonly Relation[];
  readonly domain?: string;
  readonly schema?: string;
}

/** What a record names, as it was found: the relations in their order, then the domain and the schema if they are named. */
export type NamedRecords = readonly (Version | undefined)[];

/** What new data names. An update names no domain, since a record keeps its own. */
export function namedBy(kind: Kind, data: RecordData, domain?: string): Named {
  const named = relationsOf(kind, data);
  const { schema } = data;
  // A domain lies in one that is there also before there is any other: else some could lie in one another.
  const isParent = kind === 'domain' && domain !== undefined && named.length === 0;
  const relations = isParent ? [{ kind, handle: domain }] : named;
  // What cannot be a handle is no schema of the ledger, and may be what the author calls it.
  const isHandle = namesSchema(kind) && typeof schema === 'string' && isHandleText(schema);
  return {
    relations,
    ...(domain !== undefined && { domain }),
    ...(isHandle && { schema }),
  };
}

/**
 * Refuses with `record.relation-not-found` for the first record that is not there; `found` as a reader found
 * what is named.
 */
export function assertNamed(
  named: Named,
  found: readonly (Version | undefined)[],
  rulebook: Rulebook | undefined,
): void {
  const { relations, domain } = named;
  for (const [index, { kind, handle }] of relations.entries())
    if (!found[index]) throw relationNotFound(kind, handle);
  if (domain === undefined || !hasRule(rulebook, 'domain')) return;
  if (!found[relations.length]) throw relationNotFound('domain', domain);
}

/** The schema that is named; `found` as a reader found what is named. */
export function schemaAmong(
  { schema }: Named,
  found: readonly (Version | undefined)[],
): Version | undefined {
  return schema === undefined ? undefined : found.at(-1);
}

/** The refusal for a named record that is not there: `Bridge bank not found`. */
export function relationNotFound(kind: Kind, handle: string): LedgerError {
  return new LedgerError('record.relation-not-found', `${lineOf(kind).title} ${handle} not found`, {
    [kind]: handle,
  });
}

/** Everything that is named, domain and schema last. What cannot be a handle is refused as not there. */
export function namedPlaces({ relations, domain, schema }: Named): readonly Relation[] {
  const all: Relation[] = [...relations];
  if (domain !== undefined) all.push({ kind: 'domain', handle: domain });
  if (schema !== undefined) all.push({ kind: 'schema', handle: schema });
  const impossible = all.find(({ handle }) => !isHandleText(handle));
  if (impossible) throw relationNotFound(impossible.kind, impossible.handle.slice(0, 256));
  return all;
}
