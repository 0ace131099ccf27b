/**
 * Rights on claims: whether those who signed an intent may do what it says. Each right may come from somebody
 * else among them, and each of them is judged as the ledger knows them now. Ruling 49.
 */

import { groundedOn, isAllowed } from '../access/access.ts';
import { domainOf } from '../ledger/domain.ts';
import { consentsIn } from '../ledger/intent.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { type Right, rightsOf } from '../ledger/right.ts';
import type { Call } from '../port/action.ts';
import type { Asked } from '../port/asked.ts';
import { readerFor } from '../record/reader.ts';
import type { Claim } from '../shape/intent.ts';
import type { Proof } from '../shape/proof.ts';
import { claimsOf, readScene, type Scene, walletOf } from './scene.ts';

/** Whether those who want the intent have all the rights that its claims need. */
export async function haveRights(
  call: Call,
  scene: Scene,
  claims: readonly Claim[],
  proofs: readonly Proof[],
): Promise<boolean> {
  const consents = consentsIn(proofs);
  // Who they are is known already when it is they who call.
  const isOwn = isCreate(call) && consents.length === proofs.length;
  const judged = isOwn ? call : { ...call, body: { meta: { proofs: consents } } };
  groundedOn(judged, scene);
  const granted = await Promise.all(
    rightsIn(scene, claims).map((right) => isAllowed(judged, askedBy(scene, right))),
  );
  return granted.every(Boolean);
}

/** Whether the caller alone has any of the rights that the claims of an intent need. Decision 38. */
export async function hasAnyRight(call: Call, { data }: LedgerRecord): Promise<boolean> {
  const claims = claimsOf(data);
  const scene = await readScene(readerFor(call), claims);
  const granted = await Promise.all(
    rightsIn(scene, claims).map((right) => isAllowed(call, askedBy(scene, right))),
  );
  return granted.some(Boolean);
}

/** The rights that the claims need, on the wallets that they lead to. Ruling 42. */
function rightsIn(scene: Scene, claims: readonly Claim[]): Right[] {
  return rightsOf(claims, (handle) => walletOf(scene, handle)?.record.data.handle ?? handle);
}

/** Whether the call makes the intent, so that the proofs of its body are all that there are. */
function isCreate({ path }: Call): boolean {
  return path['id'] === undefined;
}

function askedBy({ wallets, symbols }: Scene, { action, kind, handle, isCredit }: Right): Asked {
  const version = (kind === 'wallet' ? wallets : symbols).get(handle);
  const asked = { action, kind, ...subjectOf(version?.record, handle) };
  return isCredit ? { ...asked, isForOthers: true } : asked;
}

/**
 * The record, or what is known of one that is not there: waiting for a right must not tell strangers
 * whether there is a wallet of that handle. Decision 38.
 */
function subjectOf(record: LedgerRecord | undefined, handle: string) {
  if (record) return { record };
  const data = { handle };
  return { draft: { data, domain: domainOf(data, []) } };
}
