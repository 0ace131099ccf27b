/** Lookup of records by the handle, address or luid in a path. */
import { isLuid } from '../crypto/luid.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { assert } from '../ledger/assert.ts';
import { payForRow } from '../ledger/budget.ts';
import { domainOf } from '../ledger/domain.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf, nameWithin } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Pointer, Scope } from '../port/ports.ts';

/** A record may be renamed between the reads of its pointer and itself; the lookup then starts over. */
const pointerRoundMax = 3;
/** Changes of an owner that are read at once. */
const chunkLength = 20;

/** The ledger whose records are looked up, and the store. */
type LookupCall = Pick<Call, 'services' | 'ledger'>;

/** The scope of the records of a kind: those of ledgers belong to the server. */
export function scopeOf(kind: Kind, ledger: string): Scope {
  return kind === 'ledger' ? '' : ledger;
}

/** The error for a missing record: `Wallet not found`. */
export function notFound(kind: Kind): LedgerError {
  return new LedgerError('record.not-found', `${lineOf(kind).title} not found`);
}

/** The path parameter of this name. The route guarantees that it is there. */
export function parameterOf(call: Call, name: string): string {
  const value = call.path[name];
  assert(value !== undefined, `the endpoint declares the path parameter {${name}}`);
  return value;
}

/** The location of a luid of this kind, also after the end of the record. */
async function pointerOf(call: LookupCall, kind: Kind, luid: string): Promise<Pointer> {
  if (!isLuid(luid, lineOf(kind).prefix)) throw notFound(kind);
  const scope = scopeOf(kind, call.ledger.handle);
  const [pointer] = await call.services.store.load([{ what: 'pointer', scope, kind, luid }]);
  if (pointer?.kind !== kind) throw notFound(kind);
  return pointer;
}

/** A record that exists or has ended; `current` is absent after its end. */
export interface RecordHead {
  readonly luid: string;
  readonly changeCount: number;
  readonly current?: Version;
}

/** Finds the record of a call; throws `record.not-found`. */
export type Finder = (call: Call) => Promise<RecordHead>;

/** The path parameters of kinds whose records belong to others: the owner's, and the record's own. */
const nestedParameters: Readonly<Partial<Record<Kind, readonly [within: string, own: string]>>> = {
  'signer-factor': ['signer', 'id'],
  'circle-signer': ['id', 'link'],
};

/** Finds the record that the path names. */
export function byPath(kind: Kind): Finder {
  return async function headByPath(call) {
    const [, own = 'id'] = nestedParameters[kind] ?? [];
    const within = await findWithin(call, kind);
    return findHead(call, kind, await ownNameOf(call, kind, parameterOf(call, own)), within);
  };
}

/** The same for its history: a luid finds a record that has ended also once its owner was renamed. Ruling 15. */
export function everByPath(kind: Kind): Finder {
  const find = byPath(kind);
  return async function headEver(call) {
    const [, own = 'id'] = nestedParameters[kind] ?? [];
    const [owner, luid] = [parentIn(call, kind), parameterOf(call, own)];
    if (!owner || !isLuid(luid, lineOf(kind).prefix)) return find(call);
    const [version, { handle, dropped }] = await Promise.all([
      findRecord(call, owner.kind, owner.name),
      pointerOf(call, kind, luid),
    ]);
    if (dropped === undefined) return findHead(call, kind, luid, version.record.data.handle);
    if (await hadName(call, version, handle)) return { luid, changeCount: dropped };
    throw notFound(kind);
  };
}

/** True when the name of a record within this one begins with a handle that this one has or had. */
async function hadName(
  { services, ledger, work }: Call,
  owner: Version,
  nameOfOther: string,
): Promise<boolean> {
  const isIn = ({ record }: Version) => nameOfOther.startsWith(nameWithin(record.data.handle, ''));
  if (isIn(owner)) return true;
  const scope = scopeOf(owner.kind, ledger.handle);
  for (let last = owner.change - 1; last > 0; last -= chunkLength) {
    const first = Math.max(1, last - chunkLength + 1);
    const past = await services.store.past(scope, owner.record.luid, first, last);
    if (past.some(isIn)) return true;
    for (const { record } of past) payForRow(work, record);
  }
  return false;
}

