/**
 * Which items of the table exist because a record exists: the one place that says so. A commit writes the difference of
 * two projections (`plan.ts`), the audit compares a table with one, an import writes one, and reindexing mends the
 * index entries by it. A projection is pure: it knows versions and keys (`keys.ts`), and reads nothing.
 *
 * | item                       | while or since                                                                     |
 * |----------------------------|------------------------------------------------------------------------------------|
 * | head, list entry           | the record lives; intents keep their list entry, which is their pointer, for ever   |
 * | pointer                    | the record was made; once it has ended, with the number of its last change          |
 * | index, holder of a key     | the current version has the indexed member, or shows the key of a signer            |
 * | secrets, client            | the current version names them                                                     |
 * | marker of an expiry        | the intent is undecided                                                            |
 * | counts of who refers       | the current version names a record whose name can end                              |
 * | counts of a rulebook       | the current version lays down a rule; each time that governing begins or ends       |
 * | key of a ledger            | the ledger lives                                                                   |
 * | change                     | a version was superseded, or ended the record                                      |
 * | seal of a proof            | a proof made or ended the record                                                   |
 * | outbox entry               | a version was stored, until its signals are on the bus                             |
 * | mention of a term          | the signals of the current version are on the bus                                  |
 */
import { freesHandles, keepsPlace, withinOf } from '../ledger/kind.ts';
import { secretNamesIn } from '../ledger/placeholder.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { countedRelationsOf, type Relation } from '../ledger/relation.ts';
import { governed, isGoverning, rulesOf } from '../ledger/rulebook.ts';
import { type Sealed, sealedAdditionsOf, sealedOf } from '../ledger/seal.ts';
import type { Scope } from '../port/ports.ts';
import {
  changeKeyOf,
  clientKeyOf,
  expiryKeyOf,
  headKeyOf,
  holderKeyOf,
  type ItemName,
  indexKeyOf,
  type Key,
  listKeyOf,
  mentionKeysOf,
  oldSealKeyOf,
  outboxKeyOf,
  pointerKeyOf,
  refersKeyOf,
  rulebookKeyOf,
  sealKeyOf,
  secretKeyOf,
  secretsKeyOf,
  textOf,
} from './keys.ts';
import { pack } from './pack.ts';
import type { Item } from './request.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** An item that exists because of a record, or what the record adds to an item that several records share. */
export interface Projected {
  readonly item: ItemName['item'];
  readonly key: Key;
  /** The version or the attributes that lie there; neither of what only its writer knows, such as secrets. */
  readonly version?: Version;
  readonly attributes?: Attributes;
  /** What the record adds to the counts of a shared item. */
  readonly adds?: Readonly<Record<string, number>>;
  /** The record at whose name the item counts. */
  readonly names?: Relation;
  /** Where a release before this one kept the same. */
  readonly oldKey?: Key;
  /** The finding when it is missing, unless it may be; absent when nothing can tell. */
  readonly missing?: string;
  readonly mayBeMissing?: boolean;
  /** The finding when it holds something else, if that is another one. */
  readonly differs?: string;
}

/** The items of a record as it stands: of one that has ended, its pointer and its last change. */
export function itemsOfCurrent(scope: Scope, version: Version): Projected[] {
  const { kind, record, change } = version;
  const handle = nameOfVersion(version);
  const pointer = { item: 'pointer', key: pointerKeyOf(scope, kind, record.luid) } as const;
  if (isDropped(version))
    return [
      { ...pointer, attributes: { kind, handle, dropped: change } },
      changeOf(scope, version),
    ];
  return [
    { item: 'head', key: headKeyOf(scope, kind, handle), version },
    ...shownAt(scope, version),
    ...(keepsPlace(kind) ? [] : [{ ...pointer, attributes: { kind, handle } }]),
    ...publicsOf(version).map((publicKey) => holderOf(scope, version, publicKey)),
    ...keptBeside(scope, version),
    ...countedAt(scope, version),
    ...rulesOf(kind, record).map((rule) => addedToRulebook(scope, version, rule)),
  ];
}

/**
 * The items that follow from one version after another, or from the first, and stay when the record goes on. The proofs
 * to remember are those that its writer names, or else those that the two versions tell of.
 */
export function itemsOfStep(
  scope: Scope,
  next: Version,
  previous: Version | undefined,
  remembered?: readonly Sealed[],
): Projected[] {
  const sealed = remembered?.map((proof) => ({ proof })) ?? sealedBetween(next, previous);
  return [
    ...(previous ? [changeOf(scope, previous)] : []),
    // Each time that a record begins to govern its ledger, or ceases to, is counted. Decision 47.
    ...(isGoverning(next) === isGoverning(previous)
      ? []
      : [addedToRulebook(scope, next, governed)]),
    ...sealed.map((one) => sealOf(scope, next, one)),
    outboxEntryOf(scope, next),
  ];
}

