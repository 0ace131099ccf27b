/** Creation of records of every kind but ledgers and intents. */
import { rememberContext } from '../access/access.ts';
import { withoutHiddenHolder } from '../access/allow.ts';
import { allowBridge, allowRoutes, allowStatement } from '../access/consent.ts';
import { toCreate } from '../access/required-permission.ts';
import { allowVouching, statusVouched } from '../access/vouch.ts';
import { assertWithin } from '../access/within.ts';
import { assertOneDomain, domainOf } from '../ledger/domain.ts';
import { assertNoHandover } from '../ledger/handover.ts';
import { type Kind, nameOf } from '../ledger/kind.ts';
import type { Action, Call, RequiredPermission } from '../port/action.ts';
import { type Attached, answered } from '../record/attachment.ts';
import { acceptedProofs, assertFresh, type Draft, draftOf, publicsOf } from '../record/author.ts';
import { creation, firstVersion } from '../record/birth.ts';
import { assertHandleFree, commitForCall, type Decided, newToken } from '../record/commit.ts';
import { scopeOf } from '../record/find.ts';
import { assertFits } from '../record/fitting.ts';
import {
  assertParentDomain,
  domainOfDraft,
  hasParent,
  parentCondition,
  rememberParent,
} from '../record/place.ts';
import { assertRoom, assertSubscriberQuota } from '../record/quota.ts';
import { readerOf, signersOf } from '../record/reader.ts';
import { assertNamed, assertNamesOthers, namedBy } from '../record/relations.ts';
import { assertOwnSigner } from '../record/service-signer.ts';
import { createBody } from '../shape/body.ts';
import type { SignedBody } from '../shape/record.ts';
import {
  assertConfigured,
  assertRules,
  holdsOf,
  keysOf,
  shapeOf,
  signerOf,
  withAttachment,
} from './rules.ts';

/**
 * Creates a record of the kind. Errors:
 * - `auth.forbidden`: no permission to create it, to activate a new bridge, to spend from the target of a route, or to
 *   update the bridge of a wallet
 * - `crypto.signature-invalid`: a proof is undated, too old or from the future
 * - `record.duplicated`: the handle is taken, or the signature was used before
 * - `record.not-found`: no such owner in the path
 * - `record.relation-not-found`: no record of a name in the data
 * - `record.schema-invalid`: the data violates its schema, or lacks what the kind or the ledger requires
 * - `record.invalid`: the data breaks a rule of its kind, its domain or a quota, or names the record itself
 * - `record.status-policy-violation`: a policy forbids to activate a new bridge
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export function create(kind: Kind): Action {
  const requires = toCreate(kind);
  return {
    requires,
    body: createBody(kind),
    shape: (body) => {
      const { data, meta } = body as SignedBody;
      assertOneDomain(kind, data, meta.proofs);
      assertNoHandover(kind, meta.proofs);
      shapeOf(kind)(body);
    },
    signed: 'record',
    run: async (call) => {
      const draft = draftOf(call);
      const attached = await commitForCall(call, (own) => decide(own, kind, requires, draft)).catch(
        async (error) => Promise.reject(await withoutHiddenHolder(call, kind, error)),
      );
      return { status: 201, body: answered(attached) };
    },
  };
}

const linking = create('circle-signer');

/** Makes a signer a member of the circle in the path. Answers 200; errors as `create`. Rulings 18 and 36. */
export const assign: Action = {
  ...linking,
  run: async (call) => ({ ...(await linking.run(call)), status: 200 }),
};

async function decide(
  call: Call,
  kind: Kind,
  requires: RequiredPermission,
  draft: Draft,
): Promise<Decided<Attached>> {
  const { services, ledger } = call;
  const scope = scopeOf(kind, ledger.handle);
  const publics = publicsOf(draft.proofs);
  const keys = keysOf(kind, draft.data);
  // A record with a parent lies in the parent's domain and states none.
  const own = hasParent(kind, draft.data) ? undefined : domainOf(draft.data, draft.proofs);
  const named = namedBy(kind, draft.data, own);
  const reader = readerOf(services.store, scope, ledger.handle);
  const [home, rulebook, found, holders] = await Promise.all([
    reader.home(),
    reader.rulebook(),
    reader.named(named),
    reader.holders([...publics, ...keys]),
  ]);
  assertFresh(draft.proofs, home, services.clock());
  rememberContext(call, { home, rulebook });
  rememberParent(call, kind, draft.data, named.relations, found);
  await requires.allow(call);
  const domain = await domainOfDraft(call, kind, draft);
  await allowVouching(call, kind, { data: draft.data, domain }, draft.proofs);
  if (kind === 'wallet') {
    await allowRoutes(call, draft.data);
    await allowBridge(call, draft.data, undefined, found);
  }
  if (kind === 'report') await allowStatement(call, draft.data, domain);
  await assertWithin(call, kind, draft.data);
  assertNamed(named, found, rulebook);
  assertNamesOthers(kind, draft.data);
  await assertRules(kind, draft.data, call.services);
  assertConfigured(kind, draft.data, home);
  await assertFits(call, { kind, data: draft.data, named, domain }, found, rulebook);
  assertParentDomain(kind, draft, domain);
  await assertSubscriberQuota(call, kind, { data: draft.data, domain });
  assertOwnSigner(kind, found);
  const signers = signersOf(holders);
  const owner = signerOf(kind, draft.data);
  // The key of a factor that is sent again belongs to its signer; the answer must be `record.duplicated`.
  const isHeld = kind === 'signer-factor' && keys.some((key) => signers.get(key) === owner);
  if (isHeld) await assertHandleFree(services, scope, kind, nameOf(kind, draft.data));
  const holds = holdsOf(kind, draft, home, holders);
  const whose = new Map([...signers, ...holds.map((key) => [key, owner] as const)]);
  const authored = acceptedProofs(draft.proofs, whose);
  const begin = (status?: string) =>
    firstVersion(services, kind, { ...draft, domain, status }, authored, [ledger]);
  const version = begin(await statusVouched(call, begin(), authored, rulebook));
  await assertRoom(call, version);
  const attached = await withAttachment(call, version);
  const write = {
    ...creation(scope, attached.version, authored),
    ...(holds.length > 0 && { holds }),
    ...(await parentCondition(call, kind, draft.data)),
    ...attached.write,
  };
  return { commit: { token: newToken(), writes: [write] }, result: attached };
}
