/** Finds the description of each member of the OpenAPI document by its place. */
import { type Kind, kinds } from '../ledger/kind.ts';
import { answerDescriptions } from './answer-descriptions.ts';
import { recordDescriptions } from './descriptions.ts';
import type { Schema } from './openapi.ts';
import { typeNameOf } from './operation.ts';
import { sentDescriptions } from './sent-descriptions.ts';

/** By place: the name of a schema, or of a group of schemas, and the names of members below it. */
export const descriptionAt: Readonly<Record<string, string>> = {
  ...recordDescriptions,
  ...answerDescriptions,
  ...sentDescriptions,
};

/** A member where it stands: the schemas and groups that it may be described at, and its path below them. */
interface MemberPlace {
  readonly owners: readonly string[];
  readonly path: readonly string[];
}

const kindNames: ReadonlySet<string> = new Set((Object.keys(kinds) as Kind[]).map(typeNameOf));

/** Bodies that are signed as records are, and make none. */
const requests: ReadonlySet<string> = new Set(['Check', 'Lookup', 'Request', 'Retry', 'Drop']);

/** Schemas that have the members of another one, and some more. */
const alike: Readonly<Record<string, readonly string[]>> = {
  Proof: ['SentProof'],
  ReportProof: ['SentProof'],
  CountedPage: ['Page'],
  BatchedIntent: ['Intent', 'Record'],
  RefusedIntent: ['Error'],
  PrepareCall: ['Call', 'BridgeEntry'],
  DecisionCall: ['Call', 'BridgeEntry'],
};

/** The schema of this name, with a description for every member that has none of its own. */
export function explained(schema: Schema, name: string): Schema {
  return explainedAt(schema, placeOf(name));
}

/** The schema itself first, then the record that it is about, then its group. */
function placeOf(name: string): MemberPlace {
  const [, verb, made = name] = /^(Create|Update)([A-Z].*)$/.exec(name) ?? [];
  const [, own = made, form] = /^(.+?)(Data|Change|List|ChangeList)$/.exec(made) ?? [];
  const path = form === 'Data' ? ['data'] : [];
  const record = kindNames.has(own) ? [own] : [];
  return {
    owners: [name, ...record, ...(alike[name] ?? []), ...groupsOf(name, verb, form, record)],
    path,
  };
}

function groupsOf(
  name: string,
  verb: string | undefined,
  form: string | undefined,
  record: readonly string[],
): readonly string[] {
  if (verb) return [verb, 'Body', ...(record.length > 0 ? ['Record'] : [])];
  if (requests.has(name)) return ['Body'];
  if (form === 'List' || form === 'ChangeList') return ['List', 'Signed'];
  if (form === 'Change') return ['Change', 'Record'];
  if (name.endsWith('Event')) return ['Event', 'Signed'];
  return record.length > 0 ? ['Record'] : ['Signed'];
}

function explainedAt(schema: Schema, place: MemberPlace): Schema {
  const { properties, items, anyOf, oneOf, allOf, then } = schema;
  const within = (inner: Schema) => explainedAt(inner, place);
  return {
    ...schema,
    ...(properties && { properties: explainedMembers(properties, place) }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
    ...(allOf && { allOf: allOf.map(within) }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    ...(then && { then: within(then) }),
  };
}

function explainedMembers(
  members: Readonly<Record<string, Schema>>,
  { owners, path }: MemberPlace,
): Record<string, Schema> {
  const entries = Object.entries(members).map(([name, member]) => {
    // `false` stands for a member that there must not be.
    if (typeof member !== 'object') return [name, member] as const;
    const at = { owners, path: [...path, name] };
    const description = member.description ?? meaningOf(at);
    return [name, { ...(description && { description }), ...explainedAt(member, at) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Places below which members are what they are below another place. */
const sameBelow: readonly (readonly [place: string, other: string])[] = [
  ['Drop.meta.proofs.', 'SentProof.'],
  ['IntentPreview.data.forwarded.entries.', 'IntentPreview.data.entries.'],
];

/** The description of a member at the first of its owners that has one at the same path. */
function meaningOf({ owners, path }: MemberPlace): string | undefined {
  const places = owners.map((owner) => [owner, ...path].join('.')).flatMap(withOther);
  const found = places.find((place) => Object.hasOwn(descriptionAt, place));
  return found === undefined ? undefined : descriptionAt[found];
}

function withOther(place: string): string[] {
  const others = sameBelow.flatMap(([below, other]) =>
    place.startsWith(below) ? [other + place.slice(below.length)] : [],
  );
  return [place, ...others];
}
