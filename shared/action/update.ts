/** Update of a record: complete new data in place of the version that its `parent` names. Ruling 12. */
import { withoutHiddenHolder } from '../access/allow.ts';
import { allowBridge, allowRoutes } from '../access/consent.ts';
import { toUpdate } from '../access/required-permission.ts';
import { assertWithin } from '../access/within.ts';
import { domainsSaid } from '../ledger/domain.ts';
import { type ErrorReason, LedgerError } from '../ledger/errors.ts';
import {
  assertFewPredecessors,
  namesSuccessor,
  predecessorsAfter,
  statedHandover,
} from '../ledger/handover.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Meta, type Version, versionOf } from '../ledger/record.ts';
import { parentOf } from '../ledger/relation.ts';
import type { Action, Call, Identity } from '../port/action.ts';
import { type Attached, answered } from '../record/attachment.ts';
import { acceptedProofs, type Draft, draftOf, publicsOf } from '../record/author.ts';
import { commitForCall, type Decided, laterMoment, newToken } from '../record/commit.ts';
import { byLedger, byPath, type Finder, notFound, scopeOf } from '../record/find.ts';
import { assertFits } from '../record/fitting.ts';
import {
  type DraftData,
  domainOfRecord,
  parentCondition,
  rememberParent,
} from '../record/place.ts';
import { assertRoom, assertSubscriberQuota } from '../record/quota.ts';
import { readerOf, signersOf } from '../record/reader.ts';
import { assertNamed, assertNamesOthers, namedBy } from '../record/relations.ts';
import { isOfService } from '../record/service-signer.ts';
import { countersign } from '../record/sign.ts';
import { assertNotStale } from '../record/stale-proof.ts';
import { updateBody } from '../shape/body.ts';
import type { Proof } from '../shape/proof.ts';
import { includeName } from './client.ts';
import {
  assertConfigured,
  assertNotHeld,
  assertOwnersAgree,
  assertRules,
  isHeldFor,
  keysOf,
  shapeOf,
  signerOf,
  withAttachment,
} from './rules.ts';

/**
 * Updates the record in the path. Errors:
 * - `auth.forbidden`, `record.not-found`: no permission to update it, to spend from the target of a new route or to
 *   update the new bridge of a wallet, or no such record
 * - `crypto.parent-hash-invalid`: `parent` is not the current hash
 * - `crypto.signature-invalid`: a proof is older than the record
 * - `record.duplicated`: the new handle is taken
 * - `record.relation-not-found`: no record of a name in the data
 * - `record.schema-invalid`: the data violates its schema, or lacks what the kind or the ledger requires
 * - `record.invalid`: the data breaks a rule of its kind or a quota, names itself, or another luid or owner than the
 *   path, or a proof names a successor that its key does not hand over to
 * - `record.update-rejected`: a new domain, a new handle or bridge or symbol factor while in use, a new schema of a
 *   factor, or a signer or key of the service
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export function update(kind: Kind): Action {
  return updateOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const updateOwnLedger: Action = updateOf('ledger', byLedger);

function updateOf(kind: Kind, find: Finder): Action {
  const requires = toUpdate(kind, find);
  return {
    requires,
    body: updateBody(kind),
    shape: shapeOf(kind),
    ...(kind === 'signer-factor' && { query: { names: [includeName] } }),
    signed: 'record',
    run: async (call) => {
      const draft = draftOf(call);
      const attached = await commitForCall(call, async (own) => {
        const previous = await requires
          .allow(own)
          .catch((error) => refuseAgain(own, { kind, find }, draft, error));
        return decide(own, kind, previous, draft);
      }).catch(async (error) => Promise.reject(await withoutHiddenHolder(call, kind, error)));
      return { status: 200, body: answered(attached) };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  previous: Version,
  draft: Draft,
): Promise<Decided<Attached>> {
  const scope = scopeOf(kind, call.ledger.handle);
  if (kind === 'wallet') await allowRoutes(call, draft.data, previous.record.data);
  assertSameLuid(draft.luid, previous.record);
  await assertWithin(call, kind, draft.data);
  const claim = await claimOf(call, kind, previous.record, draft);
  await assertParent(call, draft.data.parent, previous);
  const { data: before, meta } = previous.record;
  await assertSubscriberQuota(call, kind, { data: draft.data, domain: meta.domain }, before);
  assertNotStale(previous, draft.proofs, call.services.clock());
  const identities = await identitiesOf(call, kind, previous.record);
  const authored = acceptedProofs(draft.proofs, claim.signers);
  const predecessors = predecessorsIn(call, previous, draft, claim);
  const version = nextVersion(call, previous, authored, draft, { identities, predecessors });
  await assertRoom(call, version, previous);
  const attached = await withAttachment(call, version, previous);
  const next = attached.version;
  const signals = [{ signal: `${kind}-updated`, change: next.change }];
  const { holds, releases } = claim;
  const hanging = await parentCondition(call, kind, draft.data);
  const write = { scope, next, previous, signals, holds, releases, ...hanging, ...attached.write };
  return { commit: { token: newToken(), writes: [write] }, result: attached };
}

/**
 * Refuses a change without permission. A handover that is stored and is sent again, because its answer was lost, is
 * refused as any change that comes again: with it, its key has given up the right to it.
 */
