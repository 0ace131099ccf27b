/**
 * Letting requests through: what each action asks of the rules before it does anything, and what it answers
 * when no rule grants it. Rulings 30 to 35.
 */

import { kindOfLuid } from '../ledger/address.ts';
import { alterationOf } from '../ledger/alteration.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Asked } from '../port/asked.ts';
import {
  currentOf,
  type Finder,
  findLife,
  findWithin,
  type Life,
  notFound,
  placeIn,
  scopeOf,
} from '../record/find.ts';
import { readerFor } from '../record/reader.ts';
import { isAllowed, isSifted } from './access.ts';

type AskedOfRecord = Asked & { readonly record: LedgerRecord };

/** Refuses what no rule grants: 403 with a valid identity, 401 without one. Ruling 31. */
export async function allow(call: Call, asked: Asked): Promise<void> {
  if (!(await isAllowed(call, asked))) throw refusal(call, asked);
}

/** Refuses to make what no rule lets the caller make. A link is also an assignment. Rulings 33 and 38. */
export async function allowCreating(
  call: Call,
  kind: Kind,
  draft: NonNullable<Asked['draft']>,
): Promise<void> {
  const { parent: _parent, ...change } = draft.data;
  const asked = { action: 'create', kind, draft, change };
  if (await isAllowed(call, asked)) return;
  if (kind === 'circle-signer' && (await mayManage(call, 'assign-signer', draft.data))) return;
  throw refusal(call, asked);
}

/** Refuses to end what no rule lets the caller end. A link may also be removed by its circle's rules. Ruling 33. */
export async function allowDropping(
  call: Call,
  wanted: EndpointQuestion,
  record: LedgerRecord,
): Promise<void> {
  const { kind } = wanted;
  const asked = { action: 'drop', kind, record };
  if (await isAllowed(call, asked)) return;
  if (kind === 'circle-signer' && (await mayManage(call, 'remove-signer', record.data))) return;
  await allowChanging(call, asked, wanted);
}

/** Whether the caller may say who is a member: a question about the circle, not about the link. */
async function mayManage(call: Call, action: string, link: RecordData): Promise<boolean> {
  const handle = String(link['circle']);
  const circle = await readerFor(call).record('circle', handle);
  return circle !== undefined && isAllowed(call, { action, kind: 'circle', record: circle.record });
}

/** What an endpoint asks, as far as a refusal says it. */
type EndpointQuestion = Pick<Asked, 'action' | 'kind' | 'or'>;

/** Refuses a list of which no rule lets the caller see anything, by the name of what was asked. Ruling 71. */
export async function allowListing(call: Call, asked: Asked): Promise<void> {
  const { kind } = asked;
  // Who may read the record of a ledger is said by that ledger alone. Ruling 24.
  if (kind === 'ledger') return allow(call, asked);
  const some = { ...asked, extent: 'some' } as const;
  if (await isAllowed(call, some)) return;
  if (hasIdentity(call) && (await isAllowedSomewhere(call, some))) return;
  throw refusal(call, asked);
}

/** Whether a rule lets the caller see any of it because of where it lies: in a domain, or with another record. */
async function isAllowedSomewhere(call: Call, asked: Asked): Promise<boolean> {
  const within = await findWithin(call, asked.kind).catch(lost);
  return isAllowed(call, { ...asked, isEverywhere: true, ...(within !== undefined && { within }) });
}

/** What is not there is nothing; whatever else went wrong did. */
function lost(error: unknown): undefined {
  if (!isLost(error)) throw error;
}

/** The record that a request is about; what is not there is refused like what may not be read. Ruling 71. */
export async function findAlike(
  call: Call,
  wanted: EndpointQuestion,
  find: Finder,
): Promise<Version> {
  try {
    return currentOf(await find(call), wanted.kind);
  } catch (error) {
    throw await alike(call, wanted, error);
  }
}

/**
 * Refuses a change that no rule lets the caller make; what it may not read is refused like what is not there, as
 * the endpoint asks for it. Rulings 34 and 71.
 */
export async function allowChanging(
  call: Call,
  asked: AskedOfRecord,
  wanted: EndpointQuestion = asked,
): Promise<void> {
  if (await isAllowed(call, asked)) return;
  const { kind, record } = asked;
  if (await isAllowed(call, { action: 'read', kind, record })) throw refusal(call, asked);
  throw await unseen(call, wanted);
}