/** Finds the record of the addressed ledger. */
export const byLedger: Finder = (call) => findHead(call, 'ledger', call.ledger.handle);

/** The kind and name of the owner in the path, for kinds whose records belong to others. */
export function parentIn(
  call: Call,
  kind: Kind,
): { readonly kind: Kind; readonly name: string } | undefined {
  const { within } = lineOf(kind);
  const [parameter] = nestedParameters[kind] ?? [];
  if (within === undefined || parameter === undefined) return undefined;
  return { kind: within, name: parameterOf(call, parameter) };
}

/** The handle of the owner in the path, for kinds whose records belong to others. Throws `record.not-found`. */
export async function findWithin(call: Call, kind: Kind): Promise<string | undefined> {
  const parent = parentIn(call, kind);
  if (!parent) return undefined;
  const { record } = await findRecord(call, parent.kind, parent.name);
  return record.data.handle;
}

/** The domain part of the handle in the path, without any read. */
export function placeIn({ path }: Call): { readonly domain?: string } {
  const name = path['signer'] ?? path['id'] ?? '';
  const domain = isLuidText(name) ? undefined : domainOf({ handle: name }, []);
  return domain !== undefined && isHandleText(domain) ? { domain } : {};
}

/** A link is also found by the luid of its signer. Ruling 36. */
async function ownNameOf(call: Call, kind: Kind, id: string): Promise<string> {
  if (lineOf(kind).naming !== 'signer' || !isLuid(id, lineOf('signer').prefix)) return id;
  const { record } = await findRecord(call, 'signer', id);
  return record.data.handle;
}

/**
 * Finds a record by handle or luid, among all of its kind or `within` another record. After its end only the luid
 * finds it. Ruling 15.
 */
export async function findHead(
  call: LookupCall,
  kind: Kind,
  id: string,
  within?: string,
): Promise<RecordHead> {
  if (isLuidText(id)) return headOfLuid(call, kind, id, within);
  const name = within === undefined ? id : nameWithin(within, id);
  const current = isHandleText(id) ? await recordAt(call, kind, name) : undefined;
  if (!current) throw notFound(kind);
  return headOf(current);
}

async function findRecord(call: Call, kind: Kind, id: string): Promise<Version> {
  return currentOf(await findHead(call, kind, id), kind);
}

/** The current version; throws `record.not-found` when the record has ended. */
export function currentOf({ current }: RecordHead, kind: Kind): Version {
  if (!current) throw notFound(kind);
  return current;
}

/** Pointer and record are two reads; a record that is renamed or ends in between is looked for again. */
async function headOfLuid(
  call: LookupCall,
  kind: Kind,
  luid: string,
  within?: string,
): Promise<RecordHead> {
  for (let round = 1; round <= pointerRoundMax; round += 1) {
    const { handle, dropped } = await pointerOf(call, kind, luid);
    if (within !== undefined && !handle.startsWith(nameWithin(within, ''))) throw notFound(kind);
    if (dropped !== undefined) return { luid, changeCount: dropped };
    const current = await recordAt(call, kind, handle);
    if (current?.record.luid === luid) return headOf(current);
  }
  throw notFound(kind);
}

function headOf(current: Version): RecordHead {
  return { luid: current.record.luid, changeCount: current.change, current };
}

async function recordAt(
  call: LookupCall,
  kind: Kind,
  handle: string,
): Promise<Version | undefined> {
  const scope = scopeOf(kind, call.ledger.handle);
  const [version] = await call.services.store.load([{ what: 'record', scope, kind, handle }]);
  return version;
}