async function refuseAgain(
  call: Call,
  { kind, find }: { readonly kind: Kind; readonly find: Finder },
  draft: Draft,
  error: unknown,
): Promise<never> {
  const isNotGranted = error instanceof LedgerError && notGranted.includes(error.reason);
  const mayBeStored = isNotGranted && namesSuccessor(kind, draft.proofs);
  const head = mayBeStored ? await find(call).catch(() => undefined) : undefined;
  const { current } = head ?? {};
  if (current && isStored(draft, current.record))
    await assertParent(call, draft.data.parent, current);
  throw error;
}

/** True for a change that the record has, signed by its keys. */
function isStored({ hash, proofs }: Draft, record: LedgerRecord): boolean {
  const keys = publicsOf(record.meta.proofs);
  return record.hash === hash && proofs.every((proof) => keys.includes(proof.public));
}

const notGranted: readonly ErrorReason[] = ['auth.forbidden', 'record.not-found'];

/** The signers of the keys after the update, and the keys that begin or cease to belong to this record. */
interface KeyClaim {
  readonly signers: ReadonlyMap<string, string>;
  readonly holds: readonly string[];
  readonly releases: readonly string[];
}

async function claimOf(
  call: Call,
  kind: Kind,
  previous: LedgerRecord,
  draft: Draft,
): Promise<KeyClaim> {
  const { data: after, proofs } = draft;
  const { data: before } = previous;
  const { services, ledger } = call;
  const keys = keysOf(kind, after);
  const oldKeys = keysOf(kind, before);
  const publics = [...new Set([...publicsOf(proofs), ...keys, ...oldKeys])];
  const scope = scopeOf(kind, ledger.handle);
  const named = namedBy(kind, after);
  const reader = readerOf(services.store, scope, ledger.handle);
  const [home, rulebook, records, found] = await Promise.all([
    reader.home(),
    reader.rulebook(),
    reader.named(named),
    reader.holders(publics),
  ]);
  const domain = await domainOfRecord(call, kind, previous);
  rememberParent(call, kind, after, named.relations, records);
  if (kind === 'wallet') await allowBridge(call, after, before, records);
  assertNamed(named, records, rulebook);
  await assertRules(kind, after, services);
  assertChangeable(kind, previous, draft);
  assertConfigured(kind, after, home, before);
  await assertFits(call, { kind, data: after, named, domain }, records, rulebook);
  assertStays(kind, previous, { data: after, proofs }, domain, records);
  const signers = new Map(signersOf(found));
  const [owner, ownerAfter] = [signerOf(kind, before), signerOf(kind, after)];
  assertNotHeld(
    keys.filter((key) => !oldKeys.includes(key)),
    owner,
    signers,
  );
  // A key that has handed over belongs to no signer, and is not free.
  const isOwn = (key: string) => isHeldFor(found.get(key), owner, previous);
  const holds = keys.filter((key) => !found.has(key) || isOwn(key));
  assertOwnersAgree(
    keys.filter((key) => !found.has(key)),
    home,
    proofs,
  );
  const releases = oldKeys.filter((key) => !keys.includes(key) && isOwn(key));
  for (const key of releases) signers.delete(key);
  for (const key of holds) signers.set(key, ownerAfter);
  return { signers, holds, releases };
}

/**
 * The keys that have handed over to the key of the record after the update. Refuses with `record.invalid` a handover
 * that nobody may state, and one between keys of which either belongs to another record or has handed over. Decision 157.
 */
