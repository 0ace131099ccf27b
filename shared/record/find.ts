/** Finding records by what a path says: a handle, an address or a luid. */
import { isLuid } from '../crypto/luid.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { assert } from '../ledger/assert.ts';
import { domainOf } from '../ledger/domain.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf, nameWithin } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Pointer, Scope } from '../port/ports.ts';

/** How often the pointer of a luid is read to find a record that changes its handle meanwhile. */
const pointerRoundMax = 3;

/** The scope in which the records of a kind live: the records of ledgers belong to the server. */
export function scopeOf(kind: Kind, ledger: string): Scope {
  return kind === 'ledger' ? '' : ledger;
}

/** The refusal for a record that is not there: `Wallet not found`. */
export function notFound(kind: Kind): LedgerError {
  return new LedgerError('record.not-found', `${lineOf(kind).title} not found`);
}

/** The path parameter of this name; an endpoint that declares one always has it. */
export function parameterOf(call: Call, name: string): string {
  const value = call.path[name];
  assert(value !== undefined, `the endpoint declares the path parameter {${name}}`);
  return value;
}

/** The pointer of a luid of this kind, also after the record's end. */
async function pointerOf(call: Call, kind: Kind, luid: string): Promise<Pointer> {
  if (!isLuid(luid, lineOf(kind).prefix)) throw notFound(kind);
  const scope = scopeOf(kind, call.ledger.handle);
  const [pointer] = await call.services.store.load([{ what: 'pointer', scope, kind, luid }]);
  if (pointer?.kind !== kind) throw notFound(kind);
  return pointer;
}

/** A record's life: its luid, the number of its last change, and its current version while it lives. */
export interface Life {
  readonly luid: string;
  readonly changeCount: number;
  readonly current?: Version;
}

/** Finds the life of the record that a call is about. */
export type Finder = (call: Call) => Promise<Life>;

/** The path parameters of a kind whose records belong to others: whose it is, and which one. */
const nestedParameters: Readonly<Partial<Record<Kind, readonly [within: string, own: string]>>> = {
  'signer-factor': ['signer', 'id'],
  'circle-signer': ['id', 'link'],
};

/** Finds the record of the kind that the path names. */
export function byPath(kind: Kind): Finder {
  return async function lifeByPath(call) {
    const [, own = 'id'] = nestedParameters[kind] ?? [];
    const within = await findWithin(call, kind);
    return findLife(call, kind, await ownNameOf(call, kind, parameterOf(call, own)), within);
  };
}

/** Finds the record of the ledger that was addressed. */
export const byLedger: Finder = (call) => findLife(call, 'ledger', call.ledger.handle);

/** The record that those of the kind in this path belong to, as the path names it; undefined for most kinds. */
export function parentIn(
  call: Call,
  kind: Kind,
): { readonly kind: Kind; readonly name: string } | undefined {
  const { within } = lineOf(kind);
  const [parameter] = nestedParameters[kind] ?? [];
  if (within === undefined || parameter === undefined) return undefined;
  return { kind: within, name: parameterOf(call, parameter) };
}

/** The handle of the record that those of the kind in this path belong to; undefined for most kinds. */
export async function findWithin(call: Call, kind: Kind): Promise<string | undefined> {
  const parent = parentIn(call, kind);
  if (!parent) return undefined;
  const { record } = await findRecord(call, parent.kind, parent.name);
  return record.data.handle;
}

/** The domain that the path of a call tells, by the handle of its record or of the one that this belongs to. */
export function placeIn({ path }: Call): { readonly domain?: string } {
  const name = path['signer'] ?? path['id'] ?? '';
  const domain = isLuidText(name) ? undefined : domainOf({ handle: name }, []);
  return domain !== undefined && isHandleText(domain) ? { domain } : {};
}

/** A link is also found by the luid of the signer that it links. Ruling 36. */
async function ownNameOf(call: Call, kind: Kind, id: string): Promise<string> {
  if (lineOf(kind).naming !== 'signer' || !isLuid(id, lineOf('signer').prefix)) return id;
  const { record } = await findRecord(call, 'signer', id);
  return record.data.handle;
}

/**
 * The life of the record that a path names, among all of its kind or `within` another record; after
 * its end only by luid. Ruling 15.
 */
export async function findLife(call: Call, kind: Kind, id: string, within?: string): Promise<Life> {
  if (isLuidText(id)) return lifeOfLuid(call, kind, id, within);
  const name = within === undefined ? id : nameWithin(within, id);
  const current = isHandleText(id) ? await recordAt(call, kind, name) : undefined;
  if (!current) throw notFound(kind);
  return lifeIn(current);
}

/** The current version of the record that a path names; refuses with `record.not-found`. */
async function findRecord(call: Call, kind: Kind, id: string): Promise<Version> {
  return currentOf(await findLife(call, kind, id), kind);
}

/** The current version in a life; refuses with `record.not-found` when it has ended. */
export function currentOf({ current }: Life, kind: Kind): Version {
  if (!current) throw notFound(kind);
  return current;
}

/**
 * The life of a luid. Its pointer and its record are two reads: a record that is renamed, or ends, between
 * them is looked for again.
 */
async function lifeOfLuid(call: Call, kind: Kind, luid: string, within?: string): Promise<Life> {
  for (let round = 1; round <= pointerRoundMax; round += 1) {
    const { handle, dropped } = await pointerOf(call, kind, luid);
    if (within !== undefined && !handle.startsWith(nameWithin(within, ''))) throw notFound(kind);
    if (dropped !== undefined) return { luid, changeCount: dropped };
    const current = await recordAt(call, kind, handle);
    if (current?.record.luid === luid) return lifeIn(current);
  }
  throw notFound(kind);
}

function lifeIn(current: Version): Life {
  return { luid: current.record.luid, changeCount: current.change, current };
}

async function recordAt(call: Call, kind: Kind, handle: string): Promise<Version | undefined> {
  const scope = scopeOf(kind, call.ledger.handle);
  const [version] = await call.services.store.load([{ what: 'record', scope, kind, handle }]);
  return version;
}
