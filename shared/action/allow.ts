/**
 * Letting requests through: what each action asks of the rules before it does anything, and what it answers
 * when no rule grants it. Rulings 30 to 35.
 */

import { kindOfLuid } from '../ledger/address.ts';
import { alterationOf } from '../ledger/alteration.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { isAllowed, isSifted } from './access.ts';
import type { Call } from './action.ts';
import type { Asked } from './asked.ts';
import {
  currentOf,
  type Finder,
  findLife,
  findWithin,
  type Life,
  notFound,
  scopeOf,
} from './find.ts';

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
export async function allowDropping(call: Call, kind: Kind, record: LedgerRecord): Promise<void> {
  const asked = { action: 'drop', kind, record };
  if (await isAllowed(call, asked)) return;
  if (kind === 'circle-signer' && (await mayManage(call, 'remove-signer', record.data))) return;
  await allowChanging(call, asked);
}

/** Whether the caller may say who is a member: a question about the circle, not about the link. */
async function mayManage(call: Call, action: string, link: RecordData): Promise<boolean> {
  const handle = String(link['circle']);
  const want = { what: 'record', scope: call.ledger.handle, kind: 'circle', handle } as const;
  const [circle] = await call.services.store.load([want]);
  return circle !== undefined && isAllowed(call, { action, kind: 'circle', record: circle.record });
}

/** The record that a change is about; what is not there is refused like what may not be read. Ruling 30. */
export async function findAlike(call: Call, kind: Kind, find: Finder): Promise<Version> {
  try {
    return currentOf(await find(call), kind);
  } catch (error) {
    throw await alike(call, kind, error);
  }
}

/** Refuses a change that no rule lets the caller make; what it may not read is not there. Ruling 34. */
export async function allowChanging(call: Call, asked: AskedOfRecord): Promise<void> {
  if (await isAllowed(call, asked)) return;
  await allowReading(call, asked.kind, asked.record);
  throw refusal(call, asked);
}

/** What an update alters, deep in objects; what goes is null. Ruling 34. */
export function changeIn(before: RecordData, after: RecordData): Readonly<Record<string, unknown>> {
  const { parent: _before, ...from } = before;
  const { parent: _after, ...to } = after;
  return alterationOf(from, to);
}

/** The record that a call is about, when the caller may read it. */
export async function findReadable(call: Call, kind: Kind, find: Finder): Promise<Version> {
  const version = await findAlike(call, kind, find);
  await allowReading(call, kind, version.record);
  return version;
}

/**
 * Refuses to show what the caller may not read: as if it were not there, when there could be records of the
 * kind that it may read; else by what is missing. So nobody learns what there is. Decision 37.
 */
async function allowReading(call: Call, kind: Kind, record: LedgerRecord): Promise<void> {
  if (await isAllowed(call, { action: 'read', kind, record })) return;
  await allow(call, { action: 'read', kind });
  throw notFound(kind);
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
    throw await alike(call, kind, error);
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
    throw within ? await alike(call, within, error) : error;
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

/** Who may not read it is told the same of what is there and of what is not, and not whose it would be. */
async function alike(call: Call, kind: Kind, error: unknown): Promise<unknown> {
  const isLost = error instanceof LedgerError && error.reason === 'record.not-found';
  if (!isLost || !(await isSifted(call, kind))) return error;
  const isReader = await isAllowed(call, { action: 'read', kind });
  return isReader ? notFound(kind) : refusal(call, { action: 'read', kind });
}

/** The refusal of what no rule grants. Rulings, section 2. */
function refusal(call: Call, { action, kind }: Asked): LedgerError {
  const hasIdentity = call.bearer !== undefined || call.body !== undefined;
  if (!hasIdentity) return new LedgerError('auth.unauthorized', 'Invalid token.');
  return new LedgerError('auth.forbidden', `Cannot ${action} ${lineOf(kind).title.toLowerCase()}.`);
}