function predecessorsIn(
  { ledger }: Call,
  { kind, record }: Version,
  { data: after, proofs }: Draft,
  { holds, releases }: KeyClaim,
): Meta['predecessors'] {
  const change = { kind, before: record.data, after, proofs };
  const handover = statedHandover(ledger.handle, change);
  const { from = '', to = '' } = handover ?? {};
  const other =
    handover && [!releases.includes(from) && from, !holds.includes(to) && to].find(Boolean);
  if (other)
    throw new LedgerError(
      'record.invalid',
      `The key ${other} is of another record, signs no proofs, or has handed over before.`,
      { key: other },
    );
  const predecessors = predecessorsAfter(change, record.meta, handover);
  assertFewPredecessors(predecessors);
  return predecessors;
}

/** The identities that sign an update: the addressed ledger and, for the record of a ledger, that ledger too. */
async function identitiesOf(
  { services, ledger }: Call,
  kind: Kind,
  record: LedgerRecord,
): Promise<readonly Identity[]> {
  if (kind !== 'ledger' || record.data.handle === ledger.handle) return [ledger];
  const own = await services.identityOf(record.data.handle);
  // An import has not ended: the ledger has no key yet, and answers no requests. Decision 72.
  if (!own) throw notFound(kind);
  return [own, ledger];
}

/** The next version; status, labels, owners and domain stay, and the predecessors of a key that stays. */
function nextVersion(
  { services }: Call,
  previous: Version,
  authored: readonly Proof[],
  { hash, data }: Draft,
  {
    identities,
    predecessors,
  }: { readonly identities: readonly Identity[]; readonly predecessors: Meta['predecessors'] },
): Version {
  const { luid } = previous.record;
  const { predecessors: _before, ...meta } = previous.record.meta;
  const moment = laterMoment(services.clock(), previous);
  const proofs = [
    ...authored,
    ...identities.map((identity) => countersign(identity, hash, { luid, moment })),
  ];
  const kept = { ...meta, proofs, moment, ...(predecessors && { predecessors }) };
  const record = { luid, hash, data, meta: kept };
  const step = { action: 'update', status: meta.status, moment, proofs: proofs.length } as const;
  return versionOf(previous.kind, record, [step], previous);
}

/** Refuses with `record.invalid` a body that names another record than the path. */
export function assertSameLuid(luid: string | undefined, record: LedgerRecord): void {
  if (luid !== undefined && luid !== record.luid)
    throw new LedgerError('record.invalid', `The body names ${luid}, and the path ${record.luid}.`);
}

/** Refuses with `crypto.parent-hash-invalid` a parent that is not the current hash. Ruling 12. */
export async function assertParent(
  { services }: Call,
  parent: string | undefined,
  current: Version,
): Promise<void> {
  const { hash } = current.record;
  if (parent?.toLowerCase() === hash) return;
  // It is the answer to a change that is sent again.
  await services.store.inForce?.(current);
  throw new LedgerError('crypto.parent-hash-invalid', parent ?? '', { hash });
}

/** Refuses with `record.update-rejected` a change of domain: stated, by handle, or by parent. Rulings 37 and 70. */
function assertStays(
  kind: Kind,
  { data, meta }: LedgerRecord,
  after: DraftData,
  domain: string | undefined,
  found: readonly (Version | undefined)[],
): void {
  if (kind === 'ledger') return;
  const { handle, ...members } = after.data;
  const isRenamed = handle !== data.handle;
  const said = domainsSaid(isRenamed ? after.data : members, after.proofs);
  const to = parentOf(kind, after.data);
  const parent = found.find(
    (one) => to && one?.kind === to.kind && one.record.data.handle === to.handle,
  );
  const isMoved = (parent?.record ?? { meta }).meta.domain !== domain;
  if (isMoved || said.some((name) => name !== domain))
    throw new LedgerError(
      'record.update-rejected',
      `${lineOf(kind).title} ${data.handle} cannot change its domain.`,
    );
}

/** Refuses changes that no author may make. Rulings 12 and 24, Decision 10. */
function assertChangeable(kind: Kind, record: LedgerRecord, draft: Draft): void {
  const { data } = record;
  assertNamesOthers(kind, draft.data, data.handle);
  if (isOfService(kind, record))
    throw new LedgerError(
      'record.update-rejected',
      `The ${lineOf(kind).title.toLowerCase()} ${data.handle} belongs to the service.`,
    );
  if (!lineOf(kind).renames && data.handle !== draft.data.handle)
    throw new LedgerError(
      'record.update-rejected',
      `${lineOf(kind).title} ${data.handle} cannot change its handle: other records refer to it.`,
    );
}
