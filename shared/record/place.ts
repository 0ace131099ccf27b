/**
 * The domain of a record: its own, or that of its parent when it has one. The parent's domain wins over anything
 * that the authors stated. Ruling 70.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { domainOf, domainOfHandle, domainsSaid, otherDomain } from '../ledger/domain.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { parentOf, type Relation } from '../ledger/relation.ts';
import type { Call } from '../port/action.ts';
import type { Proof } from '../shape/proof.ts';
import { oncePerCall, remember } from './once-per-call.ts';

/** The parts of a signed body that may state a domain. */
export interface DraftData {
  readonly data: RecordData;
  readonly proofs: readonly Pick<Proof, 'custom'>[];
}

/** Reads a record by kind and handle, once per request. */
export async function recordNamed(
  call: Call,
  { kind, handle }: Relation,
): Promise<Version | undefined> {
  const want = { what: 'record', scope: call.ledger.handle, kind, handle } as const;
  const [found] = await oncePerCall(call, nameOf(want), () => call.services.store.load([want]));
  return found;
}

/** Saves a read: stores the parent for this request, if it is among the records that were found. */
export function rememberParent(
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
 * The domain of a record. When its parent is gone, or another record has taken the parent's handle since, the
 * domain in its metadata holds.
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

/** The domain of a new record. Records of ledgers lie with the server, in no domain. */
export async function domainOfDraft(
  call: Call,
  kind: Kind,
  { data, proofs }: DraftData,
): Promise<string | undefined> {
  if (kind === 'ledger') return undefined;
  const parent = parentOf(kind, data);
  if (!parent) return domainOf(data, proofs);
  const found = await recordNamed(call, parent);
  // A missing parent is judged by its handle alone, so that strangers cannot probe for it.
  return found ? found.record.meta.domain : domainOfHandle(parent.handle);
}

/** The condition that the parent is still the same record when the write is stored. */
export async function parentCondition(
  call: Call,
  kind: Kind,
  data: RecordData,
): Promise<{ hangsOn?: string }> {
  const parent = parentOf(kind, data);
  const found = parent && (await recordNamed(call, parent));
  return found ? { hangsOn: found.record.luid } : {};
}

/** Refuses with `record.invalid` a stated domain that differs from that of the parent. */
export function assertParentDomain(
  kind: Kind,
  { data, proofs }: DraftData,
  domain: string | undefined,
): void {
  if (!hasParent(kind, data)) return;
  const other = domainsSaid(data, proofs).find((name) => name !== domain);
  if (other !== undefined) throw otherDomain(kind, data, domain, other);
}

/** True when records of this kind and data have a parent. */
export function hasParent(kind: Kind, data: RecordData): boolean {
  return parentOf(kind, data) !== undefined;
}

function nameOf({ kind, handle }: Relation): string {
  return `${kind} ${handle}`;
}