/** The mentions of a current version; one that ended has none. Ruling 23, Decision 31. */
export function mentionsOf(scope: Scope, version: Version): Projected[] {
  if (isDropped(version)) return [];
  const attributes = { handle: nameOfVersion(version) };
  return mentionKeysOf(scope, version).map((key) => ({
    item: 'mention',
    key,
    attributes,
    missing: `The record is not mentioned at '${textOf(key)}'; "npm run reindex" mends it.`,
  }));
}

/** The same, as they are stored. */
export function mentionItemsOf(scope: Scope, version: Version): Item[] {
  return mentionsOf(scope, version).map(({ key, attributes }) => ({ ...key, ...attributes }));
}

/** The entry that tells the signals of a version. What it tells only its writer knows. */
export function outboxEntryOf(scope: Scope, version: Version): Projected {
  const key = outboxKeyOf(scope, version);
  return { item: 'outbox', key, missing: `The outbox entry is missing at '${textOf(key)}'.` };
}

/** The holder of a key: the signer that the keys of a signer or of a factor prove as. Ruling 63. */
export function holderOf(scope: Scope, version: Version, publicKey: string): Projected {
  const attributes = { signer: signerOf(version) };
  return { item: 'holder', key: holderKeyOf(scope, publicKey), attributes };
}

/** The signer that a signer or a factor proves as. */
export function signerOf({ kind, record }: Version): string {
  return withinOf(kind, record.data) ?? record.data.handle;
}

/** What an item holds beside its key; undefined when only its writer knows, and when it counts. */
export function contentOf({ version, attributes }: Projected): object | undefined {
  return version ? pack(version) : attributes;
}

function changeOf(scope: Scope, version: Version): Projected {
  const key = changeKeyOf(scope, version.record.luid, version.change);
  return { item: 'change', key, version };
}

/** Where lists and an index show a version. */
function shownAt(scope: Scope, version: Version): Projected[] {
  const attributes = { handle: nameOfVersion(version) };
  const shown = (item: 'list' | 'index', key: Key): Projected => {
    const missing = `The ${item} entry of the record is missing at '${textOf(key)}'.`;
    const differs = `The ${item} entry of the record names another handle.`;
    return { item, key, attributes, missing, differs };
  };
  const index = indexKeyOf(scope, version);
  return [shown('list', listKeyOf(scope, version)), ...(index ? [shown('index', index)] : [])];
}

/** The keys that a version shows, by which its signer proves. A factor may also have one that only signs tokens. */
function publicsOf({ kind, record }: Version): string[] {
  const { format, public: publicKey } = record.data;
  const isProof = kind === 'signer' || (kind === 'signer-factor' && format === 'ed25519-raw');
  return isProof && typeof publicKey === 'string' ? [publicKey] : [];
}

/** What is stored beside a current version, or with the server: secrets, a client, a marker. Decisions 22, 23 and 39. */
function keptBeside(scope: Scope, version: Version): Projected[] {
  const { kind, record } = version;
  const { luid, data, meta } = record;
  const isProvider =
    kind === 'signer-factor' && data['format'] === 'rsa-2048' && meta.owners.length === 0;
  const namesSecrets =
    kind === 'bridge' && secretNamesIn(JSON.stringify(data['secure'] ?? [])).length > 0;
  const missing = `The secrets of the ${isProvider ? 'provider' : 'bridge'} are missing.`;
  const expiry = expiryKeyOf(scope, version);
  const kept: (Projected | false)[] = [
    kind === 'ledger' && {
      item: 'secret',
      key: secretKeyOf(data.handle),
      missing: 'The ledger has no key.',
    },
    expiry !== undefined && {
      item: 'expiry',
      key: expiry,
      attributes: { handle: nameOfVersion(version) },
      missing: 'Nothing marks that the intent has yet to end.',
      differs: 'The marker of the intent names another handle.',
    },
    (isProvider || namesSecrets) && { item: 'secrets', key: secretsKeyOf(scope, luid), missing },
    meta.clientId !== undefined && {
      item: 'client',
      key: clientKeyOf(scope, meta.clientId),
      missing: 'The client of the factor is missing.',
    },
  ];
  return kept.flatMap((one) => one || []);
}

/** Where records whose names can end count that a version names them. Rulings 12 and 44. */
function countedAt(scope: Scope, { kind, record }: Version): Projected[] {
  return countedRelationsOf(kind, record.data).map((names) => {
    const key = refersKeyOf(scope, names, record.luid);
    const missing = `Nothing counts at '${textOf(key)}' that other records refer to this one.`;
    return { item: 'refers', key, adds: { refers: 1 }, names, missing };
  });
}

