/**
 * Permission checks of the actions, and the errors when no rule grants them. An error never tells whether a record
 * exists that the caller may not read. Rulings 30 to 35 and 71.
 */
import { kindOfLuid } from '../ledger/address.ts';
import { alterationOf } from '../ledger/alteration.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { PermissionQuery } from '../port/permission-query.ts';
import {
  currentOf,
  type Finder,
  findHead,
  findWithin,
  notFound,
  placeIn,
  type RecordHead,
  scopeOf,
} from '../record/find.ts';
import { readerFor } from '../record/reader.ts';
import { isAllowed, isSifted } from './access.ts';

type RecordPermissionQuery = PermissionQuery & { readonly record: LedgerRecord };

/** A call with its token alone: what is signed may have been read somewhere and sent by anyone. Decisions 41 and 43. */
export function unsigned(call: Call): Call {
  return { ...call, body: {} };
}

/** Refuses what no rule grants: with `auth.forbidden`, or without an identity `auth.unauthorized`. Ruling 31. */
export async function allow(call: Call, query: PermissionQuery): Promise<void> {
  if (!(await isAllowed(call, query))) throw notGranted(call, query);
}

/** Permission to assign signers to a circle also allows to create its links. Rulings 33 and 38. */
export async function allowCreating(
  call: Call,
  kind: Kind,
  draft: NonNullable<PermissionQuery['draft']>,
): Promise<void> {
  const { parent: _parent, ...change } = draft.data;
  const query = { action: 'create', kind, draft, change };
  if (await isAllowed(call, query)) return;
  if (kind === 'circle-signer' && (await mayManage(call, 'assign-signer', draft.data))) return;
  throw notGranted(call, query);
}

/** Permission to remove signers from a circle also allows to drop its links. Ruling 33. */
export async function allowDropping(
  call: Call,
  wanted: EndpointQuestion,
  record: LedgerRecord,
): Promise<void> {
  const { kind } = wanted;
  const query = { action: 'drop', kind, record };
  if (await isAllowed(call, query)) return;
  if (kind === 'circle-signer' && (await mayManage(call, 'remove-signer', record.data))) return;
  await allowChanging(call, query, wanted);
}

/** A query about the circle, not about the link. */
async function mayManage(call: Call, action: string, link: RecordData): Promise<boolean> {
  const handle = String(link['circle']);
  const circle = await readerFor(call).record('circle', handle);
  return circle !== undefined && isAllowed(call, { action, kind: 'circle', record: circle.record });
}

/** The permission of an endpoint, as its errors name it. */
type EndpointQuestion = Pick<PermissionQuery, 'action' | 'kind' | 'or'>;

/** Refuses a list of which the caller may see nothing. Ruling 71. */
export async function allowListing(call: Call, query: PermissionQuery): Promise<void> {
  const { kind } = query;
  // Only a ledger itself decides who reads its record. Ruling 24.
  if (kind === 'ledger') return allow(call, query);
  const some = { ...query, extent: 'some' } as const;
  if (await isAllowed(call, some)) return;
  if (hasIdentity(call) && (await isAllowedSomewhere(call, some))) return;
  throw notGranted(call, query);
}

/**
 * True when a rule of some domain, or of the records' parent, lets the caller see a part of the list. Where that would be
 * so without the parent, an unreadable parent is refused like a missing one.
 */
async function isAllowedSomewhere(call: Call, query: PermissionQuery): Promise<boolean> {
  const within = await findWithin(call, query.kind).catch(lost);
  const anywhere = { ...query, isEverywhere: true } as const;
  if (within === undefined) return isAllowed(call, anywhere);
  if (await isAllowed(call, { ...anywhere, within })) return true;
  if (await isAllowed(call, anywhere)) await allowEmptiness(call, query.kind, within);
  return false;
}

