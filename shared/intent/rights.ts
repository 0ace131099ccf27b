/**
 * Rights on claims: the signers of an intent need permission for each claim. Each right may come from another signer,
 * judged by its current record. Ruling 49.
 */
import { isAllowed, rememberContext } from '../access/access.ts';
import { domainOf } from '../ledger/domain.ts';
import { consentsIn } from '../ledger/intent.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { type Right, rightsOf } from '../ledger/right.ts';
import type { Call } from '../port/action.ts';
import type { PermissionQuery } from '../port/permission-query.ts';
import { readerFor } from '../record/reader.ts';
import type { Claim } from '../shape/intent.ts';
import type { Proof } from '../shape/proof.ts';
import { claimsOf, type IntentContext, readIntentContext, walletOf } from './context.ts';

/** True when the consenting signers together have all rights that the claims need. */
export async function haveRights(
  call: Call,
  context: IntentContext,
  claims: readonly Claim[],
  proofs: readonly Proof[],
): Promise<boolean> {
  const judged = judgedBy(call, context, proofs);
  const granted = await Promise.all(
    rightsIn(context, claims).map((right) => isAllowed(judged, permissionQueryFor(context, right))),
  );
  return granted.every(Boolean);
}

/** A right that no consenting signer has, under the name that the claims have for its subject. */
export interface MissingRight extends Pick<Right, 'action'> {
  readonly record: Right['kind'];
  readonly handle: string;
  /** Indexes of the claims that need it, from 0. */
  readonly claims: readonly number[];
}

/**
 * The rights that the claims need and the consenting signers do not have. The wallet behind an address stays hidden:
 * the name is the one in the claims. Ruling 91.
 */
export async function missingRights(
  call: Call,
  context: IntentContext,
  claims: readonly Claim[],
  proofs: readonly Proof[],
): Promise<MissingRight[]> {
  const judged = judgedBy(call, context, proofs);
  const missing = new Map<string, MissingRight>();
  for (const [index, claim] of claims.entries()) {
    const written = rightsOf([claim]);
    for (const [place, right] of rightsIn(context, [claim]).entries()) {
      if (await isAllowed(judged, permissionQueryFor(context, right))) continue;
      const { action, kind, handle } = written[place] ?? right;
      const name = `${action} ${handle}`;
      const before = missing.get(name)?.claims ?? [];
      missing.set(name, { action, record: kind, handle, claims: [...before, index] });
    }
  }
  return [...missing.values()];
}

/** The call as made by the consenting signers alone. */
function judgedBy(call: Call, context: IntentContext, proofs: readonly Proof[]): Call {
  const consents = consentsIn(proofs);
  // The callers of this request are cached, so the call is reused when they are the only signers.
  const isOwn = isCreate(call) && consents.length === proofs.length;
  const judged = isOwn ? call : { ...call, body: { meta: { proofs: consents } } };
  rememberContext(judged, context);
  return judged;
}

/** True when the caller has at least one of the rights that the claims need. Decision 38. */
export async function hasAnyRight(call: Call, { data }: LedgerRecord): Promise<boolean> {
  const claims = claimsOf(data);
  const context = await readIntentContext(readerFor(call), { claims });
  const granted = await Promise.all(
    rightsIn(context, claims).map((right) => isAllowed(call, permissionQueryFor(context, right))),
  );
  return granted.some(Boolean);
}

/** The rights that the claims need, on the wallets behind their addresses. Ruling 42. */
function rightsIn(context: IntentContext, claims: readonly Claim[]): Right[] {
  return rightsOf(claims, (handle) => walletOf(context, handle)?.record.data.handle ?? handle);
}

/** True for a create, whose body carries all proofs of the intent. */
function isCreate({ path }: Call): boolean {
  return path['id'] === undefined;
}

function permissionQueryFor(
  { wallets, symbols }: IntentContext,
  { action, kind, handle, isCredit }: Right,
): PermissionQuery {
  const version = (kind === 'wallet' ? wallets : symbols).get(handle);
  const query = { action, kind, ...subjectOf(version?.record, handle) };
  return isCredit ? { ...query, isForOthers: true } : query;
}

/**
 * The record, or a draft with the handle of a missing one. A caller who waits for a right thus cannot probe for
 * wallets. Decision 38.
 */
function subjectOf(record: LedgerRecord | undefined, handle: string) {
  if (record) return { record };
  const data = { handle };
  return { draft: { data, domain: domainOf(data, []) } };
}