/** The record of a ledger lies with the server, and lays down rules for that ledger. */
function addedToRulebook(scope: Scope, { kind, record }: Version, name: string): Projected {
  const ruled = kind === 'ledger' ? record.data.handle : scope;
  return { item: 'rulebook', key: rulebookKeyOf(ruled), adds: { [name]: 1 } };
}

/** The memory of a proof that made or ended a record, so that it does so once. Ruling 16, Decision 7. */
function sealOf(
  scope: Scope,
  { kind, record }: Version,
  { proof, mayBeMissing = false }: { readonly proof: Sealed; readonly mayBeMissing?: boolean },
): Projected {
  const { luid, hash } = record;
  return {
    item: 'seal',
    key: sealKeyOf(scope, kind, proof),
    oldKey: oldSealKeyOf(scope, kind, proof),
    attributes: { luid, hash },
    missing: 'A proof that made or ended the record is not remembered.',
    mayBeMissing,
  };
}

/** The authors' proofs that a version adds and that are remembered. */
function sealedBetween({ kind, record, drop, steps }: Version, previous: Version | undefined) {
  const { hash, data, meta } = record;
  const authored = (first: number, end?: number) =>
    meta.proofs.slice(first, end).filter(({ origin }) => origin !== undefined);
  const made = previous ? 0 : (steps[0]?.proofs ?? 0);
  const known = previous?.record.meta.proofs.length ?? made;
  const added = previous && previous.record.hash !== hash ? [] : authored(known);
  const all = [...sealedOf(kind, authored(0, made)), ...sealedOf(kind, drop?.meta.proofs ?? [])];
  return [
    // Of what frees no handle nothing was remembered at first, and of added proofs neither.
    ...all.map((proof) => ({ proof, mayBeMissing: !freesHandles(kind) })),
    ...sealedAdditionsOf(kind, data, added).map((proof) => ({ proof, mayBeMissing: true })),
  ];
}

/** The finding of an item that no record accounts for, and the invariant that it breaks. Others belong to no record. */
export const surplus: Readonly<Partial<Record<ItemName['item'], readonly [3 | 4 | 5, string]>>> = {
  head: [3, 'A record has no luid of its kind'],
  change: [3, 'A version is of no record'],
  list: [3, 'A list entry shows no record, or shows it in the wrong place'],
  index: [3, 'An index entry shows no record, or shows it in the wrong place'],
  holder: [3, 'A key is held by a signer that does not have it'],
  seal: [3, 'A remembered proof made or ended no record'],
  secret: [3, 'A key is of no ledger'],
  secrets: [3, 'Secrets are kept of no bridge and no provider'],
  client: [3, 'A client is of no factor'],
  expiry: [5, 'An intent is marked that has ended'],
  refers: [3, 'It is counted that records refer to one that none names'],
  outbox: [4, 'An outbox entry tells of a change that does not exist'],
};

/** What turns one projection into another. */
export interface Difference {
  /** Items that were not there before, or held something else; and all that only their writer knows. */
  readonly puts: readonly Projected[];
  readonly removes: readonly Projected[];
  /** What is added to counts, each item once. */
  readonly counts: readonly Projected[];
}

/** What turns the first projection into the second. */
export function differenceOf(
  before: readonly Projected[],
  after: readonly Projected[],
): Difference {
  const old = new Map(before.map((one) => [textOf(one.key), one]));
  const kept = new Set(after.map(({ key }) => textOf(key)));
  return {
    puts: after.filter((one) => !one.adds && !isSame(one, old.get(textOf(one.key)))),
    removes: before.filter((one) => !one.adds && !kept.has(textOf(one.key))),
    counts: countsBetween(before, after),
  };
}

function isSame(one: Projected, other: Projected | undefined): boolean {
  if (one.version) return one.version === other?.version;
  const { attributes } = one;
  if (!attributes) return false;
  return Object.keys(attributes).every((name) => attributes[name] === other?.attributes?.[name]);
}

function countsBetween(before: readonly Projected[], after: readonly Projected[]): Projected[] {
  const sums = new Map<string, Projected>();
  const add = (one: Projected, times: 1 | -1) => {
    const text = textOf(one.key);
    const adds = { ...sums.get(text)?.adds };
    for (const [name, count] of Object.entries(one.adds ?? {}))
      adds[name] = (adds[name] ?? 0) + times * count;
    sums.set(text, { ...one, adds });
  };
  for (const one of before) if (one.adds) add(one, -1);
  for (const one of after) if (one.adds) add(one, 1);
  return [...sums.values()].flatMap((one) => {
    const adds = Object.entries(one.adds ?? {}).filter(([, count]) => count !== 0);
    return adds.length > 0 ? [{ ...one, adds: Object.fromEntries(adds) }] : [];
  });
}