/** Turns `record.not-found` into undefined and throws anything else again. */
function lost(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Finds the record of a request; a missing one is refused like one that the caller may not read. Ruling 71. */
export async function findOrHide(
  call: Call,
  wanted: EndpointQuestion,
  find: Finder,
): Promise<Version> {
  try {
    return currentOf(await find(call), wanted.kind);
  } catch (error) {
    throw await hidden(call, wanted, error);
  }
}

/**
 * Refuses a change without the permission. A caller who may not even read the record gets the error of a missing one,
 * in the words of the endpoint. Rulings 34 and 71.
 */
export async function allowChanging(
  call: Call,
  query: RecordPermissionQuery,
  wanted: EndpointQuestion = query,
): Promise<void> {
  if (await isAllowed(call, query)) return;
  const { kind, record } = query;
  if (await isAllowed(call, { action: 'read', kind, record })) throw notGranted(call, query);
  throw await hiddenError(call, wanted);
}

/** The members that an update changes, deep inside objects; removed ones are null. Ruling 34. */
export function changeIn(before: RecordData, after: RecordData): Readonly<Record<string, unknown>> {
  const { parent: _before, ...from } = before;
  const { parent: _after, ...to } = after;
  return alterationOf(from, to);
}

/** Finds the record of a call and refuses it without permission to read. */
export async function findReadable(call: Call, kind: Kind, find: Finder): Promise<Version> {
  const version = await findOrHide(call, { action: 'read', kind }, find);
  await allowReading(call, kind, version.record);
  return version;
}

/** Refuses a record that the caller may not read, with the error of a missing one. Decision 37. */
async function allowReading(call: Call, kind: Kind, record: LedgerRecord): Promise<void> {
  const query = { action: 'read', kind } as const;
  if (!(await isAllowed(call, { ...query, record }))) throw await hiddenError(call, query);
}

/** Those of the records that the caller may read. Ruling 22. */
export async function readableOf(
  call: Call,
  kind: Kind,
  records: readonly LedgerRecord[],
): Promise<LedgerRecord[]> {
  const may = await Promise.all(
    records.map((record) => isAllowed(call, { action: 'read', kind, record })),
  );
  return records.filter((_, index) => may[index]);
}

/** Finds a record also after its end. Permission to read is then judged by its last version. */
export async function findReadableHead(call: Call, kind: Kind, find: Finder): Promise<RecordHead> {
  try {
    const head = await find(call);
    await allowReading(call, kind, (await lastOf(call, kind, head)).record);
    return head;
  } catch (error) {
    throw await hidden(call, { action: 'read', kind }, error);
  }
}

async function lastOf(
  { services, ledger }: Call,
  kind: Kind,
  { luid, changeCount, current }: RecordHead,
): Promise<Version> {
  if (current) return current;
  const scope = scopeOf(kind, ledger.handle);
  const past = await services.store.past(scope, luid, changeCount, changeCount);
  const last = past.at(-1);
  if (!last) throw notFound(kind);
  return last;
}

/** The handle of the parent in the path; a missing one is refused like an unreadable one. Ruling 30. */
export async function findParent(call: Call, kind: Kind): Promise<string | undefined> {
  const { within } = lineOf(kind);
  try {
    return await findWithin(call, kind);
  } catch (error) {
    throw within ? await hidden(call, { action: 'read', kind: within }, error) : error;
  }
}

/** An empty list must not reveal a parent that the caller may not read. */
export async function allowEmptiness(call: Call, kind: Kind, parent: string): Promise<void> {
  const { within } = lineOf(kind);
  if (within) await findReadable(call, within, (of) => findHead(of, within, parent));
}

/**
 * Removes the holder of a handle from a `record.duplicated` error, unless the caller may read the holder. A replayed
 * signature may have made a record of another kind. Section 2, Decision 7.
 */
export async function withoutHiddenHolder(
  call: Call,
  query: Kind,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof LedgerError) || error.reason !== 'record.duplicated') return error;
  const luid = String(error.custom?.['luid']);
  const kind = kindOfLuid(luid) ?? query;
  if (!(await isSifted(call, kind))) return error;
  try {
    const { record } = await lastOf(call, kind, await findHead(call, kind, luid));
    if (await isAllowed(call, { action: 'read', kind, record })) return error;
  } catch (lost) {
    if (!(lost instanceof LedgerError)) return lost;
  }
  return new LedgerError(error.reason, error.detail);
}

/** Converts `record.not-found` into the error of a record that the caller may not read; passes on anything else. */
async function hidden(call: Call, wanted: EndpointQuestion, error: unknown): Promise<unknown> {
  return isNotFound(error) ? hiddenError(call, wanted) : error;
}

/**
 * The error for a missing record, and for one that the caller may not read. It is derived from the request alone, so
 * both look the same. A caller with permission for all records of the kind (in the ledger, or in the domain of the
 * handle) gets `record.not-found` instead. Ruling 71, Decision 37.
 */
async function hiddenError(
  call: Call,
  { action, kind, or = [] }: EndpointQuestion,
): Promise<LedgerError> {
  const ways = [...or, ['read', kind] as const];
  const query = { action, kind, or: ways, extent: 'all', ...placeIn(call) } as const;
  return (await isAllowed(call, query)) ? notFound(kind) : notGranted(call, { action, kind });
}

function isNotFound(error: unknown): boolean {
  return error instanceof LedgerError && error.reason === 'record.not-found';
}

function hasIdentity({ bearer, body }: Call): boolean {
  return bearer !== undefined || body !== undefined;
}

/** The error for a missing permission. SPEC, Requests and answers. */
function notGranted(call: Call, { action, kind }: PermissionQuery): LedgerError {
  if (!hasIdentity(call)) return new LedgerError('auth.unauthorized', 'Invalid token.');
  return new LedgerError('auth.forbidden', `Cannot ${action} ${lineOf(kind).title.toLowerCase()}.`);
}
