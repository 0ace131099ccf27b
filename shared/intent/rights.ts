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
  const consents = consentsIn(proofs);
  // The callers of this request are cached, so the call is reused when they are the only signers.
  const isOwn = isCreate(call) && consents.length === proofs.length;
  const judged = isOwn ? call : { ...call, body: { meta: { proofs: consents } } };
  rememberContext(judged, context);
  const granted = await Promise.all(
    rightsIn(context, claims).map((right) => isAllowed(judged, permissionQueryFor(context, right))),
  );
  return granted.every(Boolean);
}

/** True when the caller has at least one of the rights that the claims need. Decision 38. */
export async function hasAnyRight(call: Call, { data }: LedgerRecord): Promise<boolean> {
  const claims = claimsOf(data);
  const context = await readIntentContext(readerFor(call), claims);
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
