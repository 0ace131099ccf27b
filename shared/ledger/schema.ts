/**
 * What its schema asks of a record. Schemas are records themselves: once a ledger has one for a kind,
 * every record of that kind names one and satisfies it. Ruling 65, Decision 26.
 */
import type { Kind } from './kind.ts';
import type { RecordData, Version } from './record.ts';
import { hasRule, type Rulebook } from './rulebook.ts';
import type { Violation } from './violation.ts';

/** Finds everything that is wrong with the data of a record; paths begin at the data. */
export type SchemaJudge = (data: unknown) => readonly Violation[];

/** Makes a judge from a JSON Schema; refuses with `record.schema-invalid` what is none. */
export type SchemaMaker = (schema: unknown) => SchemaJudge;

/** The schemas that the service knows by itself; `undefined` where a record need not name one. */
const builtIn: Readonly<Partial<Record<Kind, readonly unknown[]>>> = {
  bridge: [undefined, 'rest'],
  'signer-factor': [undefined, 'key-pair', 'oauth-client-credentials'],
  policy: ['access', 'status', 'labels'],
  report: ['trans_details_rep'],
};

/** Whether records of this kind can name a schema: what says `schema` in a schema is no name. */
export function namesSchema(kind: Kind): boolean {
  return kind !== 'ledger' && kind !== 'schema';
}

/**
 * What becomes of a record: it is `free` of schemas, must be as the one that was `found` says, names
 * one that is `unknown`, or must name one and does not.
 */
export type Demand = 'free' | 'found' | 'unknown' | 'unnamed';

/** What the schemas of a ledger demand of a record that names one, or none. Ruling 65. */
export function demandOf(
  kind: Kind,
  { schema: named }: Pick<RecordData, 'schema'>,
  found: Version | undefined,
  rulebook: Rulebook | undefined,
): Demand {
  if (!namesSchema(kind) || !hasRule(rulebook, `schema ${kind}`)) return 'free';
  if (found?.record.data['record'] === kind) return 'found';
  if (builtIn[kind]?.includes(named)) return 'free';
  return named === undefined ? 'unnamed' : 'unknown';
}

/** What a schema describes: the data less its parent, which is an update's and not the author's. */
export function describedIn({ parent: _parent, ...data }: RecordData): unknown {
  return data;
}
