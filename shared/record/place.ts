/**
 * Where a record lies: in its domain or, when it hangs on another one, in that one's, whatever was said of it when it
 * was made. Ruling 70.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { domainOf, domainOfHandle, domainsSaid, otherDomain } from '../ledger/domain.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { parentOf, type Relation } from '../ledger/relation.ts';
import type { Call } from '../port/action.ts';
import type { Proof } from '../shape/proof.ts';
import { remember, remembered } from './remembered.ts';

/** What is to be made, as far as it says where. */
export interface Said {
  readonly data: RecordData;
  readonly proofs: readonly Pick<Proof, 'custom'>[];
}

/** A record by its name, read once for a request. */
export async function recordNamed(
  call: Call,
  { kind, handle }: Relation,
): Promise<Version | undefined> {
  const want = { what: 'record', scope: call.ledger.handle, kind, handle } as const;
  const [found] = await remembered(call, nameOf(want), () => call.services.store.load([want]));
  return found;
}

/** What was read already of the record that one hangs on need not be read again. */
export function knowParent(
  call: Call,
  kind: Kind,
  data: RecordData,
  relations: readonly Relation[],
  found: readonly (Version | undefined)[],
): void {
  const parent = parentOf(kind, data);
  if (!parent) return;
  const index = relations.findIndex((one) => nameOf(one) === nameOf(parent));
  remember(call, nameOf(parent), Promise.resolve([found[index]]));
}

/**
 * The domain that a record lies in; one that hangs on what is there no more lies where it did, also when somebody has
 * made another of that name since.
 */
export async function domainOfRecord(
  call: Call,
  kind: Kind,
  { luid, data, meta }: LedgerRecord,
): Promise<string | undefined> {
  const parent = parentOf(kind, data);
  const found = parent && (await recordNamed(call, parent));
  if (!found || timeOfLuid(found.record.luid) > timeOfLuid(luid)) return meta.domain;
  return found.record.meta.domain;
}

/** The domain that a new record will lie in. The records of ledgers lie with the server, where there are none. */
export async function domainOfDraft(
  call: Call,
  kind: Kind,
  { data, proofs }: Said,
): Promise<string | undefined> {
  if (kind === 'ledger') return undefined;
  const parent = parentOf(kind, data);
  if (!parent) return domainOf(data, proofs);
  const found = await recordNamed(call, parent);
  // Of what is not there, no more is known than its handle: strangers learn nothing by asking.
  return found ? found.record.meta.domain : domainOfHandle(parent.handle);
}

/** What a write of a record must find where it hangs on another one: that it is that one still. */
export async function hangingOn(
  call: Call,
  kind: Kind,
  data: RecordData,
): Promise<{ hangsOn?: string }> {
  const parent = parentOf(kind, data);
  const found = parent && (await recordNamed(call, parent));
  return found ? { hangsOn: found.record.luid } : {};
}

/** Refuses a domain that is said of what hangs on a record of another one. */
export function assertHangs(kind: Kind, { data, proofs }: Said, domain: string | undefined): void {
  if (!hangs(kind, data)) return;
  const other = domainsSaid(data, proofs).find((name) => name !== domain);
  if (other !== undefined) throw otherDomain(kind, data, domain, other);
}

/** Whether a record of this kind and data hangs on another one. */
export function hangs(kind: Kind, data: RecordData): boolean {
  return parentOf(kind, data) !== undefined;
}

function nameOf({ kind, handle }: Relation): string {
  return `${kind} ${handle}`;
}
