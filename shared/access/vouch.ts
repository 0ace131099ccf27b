/**
 * Vouching for a bridge: while it is active, its wallets may go below zero. Setting the status `active` needs the
 * permission to `activate`, which ownership does not give; policies apply as for every status. Ruling 69, Decision 79.
 */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { active } from '../ledger/vouching.ts';
import type { Call } from '../port/action.ts';
import { type PermissionQuery, provingOf } from '../port/permission-query.ts';
import { acceptedProofs, publicsOf } from '../record/author.ts';
import { readerFor } from '../record/reader.ts';
import type { Proof } from '../shape/proof.ts';
import type { SignedBody } from '../shape/record.ts';
import { allow, allowChanging } from './allow.ts';
import { effectiveAspects } from './policies.ts';

type Sayable = Pick<Proof, 'custom'>;

/** True when a proof vouches for a bridge. */
export function vouches(kind: Kind, { custom }: Sayable): boolean {
  return kind === 'bridge' && custom?.['status'] === active;
}

/** Refuses a new bridge with status `active`, unless an author who states it may activate it. */
export async function allowVouching(
  call: Call,
  kind: Kind,
  draft: NonNullable<PermissionQuery['draft']>,
  proofs: readonly Sayable[],
): Promise<void> {
  const saying = proofs.filter((proof) => vouches(kind, proof));
  if (saying.length === 0) return;
  const isSaidByAll = saying.length === proofs.length;
  const asking = isSaidByAll ? call : { ...call, body: { meta: { proofs: saying } } };
  await allow(asking, { action: 'activate', kind, draft });
}

/**
 * Refuses a proof that vouches for a bridge without permission to activate. A caller who may not read the bridge gets
 * the error of any proof.
 */
export async function allowActivating(call: Call, record: LedgerRecord): Promise<void> {
  const kind = 'bridge';
  await allowChanging(call, { action: 'activate', kind, record }, provingOf(kind));
}

/** The initial status that the authors state, when policies let it take effect. */
export async function statusVouched(
  call: Call,
  version: Version,
  authored: readonly Proof[],
  rulebook: Rulebook | undefined,
): Promise<typeof active | undefined> {
  const said = authored.find((proof) => vouches(version.kind, proof));
  if (!said) return undefined;
  const { status } = await effectiveAspects(call, version, said, { status: active }, rulebook);
  return status ? active : undefined;
}

/**
 * Refuses with `record.status-policy-violation` an activation request that a policy forbids, or allows to a quorum of several
 * only. Proofs can collect the votes, a request cannot.
 */
export async function assertActivatable(call: Call, version: Version): Promise<void> {
  const { proofs } = (call.body as SignedBody).meta;
  const reader = readerFor(call);
  const [rulebook, signers] = await Promise.all([
    reader.rulebook(),
    reader.signers(publicsOf(proofs)),
  ]);
  const [first] = acceptedProofs(proofs, signers);
  const said = { ...first, custom: { ...first?.custom, status: active } } as Proof;
  const { status } = await effectiveAspects(call, version, said, { status: active }, rulebook);
  if (status) return;
  throw new LedgerError(
    'record.status-policy-violation',
    `A policy wants a quorum to activate the ${version.kind} ${version.record.data.handle}: its signers add proofs with the status 'active'.`,
    { status: active },
  );
}
