/** Finding records by what a path says: a handle, an address or a luid. */
import { isLuid } from '../crypto/luid.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from './action.ts';
import type { Pointer, Scope } from './ports.ts';

/** The scope in which the records of a kind live: the records of ledgers belong to the server. */
export function scopeOf(kind: Kind, ledger: string): Scope {
  return kind === 'ledger' ? '' : ledger;
}

/** The refusal for a record that is not there: `Wallet not found`. */
function notFound(kind: Kind): LedgerError {
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

/** The current version of the record that a path names; refuses with `record.not-found`. */
export async function findRecord(call: Call, kind: Kind, id: string): Promise<Version> {
  const scope = scopeOf(kind, call.ledger.handle);
  const pointer = isLuidText(id) ? await pointerOf(call, kind, id) : undefined;
  if (pointer?.dropped !== undefined) throw notFound(kind);
  const handle = pointer?.handle ?? id;
  if (!isHandleText(handle)) throw notFound(kind);
  const [version] = await call.services.store.load([{ what: 'record', scope, kind, handle }]);
  if (!version || (pointer && version.record.luid !== pointer.luid)) throw notFound(kind);
  return version;
}

/** A record's life: its luid, the number of its last change, and its current version while it lives. */
export interface Life {
  readonly luid: string;
  readonly changeCount: number;
  readonly current?: Version;
}

/** The life of the record that a path names; after its end only by luid. Ruling 15. */
export async function findLife(call: Call, kind: Kind, id: string): Promise<Life> {
  if (isLuidText(id)) {
    const { luid, dropped } = await pointerOf(call, kind, id);
    if (dropped !== undefined) return { luid, changeCount: dropped };
  }
  const current = await findRecord(call, kind, id);
  return { luid: current.record.luid, changeCount: current.change, current };
}