/** What an update alters, deep in objects; what goes is null. Ruling 34. */
export function changeIn(before: RecordData, after: RecordData): Readonly<Record<string, unknown>> {
  const { parent: _before, ...from } = before;
  const { parent: _after, ...to } = after;
  return alterationOf(from, to);
}

/** The record that a call is about, when the caller may read it. */
export async function findReadable(call: Call, kind: Kind, find: Finder): Promise<Version> {
  const version = await findAlike(call, { action: 'read', kind }, find);
  await allowReading(call, kind, version.record);
  return version;
}

/** Refuses to show what the caller may not read, in the words for what is not there. Decision 37. */
async function allowReading(call: Call, kind: Kind, record: LedgerRecord): Promise<void> {
  const asked = { action: 'read', kind } as const;
  if (!(await isAllowed(call, { ...asked, record }))) throw await unseen(call, asked);
}

/** Those of some records that the caller may read. Ruling 22. */
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

/** The life of a record that the caller may read, or could when it lived: its last version says. */
export async function findReadableLife(call: Call, kind: Kind, find: Finder): Promise<Life> {
  try {
    const life = await find(call);
    await allowReading(call, kind, (await lastOf(call, kind, life)).record);
    return life;
  } catch (error) {
    throw await alike(call, { action: 'read', kind }, error);
  }
}

async function lastOf(
  { services, ledger }: Call,
  kind: Kind,
  { luid, changeCount, current }: Life,
): Promise<Version> {
  if (current) return current;
  const scope = scopeOf(kind, ledger.handle);
  const past = await services.store.past(scope, luid, changeCount, changeCount);
  const last = past.at(-1);
  if (!last) throw notFound(kind);
  return last;
}

/** The record whose own are listed; what is not there is refused like what may not be read. Ruling 30. */
export async function findParent(call: Call, kind: Kind): Promise<string | undefined> {
  const { within } = lineOf(kind);
  try {
    return await findWithin(call, kind);
  } catch (error) {
    throw within ? await alike(call, { action: 'read', kind: within }, error) : error;
  }
}

/** Refuses to say that there is a record which the caller may not read, by showing that it has none. */
export async function allowEmptiness(call: Call, kind: Kind, parent: string): Promise<void> {
  const { within } = lineOf(kind);
  if (within) await findReadable(call, within, (of) => findLife(of, within, parent));
}

/**
 * A refusal tells who holds a handle to those who may read the holder, as its author may; what was signed
 * before may have made a record of another kind. Section 2, Decision 7.
 */
export async function sparing(call: Call, asked: Kind, error: unknown): Promise<unknown> {
  if (!(error instanceof LedgerError) || error.reason !== 'record.duplicated') return error;
  const luid = String(error.custom?.['luid']);
  const kind = kindOfLuid(luid) ?? asked;
  if (!(await isSifted(call, kind))) return error;
  try {
    const { record } = await lastOf(call, kind, await findLife(call, kind, luid));
    if (await isAllowed(call, { action: 'read', kind, record })) return error;
  } catch (lost) {
    if (!(lost instanceof LedgerError)) return lost;
  }
  return new LedgerError(error.reason, error.detail);
}

/** The refusal of what is not there, which is that of what may not be read; whatever else went wrong as it is. */
async function alike(call: Call, wanted: EndpointQuestion, error: unknown): Promise<unknown> {
  return isLost(error) ? unseen(call, wanted) : error;
}

/**
 * The refusal of a record that is not there, or that the caller may not read: it is made of the request alone, so
 * that nobody learns which. Who may read all records of the kind, or do to all what was asked, hears that there is
 * none: all of the ledger, or of the domain that the handle names. Ruling 71, Decision 37.
 */
async function unseen(
  call: Call,
  { action, kind, or = [] }: EndpointQuestion,
): Promise<LedgerError> {
  const ways = [...or, ['read', kind] as const];
  const asked = { action, kind, or: ways, extent: 'all', ...placeIn(call) } as const;
  return (await isAllowed(call, asked)) ? notFound(kind) : refusal(call, { action, kind });
}

function isLost(error: unknown): boolean {
  return error instanceof LedgerError && error.reason === 'record.not-found';
}

function hasIdentity({ bearer, body }: Call): boolean {
  return bearer !== undefined || body !== undefined;
}

/** The refusal of what no rule grants. Rulings, section 2. */
function refusal(call: Call, { action, kind }: Asked): LedgerError {
  if (!hasIdentity(call)) return new LedgerError('auth.unauthorized', 'Invalid token.');
  return new LedgerError('auth.forbidden', `Cannot ${action} ${lineOf(kind).title.toLowerCase()}.`);
}
